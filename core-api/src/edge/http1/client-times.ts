import type { Socket } from 'node:net';
import type { Clock } from './clock';
import { Taking } from './taking';
import type { Limits } from './types';

/** What a drain leaves to a client for a request that is on its way, and for the rest of a head. */
const LAST_REQUEST_MS = 500;

/** How long one client may take for what it does just now. */
export class ClientTimes {
  /** When the present step must have ended, ms since the epoch. */
  private deadline: number;
  /** How long the edge has been reading the present body, ms. */
  private bodyMs = 0;
  private readonly taking: Taking;
  private isHurried = false;

  constructor(
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {
    this.taking = new Taking(clock, limits.stalledMs);
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

  /** The client takes nothing of what is sent to it. */
  isStalled(socket: Socket): boolean {
    return this.taking.isStalled(socket);
  }
}
