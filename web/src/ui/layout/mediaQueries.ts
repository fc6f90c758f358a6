import { useMediaQuery } from '@chakra-ui/react';

/**
 * Follows a media query, from the first render on: Chakra's option `ssr` is off, because these hooks run only in the
 * console, which is not prerendered. `List.module.css` has the same limits of 640, 768 and 880 px.
 */
function useMediaMatch(query: string): boolean {
  const [matches = false] = useMediaQuery([query], { ssr: false });
  return matches;
}

/** Returns whether every table fits. */
export const useWideScreen = (): boolean => useMediaMatch('(min-width: 880px)');

/** Returns whether the window is wider than a phone. */
export const useMediumScreen = (): boolean => useMediaMatch('(min-width: 640px)');

/** Returns whether a table without wide columns fits. */
export const useTabletScreen = (): boolean => useMediaMatch('(min-width: 768px)');

/** Returns whether the main pointer is a finger, which cannot drag files. */
export const useTouchScreen = (): boolean => useMediaMatch('(hover: none)');

/** Returns whether a wide table has room for the words of its actions. */
export const useLargeScreen = (): boolean => useMediaMatch('(min-width: 1680px)');
