/** The time of the last tick or request. It is exact enough for time-outs and costs no system call. */
export interface Clock {
  /** Milliseconds since the epoch, by a clock that is never set back. */
  now: number;
  /** A `Date` line, with its CRLF. */
  date: string;
}
