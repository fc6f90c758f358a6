import type { ClientConnectionCount } from '../engine/types';

/**
 * Limits the concurrent requests and tunnels of each client behind a trusted proxy. The connections belong to the
 * proxy, so the connection limit does not see these clients.
 */
export class ProxiedRequestLimit {
  private readonly openByClient = new Map<string, number>();
  private readonly clientByExchange = new WeakMap<object, string>();
  private caps: ReadonlyMap<string, number> = new Map();

  /** @param limit maximum number of open requests of each client at this worker */
  constructor(private readonly limit: number) {}

  /** Counts an open request of a client. @returns false if the client is at its limit */
  acquire(exchange: object, client: string): boolean {
    const open = this.openByClient.get(client) ?? 0;
    if (open >= Math.min(this.limit, this.caps.get(client) ?? this.limit)) return false;
    this.openByClient.set(client, open + 1);
    this.clientByExchange.set(exchange, client);
    return true;
  }

  release(exchange: object): void {
    const client = this.clientByExchange.get(exchange);
    if (client === undefined) return;
    this.clientByExchange.delete(exchange);
    const remaining = (this.openByClient.get(client) ?? 0) - 1;
    if (remaining > 0) this.openByClient.set(client, remaining);
    else this.openByClient.delete(client);
  }

  /** Sets lower limits for some clients, and removes the limits of the previous call. */
  setCaps(caps: ReadonlyMap<string, number>): void {
    this.caps = caps;
  }

  /**
   * Adds the open requests of each client in `counts` to its count. The result also has all other clients with at
   * least `minConnections` open requests.
   */
  addTo(counts: readonly ClientConnectionCount[], minConnections: number): ClientConnectionCount[] {
    const countByClient = new Map(counts.map((count) => [count.client, count]));
    for (const [client, open] of this.openByClient) {
      const count = countByClient.get(client);
      if (count) countByClient.set(client, { ...count, open: count.open + open });
      else if (open >= minConnections) countByClient.set(client, { client, open, idle: 0 });
    }
    return [...countByClient.values()];
  }
}
