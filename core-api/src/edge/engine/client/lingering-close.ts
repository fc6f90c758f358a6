import type { Socket } from 'node:net';

/** After the last response, reads and drops further bytes, because a reset could discard the response. */
export class LingeringClose {
  private droppedBytes = 0;

  /** @param maxBytes limit of dropped bytes */
  constructor(
    private readonly socket: Socket,
    private readonly maxBytes: number,
  ) {}

  /** Ends the writable side. */
  begin(): void {
    this.socket.end();
    if (this.socket.isPaused()) this.socket.resume();
  }

  drop(bytes: Buffer): void {
    this.droppedBytes += bytes.length;
    if (this.droppedBytes <= this.maxBytes) return;
    this.socket.pause();
    if (this.socket.writableFinished) this.socket.destroy();
  }
}
