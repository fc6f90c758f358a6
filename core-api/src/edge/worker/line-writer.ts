import type { Output } from '../output/output';
import { MAX_WHOLE_BYTES } from '../output/whole-writes';

const MAX_WAIT_MS = 200;
/** Entries that become lines together: a line by itself among requests costs more. Kept longer, they burden the collector. */
const BATCH = 16;

/** Collects lines and writes them together, after 32 kB or 200 ms: other workers write to the same place. */
export class LineWriter<Entry> {
  private readonly chunk = Buffer.allocUnsafeSlow(MAX_WHOLE_BYTES);
  private usedBytes = 0;
  private readonly batch: Entry[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @param lineOf of ASCII, with its end */
  constructor(
    private readonly output: Pick<Output, 'push'>,
    private readonly lineOf: (entry: Entry) => string,
  ) {}

  add(entry: Entry): void {
    this.batch.push(entry);
    if (this.batch.length === BATCH) this.writeBatch();
    this.timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS);
  }

  private writeBatch(): void {
    let text = '';
    for (const entry of this.batch) {
      const line = this.lineOf(entry);
      if (text.length + line.length > MAX_WHOLE_BYTES) {
        this.collect(text);
        text = '';
      }
      text += line;
    }
    this.batch.length = 0;
    this.collect(text);
  }

  /** @param text whole lines, at most as long as a chunk unless they are one line */
  private collect(text: string): void {
    if (text.length > MAX_WHOLE_BYTES - this.usedBytes) this.pushChunk();
    if (text.length > MAX_WHOLE_BYTES) this.output.push(Buffer.from(text, 'latin1'));
    else this.usedBytes += this.chunk.write(text, this.usedBytes, 'latin1');
  }

  private pushChunk(): void {
    if (this.usedBytes > 0) this.output.push(Buffer.from(this.chunk.subarray(0, this.usedBytes)));
    this.usedBytes = 0;
  }

  /** Hands over everything that was added. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writeBatch();
    this.pushChunk();
  }
}
