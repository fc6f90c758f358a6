import { write, writeSync } from 'node:fs';
import { MAX_QUEUED_BYTES, type Output, waitUntilEmpty } from './output';

/** Chunks are larger than for a socket, because a hand-over to the thread pool costs more than the write. */
const FILE_CHUNK_BYTES = 64 * 1024;
const RETRY_MS = 10;
const LINE_END = Buffer.from('\n');

/** Writes to a file, a pipe or a terminal. A write may block, so writes run in libuv's thread pool, one at a time. */
export class FileWriter implements Output {
  private readonly queue: Buffer[] = [];
  private waitingBytes = 0;
  private isWriting = false;
  /** True after a failed write, which may have ended within a line. The next write then starts with a newline. */
  private mayEndMidLine = false;

  /** @param onDropped called for each chunk that could not be written */
  constructor(
    private readonly onDropped: () => void,
    readonly descriptor: number,
    readonly maxChunkBytes = FILE_CHUNK_BYTES,
  ) {}

  push(chunk: Buffer): void {
    if (this.waitingBytes + chunk.length > MAX_QUEUED_BYTES) {
      this.onDropped();
      return;
    }
    this.queue.push(chunk);
    this.waitingBytes += chunk.length;
    this.writeNext();
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    const writtenBytes = this.queue.length === 0 ? this.tryWriteSync(bytes) : 0;
    if (writtenBytes < bytes.length) this.push(bytes.subarray(writtenBytes));
  }

  /** Writes synchronously. @returns the number of written bytes, 0 after an error */
  private tryWriteSync(bytes: Buffer): number {
    try {
      if (this.mayEndMidLine) writeSync(this.descriptor, LINE_END);
      this.mayEndMidLine = false;
      return writeSync(this.descriptor, bytes);
    } catch {
      return 0;
    }
  }

  private writeNext(): void {
    const [chunk] = this.queue;
    if (!chunk || this.isWriting) return;
    this.isWriting = true;
    if (this.mayEndMidLine) write(this.descriptor, LINE_END, (error) => this.onWritten(error, chunk, 0));
    else write(this.descriptor, chunk, (error, written) => this.onWritten(error, chunk, written));
  }

  private onWritten(error: NodeJS.ErrnoException | null, chunk: Buffer, written: number): void {
    this.isWriting = false;
    if (error?.code === 'EAGAIN') {
      setTimeout(() => this.writeNext(), RETRY_MS);
      return;
    }
    if (error) this.onDropped();
    this.removeWritten(chunk, error ? chunk.length : written);
    this.mayEndMidLine = error !== null;
    this.writeNext();
  }

  private removeWritten(chunk: Buffer, bytes: number): void {
    this.waitingBytes -= bytes;
    if (bytes === chunk.length) this.queue.shift();
    else this.queue[0] = chunk.subarray(bytes);
  }

  waitUntilFlushed(limitMs?: number): Promise<number> {
    return waitUntilEmpty(() => this.queue.length, limitMs);
  }

  get blocksExit(): boolean {
    return this.isWriting;
  }
}
