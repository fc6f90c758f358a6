import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useIsMounted } from './useIsMounted';

/**
 * The search parameters of the address and a way to change them that keeps the path and the scroll position, and the
 * history's state unless another is given. `update` is the same function as long as the history's state is. It changes
 * nothing once its component is gone: the address then belongs to another screen.
 */
export function useSearchParamsState() {
  const [params] = useSearchParams();
  const { state: current } = useLocation();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const update = useCallback(
    (edit: (params: URLSearchParams) => void, { replace, state = current }: { replace: boolean; state?: unknown }) => {
      if (!isMounted()) return;
      // Not `params`: two updates in a row must not undo each other.
      const next = new URLSearchParams(window.location.search);
      edit(next);
      void navigate({ search: next.toString() }, { state, replace, preventScrollReset: true });
    },
    [navigate, current, isMounted],
  );
  return { params, update };
}
