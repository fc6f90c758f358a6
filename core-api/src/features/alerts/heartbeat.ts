const INTERVAL_MS = 60_000;
const TIMEOUT_MS = 10_000;

/**
 * Calls `HEARTBEAT_URL` at most once a minute, so that an outside service notices an installation that no longer works.
 * A failed call is repeated with the next one.
 */
export function createHeartbeat(url: string | undefined): () => Promise<void> {
  let sentAt = 0;
  return async () => {
    if (url === undefined || Date.now() - sentAt < INTERVAL_MS) return;
    const { fetch } = await import('undici');
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.body?.cancel();
      if (response.ok) sentAt = Date.now();
    } catch {
      // The outside service notices the missing call.
    }
  };
}
