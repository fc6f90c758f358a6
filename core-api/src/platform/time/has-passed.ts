/**
 * Whether `ms` have passed since an instant (ms since the epoch) that this process has noted. An instant of the future
 * was noted before the clock was set back. It counts as passed, because a job would otherwise pause until the clock
 * reaches it again.
 */
export function hasPassed(startedAt: number, ms: number): boolean {
  const age = Date.now() - startedAt;
  return age >= ms || age < 0;
}
