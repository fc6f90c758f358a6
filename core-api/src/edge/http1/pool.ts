import type { SecureContextOptions } from 'node:tls';
import type { Clock } from './clock';
import { steadyNow } from './exchange';
import type { Limits, Reason, Upstream } from './types';
import { UpstreamConnection } from './upstream-connection';
import type { ConnectionOwner } from './upstream-roles';

/** Hardly any upstream closes a connection that was used within this time, ms. */
const SURELY_OPEN_MS = 900;
/** An upstream that sent what nobody asked for gets each request on a connection of its own for so long, ms. */
const DISTRUST_MS = 60_000;
const FIRST_REST_MS = 1_000;
const MAX_REST_MS = 30_000;

/** A request that needs a connection. */
export interface Waiter {
  /** It still wants one. */
  readonly isWaiting: boolean;
  /** It need not wait on: another instance has room. */
  readonly mayMove: boolean;
  granted(connection: UpstreamConnection): void;
  notGranted(reason: Reason): void;
}

/** All that is known of one upstream: its connections, who waits for one, its health. */
export class Origin {
  /** The last one used is used first. */
  readonly idle: UpstreamConnection[] = [];
  /** Used for the first time a moment ago, and not to be used yet; the first one for the longest. */
  readonly resting: { connection: UpstreamConnection; since: number }[] = [];
  readonly queue: { waiter: Waiter; repeatable: boolean; until: number }[] = [];
  /** Ordinary requests under way. */
  busy = 0;
  /** Tunnels and long bodies. */
  long = 0;
  /** Refused connects in a row, those together counted once. */
  failures = 0;
  /** Left out until then while others are left, ms since the epoch. */
  restsUntil = 0;
  /** No connection is kept until then, ms since the epoch. */
  distrustedUntil = 0;
  /** What an active check said last. */
  isHealthy = true;
  isForgotten = false;

  constructor(
    readonly key: string,
    readonly upstream: Upstream,
  ) {}

  /** Requests that it has or that wait for it. */
  get load(): number {
    return this.busy + this.long + this.queue.length;
  }
}

interface Look {
  readonly origin: Origin;
  readonly connection: UpstreamConnection;
  readonly waiter: Waiter;
}

export interface PoolOptions {
  clock: Clock;
  limits: Limits;
  tls: SecureContextOptions;
  mayConnect(address: string, port: number, upstream: Upstream): boolean;
  fault(error: unknown): void;
}

/** Connections to upstreams, kept between requests and limited per upstream. */
export class Pool implements ConnectionOwner<UpstreamConnection> {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly tls: SecureContextOptions;
  readonly mayConnect: (address: string, port: number, upstream: Upstream) => boolean;
  readonly fault: (error: unknown) => void;
  private readonly origins = new Map<string, Origin>();
  private readonly known = new WeakMap<Upstream, Origin>();
  private readonly all = new Map<UpstreamConnection, Origin>();
  /** Connections that are looked at from this turn of the loop on, and those of the turn before. */
  private looks: Look[] = [];
  private readonly looksOfTurns: Look[][] = [];
  private readonly withResting = new Set<Origin>();
  private isWaking = false;

  constructor({ clock, limits, tls, mayConnect, fault }: PoolOptions) {
    this.clock = clock;
    this.limits = limits;
    this.tls = tls;
    this.mayConnect = mayConnect;
    this.fault = fault;
  }

  private originOf(upstream: Upstream): Origin {
    const known = this.known.get(upstream);
    if (known && !known.isForgotten) return known;
    const key = `${upstream.tls ? 'https' : 'http'} ${upstream.port} ${upstream.host}`;
    const origin = this.origins.get(key) ?? new Origin(key, upstream);
    this.origins.set(key, origin);
    this.known.set(upstream, origin);
    return origin;
  }

