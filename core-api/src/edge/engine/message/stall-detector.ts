import type { Socket } from 'node:net';
import type { Clock } from '../clock';

/** Detects a peer that reads no byte of the waiting data. A slow peer that reads some bytes is not stalled. */
export class StallDetector {
  /** Bytes that the kernel had taken at the last progress. The kernel takes more when the peer reads. */
  private lastTakenBytes = 0;
  private progressAt: number;

  /** @param stalledMs allowed time without progress */
  constructor(
    private readonly clock: Clock,
    private readonly stalledMs: number,
  ) {
    this.progressAt = clock.now;
  }

  isStalled(socket: Socket): boolean {
    const { now } = this.clock;
    const takenBytes = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength === 0 || takenBytes !== this.lastTakenBytes) {
      this.lastTakenBytes = takenBytes;
      this.progressAt = now;
    }
    return now - this.progressAt > this.stalledMs;
  }
}
