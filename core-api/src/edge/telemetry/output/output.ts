/** Limit of queued bytes. A stalled reader must not stop traffic, so further chunks are dropped and counted. */
export const MAX_QUEUED_BYTES = 8 * 1024 * 1024;

/** Time limit of the last flush before a process exits, ms. */
export const FINAL_FLUSH_MS = 500;

/** Non-blocking output of whole lines. */
export interface Output {
  /** Maximum size of the chunks that `LineWriter` collects, bytes. */
  readonly maxChunkBytes: number;
  /** Queues a chunk of whole lines. */
  push(chunk: Buffer): void;
  /**
   * Writes a line of the process log. If the queue is empty, the write is synchronous, because the process may be about
   * to end. Otherwise the line is queued, because a synchronous write could tear a line of a chunk.
   */
  write(line: string): void;
  /**
   * Resolves when everything is written or dropped, or after the time limit.
   * @param limitMs time limit
   * @returns the number of chunks that are still queued, which are lost if the process exits
   */
  waitUntilFlushed(limitMs?: number): Promise<number>;
  /** True while a write blocks a thread, for which `process.exit` would wait. */
  readonly blocksExit: boolean;
}

const POLL_MS = 1;

/** Waits until `countQueued` returns 0, or until the time limit. @returns its last result */
export async function waitUntilEmpty(countQueued: () => number, limitMs = Number.POSITIVE_INFINITY): Promise<number> {
  const deadline = performance.now() + limitMs;
  while (countQueued() > 0 && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return countQueued();
}

/** Exits the process, even if a thread is blocked by a stalled reader. */
export function exitProcess(outputs: readonly Output[], exit: () => never): never {
  if (outputs.some(({ blocksExit }) => blocksExit)) process.kill(process.pid, 'SIGKILL');
  return exit();
}
