import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientConnection } from './client-connection';
import type { Clock } from './clock';
import type { ConnectionContext } from './connection-context';
import { type OpenExchange, steadyNow } from './exchange';
import { defaultLimits } from './limits';
import { LongestIdle } from './longest-idle';
import { Pool } from './pool';
import { workingPart } from './shedding';
import type { OpenTunnel } from './tunnel';
import {
  type ClientUse,
  type Decision,
  type EngineOptions,
  EVERYBODY,
  type Gauges,
  type Handler,
  type Limits,
  type Tunnel,
  type Upstream,
} from './types';

/** For so long connections are watched to find those that work. */
const JUDGED_MS = 500;

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
const dateLine = (): string => `Date: ${new Date().toUTCString()}\r\n`;

/**
 * One HTTP/1.1 peer for every request: strict where two servers could differ, with one boundary around whatever a socket's
 * event runs. It serves connections that it is given; where they come from is its owner's matter.
 */
export class Engine<C, D extends Decision = Decision> implements ConnectionContext<C, D, ClientConnection<C, D>> {
  readonly limits: Limits;
  readonly clock: Clock = { now: steadyNow(), date: dateLine() };
  readonly pool: Pool;
  isDraining = false;
  /** Those of `tunnels`, with what only the engine asks of them. */
  readonly openTunnels = new Set<OpenTunnel<C, D>>();
  /** Each with what it is counted under against the limit per address. */
  private readonly connections = new Map<ClientConnection<C, D>, string | undefined>();
  private readonly perAddress = new Map<string, number>();
  /** Below the limits. */
  private caps: ReadonlyMap<string, number> = new Map();
  private readonly timer: NodeJS.Timeout;
  private readonly counted = { faults: 0, limited: 0 };
  private drainingSince = 0;
  private tickedAt = steadyNow();
  private onDrained: (() => void) | undefined;
  /** As found since the last tick. */
  private readonly idle = new LongestIdle(this.connections);

  constructor(
    readonly handler: Handler<C, D>,
    { limits, tls }: EngineOptions = {},
  ) {
    this.limits = { ...defaultLimits, ...limits };
    this.pool = new Pool({
      clock: this.clock,
      limits: this.limits,
      tls: tls ?? {},
      mayConnect: (address, port, upstream) => handler.mayConnect(address, port, upstream),
      fault: (error) => this.fault(error, undefined),
    });
    this.timer = setInterval(() => this.tick(), this.limits.tickMs).unref();
  }

  /** Takes a connection: for `net.createServer({ noDelay: true }, (socket) => engine.accept(socket))`. */
  accept(socket: Socket): void {
    const peer = plain(socket.remoteAddress ?? '');
    const isGone = peer === '';
    const client = isGone ? undefined : this.handler.countedAs(peer);
    if (isGone || !this.hasRoom(client)) {
      if (!isGone) this.counted.limited += 1;
      socket.on('error', () => undefined);
      socket.destroy();
      return;
    }
    const connection = new ClientConnection(this, socket, peer);
    this.connections.set(connection, client);
    if (client !== undefined) this.perAddress.set(client, (this.perAddress.get(client) ?? 0) + 1);
    if (this.isDraining) connection.drain();
  }

  private hasRoom(client: string | undefined): boolean {
    const { connections, connectionsPerAddress } = this.limits;
    // Its own first: what it gives up may be room enough, and a client that is refused costs nobody else one.
    const isWithinOwn =
      client === undefined ||
      this.makeRoom(client, this.perAddress.get(client) ?? 0, this.caps.get(client) ?? connectionsPerAddress);
    return isWithinOwn && this.makeRoom(undefined, this.connections.size, this.caps.get(EVERYBODY) ?? connections);
  }

  /** Whoever comes at the limit costs one that is idle, and no more. @param client nothing: of all */
  private makeRoom(client: string | undefined, open: number, most: number): boolean {
    return open < most || this.closeIdle(client, open - most + 1) > 0;
  }

  /** Closes those that have been idle for the longest, at most so many. @returns how many */
  private closeIdle(client: string | undefined, count: number): number {
    const idle = this.idle.take(client, count);
    for (const connection of idle) {
      this.counted.limited += 1;
      connection.destroy();
      this.left(connection);
    }
    return idle.length;
  }

