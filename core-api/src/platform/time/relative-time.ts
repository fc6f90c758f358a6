export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the instant `ms` from now in ISO 8601 (UTC). A negative `ms` gives an instant in the past. */
export const toIsoFromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();

/**
 * Returns whether `ms` have passed since `startedAt` (ms since the epoch). If the clock was set back, the start may be
 * in the future. The time then counts as passed, because a job would otherwise wait until the clock reaches the start.
 */
export function hasPassed(startedAt: number, ms: number): boolean {
  const age = Date.now() - startedAt;
  return age >= ms || age < 0;
}
