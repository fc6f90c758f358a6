import type { FileHandle } from 'node:fs/promises';
import type { OpenedFile } from './open-file';

/** Larger files are streamed. */
const MAX_CACHED_BYTES = 256 * 1024;

export class FileChangedError extends Error {}

/** Remaining memory for the contents of files. */
export interface MemoryBudget {
  remainingBytes: number;
}

/** An open file with a reference count. Its handle is closed once `bytes` is set or the last reference is released. */
export class SharedFile {
  readonly size: number;
  readonly modified: Date;
  /** The whole content, if `load` had enough memory for it. */
  bytes: Buffer | undefined;
  private readonly handle: FileHandle;
  /** References of the cache and of responses in progress. */
  private referenceCount = 1;
  private isOpen = true;
  private loading: Promise<void> | undefined;
  private reservedBytes = 0;

  constructor(
    { handle, size, modified }: OpenedFile,
    private readonly memory: MemoryBudget,
  ) {
    this.handle = handle;
    this.size = size;
    this.modified = modified;
  }

  /** Adds a reference. Each caller must `release` it once. */
  retain(): void {
    this.referenceCount += 1;
  }

  release(): void {
    this.referenceCount -= 1;
    if (this.referenceCount > 0) return;
    this.memory.remainingBytes += this.reservedBytes;
    this.reservedBytes = 0;
    this.close();
  }

  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    // The file was only read, so an error on close loses nothing.
    this.handle.close().catch(() => undefined);
  }

  /** Reads a small file whole if memory allows, else checks that the file is unchanged. @throws FileChangedError */
  load(): Promise<void> {
    if (this.reservedBytes === 0 && this.size <= MAX_CACHED_BYTES && this.size <= this.memory.remainingBytes) {
      this.reservedBytes = this.size;
      this.memory.remainingBytes -= this.size;
      this.loading = this.readWhole();
    }
    return this.loading ?? this.check();
  }

  private async readWhole(): Promise<void> {
    const bytes = Buffer.allocUnsafeSlow(this.size);
    for (let position = 0; position < this.size; )
      position += (await this.read(bytes.subarray(position), position)).length;
    await this.check();
    this.bytes = bytes;
    this.close();
  }

  /** Reads a part of the file. @returns at least one byte. @throws FileChangedError at the end of the file */
  async read(target: Buffer, position: number): Promise<Buffer> {
    // Another response may have loaded the content meanwhile.
    if (this.bytes) return this.bytes.subarray(position, position + target.length);
    if (!this.isOpen) throw new FileChangedError();
    const { bytesRead } = await this.handle.read({ buffer: target, position });
    if (bytesRead === 0) throw new FileChangedError();
    return target.subarray(0, bytesRead);
  }

  /** Compares size and modification time with those at the opening. @throws FileChangedError */
  async check(): Promise<void> {
    if (this.bytes) return;
    if (!this.isOpen) throw new FileChangedError();
    const { size, mtime } = await this.handle.stat();
    if (size !== this.size || mtime.getTime() !== this.modified.getTime()) throw new FileChangedError();
  }
}
