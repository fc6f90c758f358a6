import { closeSync, openSync } from 'node:fs';
import { ChunkWriter } from '../output/chunk-writer';
import type { Output } from '../output/output';
import { standardOutput } from '../output/standard-output';

const MAX_CHUNK_BYTES = 64 * 1024;
const MAX_WAIT_MS = 200;
/** Entries that become lines together: a line by itself among requests costs more. Kept longer, they burden the collector. */
const BATCH = 16;

/** Collects lines and writes them together, after 64 kB or 200 ms. */
export class LineWriter<Entry> {
  private writer: Output;
  private close: () => void = () => undefined;
  private readonly chunk = Buffer.allocUnsafeSlow(MAX_CHUNK_BYTES);
  private usedBytes = 0;
  private readonly batch: Entry[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Chunks that could not be written, since the start. */
  dropped = 0;
  private readonly countDropped = () => {
    this.dropped += 1;
  };

  /**
   * @param target `stdout`, or a file, which is made readable by its user alone
   * @param lineOf of ASCII, with its end
   */
  constructor(
    private readonly target: string,
    private readonly lineOf: (entry: Entry) => string,
  ) {
    this.writer = this.open();
  }

  /** Where this process's own log goes, which must not tear the lines; nothing where these go into a file. */
  get besides(): Output | undefined {
    return this.target === 'stdout' ? this.writer : undefined;
  }

  private open(): Output {
    if (this.target === 'stdout') return standardOutput(this.countDropped);
    const descriptor = openSync(this.target, 'a', 0o600);
    this.close = () => closeSync(descriptor);
    return new ChunkWriter(this.countDropped, descriptor);
  }

  add(entry: Entry): void {
    this.batch.push(entry);
    if (this.batch.length === BATCH) this.writeBatch();
    this.timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS);
  }

  private writeBatch(): void {
    let text = '';
    for (const entry of this.batch) text += this.lineOf(entry);
    this.batch.length = 0;
    if (text.length > MAX_CHUNK_BYTES - this.usedBytes) this.pushChunk();
    if (text.length > MAX_CHUNK_BYTES) this.writer.push(Buffer.from(text, 'latin1'));
    else this.usedBytes += this.chunk.write(text, this.usedBytes, 'latin1');
  }

  private pushChunk(): void {
    if (this.usedBytes > 0) this.writer.push(Buffer.from(this.chunk.subarray(0, this.usedBytes)));
    this.usedBytes = 0;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writeBatch();
    this.pushChunk();
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