  /** Clients with at least so many connections, and these in any case. */
  clientsWith(least: number, also: readonly string[]): ClientUse[] {
    const uses = new Map(also.map((client) => [client, { client, open: 0, idle: 0 }]));
    for (const [client, open] of this.perAddress) if (open >= least) uses.set(client, { client, open: 0, idle: 0 });
    if (uses.size === 0) return [];
    for (const [connection, client] of this.connections) {
      for (const use of [uses.get(EVERYBODY), client === undefined ? undefined : uses.get(client)]) {
        if (!use) continue;
        use.open += 1;
        if (connection.isIdle) use.idle += 1;
      }
    }
    return [...uses.values()];
  }

  /**
   * Of these clients no more connections than this are kept, idle ones closed at once, busy ones not; of all others as many
   * as one may have. Holds until the next call.
   */
  capClients(caps: ReadonlyMap<string, number>): void {
    this.caps = caps;
    this.idle.forget();
    for (const [client, most] of caps) {
      const isAll = client === EVERYBODY;
      const excess = (isAll ? this.connections.size : (this.perAddress.get(client) ?? 0)) - most;
      if (excess > 0) this.closeIdle(isAll ? undefined : client, excess);
    }
  }

  left(connection: ClientConnection<C, D>): void {
    const client = this.connections.get(connection);
    if (!this.connections.delete(connection)) return;
    if (client !== undefined) {
      const others = (this.perAddress.get(client) ?? 0) - 1;
      if (others > 0) this.perAddress.set(client, others);
      else this.perAddress.delete(client);
    }
    if (this.connections.size === 0) this.onDrained?.();
  }

  /** Something threw while a socket's event was handled; that connection has been ended. */
  fault(error: unknown, exchange: OpenExchange<C, D> | undefined): void {
    this.counted.faults += 1;
    try {
      this.handler.fault(error, exchange);
    } catch {
      // Who cannot even be told of a fault has it counted.
      this.counted.faults += 1;
    }
  }

  /** Open WebSockets, to decide them again when the configuration changes. */
  get tunnels(): ReadonlySet<Tunnel<C, D>> {
    return this.openTunnels;
  }

  /** What an active check found. Passive health is kept here. */
  setHealth(upstream: Upstream, healthy: boolean): void {
    this.pool.setHealth(upstream, healthy);
  }

  gauges(): Gauges {
    const { connections, openTunnels, pool, counted } = this;
    return { clients: connections.size, tunnels: openTunnels.size, ...pool.gauges(), ...counted };
  }

  /**
   * Ends connections with their next answer, that their clients come again.
   * @param part of the work: those that do it are found in half a second
   */
  async shed(part: number): Promise<void> {
    const before = new Map([...this.connections.keys()].map((connection) => [connection, connection.work]));
    await sleep(JUDGED_MS, undefined, { ref: false });
    for (const connection of before.keys()) if (!this.connections.has(connection)) before.delete(connection);
    for (const connection of workingPart(before, part)) connection.closeAfterNext();
  }

  /**
   * Idle connections end soon, busy ones with their answer, tunnels after a while.
   * @returns resolved when none is left: `drainMs` at most
   */
  drain(): Promise<void> {
    if (!this.isDraining) {
      this.isDraining = true;
      this.drainingSince = steadyNow();
      for (const connection of [...this.connections.keys()]) connection.drain();
    }
    return new Promise<void>((resolve) => {
      this.onDrained = resolve;
      if (this.connections.size === 0) resolve();
    }).then(() => {
      clearInterval(this.timer);
      this.pool.closeAll();
    });
  }

  private tick(): void {
    const now = steadyNow();
    // While the loop was held up nobody was read: that is not the time of those who send.
    const elapsedMs = Math.min(now - this.tickedAt, 2 * this.limits.tickMs);
    this.tickedAt = now;
    this.clock.now = now;
    this.clock.date = dateLine();
    // What has come meanwhile is read first.
    setImmediate(() => this.judgeTimes(elapsedMs));
  }

  private judgeTimes(elapsedMs: number): void {
    const { limits } = this;
    const { now } = this.clock;
    this.idle.forget();
    for (const connection of [...this.connections.keys()]) connection.tick(elapsedMs);
    for (const tunnel of [...this.openTunnels]) tunnel.tick();
    this.pool.tick();
    const drainedMs = this.isDraining ? now - this.drainingSince : 0;
    if (drainedMs >= limits.drainTunnelsMs) for (const tunnel of [...this.openTunnels]) tunnel.end();
    if (drainedMs >= limits.drainMs) for (const connection of [...this.connections.keys()]) connection.destroy();
  }
}
