export const STDOUT = 1;
export const STDERR = 2;

/** A reader that stands still must not stop traffic: beyond this, what comes is dropped and counted. */
export const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** At the end of a process a reader that stands still is not waited for longer. */
export const LAST_OUTPUT_MS = 500;

/** Where whole lines go, one after the other, without ever waiting for the reader. */
export interface Output {
  /** Bytes that it takes in one call at best: lines are collected up to here. */
  readonly pieceBytes: number;
  /** Lines that stay together. */
  push(chunk: Buffer): void;
  /**
   * A line of the process's own log: at once while nothing is under way, since it may be the last; else in its turn, since
   * in the middle of a chunk it would tear a line.
   */
  write(line: string): void;
  /**
   * Resolves when all of it is written, or lost.
   * @param limitMs from then on the reader is not waited for
   * @returns how many chunks wait still, which are lost with the process
   */
  settled(limitMs?: number): Promise<number>;
  /** A call waits for the reader in a thread, and `process.exit` would wait for that thread. */
  readonly holdsExit: boolean;
}

const LOOK_MS = 1;

/** Resolves when nothing is left, or the time is over. @returns how much is left */
export async function until(left: () => number, limitMs = Number.POSITIVE_INFINITY): Promise<number> {
  const end = performance.now() + limitMs;
  while (left() > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return left();
}

/** Ends this process, also where a thread waits for a reader. */
export function leave(outputs: readonly Output[], exit: () => never): never {
  if (outputs.some(({ holdsExit }) => holdsExit)) process.kill(process.pid, 'SIGKILL');
  return exit();
}