  /**
   * The less busy of two at random, of those in health and with room if there are any.
   * @param repeatable as in `acquire`
   * @param onlyWell what one in health has no room for is not for those that are ill
   * @returns nothing when all were tried
   */
  choose(
    upstreams: readonly Upstream[],
    tried: readonly Origin[],
    repeatable: boolean,
    onlyWell: boolean,
  ): Origin | undefined {
    const [only] = upstreams;
    if (upstreams.length === 1 && only && tried.length === 0) return this.originOf(only);
    const left = this.leftOf(upstreams, tried);
    const well = left.filter((origin) => this.isWell(origin));
    // One whose requests have to wait gets no more of them while another one has room.
    const free = well.filter((origin) => this.hasRoom(origin));
    const [candidates = onlyWell ? well : left] = [free, well].filter(({ length }) => length > 0);
    const { length } = candidates;
    const first = Math.floor(Math.random() * length);
    // Another one than the first: else one that stands still gets a part of all that comes.
    const second = (first + 1 + Math.floor(Math.random() * (length - 1))) % length;
    const [one, other] = [candidates[first], candidates[second]];
    const chosen = one && other && other.load < one.load ? other : one;
    // One that has to do keeps a fresh connection waiting, and may close its port before it accepts that.
    if (repeatable || !chosen || chosen.busy === 0 || this.hasProven(chosen)) return chosen;
    return candidates.find((origin) => this.hasProven(origin)) ?? chosen;
  }

  /** By key: an origin may have been forgotten since it was tried, and another one stands for its upstream. */
  private leftOf(upstreams: readonly Upstream[], tried: readonly Origin[]): Origin[] {
    const origins = upstreams.map((upstream) => this.originOf(upstream));
    return origins.filter(({ key }) => !tried.some((one) => one.key === key));
  }

  private isWell({ isHealthy, restsUntil }: Origin): boolean {
    return isHealthy && restsUntil <= this.clock.now;
  }

  private hasRoom({ busy }: Origin): boolean {
    return busy < this.limits.upstreamConnections;
  }

  /** Whether one in health that was not tried has room. */
  hasRoomAmong(upstreams: readonly Upstream[], tried: readonly Origin[]): boolean {
    if (upstreams.length === 1) return false;
    return this.leftOf(upstreams, tried).some((origin) => this.isWell(origin) && this.hasRoom(origin));
  }

  /** It has a connection that it accepted, and that may take what cannot be repeated. */
  private hasProven({ idle }: Origin): boolean {
    const last = idle.at(-1);
    return last !== undefined && steadyNow() - last.usedAt <= SURELY_OPEN_MS;
  }

  setHealth(upstream: Upstream, healthy: boolean): void {
    this.originOf(upstream).isHealthy = healthy;
  }

  /**
   * Grants a connection at once or later, or says that there is none.
   * @param repeatable the request may be sent once more: it can risk a connection that its upstream is about to close
   */
  acquire(origin: Origin, waiter: Waiter, repeatable: boolean): void {
    if (this.hasRoom(origin)) this.grant(origin, waiter, repeatable);
    else if (origin.queue.length < this.limits.queueLength) {
      origin.queue.push({ waiter, repeatable, until: this.clock.now + this.limits.queueMs });
    } else waiter.notGranted('queue_full');
  }

  private grant(origin: Origin, waiter: Waiter, repeatable: boolean): void {
    const idle = this.takeIdle(origin, repeatable);
    if (!idle) this.openFor(origin, waiter);
    else if (repeatable) waiter.granted(idle);
    else this.lookAt(origin, idle, waiter);
  }

  /**
   * What cannot be repeated must not meet a connection whose end has come and has not been read (an instance that is
   * drained ends all at once): everything that waits is read once. An end that is still on its way cannot be known of.
   */
  private lookAt(origin: Origin, connection: UpstreamConnection, waiter: Waiter): void {
    this.looks.push({ origin, connection, waiter });
    // Once a turn: Node links immediates to each other, so that one for each request lives until a full collection.
    if (this.looks.length === 1) setImmediate(this.endTurn);
  }

