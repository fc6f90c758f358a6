import { closeSync, openSync } from 'node:fs';
import { ChunkWriter } from './chunk-writer';
import type { Output } from './output';

/** A file of lines, readable by its user alone. It may be moved away while it is written. */
export class LogFile implements Output {
  private writer: ChunkWriter;
  /** The one of the file that stands there, and those that still write into one that was moved away. */
  private readonly writers = new Set<ChunkWriter>();

  /** @param onDropped called for each chunk that could not be written */
  constructor(
    private readonly path: string,
    private readonly onDropped: () => void,
  ) {
    this.writer = this.open();
  }

  private open(): ChunkWriter {
    const writer = new ChunkWriter(this.onDropped, openSync(this.path, 'a', 0o600));
    this.writers.add(writer);
    return writer;
  }

  /** The file was moved away: what comes from now on goes into a new one. */
  reopen(): void {
    const { writer } = this;
    this.writer = this.open();
    void writer.settled().then(() => {
      closeSync(writer.descriptor);
      this.writers.delete(writer);
    });
  }

  get pieceBytes(): number {
    return this.writer.pieceBytes;
  }

  push(chunk: Buffer): void {
    this.writer.push(chunk);
  }

  write(line: string): void {
    this.writer.write(line);
  }

  async settled(limitMs?: number): Promise<number> {
    const left = await Promise.all([...this.writers].map((writer) => writer.settled(limitMs)));
    return left.reduce((all, each) => all + each, 0);
  }

  get holdsExit(): boolean {
    return [...this.writers].some(({ holdsExit }) => holdsExit);
  }
}
