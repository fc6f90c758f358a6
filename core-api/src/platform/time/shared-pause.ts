/**
 * Returns a pause in ms, of 0.5 to 1.5 intervals, that ends at a multiple of the interval on the monotonic clock. Tasks
 * with such pauses run together, because an idle process spends most of its processor time on waking up.
 */
export function computeSharedPause(intervalMs: number): number {
  const now = performance.now();
  return Math.ceil(Math.ceil(now / intervalMs + 0.5) * intervalMs - now);
}
