import type { Output } from './output/output';

const MAX_WAIT_MS = 200;
/**
 * Number of entries that are formatted together. A smaller batch costs more per entry, and a larger batch burdens the
 * garbage collector.
 */
const BATCH_SIZE = 16;

/** Buffers lines and writes them together, after 200 ms or when a chunk of the output is full. */
export class LineWriter<Entry> {
  private readonly chunk: Buffer;
  private usedBytes = 0;
  private readonly batch: Entry[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @param formatLine formats an entry as ASCII, with a newline */
  constructor(
    private readonly output: Pick<Output, 'maxChunkBytes' | 'push'>,
    private readonly formatLine: (entry: Entry) => string,
  ) {
    this.chunk = Buffer.allocUnsafeSlow(output.maxChunkBytes);
  }

  add(entry: Entry): void {
    this.batch.push(entry);
    if (this.batch.length === BATCH_SIZE) this.writeBatch();
    this.timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS);
  }

  private writeBatch(): void {
    let text = '';
    for (const entry of this.batch) {
      const line = this.formatLine(entry);
      if (text.length + line.length > this.chunk.length) {
        this.append(text);
        text = '';
      }
      text += line;
    }
    this.batch.length = 0;
    this.append(text);
  }

  /** @param text complete lines; only a text of one line may be longer than a chunk */
  private append(text: string): void {
    if (text.length > this.chunk.length - this.usedBytes) this.pushChunk();
    if (text.length > this.chunk.length) this.output.push(Buffer.from(text, 'latin1'));
    else this.usedBytes += this.chunk.write(text, this.usedBytes, 'latin1');
  }

  private pushChunk(): void {
    if (this.usedBytes > 0) this.output.push(Buffer.from(this.chunk.subarray(0, this.usedBytes)));
    this.usedBytes = 0;
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writeBatch();
    this.pushChunk();
  }
}
