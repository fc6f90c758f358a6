import type { Socket } from 'node:net';
import type { Clock } from './clock';
import type { Limits } from './types';

/** What a drain leaves to a client for a request that is on its way, and for the rest of a head. */
const LAST_REQUEST_MS = 500;

/** How long one client may take for what it does just now. */
export class ClientTimes {
  /** When the present step must have ended, ms since the epoch. */
  private deadline: number;
  /** How long the edge has been reading the present body, ms. */
  private bodyMs = 0;
  /** Bytes taken by the client, and since when no more. */
  private takenBytes = 0;
  private takenAt: number;
  private isHurried = false;

  constructor(
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {
    this.takenAt = clock.now;
    this.deadline = clock.now + limits.headMs;
  }

  /** @param milliseconds for the step that begins */
  expectWithin(milliseconds: number): void {
    this.deadline = this.clock.now + milliseconds;
  }

  /** Until the next request begins. */
  expectRequest(): void {
    this.expectWithin(this.isHurried ? LAST_REQUEST_MS : this.limits.idleMs);
  }

  /** The first bytes of a head have come. */
  expectHead(): void {
    this.expectWithin(this.isHurried ? LAST_REQUEST_MS : this.limits.headMs);
  }

  /** From now on there is little time for a request to come. */
  hurry(): void {
    this.isHurried = true;
  }

  get isOver(): boolean {
    return this.clock.now > this.deadline;
  }

  bodyBegins(): void {
    this.bodyMs = 0;
  }

  /** @param elapsedMs that the edge could have been reading since the last call */
  isBodyTooSlow(receivedBytes: number, elapsedMs: number): boolean {
    const { bodyGraceMs, bodyRate } = this.limits;
    this.bodyMs += elapsedMs;
    return this.bodyMs > bodyGraceMs && receivedBytes < (bodyRate * this.bodyMs) / 1000;
  }

  /** A slow reader is one that takes something now and then; one that takes nothing is none. */
  isStalled(socket: Socket): boolean {
    const { now } = this.clock;
    const takenBytes = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength === 0 || takenBytes !== this.takenBytes) {
      this.takenBytes = takenBytes;
      this.takenAt = now;
    }
    return now - this.takenAt > this.limits.stalledMs;
  }
}
