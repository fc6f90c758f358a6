import { type Clock, monotonicNow } from '../clock';
import type { Limits } from '../limits';
import type { FailureReason, Upstream } from '../types';
import type { UpstreamConnection } from './upstream-connection';

/** Upstreams rarely close a connection that was used within this time, ms. */
const RECENTLY_USED_MS = 900;
/** Time for which each request gets a new connection after an upstream sent unrequested bytes, ms. */
const QUARANTINE_MS = 60_000;
const FIRST_COOLDOWN_MS = 1_000;
const MAX_COOLDOWN_MS = 30_000;

export interface ConnectionWaiter {
  /** True if the request still needs a connection. */
  readonly isWaiting: boolean;
  /** True if another healthy instance has room, so that the request need not stay in this queue. */
  readonly canMoveToOtherInstance: boolean;
  onConnection(connection: UpstreamConnection): void;
  onNoConnection(reason: FailureReason): void;
}

interface QueuedWaiter {
  readonly waiter: ConnectionWaiter;
  readonly isRetryable: boolean;
  /** Time of `Clock.now` at which the wait ends with 503. */
  readonly expiresAt: number;
}

/** Connections, queue and passive health (outlier ejection) of one upstream, in one worker. */
export class UpstreamState {
  /** Keep-alive connections. The most recently used connection is last and is used first. */
  readonly idle: UpstreamConnection[] = [];
  /** Connections within their reuse delay (`ReuseDelay`), the oldest first. */
  readonly delayed: { connection: UpstreamConnection; delayedAt: number }[] = [];
  readonly queue: QueuedWaiter[] = [];
  /** Number of ordinary requests under way. */
  busyCount = 0;
  /** Number of tunnels and of exchanges with a long body. */
  longLivedCount = 0;
  /** End of the ejection, by `Clock.now`. Until then the upstream is used only if no other instance is left. */
  cooldownUntil = 0;
  /** Result of the last active health check (`Pool.setHealth`). */
  passesHealthCheck = true;
  isForgotten = false; // True after the pool has removed this state, so that the pool creates another one.
  /** Consecutive failures to connect. Connects that fail during a cooldown do not count. */
  private connectFailureCount = 0;
  private quarantinedUntil = 0;

  constructor(
    readonly key: string,
    readonly upstream: Upstream,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  /** Number of requests under way and in the queue. */
  get load(): number {
    return this.busyCount + this.longLivedCount + this.queue.length;
  }

  get isHealthy(): boolean {
    return this.passesHealthCheck && this.cooldownUntil <= this.clock.now;
  }

  get hasRoom(): boolean {
    return this.busyCount < this.limits.upstreamConnections;
  }

  get isQuarantined(): boolean {
    return this.quarantinedUntil > this.clock.now;
  }

  /** Returns whether an idle connection was used recently enough for a request that cannot be retried. */
  get hasRecentlyUsed(): boolean {
    const newest = this.idle.at(-1);
    return newest !== undefined && monotonicNow() - newest.lastWriteAt <= RECENTLY_USED_MS;
  }

  /** Takes an idle connection, or returns undefined if no connection may be used. */
  takeIdle(isRetryable: boolean): UpstreamConnection | undefined {
    const { idle } = this;
    if (!isRetryable && !this.hasRecentlyUsed) return undefined;
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.socket.destroyed) continue;
      connection.activity = 'busy';
      this.busyCount += 1;
      return connection;
    }
    return undefined;
  }

  /** At the limit of idle connections, closes the one with the longest idle time. It is the least likely to be open. */
  makeRoomForIdle(): void {
    if (this.idle.length + this.delayed.length >= this.limits.upstreamIdleConnections)
      (this.idle.shift() ?? this.delayed.shift()?.connection)?.socket.destroy();
  }

  removeIdle(connection: UpstreamConnection): void {
    const index = this.idle.lastIndexOf(connection);
    if (index >= 0) this.idle.splice(index, 1);
    const delayedIndex = this.delayed.findIndex((entry) => entry.connection === connection);
    if (delayedIndex >= 0) this.delayed.splice(delayedIndex, 1);
  }

  markUncounted(connection: UpstreamConnection): void {
    if (connection.activity === 'busy') this.busyCount -= 1;
    else if (connection.activity === 'long-lived') this.longLivedCount -= 1;
    connection.activity = 'closed'; // The caller may set another activity.
  }

  removeWaiter(waiter: ConnectionWaiter): void {
    const index = this.queue.findIndex((entry) => entry.waiter === waiter);
    if (index >= 0) this.queue.splice(index, 1);
  }

  recordConnect(): void {
    [this.connectFailureCount, this.cooldownUntil] = [0, 0];
  }

  /** Starts a cooldown. Connects that are refused at the same time count as one failure. */
  recordConnectFailure(): void {
    if (this.cooldownUntil > this.clock.now) return;
    this.cooldownUntil = this.clock.now + Math.min(FIRST_COOLDOWN_MS * 2 ** this.connectFailureCount, MAX_COOLDOWN_MS);
    this.connectFailureCount += 1;
  }

  /** Keeps no idle connection for a while, because further unrequested bytes may be on their way. */
  quarantine(): void {
    this.quarantinedUntil = this.clock.now + QUARANTINE_MS;
    for (const idleConnection of [...this.idle, ...this.delayed.map(({ connection }) => connection)])
      idleConnection.socket.destroy();
  }

  /** Returns whether the pool may forget this upstream. */
  get isUnused(): boolean {
    if (this.load + this.idle.length + this.delayed.length > 0 || !this.passesHealthCheck) return false;
    // Failures are remembered longer than the cooldown, so that the next failure doubles the cooldown.
    const failuresUntil = this.connectFailureCount > 0 ? this.cooldownUntil + MAX_COOLDOWN_MS : 0;
    return Math.max(failuresUntil, this.quarantinedUntil) <= this.clock.now;
  }
}
