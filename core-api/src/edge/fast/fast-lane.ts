import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { refusalText } from '../answers';
import type { UsageCounter } from '../gateway/count';
import type { RequestMetrics, TrafficKind } from '../metrics';
import { ClientConnection } from './client-connection';
import { createPlanner, type PlanOptions } from './plan';
import { UpstreamPool } from './upstream-pool';

export interface FastLaneOptions extends PlanOptions {
  mark: string;
  isTrusted(address: string): boolean;
  usage: UsageCounter;
  metrics: RequestMetrics;
  log: Logger;
}

const SWEEP = 1_000;

/**
 * The short way for most requests: plain HTTP/1.1 with a body of known length to an upstream without TLS, which nothing
 * speaks against. node:http costs more processor time than all else that the edge does, so these are read and sent on
 * `node:net`. Whatever is special, malformed or to be refused is handed to the HTTP server untouched: this lane knows no rule
 * that the general path does not, and never has to say no.
 */
export class FastLane {
  readonly pool = new UpstreamPool();
  readonly connections = new Set<ClientConnection>();
  readonly firstRequestTimeout = 15_000;
  readonly idleTimeout = 65_000;
  readonly plan;
  readonly mark: string;
  readonly isTrusted: (address: string) => boolean;
  readonly usage: UsageCounter;
  readonly metrics: RequestMetrics;
  readonly log: Logger;
  private draining = false;

  constructor(
    options: FastLaneOptions,
    readonly handOver: (socket: Socket) => void,
  ) {
    this.plan = createPlanner(options);
    this.mark = options.mark;
    this.isTrusted = options.isTrusted;
    this.usage = options.usage;
    this.metrics = options.metrics;
    this.log = options.log;
    setInterval(() => this.sweep(), SWEEP).unref();
  }

  /** Puts the lane before an HTTP server, which gets only the connections that are handed over. */
  static before(server: Server, options: FastLaneOptions): FastLane {
    const general = server.listeners('connection');
    server.removeAllListeners('connection');
    const lane = new FastLane(options, (socket) => {
      for (const accept of general) accept.call(server, socket);
    });
    server.on('connection', (socket: Socket) => lane.accept(socket));
    return lane;
  }

  private accept(socket: Socket): void {
    const connection = new ClientConnection(this, socket);
    this.connections.add(connection);
    if (this.draining) connection.drain();
  }

  refusal(kind: TrafficKind, status: 502 | 504): { head: string; body: string } {
    return refusalText(kind === 'gateway' ? 'json' : 'page', status);
  }

  /** Idle connections end, busy ones after their answer. */
  drain(): void {
    this.draining = true;
    for (const connection of [...this.connections]) connection.drain();
  }

  closeAll(): void {
    for (const connection of [...this.connections]) connection.destroy();
  }

  private sweep(): void {
    for (const connection of [...this.connections]) {
      if (!connection.isBusy && this.pool.now > connection.deadline) connection.destroy();
    }
  }
}
