import type { Socket } from 'node:net';
import type { Clock } from './clock';

/** Watches how one side takes what is sent to it: slow is who takes something now and then, stalled who takes nothing. */
export class Taking {
  /** Bytes taken, and since when no more. */
  private takenBytes = 0;
  private takenAt: number;

  /** @param stalledMs how long nothing may be taken of what waits */
  constructor(
    private readonly clock: Clock,
    private readonly stalledMs: number,
  ) {
    this.takenAt = clock.now;
  }

  isStalled(socket: Socket): boolean {
    const { now } = this.clock;
    const takenBytes = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength === 0 || takenBytes !== this.takenBytes) {
      this.takenBytes = takenBytes;
      this.takenAt = now;
    }
    return now - this.takenAt > this.stalledMs;
  }
}
