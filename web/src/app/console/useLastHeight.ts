import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';

/** Heights of the page in pixels, by the key of the history entry. */
const heights = new Map<string, number>();

/**
 * The height that the page had when the user left its history entry. A loading screen of this height lets the router
 * restore the scroll position before the rows of the screen have arrived.
 */
export function useLastHeight(): number | undefined {
  const { key } = useLocation();
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      // The height of a loading screen is not stored, because the loaded page has another height.
      if (!document.querySelector('[data-loading]')) heights.set(key, document.documentElement.scrollHeight);
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [key]);
  return heights.get(key);
}
