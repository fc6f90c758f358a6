import { closeSync, openSync } from 'node:fs';
import { ChunkWriter } from './chunk-writer';
import type { Output } from './output';

/** A file of lines, readable by its user alone. It may be moved away while it is written. */
export class LogFile implements Output {
  private descriptor: number;
  private writer: ChunkWriter;

  /** @param onDropped called for each chunk that could not be written */
  constructor(
    private readonly path: string,
    private readonly onDropped: () => void,
  ) {
    this.descriptor = this.open();
    this.writer = new ChunkWriter(onDropped, this.descriptor);
  }

  private open(): number {
    return openSync(this.path, 'a', 0o600);
  }

  /** The file was moved away: what comes from now on goes into a new one. */
  reopen(): void {
    const { writer, descriptor } = this;
    this.descriptor = this.open();
    this.writer = new ChunkWriter(this.onDropped, this.descriptor);
    void writer.settled().then(() => closeSync(descriptor));
  }

  push(chunk: Buffer): void {
    this.writer.push(chunk);
  }

  write(line: string): void {
    this.writer.write(line);
  }

  settled(limitMs?: number): Promise<boolean> {
    return this.writer.settled(limitMs);
  }

  get holdsExit(): boolean {
    return this.writer.holdsExit;
  }
}
