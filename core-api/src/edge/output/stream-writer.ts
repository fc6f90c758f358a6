import type { Writable } from 'node:stream';
import { MAX_WAITING_BYTES, type Output, until } from './output';
import { MAX_WHOLE_BYTES } from './whole-writes';

/**
 * Writes into a socket, which is what a parent process gives its child as standard output: what there is room for goes at
 * once, the rest when the reader takes more. A thread of the pool, as files need it, costs several times what that does.
 */
export class StreamWriter implements Output {
  readonly pieceBytes = MAX_WHOLE_BYTES;
  readonly holdsExit = false;
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private readonly wrote = (error?: Error | null) => {
    if (error) this.onDropped();
    this.writeNext();
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
    if (this.waitingBytes + this.stream.writableLength + chunk.length > MAX_WAITING_BYTES) {
      this.onDropped();
      return;
    }
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    this.writeNext();
  }

  /** One at a time: the stream would make one call of those that wait in it, and other processes' lines came in between. */
  private writeNext(): void {
    while (this.stream.writableLength === 0) {
      const next = this.waiting.shift();
      if (!next) return;
      this.waitingBytes -= next.length;
      this.stream.write(next, this.wrote);
    }
  }

  write(line: string): void {
    this.push(Buffer.from(line));
  }

  settled(limitMs?: number): Promise<number> {
    return until(() => this.waiting.length + (this.stream.writableLength > 0 ? 1 : 0), limitMs);
  }
}
