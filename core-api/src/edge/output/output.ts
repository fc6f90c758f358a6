/** A reader that stands still must not stop traffic: beyond this, what comes is dropped and counted. */
export const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Where whole lines go, one after the other, without ever waiting for the reader. */
export interface Output {
  /** Lines that stay together. */
  push(chunk: Buffer): void;
  /**
   * A line of the process's own log: at once while nothing is under way, since it may be the last; else in its turn, since
   * in the middle of a chunk it would tear a line.
   */
  write(line: string): void;
  /** Resolves when all of it is written, or lost. */
  settled(): Promise<void>;
}
