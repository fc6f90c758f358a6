import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useIsMounted } from './useIsMounted';

type Changes = Readonly<Record<string, string | null>>;

/** Returns the changes that remove these parameters. */
export const removeParams = (names: Iterable<string>): Changes =>
  Object.fromEntries([...names].map((name) => [name, null]));

/**
 * The search parameters in the address bar, for callbacks. After a navigation they are current immediately; the
 * router's parameters are current after the next render.
 */
export const readLocationParams = (): URLSearchParams => new URLSearchParams(window.location.search);

/**
 * Returns the search parameters of the URL and a function that changes some of them; an empty value or null removes
 * a parameter. `update` keeps the path, the scroll position and, unless a new state is given, the history's state. The
 * identity of `update` changes only with the history's state. After its component was unmounted, `update` does nothing,
 * because the URL then belongs to another screen.
 */
export function useSearchParamsState() {
  const [params] = useSearchParams();
  const { state: currentState } = useLocation();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const update = useCallback(
    (changes: Changes, { replace = true, state = currentState }: { replace?: boolean; state?: unknown } = {}) => {
      if (!isMounted()) return;
      // With `params`, a second `update` before the next render would overwrite the first.
      const next = readLocationParams();
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      void navigate({ search: next.toString() }, { state, replace, preventScrollReset: true });
    },
    [navigate, currentState, isMounted],
  );
  return { params, update };
}
