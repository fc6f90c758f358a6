import type { Socket } from 'node:net';
import { corkTurn } from './cork-turn';
import { writeLent } from './lent-bytes';

/** What goes to one client. All return false when it reads too slowly. */
export class ClientOutput {
  private bytes = 0;

  constructor(private readonly socket: Socket) {}

  /** @param text Latin-1 */
  write(text: string): boolean {
    this.bytes += text.length;
    corkTurn(this.socket);
    return this.socket.write(text, 'latin1');
  }

  /** @param text goes out as UTF-8 */
  writeText(text: string): boolean {
    this.bytes += Buffer.byteLength(text);
    corkTurn(this.socket);
    return this.socket.write(text, 'utf8');
  }

  /** @param before Latin-1, in the same call of the system. @param bytes stay as they are until they are sent */
  writeBytes(before: string, bytes: Buffer): boolean {
    const { socket } = this;
    this.bytes += before.length + bytes.length;
    corkTurn(socket);
    if (before !== '') socket.write(before, 'latin1');
    return socket.write(bytes);
  }

  /** @param bytes lent until the call returns */
  writeLent(before: string, bytes: Buffer, after: string): boolean {
    this.bytes += before.length + bytes.length + after.length;
    return writeLent(this.socket, before, bytes, after);
  }

  /** What waits for the end of the turn goes out now. */
  flush(): void {
    while (this.socket.writableCorked > 0) this.socket.uncork();
  }

  /** @returns how many bytes went out since the last call */
  takeCount(): number {
    const { bytes } = this;
    this.bytes = 0;
    return bytes;
  }
}
