import { useEffect, useState } from 'react';

/** A quick response shows no skeleton. */
const SHOW_AFTER_MS = 200;
/** None flashes. Not longer: what has arrived is to be painted within 250 ms. */
const MIN_SHOWN_MS = 150;

/** True once `busy` has lasted for a while, and then for a least time. */
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
  // What has been shown for long enough goes in the same frame as what replaces it.
  return shownSinceMs !== null && (busy || performance.now() - shownSinceMs < MIN_SHOWN_MS);
}
