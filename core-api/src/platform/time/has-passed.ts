/**
 * Returns whether `ms` have passed since `startedAt` (ms since the epoch). If the clock was set back, the start may be
 * in the future. The time then counts as passed, because a job would otherwise wait until the clock reaches the start.
 */
export function hasPassed(startedAt: number, ms: number): boolean {
  const age = Date.now() - startedAt;
  return age >= ms || age < 0;
}
