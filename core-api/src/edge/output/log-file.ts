import { closeSync, openSync, statSync } from 'node:fs';
import { ConfigurationError } from '../../config';
import { ChunkWriter } from './chunk-writer';
import type { Output } from './output';

/** Whether `ACCESS_LOG` names a file. */
export const writesFile = (accessLog: string): boolean => accessLog !== 'off' && accessLog !== 'stdout';

/** @throws ConfigurationError for a file that cannot be written; each worker would end at it, again and again */
export function requireLogFile(path: string): void {
  try {
    // Whoever reads a named pipe would take this for its end.
    if (statSync(path, { throwIfNoEntry: false })?.isFIFO()) return;
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError([`ACCESS_LOG: não é um arquivo em que se possa gravar (${said})`]);
  }
}

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
