/** Limits the pause, because a run that took very long probably waited for a database that was unavailable. */
const MAX_PAUSE_MS = 20_000;

/**
 * Returns when the next run of a job is due. The pause after a run is `factor` times as long as the run, at most 20 s.
 * This limits the job's share of time in a large installation, where each run takes long.
 * @param startedAt start of the run that ends now. It and the result are times of `performance.now()`, in ms.
 */
export function getNextRunAt(startedAt: number, factor: number): number {
  const now = performance.now();
  return now + Math.min(factor * (now - startedAt), MAX_PAUSE_MS);
}
