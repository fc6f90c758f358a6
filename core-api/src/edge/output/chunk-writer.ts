import { write, writeSync } from 'node:fs';
import { MAX_WAITING_BYTES, type Output, until } from './output';

const RETRY_MS = 10;
const LINE_END = Buffer.from('\n');

/** Writes into a file, a pipe or a terminal, which may keep a writer waiting: in a thread of the pool, one call at a time. */
export class ChunkWriter implements Output {
  /** Twice as much as a socket takes whole: a thread's turn costs more than the bytes. */
  readonly pieceBytes = 64 * 1024;
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private isWriting = false;
  /** A chunk failed: here, or at another process that fared alike, what was written may end within a line. */
  private hasLost = false;

  /** @param onDropped called for each chunk that could not be written */
  constructor(
    private readonly onDropped: () => void,
    readonly descriptor: number,
  ) {}

  push(chunk: Buffer): void {
    if (this.waitingBytes + chunk.length > MAX_WAITING_BYTES) {
      this.onDropped();
      return;
    }
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    this.writeNext();
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    const written = this.waiting.length === 0 ? this.writeAtOnce(bytes) : 0;
    if (written < bytes.length) this.push(bytes.subarray(written));
  }

  /** @returns how many bytes were taken; what failed is tried again in its turn */
  private writeAtOnce(bytes: Buffer): number {
    try {
      if (this.hasLost) writeSync(this.descriptor, LINE_END);
      this.hasLost = false;
      return writeSync(this.descriptor, bytes);
    } catch {
      return 0;
    }
  }

  private writeNext(): void {
    const [next] = this.waiting;
    if (!next || this.isWriting) return;
    this.isWriting = true;
    const { hasLost } = this;
    write(this.descriptor, hasLost ? LINE_END : next, (error, written) => {
      this.isWriting = false;
      if (error?.code === 'EAGAIN') setTimeout(() => this.writeNext(), RETRY_MS);
      else {
        if (error) this.onDropped();
        if (error || !hasLost) this.took(next, error ? next.length : written);
        this.hasLost = error !== null;
        this.writeNext();
      }
    });
  }

  private took(chunk: Buffer, bytes: number): void {
    this.waitingBytes -= bytes;
    if (bytes === chunk.length) this.waiting.shift();
    else this.waiting[0] = chunk.subarray(bytes);
  }

  settled(limitMs?: number): Promise<number> {
    return until(() => this.waiting.length, limitMs);
  }

  get holdsExit(): boolean {
    return this.isWriting;
  }
}
