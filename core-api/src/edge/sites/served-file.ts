import type { FileHandle } from 'node:fs/promises';
import type { OpenedFile } from './open-file';

/** Larger files are read while they are sent. */
const MAX_CACHED_BYTES = 256 * 1024;

/** The file is no longer what its head says. */
export class FileChanged extends Error {}

/** How many bytes of files may still be kept. */
export interface Memory {
  left: number;
}

/** An opened file that several answers share; its handle is closed after the last one. */
export class ServedFile {
  readonly size: number;
  readonly modified: Date;
  /** All of it, once `load` has found room for it. */
  bytes: Buffer | undefined;
  private readonly handle: FileHandle;
  /** Who remembers it, and the answers that read it. */
  private users = 1;
  private isOpen = true;
  private loading: Promise<void> | undefined;
  private reserved = 0;

  constructor(
    { handle, size, modified }: OpenedFile,
    private readonly memory: Memory,
  ) {
    this.handle = handle;
    this.size = size;
    this.modified = modified;
  }

  /** Whoever takes it releases it, once. */
  take(): void {
    this.users += 1;
  }

  release(): void {
    this.users -= 1;
    if (this.users > 0) return;
    this.memory.left += this.reserved;
    this.reserved = 0;
    this.close();
  }

  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    // It was only read: nothing can be lost.
    this.handle.close().catch(() => undefined);
  }

  /** Reads a small file whole; checks that a large one is unchanged. @throws FileChanged */
  load(): Promise<void> {
    if (this.reserved === 0 && this.size <= MAX_CACHED_BYTES && this.size <= this.memory.left) {
      this.reserved = this.size;
      this.memory.left -= this.size;
      this.loading = this.readWhole();
    }
    return this.loading ?? this.check();
  }

  private async readWhole(): Promise<void> {
    const bytes = Buffer.allocUnsafeSlow(this.size);
    for (let at = 0; at < this.size; ) at += (await this.read(bytes.subarray(at), at)).length;
    await this.check();
    this.bytes = bytes;
    this.close();
  }

  /** @returns as many bytes as came, at least one. @throws FileChanged at its end */
  async read(into: Buffer, position: number): Promise<Buffer> {
    // It was loaded while an answer that began without it was sent.
    if (this.bytes) return this.bytes.subarray(position, position + into.length);
    if (!this.isOpen) throw new FileChanged();
    const { bytesRead } = await this.handle.read({ buffer: into, position });
    if (bytesRead === 0) throw new FileChanged();
    return into.subarray(0, bytesRead);
  }

  /** @throws FileChanged */
  async check(): Promise<void> {
    if (this.bytes) return;
    if (!this.isOpen) throw new FileChanged();
    const { size, mtime } = await this.handle.stat();
    if (size !== this.size || mtime.getTime() !== this.modified.getTime()) throw new FileChanged();
  }
}
