/** A turn that waited for an absent database says nothing about the installation's size. */
const MAX_PAUSE_MS = 20_000;

/**
 * When the next turn of a job is due whose turns take longer in a larger installation: the pause is `factor` times as
 * long as the turn, and at most 20 s.
 * @param startedAt start of the turn that ends now; monotonic clock, ms
 * @returns monotonic clock, ms
 */
export function pauseAfter(startedAt: number, factor: number): number {
  const now = performance.now();
  return now + Math.min(factor * (now - startedAt), MAX_PAUSE_MS);
}
