/** A longer run probably waited for an absent database, so its duration says nothing about the installation's size. */
const MAX_PAUSE_MS = 20_000;

/**
 * Limits the share of time that a job takes in a large installation, where each run takes long. The pause after a run
 * is `factor` times as long as the run, and at most 20 s.
 * @param startedAt start of the run that ends now; monotonic clock, ms
 * @returns when the next run is due; monotonic clock, ms
 */
export function pauseAfter(startedAt: number, factor: number): number {
  const now = performance.now();
  return now + Math.min(factor * (now - startedAt), MAX_PAUSE_MS);
}
