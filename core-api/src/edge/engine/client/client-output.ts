import type { Socket } from 'node:net';
import { writeBorrowed } from '../message/borrowed-bytes';
import { batchWrites } from '../message/write-batching';

/** Writes to one client connection and counts bytes. A `write` method returns false if the socket's buffer is full. */
export class ClientOutput {
  private bytes = 0;

  constructor(private readonly socket: Socket) {}

  /** Writes a Latin-1 text. */
  write(text: string): boolean {
    this.bytes += text.length;
    batchWrites(this.socket);
    return this.socket.write(text, 'latin1');
  }

  /** Writes a text as UTF-8. */
  writeText(text: string): boolean {
    this.bytes += Buffer.byteLength(text);
    batchWrites(this.socket);
    return this.socket.write(text, 'utf8');
  }

  /** Writes a Latin-1 text and bytes in one system call. The bytes must not change until they are sent. */
  writeBytes(before: string, bytes: Buffer): boolean {
    const { socket } = this;
    this.bytes += before.length + bytes.length;
    batchWrites(socket);
    if (before !== '') socket.write(before, 'latin1');
    return socket.write(bytes);
  }

  /** Writes bytes between two Latin-1 texts. The caller may reuse the bytes after the call. */
  writeBorrowed(before: string, bytes: Buffer, after: string): boolean {
    this.bytes += before.length + bytes.length + after.length;
    return writeBorrowed(this.socket, before, bytes, after);
  }

  /** Sends corked writes now. */
  flush(): void {
    while (this.socket.writableCorked > 0) this.socket.uncork();
  }

  /** Returns the number of bytes that were written since the last call. */
  takeByteCount(): number {
    const { bytes } = this;
    this.bytes = 0;
    return bytes;
  }
}
