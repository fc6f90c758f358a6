import { useMediaQuery } from '@chakra-ui/react';

/**
 * Follows a media query, from the first render on: Chakra's option `ssr` is off, because these hooks run only in the
 * console, which is not prerendered.
 */
function useMediaMatch(query: string): boolean {
  const [matches = false] = useMediaQuery([query], { ssr: false });
  return matches;
}

/** Returns whether the window has at least this width. */
export const useMinWidth = (widthPx: number): boolean => useMediaMatch(`(min-width: ${widthPx}px)`);

/** Returns whether the main pointer is a finger, which cannot drag files. */
export const useTouchScreen = (): boolean => useMediaMatch('(hover: none)');
