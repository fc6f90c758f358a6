/**
 * Returns whether `ms` have passed since `startedAt` (ms since the epoch). A start in the future precedes a correction
 * of the clock, and the time counts as passed, because a job would otherwise wait until the clock reaches the start.
 */
export function hasPassed(startedAt: number, ms: number): boolean {
  const age = Date.now() - startedAt;
  return age >= ms || age < 0;
}
