import type { Socket } from 'node:net';

/** The time after a client's last answer: what still comes is dropped, so that the answer is not lost to a reset. */
export class Lingering {
  private droppedBytes = 0;

  /** @param mostBytes that are read and dropped */
  constructor(
    private readonly socket: Socket,
    private readonly mostBytes: number,
  ) {}

  /** The answer is on its way. */
  begin(): void {
    this.socket.end();
    if (this.socket.isPaused()) this.socket.resume();
  }

  drop(bytes: Buffer): void {
    this.droppedBytes += bytes.length;
    if (this.droppedBytes <= this.mostBytes) return;
    this.socket.pause();
    if (this.socket.writableFinished) this.socket.destroy();
  }
}
