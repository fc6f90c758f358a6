import { closeSync, openSync } from 'node:fs';
import { ChunkWriter } from '../output/chunk-writer';

const MAX_CHUNK_BYTES = 64 * 1024;
const MAX_WAIT_MS = 200;

/** Collects lines and writes them together, after 64 kB or 200 ms. */
export class LineWriter {
  private writer: ChunkWriter;
  private close: () => void = () => undefined;
  private readonly chunk = Buffer.allocUnsafeSlow(MAX_CHUNK_BYTES);
  private usedBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Chunks that could not be written, since the start. */
  dropped = 0;
  private readonly countDropped = () => {
    this.dropped += 1;
  };

  /** @param target `stdout`, or a file, which is made readable by its user alone */
  constructor(private readonly target: string) {
    this.writer = this.open();
  }

  /** Where this process's own log goes, which must not tear the lines; nothing where these go into a file. */
  get besides(): ChunkWriter | undefined {
    return this.target === 'stdout' ? this.writer : undefined;
  }

  private open(): ChunkWriter {
    if (this.target === 'stdout') return new ChunkWriter(this.countDropped);
    const descriptor = openSync(this.target, 'a', 0o600);
    this.close = () => closeSync(descriptor);
    return new ChunkWriter(this.countDropped, descriptor);
  }

  /** @param line of ASCII, with its end */
  add(line: string): void {
    if (line.length > MAX_CHUNK_BYTES - this.usedBytes) this.flush();
    if (line.length > MAX_CHUNK_BYTES) {
      this.writer.push(Buffer.from(line, 'latin1'));
      return;
    }
    // Written at once: lines that are kept as text cost the collector more than the line itself.
    this.usedBytes += this.chunk.write(line, this.usedBytes, 'latin1');
    this.timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.usedBytes === 0) return;
    this.writer.push(Buffer.from(this.chunk.subarray(0, this.usedBytes)));
    this.usedBytes = 0;
  }

  /** The file was moved away: what comes from now on goes into a new one. */
  reopen(): void {
    if (this.target === 'stdout') return;
    this.flush();
    const { writer, close } = this;
    this.writer = this.open();
    void writer.settled().then(close);
  }

  /** Everything that was added, at a graceful end. */
  async end(): Promise<void> {
    this.flush();
    await this.writer.settled();
  }
}
