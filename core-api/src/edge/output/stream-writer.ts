import type { Writable } from 'node:stream';
import { MAX_WAITING_BYTES, type Output, until } from './output';

/**
 * Writes into a socket, which is what a parent process gives its child as standard output: what there is room for goes at
 * once, the rest when the reader takes more. A thread of the pool, as files need it, costs several times what that does.
 */
export class StreamWriter implements Output {
  readonly holdsExit = false;
  private readonly wrote = (error?: Error | null) => {
    if (error) this.onDropped();
  };

  /** @param onDropped called for each chunk that could not be written */
  constructor(
    private readonly stream: Writable,
    private readonly onDropped: () => void,
  ) {
    // Each write is told of its own end.
    stream.on('error', () => undefined);
  }

  push(chunk: Buffer): void {
    if (this.stream.writableLength + chunk.length > MAX_WAITING_BYTES) this.onDropped();
    else this.stream.write(chunk, this.wrote);
  }

  write(line: string): void {
    this.push(Buffer.from(line));
  }

  settled(limitMs?: number): Promise<boolean> {
    return until(() => this.stream.writableLength === 0, limitMs);
  }
}
