import { useEffect, useState } from 'react';

/** Responses below this time show no skeleton. */
const SHOW_AFTER_MS = 200;
/** Minimum time that the skeleton stays visible, to avoid flicker. Data must be painted within 250 ms of its arrival. */
const MIN_SHOWN_MS = 150;

/** Returns true once `busy` has lasted for 200 ms, and then for at least 150 ms. */
export function useDelayed(busy: boolean): boolean {
  const [shownSinceMs, setShownSinceMs] = useState<number | null>(null);
  useEffect(() => {
    if (busy && shownSinceMs === null) {
      const timer = setTimeout(() => setShownSinceMs(performance.now()), SHOW_AFTER_MS);
      return () => clearTimeout(timer);
    }
    if (!busy && shownSinceMs !== null) {
      const leftMs = Math.max(0, MIN_SHOWN_MS - (performance.now() - shownSinceMs));
      const timer = setTimeout(() => setShownSinceMs(null), leftMs);
      return () => clearTimeout(timer);
    }
  }, [busy, shownSinceMs]);
  // The skeleton leaves in the frame in which its content appears.
  return shownSinceMs !== null && (busy || performance.now() - shownSinceMs < MIN_SHOWN_MS);
}
