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

/** Whether it is wider than a phone. */
export const useMediumScreen = (): boolean => useMediaQuery('(min-width: 640px)');

/** Whether there is room for a table whose cells are all short. */
export const useTabletScreen = (): boolean => useMediaQuery('(min-width: 768px)');

/** Whether a wide table has room for more: the words of its actions, too. */
export const useLargeScreen = (): boolean => useMediaQuery('(min-width: 1680px)');
