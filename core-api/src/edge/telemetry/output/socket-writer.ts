import type { Writable } from 'node:stream';
import { MAX_ATOMIC_BYTES } from './atomic-writes';
import { MAX_QUEUED_BYTES, type Output, waitUntilEmpty } from './output';

/**
 * Writes to a socket, such as standard output under systemd. Sockets are non-blocking, so the writer needs no thread of
 * libuv's pool, which would cost several times as much.
 */
export class SocketWriter implements Output {
  readonly maxChunkBytes = MAX_ATOMIC_BYTES;
  readonly blocksExit = false;
  private readonly queue: Buffer[] = [];
  private waitingBytes = 0;
  private readonly onWritten = (error?: Error | null) => {
    if (error) this.onDropped();
    this.writeNext();
  };

  /** @param onDropped called for each chunk that could not be written */
  constructor(
    private readonly stream: Writable,
    private readonly onDropped: () => void,
  ) {
    // Errors are handled in the callback of each write.
    stream.on('error', () => undefined);
  }

  push(chunk: Buffer): void {
    if (this.waitingBytes + this.stream.writableLength + chunk.length > MAX_QUEUED_BYTES) {
      this.onDropped();
      return;
    }
    this.queue.push(chunk);
    this.waitingBytes += chunk.length;
    this.writeNext();
  }

  /** Writes one chunk at a time. The stream would merge queued chunks into a call that is too large to be atomic. */
  private writeNext(): void {
    while (this.stream.writableLength === 0) {
      const chunk = this.queue.shift();
      if (!chunk) return;
      this.waitingBytes -= chunk.length;
      this.stream.write(chunk, this.onWritten);
    }
  }

  write(line: string): void {
    this.push(Buffer.from(line));
  }

  waitUntilFlushed(limitMs?: number): Promise<number> {
    return waitUntilEmpty(() => this.queue.length + (this.stream.writableLength > 0 ? 1 : 0), limitMs);
  }
}
