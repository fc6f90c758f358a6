import { useCallback, useSyncExternalStore } from 'react';

/** Follows a media query. Only for screens behind the guard: they are never prerendered. */
function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Whether there is room for a table; else lists are cards. */
export const useWideScreen = (): boolean => useMediaQuery('(min-width: 880px)');