  /** Runs before the loop asks for events again; `endLooks` after that. */
  private readonly endTurn = (): void => {
    this.looksOfTurns.push(this.looks);
    this.looks = [];
    setImmediate(this.endLooks);
  };

  private readonly endLooks = (): void => {
    for (const look of this.looksOfTurns.shift() ?? []) this.looked(look);
  };

  private looked({ origin, connection, waiter }: Look): void {
    const isOpen = !connection.socket.destroyed;
    try {
      if (!waiter.isWaiting) {
        if (isOpen) this.release(connection);
      } else if (isOpen) waiter.granted(connection);
      else this.openFor(origin, waiter);
    } catch (error) {
      // The others of this turn are served all the same.
      this.fault(error);
      waiter.notGranted('fault');
    }
  }

  /** A connection that has not been used before, whose upstream cannot have closed it. */
  openFor(origin: Origin, waiter: Waiter): void {
    const connection = new UpstreamConnection(this, origin.upstream);
    this.all.set(connection, origin);
    origin.busy += 1;
    waiter.granted(connection);
  }

  /** The waiter has gone. */
  withdraw(origin: Origin, waiter: Waiter): void {
    const index = origin.queue.findIndex((entry) => entry.waiter === waiter);
    if (index >= 0) origin.queue.splice(index, 1);
  }

  /** Its instance may stand still. */
  private move(origin: Origin, waiter: Waiter): void {
    this.withdraw(origin, waiter);
    waiter.notGranted('queue_full');
  }

  private takeIdle(origin: Origin, repeatable: boolean): UpstreamConnection | undefined {
    const { idle } = origin;
    if (!repeatable && !this.hasProven(origin)) return undefined;
    for (let known = idle.pop(); known; known = idle.pop()) {
      if (known.socket.destroyed) continue;
      known.load = 'busy';
      origin.busy += 1;
      return known;
    }
    return undefined;
  }

  release(connection: UpstreamConnection): void {
    const origin = this.all.get(connection);
    if (!origin) return;
    this.unload(origin, connection);
    if (origin.distrustedUntil > this.clock.now) connection.socket.destroy();
    else {
      // The longest idle makes room, not the one that is known to be open.
      const free = origin.idle.length + origin.resting.length;
      if (free >= this.limits.upstreamIdleConnections) origin.idle.shift()?.socket.destroy();
      connection.load = 'idle';
      this.rest(origin, connection);
    }
    this.serveQueue(origin);
  }

  /**
   * What an upstream sends beyond an answer must not be taken for the answer to the next request: after its first answer a
   * connection waits for a moment, in which it shows and ends the connection. Each rests once, so a busy one pays nothing.
   */
  private rest(origin: Origin, connection: UpstreamConnection): void {
    if (connection.hasRested || this.limits.restMs === 0) {
      origin.idle.push(connection);
      return;
    }
    connection.hasRested = true;
    origin.resting.push({ connection, since: performance.now() });
    this.withResting.add(origin);
    if (!this.isWaking) this.wakeLater();
  }

  private wakeLater(): void {
    this.isWaking = true;
    setTimeout(() => {
      const since = performance.now() - this.limits.restMs;
      // What came before has been read by then, however late the timer is.
      setImmediate(() => this.wake(since));
    }, this.limits.restMs).unref();
  }

  /** @param since by `performance.now()`: those that rest since then or longer have rested enough */
  private wake(since: number): void {
    for (const origin of this.withResting) {
      const { idle, resting } = origin;
      const left = resting.findIndex((one) => one.since > since);
      for (const { connection } of resting.splice(0, left < 0 ? resting.length : left)) idle.push(connection);
      if (resting.length === 0) this.withResting.delete(origin);
    }
    this.isWaking = false;
    if (this.withResting.size > 0) this.wakeLater();
  }

