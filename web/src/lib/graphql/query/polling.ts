import { useEffect, useEffectEvent } from 'react';

/** Interval of screens whose state changes by itself. A hidden page does not poll (`skipPollAttempt` of the client). */
export const POLL_INTERVAL_MS = 15_000;

/**
 * Calls `poll` every 15 s while the page is visible, for reads outside of Apollo's polled queries. If the previous call
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
