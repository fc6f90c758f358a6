/**
 * Returns a pause in ms, of 0.5 to 1.5 intervals, that ends at a multiple of the interval on the monotonic clock. Tasks
 * with such pauses share their wake-ups, which take most of the processor time of an idle process.
 */
export function computeAlignedPause(intervalMs: number): number {
  const now = performance.now();
  return Math.ceil(Math.ceil(now / intervalMs + 0.5) * intervalMs - now);
}
