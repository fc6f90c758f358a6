const TIME_ORIGIN = performance.timeOrigin;

/** Monotonic time, ms since the epoch with fractions. Changes of the system clock and suspensions do not affect it. */
export const monotonicNow = (): number => TIME_ORIGIN + performance.now();

/** Converts a time of `monotonicNow` to the system clock, ms since the epoch. */
export const toWallClock = (at: number): number => at + Date.now() - monotonicNow();

/** The time of the last tick or request. It is exact enough for time-outs and costs no system call. */
export interface Clock {
  /** The time of `monotonicNow`, ms. */
  now: number;
  /** A `Date` line, with its CRLF. */
  date: string;
}