  /** Bytes came that nobody asked for: more of them may be on their way, on each connection of that upstream. */
  distrust(connection: UpstreamConnection): void {
    const origin = this.all.get(connection);
    if (!origin) return;
    origin.distrustedUntil = this.clock.now + DISTRUST_MS;
    for (const free of [...origin.idle, ...origin.resting.map((one) => one.connection)]) free.socket.destroy();
  }

  /** A tunnel, or a body that takes long: no longer counted among the ordinary requests. @returns false: too many */
  becomeLong(connection: UpstreamConnection): boolean {
    const origin = this.all.get(connection);
    if (!origin || connection.load !== 'busy' || origin.long >= this.limits.longConnections) return false;
    this.unload(origin, connection);
    connection.load = 'long';
    origin.long += 1;
    this.serveQueue(origin);
    return true;
  }

  connected(connection: UpstreamConnection): void {
    const origin = this.all.get(connection);
    if (origin) [origin.failures, origin.restsUntil] = [0, 0];
  }

  closed(connection: UpstreamConnection, reached: boolean): void {
    const origin = this.all.get(connection);
    if (!origin) return;
    this.all.delete(connection);
    if (connection.load === 'idle') {
      const index = origin.idle.lastIndexOf(connection);
      if (index >= 0) origin.idle.splice(index, 1);
      const place = origin.resting.findIndex((one) => one.connection === connection);
      if (place >= 0) origin.resting.splice(place, 1);
    }
    this.unload(origin, connection);
    // Connects that are refused together are one failure.
    if (!reached && origin.restsUntil <= this.clock.now) {
      origin.restsUntil = this.clock.now + Math.min(FIRST_REST_MS * 2 ** origin.failures, MAX_REST_MS);
      origin.failures += 1;
    }
    this.serveQueue(origin);
  }

  private unload(origin: Origin, connection: UpstreamConnection): void {
    if (connection.load === 'busy') origin.busy -= 1;
    else if (connection.load === 'long') origin.long -= 1;
    connection.load = 'closed';
  }

  private serveQueue(origin: Origin): void {
    while (origin.queue.length > 0 && this.hasRoom(origin)) {
      const next = origin.queue.shift();
      if (!next) return;
      this.grant(origin, next.waiter, next.repeatable);
    }
  }

  /** Ends what took too long. */
  tick(): void {
    const { now } = this.clock;
    for (const [connection] of [...this.all]) {
      if (now > connection.deadline) connection.timeOut();
      else if (connection.load === 'busy' && now - connection.bodySince > this.limits.longBodyMs)
        this.becomeLong(connection);
    }
    for (const origin of [...this.origins.values()]) {
      for (const { waiter } of [...origin.queue]) if (waiter.mayMove) this.move(origin, waiter);
      while (origin.queue[0] && now > origin.queue[0].until) origin.queue.shift()?.waiter.notGranted('queue_timeout');
      this.forget(origin);
    }
  }

  /** Nothing stays of an upstream that nobody uses. */
  private forget(origin: Origin): void {
    const { busy, long, idle, resting, queue, failures, restsUntil, distrustedUntil, isHealthy } = origin;
    if (busy + long + idle.length + resting.length + queue.length > 0 || !isHealthy) return;
    // How often it refused in a row is known for longer than it rests: else it would rest for the first time again and again.
    if (Math.max(failures && restsUntil + MAX_REST_MS, distrustedUntil) > this.clock.now) return;
    origin.isForgotten = true;
    this.origins.delete(origin.key);
  }

  closeAll(): void {
    for (const connection of [...this.all.keys()]) connection.abandon();
  }

  gauges(): { upstreamBusy: number; upstreamFree: number; queued: number } {
    let [upstreamFree, queued] = [0, 0];
    for (const { idle, resting, queue } of this.origins.values()) {
      upstreamFree += idle.length + resting.length;
      queued += queue.length;
    }
    return { upstreamBusy: this.all.size - upstreamFree, upstreamFree, queued };
  }
}
