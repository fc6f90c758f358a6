import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientConnection } from './client/client-connection';
import { IdleEviction } from './client/idle-eviction';
import { selectConnectionsToShed } from './client/shedding';
import { type Clock, monotonicNow } from './clock';
import type { ConnectionContext } from './connection-context';
import { defaultLimits, type Limits } from './limits';
import type { WebSocketTunnel } from './tunnel/tunnel';
import {
  ALL_CLIENTS,
  type ClientConnectionCount,
  type Decision,
  type EngineOptions,
  type Exchange,
  type Gauges,
  type Handler,
  type Tunnel,
  type Upstream,
} from './types';
import { Pool } from './upstream/pool';

/** Duration of the sample that finds the connections with the most work, ms. */
const SHED_SAMPLE_MS = 500;

const removeIpv4Mapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
const formatDateLine = (): string => `Date: ${new Date().toUTCString()}\r\n`;

/**
 * The HTTP/1.1 engine of one worker. It rejects requests that two servers could read differently. An exception ends
 * only the connection whose event threw it. The owner accepts the connections and passes them to the engine.
 */
export class Engine<ParsedHeaders, HandlerDecision extends Decision = Decision>
  implements ConnectionContext<ClientConnection>
{
  /** The engine does not look into the handler's results, so its parts have no type parameters for them. */
  readonly handler: Handler<unknown>;
  readonly limits: Limits;
  readonly clock: Clock = { now: monotonicNow(), date: formatDateLine() };
  readonly pool: Pool;
  isDraining = false;
  /** The owner of the engine reads `tunnels`, which offers fewer methods. */
  readonly openTunnels = new Set<WebSocketTunnel>();
  /** All client connections, each with its key for the limit per client. */
  private readonly connections = new Map<ClientConnection, string | undefined>();
  private readonly countByClient = new Map<string, number>();
  /** Lower limits of single clients and of `ALL_CLIENTS`, set by the primary (`capClients`). */
  private caps: ReadonlyMap<string, number> = new Map();
  private readonly timer: NodeJS.Timeout;
  private readonly counters = { faultsTotal: 0, limitedTotal: 0 };
  private drainingSince = 0;
  private lastTickAt = monotonicNow();
  private onDrained: (() => void) | undefined;
  private whenDrained: Promise<void> | undefined;
  private readonly idleEviction = new IdleEviction(this.connections);

  constructor(handler: Handler<ParsedHeaders, HandlerDecision>, { limits, tls }: EngineOptions = {}) {
    this.handler = handler;
    this.limits = { ...defaultLimits, ...limits };
    this.pool = new Pool({
      clock: this.clock,
      limits: this.limits,
      tls: tls ?? {},
      mayConnect: (address, port, upstream) => handler.mayConnect(address, port, upstream),
      reportFault: (error) => this.reportFault(error, undefined),
    });
    this.timer = setInterval(() => this.tick(), this.limits.tickMs).unref();
  }

  /**
   * Takes over an accepted connection, as in `net.createServer({ noDelay: true }, (socket) => engine.accept(socket))`.
   * @param peer address of the client, or a name for a Unix socket; '' if the client has already disconnected
   */
  accept(socket: Socket, peer = removeIpv4Mapping(socket.remoteAddress ?? '')): void {
    const hasDisconnected = peer === '';
    const client = hasDisconnected ? undefined : this.handler.getClientKey(peer);
    if (hasDisconnected || !this.makeRoomFor(client)) {
      if (!hasDisconnected) this.counters.limitedTotal += 1;
      socket.on('error', () => undefined);
      socket.destroy();
      return;
    }
    const connection = new ClientConnection(this, socket, peer);
    this.connections.set(connection, client);
    if (client !== undefined) this.countByClient.set(client, (this.countByClient.get(client) ?? 0) + 1);
    if (this.isDraining) connection.drain();
  }

  /** Returns whether another connection of a client is permitted, if necessary after closing an idle connection. */
  private makeRoomFor(client: string | undefined): boolean {
    const { connections, connectionsPerClient } = this.limits;
    // The client's limit is checked first, because a client at this limit must not evict connections of other clients.
    const isBelowOwnLimit =
      client === undefined ||
      this.evictAtLimit(client, this.countByClient.get(client) ?? 0, this.caps.get(client) ?? connectionsPerClient);
    return (
      isBelowOwnLimit && this.evictAtLimit(undefined, this.connections.size, this.caps.get(ALL_CLIENTS) ?? connections)
    );
  }

  /** Evicts idle connections at a limit. @returns whether a new one fits. @param client undefined for all clients */
  private evictAtLimit(client: string | undefined, open: number, limit: number): boolean {
    return open < limit || this.closeIdle(client, open - limit + 1) > 0;
  }

  /** Closes at most `count` connections, the longest idle time first. @returns how many were closed */
  private closeIdle(client: string | undefined, count: number): number {
    const idle = this.idleEviction.take(client, count);
    this.closeBecauseOfLimit(idle);
    return idle.length;
  }

  /** Closes the youngest connections of a client over its limit. `connections` keeps the order of their arrival. */
  private closeYoungest(client: string, count: number): void {
    if (count <= 0) return;
    const clientConnections = [...this.connections].filter(([, owner]) => owner === client);
    this.closeBecauseOfLimit(clientConnections.slice(-count).map(([connection]) => connection));
  }

  private closeBecauseOfLimit(connections: readonly ClientConnection[]): void {
    for (const connection of connections) {
      this.counters.limitedTotal += 1;
      connection.destroy();
      this.onConnectionClosed(connection);
    }
  }

  /** Counts the connections of each watched client, and of each client with at least `minConnections`. */
  countConnections(minConnections: number, watchedClients: readonly string[]): ClientConnectionCount[] {
    const counts = new Map(watchedClients.map((client) => [client, { client, open: 0, idle: 0 }]));
    for (const [client, open] of this.countByClient)
      if (open >= minConnections) counts.set(client, { client, open: 0, idle: 0 });
    if (counts.size === 0) return [];
    const add = (client: string, { isIdle }: ClientConnection) => {
      const count = counts.get(client);
      if (!count) return;
      count.open += 1;
      if (isIdle) count.idle += 1;
    };
    for (const [connection, client] of this.connections) {
      add(ALL_CLIENTS, connection);
      if (client !== undefined) add(client, connection);
    }
    return [...counts.values()];
  }

  /**
   * Sets lower connection limits for these clients and closes their excess connections, idle connections first. Other
   * clients have the normal limit again. For `ALL_CLIENTS` only idle connections are closed.
   */
  capClients(caps: ReadonlyMap<string, number>): void {
    this.caps = caps;
    this.idleEviction.forget();
    for (const [client, limit] of caps) {
      const isAll = client === ALL_CLIENTS;
      const excess = (isAll ? this.connections.size : (this.countByClient.get(client) ?? 0)) - limit;
      if (excess <= 0) continue;
      const closedCount = this.closeIdle(isAll ? undefined : client, excess);
      if (!isAll) this.closeYoungest(client, excess - closedCount);
    }
  }

  onConnectionClosed(connection: ClientConnection): void {
    const client = this.connections.get(connection);
    if (!this.connections.delete(connection)) return;
    if (client !== undefined) {
      const remaining = (this.countByClient.get(client) ?? 0) - 1;
      if (remaining > 0) this.countByClient.set(client, remaining);
      else this.countByClient.delete(client);
    }
    if (this.connections.size === 0) this.onDrained?.();
  }

  /** Counts an exception and reports it to the handler. */
  reportFault(error: unknown, exchange: Exchange<unknown> | undefined): void {
    this.counters.faultsTotal += 1;
    try {
      this.handler.onFault(error, exchange);
    } catch {
      // `onFault` threw too.
      this.counters.faultsTotal += 1;
    }
  }

  /** Open WebSockets. The owner authorizes them again when the configuration changes. */
  get tunnels(): ReadonlySet<Tunnel<ParsedHeaders, HandlerDecision>> {
    // Each tunnel belongs to an exchange of `handler`.
    return this.openTunnels as ReadonlySet<Tunnel<ParsedHeaders, HandlerDecision>>;
  }

  /** Stores the result of an active health check. Passive health checking is part of the pool. */
  setHealth(upstream: Upstream, isHealthy: boolean): void {
    this.pool.setHealth(upstream, isHealthy);
  }

  getGauges(): Gauges {
    const { connections, openTunnels, pool, counters } = this;
    return { clients: connections.size, tunnels: openTunnels.size, ...pool.getGauges(), ...counters };
  }

  /**
   * Closes connections with much work, each after its next response, so that clients reconnect to less busy workers.
   * @param share share of this worker's work that is to be shed, 0–1
   */
  async shed(share: number): Promise<void> {
    const workBefore = new Map([...this.connections.keys()].map((connection) => [connection, connection.work]));
    await sleep(SHED_SAMPLE_MS, undefined, { ref: false });
    for (const connection of workBefore.keys()) if (!this.connections.has(connection)) workBefore.delete(connection);
    for (const connection of selectConnectionsToShed(workBefore, share)) connection.closeAfterNextResponse();
  }

  /**
   * Closes idle connections soon, busy connections after their response, and tunnels after `drainTunnelsMs`. The
   * promise resolves when no connection is left, after `drainMs` at most.
   */
  drain(): Promise<void> {
    if (this.whenDrained) return this.whenDrained;
    this.isDraining = true;
    this.drainingSince = monotonicNow();
    for (const connection of [...this.connections.keys()]) connection.drain();
    this.whenDrained = new Promise<void>((resolve) => {
      this.onDrained = resolve;
      if (this.connections.size === 0) resolve();
    }).then(() => {
      clearInterval(this.timer);
      this.pool.closeAll();
    });
    return this.whenDrained;
  }

  private tick(): void {
    const now = monotonicNow();
    // A blocked event loop reads nothing, so the blocked time must not count against slow clients.
    const elapsedMs = Math.min(now - this.lastTickAt, 2 * this.limits.tickMs);
    this.lastTickAt = now;
    this.clock.now = now;
    this.clock.date = formatDateLine();
    // Bytes that arrived while the event loop was blocked are read first.
    setImmediate(() => this.checkTimeouts(elapsedMs));
  }

  private checkTimeouts(elapsedMs: number): void {
    const { limits } = this;
    const { now } = this.clock;
    this.idleEviction.forget();
    for (const connection of [...this.connections.keys()]) connection.tick(elapsedMs);
    for (const tunnel of [...this.openTunnels]) tunnel.tick();
    this.pool.tick();
    const drainingMs = this.isDraining ? now - this.drainingSince : 0;
    if (drainingMs >= limits.drainTunnelsMs) for (const tunnel of [...this.openTunnels]) tunnel.close();
    if (drainingMs >= limits.drainMs) for (const connection of [...this.connections.keys()]) connection.destroy();
  }
}
