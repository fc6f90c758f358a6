/** The time of the last tick or request. It is exact enough for time-outs and costs no system call. */
export interface Clock {
  /** Monotonic time, ms since the epoch. */
  now: number;
  /** A `Date` line, with its CRLF. */
  date: string;
}
