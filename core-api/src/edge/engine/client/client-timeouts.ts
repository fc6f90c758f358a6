import type { Socket } from 'node:net';
import type { Clock } from '../clock';
import type { Limits } from '../limits';
import { StallDetector } from '../message/stall-detector';

/** Time that a drain allows for a request that is on its way, ms. */
const LAST_REQUEST_MS = 500;

/** Time-outs of one client connection for idle time, request head, body rate and stalled responses. */
export class ClientTimeouts {
  /** Time of `Clock.now` at which the current step times out. */
  private deadline: number;
  /** Duration of the current body, without the time of a blocked event loop, ms. */
  private bodyMs = 0;
  private readonly stallDetector: StallDetector;
  private isDraining = false;

  constructor(
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {
    this.stallDetector = new StallDetector(clock, limits.stalledMs);
    this.deadline = clock.now + limits.headMs;
  }

  /** Begins a step. @param milliseconds time limit of the step */
  startStep(milliseconds: number): void {
    this.deadline = this.clock.now + milliseconds;
  }

  startIdle(): void {
    this.startStep(this.isDraining ? LAST_REQUEST_MS : this.limits.idleMs);
  }

  /** Starts the time-out of a head whose first bytes have arrived. */
  startHead(): void {
    this.startStep(this.isDraining ? LAST_REQUEST_MS : this.limits.headMs);
  }

  /** Shortens the idle and head time-outs that start from now on. */
  startDrain(): void {
    this.isDraining = true;
  }

  get isExpired(): boolean {
    return this.clock.now > this.deadline;
  }

  startBody(): void {
    this.bodyMs = 0;
  }

  /** Checks the body rate. @param elapsedMs time since the last call, without the time of a blocked event loop */
  isBodyTooSlow(receivedBytes: number, elapsedMs: number): boolean {
    const { bodyGraceMs, minBodyRate } = this.limits;
    this.bodyMs += elapsedMs;
    return this.bodyMs > bodyGraceMs && receivedBytes < (minBodyRate * this.bodyMs) / 1000;
  }

  isStalled(socket: Socket): boolean {
    return this.stallDetector.isStalled(socket);
  }
}
