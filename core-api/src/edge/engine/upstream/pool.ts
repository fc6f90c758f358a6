import type { Upstream } from '../types';
import { type ConnectionCheck, ConnectionChecks } from './connection-check';
import { type ChoiceOptions, chooseInstance } from './load-balancing';
import { ReuseDelay } from './reuse-delay';
import { UpstreamConnection } from './upstream-connection';
import type { ConnectionOwner } from './upstream-interfaces';
import { type ConnectionWaiter, UpstreamState } from './upstream-state';

type UpstreamConnectionOwner = ConnectionOwner<UpstreamConnection>;

/** Pool of keep-alive connections to upstreams, with limits and a queue per upstream. */
export class Pool implements UpstreamConnectionOwner {
  readonly clock: UpstreamConnectionOwner['clock'];
  readonly limits: UpstreamConnectionOwner['limits'];
  readonly tls: UpstreamConnectionOwner['tls'];
  readonly mayConnect: UpstreamConnectionOwner['mayConnect'];
  readonly reportFault: UpstreamConnectionOwner['reportFault'];
  private readonly states = new Map<string, UpstreamState>();
  private readonly stateByUpstream = new WeakMap<Upstream, UpstreamState>();
  private readonly connections = new Map<UpstreamConnection, UpstreamState>();
  private readonly connectionChecks = new ConnectionChecks((check) => this.finishCheck(check));
  private readonly reuseDelay: ReuseDelay;

  constructor(options: Pick<UpstreamConnectionOwner, 'clock' | 'limits' | 'tls' | 'mayConnect' | 'reportFault'>) {
    this.clock = options.clock;
    this.limits = options.limits;
    this.tls = options.tls;
    this.mayConnect = options.mayConnect;
    this.reportFault = options.reportFault;
    this.reuseDelay = new ReuseDelay(options.limits.reuseDelayMs);
  }

  private getState(upstream: Upstream): UpstreamState {
    const cached = this.stateByUpstream.get(upstream);
    if (cached && !cached.isForgotten) return cached;
    const key = `${upstream.tls ? 'https' : 'http'} ${upstream.port} ${upstream.host}`;
    const state = this.states.get(key) ?? new UpstreamState(key, upstream, this.clock, this.limits);
    this.states.set(key, state);
    this.stateByUpstream.set(upstream, state);
    return state;
  }

  /** Chooses an instance that was not tried yet (`chooseInstance`). @returns undefined if all instances were tried */
  choose(
    upstreams: readonly Upstream[],
    triedStates: readonly UpstreamState[],
    options: ChoiceOptions,
  ): UpstreamState | undefined {
    const [single] = upstreams;
    if (upstreams.length === 1 && single && triedStates.length === 0) return this.getState(single);
    return chooseInstance(this.findUntried(upstreams, triedStates), options);
  }

  /** Compares keys, because the state of a tried instance may have been forgotten and created again. */
  private findUntried(upstreams: readonly Upstream[], triedStates: readonly UpstreamState[]): UpstreamState[] {
    const states = upstreams.map((upstream) => this.getState(upstream));
    return states.filter(({ key }) => !triedStates.some((state) => state.key === key));
  }

  /** Returns whether a healthy instance that was not tried has room. */
  hasRoomAmong(upstreams: readonly Upstream[], triedStates: readonly UpstreamState[]): boolean {
    if (upstreams.length === 1) return false;
    return this.findUntried(upstreams, triedStates).some((state) => state.isHealthy && state.hasRoom);
  }

  setHealth(upstream: Upstream, isHealthy: boolean): void {
    this.getState(upstream).passesHealthCheck = isHealthy;
  }

  /**
   * Calls `onConnection` or `onNoConnection` of the waiter, immediately or later.
   * @param isRetryable true if the request may be sent twice, so that it may get a connection that is about to close
   */
  acquire(state: UpstreamState, waiter: ConnectionWaiter, isRetryable: boolean): void {
    if (state.hasRoom) this.grant(state, waiter, isRetryable);
    else if (state.queue.length < this.limits.queueLength) {
      state.queue.push({ waiter, isRetryable, expiresAt: this.clock.now + this.limits.queueMs });
    } else waiter.onNoConnection('queue_full');
  }

