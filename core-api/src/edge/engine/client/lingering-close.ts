import type { Socket } from 'node:net';

/** Drops input after the last response. A close with unread input sends a reset, which could discard the response. */
export class LingeringClose {
  private droppedBytes = 0;

  /** @param maxBytes limit of dropped bytes. Further input is paused until the end of the response or a time limit. */
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
