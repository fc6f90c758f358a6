/** The time as of the last tick or request: exact enough for limits, and costs nothing to ask. */
export interface Clock {
  /** Ms since the epoch; never goes back. */
  now: number;
  /** A `Date` line, with its CRLF. */
  date: string;
}
