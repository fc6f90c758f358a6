import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/**
 * The query of the address and a way to change it that keeps the path, the history's state and the place on the page.
 * Stable as long as the history's state is.
 */
export function useAddress() {
  const [params] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const change = useCallback(
    (edit: (params: URLSearchParams) => void, { replace }: { replace: boolean }) => {
      const after = new URLSearchParams(window.location.search);
      edit(after);
      void navigate({ search: after.toString() }, { state, replace, preventScrollReset: true });
    },
    [navigate, state],
  );
  return { params, change };
}
