import { useEffect, useEffectEvent } from 'react';

/** Interval of the screens that show a state which changes by itself. */
const POLL_INTERVAL_MS = 15_000;

/** Options of a query that is repeated every 15 s while the page is visible (`skipPollAttempt` of the client). */
export const polling = { pollInterval: POLL_INTERVAL_MS };

/**
 * Calls `poll` every 15 s while the page is visible, for reads that no polled Apollo query makes. If the previous call
 * is still running, an interval is skipped. A failed call is repeated in the next interval.
 */
export function usePolling(poll: () => Promise<unknown>): void {
  const call = useEffectEvent(poll);
  useEffect(() => {
    let isRunning = false;
    const timer = setInterval(() => {
      if (document.hidden || isRunning) return;
      isRunning = true;
      call()
        .catch(() => undefined)
        .finally(() => {
          isRunning = false;
        });
    }, POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
}
