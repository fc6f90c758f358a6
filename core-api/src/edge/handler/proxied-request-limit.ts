import type { ClientConnectionCount } from '../engine/types';

/**
 * Limits the concurrent requests and tunnels of each client behind a trusted proxy. The connections of these clients belong
 * to the proxy, so the connection limit does not see them.
 */
export class ProxiedRequestLimit {
  private readonly open = new Map<string, number>();
  private readonly clientOf = new WeakMap<object, string>();
  private caps: ReadonlyMap<string, number> = new Map();

  /** @param limit of each client at this worker */
  constructor(private readonly limit: number) {}

  /** @returns false if the client is at its limit */
  acquire(exchange: object, client: string): boolean {
    const open = this.open.get(client) ?? 0;
    if (open >= Math.min(this.limit, this.caps.get(client) ?? this.limit)) return false;
    this.open.set(client, open + 1);
    this.clientOf.set(exchange, client);
    return true;
  }

  release(exchange: object): void {
    const client = this.clientOf.get(exchange);
    if (client === undefined) return;
    this.clientOf.delete(exchange);
    const others = (this.open.get(client) ?? 0) - 1;
    if (others > 0) this.open.set(client, others);
    else this.open.delete(client);
  }

  /** Sets lower limits of some clients; they replace those of the last call. */
  setCaps(caps: ReadonlyMap<string, number>): void {
    this.caps = caps;
  }

  /** Adds the requests under way to the connections of `uses`, and lists other clients with at least `minConnections` of them. */
  addTo(uses: readonly ClientConnectionCount[], minConnections: number): ClientConnectionCount[] {
    const all = new Map(uses.map((use) => [use.client, use]));
    for (const [client, open] of this.open) {
      const known = all.get(client);
      if (known) all.set(client, { ...known, open: known.open + open });
      else if (open >= minConnections) all.set(client, { client, open, idle: 0 });
    }
    return [...all.values()];
  }
}
