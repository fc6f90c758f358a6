/**
 * Pause until the next multiple of an interval, between half and one and a half of it. Tasks of a process that pause like
 * this wake it together: an idle process spends most of its processor time on waking up.
 */
export function sharedPause(intervalMs: number): number {
  const now = performance.now();
  return Math.ceil(Math.ceil(now / intervalMs + 0.5) * intervalMs - now);
}
