import type { Upstream } from '../forward/upstream';
import { UpstreamConnection } from './upstream-connection';

const MOST_IDLE = 256;
const SWEEP = 500;
/** Hardly any upstream closes a connection that has been idle for less, in ms; a bit under two sweeps. */
const SURELY_OPEN = 900;

/** Connections to upstreams, kept between requests; the last one used is used first. */
export class UpstreamPool {
  /** Milliseconds since the epoch, as of the last sweep: exact enough for time limits. */
  now = Date.now();
  private readonly idle = new Map<string, UpstreamConnection[]>();
  private readonly all = new Set<UpstreamConnection>();

  constructor() {
    setInterval(() => this.sweep(), SWEEP).unref();
  }

  /** @param repeatable the request may be sent once more: it can risk a connection that its upstream is about to close */
  acquire(upstream: Upstream, repeatable: boolean): UpstreamConnection {
    const idle = this.idle.get(upstream.authority);
    const last = idle?.at(-1);
    if (!idle || !last || (!repeatable && this.now - last.usedAt > SURELY_OPEN)) return this.open(upstream);
    for (let known = idle.pop(); known; known = idle.pop()) if (!known.socket.destroyed) return known;
    return this.open(upstream);
  }

  /** A connection that has not been used before, whose upstream cannot have closed it. */
  open(upstream: Upstream): UpstreamConnection {
    const connection = new UpstreamConnection(this, upstream);
    this.all.add(connection);
    return connection;
  }

  /** Back to the pool, until it is used again or its time is over. */
  release(connection: UpstreamConnection): void {
    const { authority } = connection.upstream;
    const others = this.idle.get(authority);
    if (!others) this.idle.set(authority, [connection]);
    else if (others.length < MOST_IDLE) others.push(connection);
    else connection.socket.destroy();
  }

  /** Closed: never handed out again. */
  forget(connection: UpstreamConnection): void {
    this.all.delete(connection);
    const { authority } = connection.upstream;
    const others = this.idle.get(authority);
    const index = others?.lastIndexOf(connection) ?? -1;
    if (index >= 0) others?.splice(index, 1);
    if (others?.length === 0) this.idle.delete(authority);
  }

  size(): { busy: number; free: number } {
    let free = 0;
    for (const { length } of this.idle.values()) free += length;
    return { busy: this.all.size - free, free };
  }

  private sweep(): void {
    this.now = Date.now();
    for (const connection of [...this.all]) if (this.now > connection.deadline) connection.timeOut();
  }
}