  private grant(state: UpstreamState, waiter: ConnectionWaiter, isRetryable: boolean): void {
    const connection = state.takeIdle(isRetryable);
    if (!connection) this.openConnectionFor(state, waiter);
    else if (isRetryable) waiter.onConnection(connection);
    else this.connectionChecks.add({ state, connection, waiter });
  }

  private finishCheck({ state, connection, waiter }: ConnectionCheck): void {
    const isOpen = !connection.socket.destroyed;
    try {
      if (!waiter.isWaiting) {
        if (isOpen) this.release(connection);
      } else if (isOpen) waiter.onConnection(connection);
      else this.openConnectionFor(state, waiter);
    } catch (error) {
      // A fault of one request must not stop the other checks of this turn.
      this.reportFault(error);
      waiter.onNoConnection('fault');
    }
  }

  /** Opens a new connection, which the upstream cannot have closed yet. */
  openConnectionFor(state: UpstreamState, waiter: ConnectionWaiter): void {
    const connection = new UpstreamConnection(this, state.upstream);
    this.connections.set(connection, state);
    state.busyCount += 1;
    waiter.onConnection(connection);
  }

  release(connection: UpstreamConnection): void {
    const state = this.connections.get(connection);
    if (!state) return;
    state.markUncounted(connection);
    if (state.isQuarantined) connection.socket.destroy();
    else {
      state.makeRoomForIdle();
      connection.activity = 'idle';
      this.reuseDelay.release(state, connection);
    }
    this.serveQueue(state);
  }

  quarantine(connection: UpstreamConnection): void {
    this.connections.get(connection)?.quarantine();
  }

  /** Counts a busy exchange as long-lived. @returns false if the connection is not busy, or the limit is reached */
  markLongLived(connection: UpstreamConnection): boolean {
    const state = this.connections.get(connection);
    if (!state || connection.activity !== 'busy' || state.longLivedCount >= this.limits.longConnections) return false;
    state.markUncounted(connection);
    connection.activity = 'long-lived';
    state.longLivedCount += 1;
    this.serveQueue(state);
    return true;
  }

  onConnected(connection: UpstreamConnection): void {
    this.connections.get(connection)?.recordConnect();
  }

  onClosed(connection: UpstreamConnection, isConnectFailure: boolean): void {
    const state = this.connections.get(connection);
    if (!state) return;
    this.connections.delete(connection);
    if (connection.activity === 'idle') state.removeIdle(connection);
    state.markUncounted(connection);
    if (isConnectFailure) state.recordConnectFailure();
    this.serveQueue(state);
  }

  private serveQueue(state: UpstreamState): void {
    while (state.queue.length > 0 && state.hasRoom) {
      const queued = state.queue.shift();
      if (!queued) return;
      this.grant(state, queued.waiter, queued.isRetryable);
    }
  }

  /** Checks time-outs of connections and queues. */
  tick(): void {
    const { now } = this.clock;
    for (const [connection] of [...this.connections]) {
      if (now > connection.deadline) connection.onTimeout();
      else if (connection.activity === 'busy' && now - connection.transferStartedAt > this.limits.longBodyMs)
        this.markLongLived(connection);
    }
    for (const state of [...this.states.values()]) {
      this.checkQueue(state);
      if (!state.isUnused) continue;
      state.isForgotten = true;
      this.states.delete(state.key);
    }
  }

  private checkQueue(state: UpstreamState): void {
    for (const { waiter } of [...state.queue]) {
      if (!waiter.canMoveToOtherInstance) continue;
      // The instance of this queue may be hung. With `queue_full`, the request tries an instance that has room.
      state.removeWaiter(waiter);
      waiter.onNoConnection('queue_full');
    }
    while (state.queue[0] && this.clock.now > state.queue[0].expiresAt)
      state.queue.shift()?.waiter.onNoConnection('queue_timeout');
  }

  closeAll(): void {
    for (const connection of [...this.connections.keys()]) connection.abandon();
  }

  getGauges(): { upstreamBusy: number; upstreamFree: number; queued: number } {
    let [upstreamFree, queued] = [0, 0];
    for (const { idle, delayed, queue } of this.states.values()) {
      upstreamFree += idle.length + delayed.length;
      queued += queue.length;
    }
    return { upstreamBusy: this.connections.size - upstreamFree, upstreamFree, queued };
  }
}
