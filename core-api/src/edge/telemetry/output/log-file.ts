import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { ConfigError } from '../../../platform/config/config';
import { getErrorMessage } from '../../../platform/errors/error-details';
import { MAX_ATOMIC_PIPE_BYTES } from './atomic-writes';
import { FileWriter } from './file-writer';
import type { Output } from './output';

export const isLogFilePath = (accessLog: string): boolean => accessLog !== 'off' && accessLog !== 'stdout';

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR, O_WRONLY, R_OK, W_OK } = constants;
const isNamedPipe = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;

/** Checks that the log file can be written, before any worker starts. @throws ConfigError */
export function requireWritableLogFile(path: string): void {
  try {
    // Opening and closing a named pipe would signal an end of file to the reader.
    if (isNamedPipe(path)) accessSync(path, R_OK | W_OK);
    else closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    const message = getErrorMessage(error);
    throw new ConfigError([`ACCESS_LOG: não é um arquivo em que se possa gravar (${message})`]);
  }
}

/** A log file with mode 0600, or a named pipe. It supports rotation by rename and `reopen`. */
export class LogFile implements Output {
  private writer: FileWriter;
  /** The current writer, and writers of rotated files that still have queued lines. */
  private readonly writers = new Set<FileWriter>();

  /** @param onDropped called for each chunk that could not be written */
  constructor(
    private readonly path: string,
    private readonly onDropped: () => void,
  ) {
    this.writer = this.open();
  }

  private open(): FileWriter {
    // A named pipe is opened for both directions, because opening it for writing alone waits for a reader or fails.
    const isPipe = isNamedPipe(this.path);
    const descriptor = openSync(this.path, O_APPEND | (isPipe ? O_RDWR | O_NONBLOCK : O_WRONLY | O_CREAT), 0o600);
    const writer = new FileWriter(this.onDropped, descriptor, isPipe ? MAX_ATOMIC_PIPE_BYTES : undefined);
    this.writers.add(writer);
    return writer;
  }

  /** Opens the path again after the file was renamed, so that further lines are written to the new file. */
  reopen(): void {
    const { writer } = this;
    this.writer = this.open();
    void writer.waitUntilFlushed().then(() => {
      closeSync(writer.descriptor);
      this.writers.delete(writer);
    });
  }

  get maxChunkBytes(): number {
    return this.writer.maxChunkBytes;
  }

  push(chunk: Buffer): void {
    this.writer.push(chunk);
  }

  write(line: string): void {
    this.writer.write(line);
  }

  async waitUntilFlushed(limitMs?: number): Promise<number> {
    const counts = await Promise.all([...this.writers].map((writer) => writer.waitUntilFlushed(limitMs)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  get blocksExit(): boolean {
    return [...this.writers].some(({ blocksExit }) => blocksExit);
  }
}
