import { groupBy } from '../../../platform/collections/group-by';
import { ALL_CLIENTS, type ClientConnectionCount } from '../../engine/types';
import type { ToWorker } from '../../ipc/messages';

/** The connections of one client at one worker. */
type WorkerCount = ClientConnectionCount & { worker: number };
/** The number of connections that a worker permits to a client. */
type ClientCap = { client: string; worker: number; limit: number };

/**
 * Runs in the primary and limits connections over all workers. Twice a second all workers report the clients with many
 * connections, and get the number of connections that a client over its limit may keep.
 *
 * Clients near the limit are queried by name in the next round. Reports of different rounds are never added up, because
 * a client that moves between workers would be counted twice.
 */
export class ConnectionLimiter {
  private round = 0;
  /** Workers report the clients with at least this many connections, and the `watched` clients. */
  private minConnections = 1;
  private watched: readonly string[] = [ALL_CLIENTS];
  /** Reports of this round by worker. A hung worker sends no report and is left out. */
  private reports = new Map<number, readonly ClientConnectionCount[]>();
  private queriedWorkers = new Set<number>();
  private readonly cappedWorkers = new Set<number>();
  /** Clients that reached their limit. They may reconnect, so they stay capped until they use less than half of it. */
  private readonly cappedClients = new Set<string>();

  /** @param limits maximum number of connections of all clients together, and of each client */
  constructor(
    private readonly limits: { total: number; perClient: number },
    private readonly send: (worker: number, message: ToWorker) => void,
  ) {}

  /**
   * Asks all workers for the connections of their clients, unless all clients together have too few for one client to
   * exceed its limit.
   * @param workers ids of the serving workers
   * @param open connections of all clients, by the last reports of the workers
   */
  startRound(workers: readonly number[], open: number): void {
    // Counts include requests behind a trusted proxy (`ProxiedRequestLimit`), so they may add up to twice `open`.
    const mayExceedLimit = 2 * open >= this.limits.perClient;
    if (!mayExceedLimit && this.cappedClients.size === 0 && this.cappedWorkers.size === 0) return;
    if (this.reports.size < this.queriedWorkers.size) this.distribute();
    this.round += 1;
    this.reports = new Map();
    this.queriedWorkers = new Set(workers);
    // A client at the limit has at least limit / workers connections at one worker. Workers report each client with a
    // quarter of that number or more, so `estimateUpperBound` is too high by less than a quarter of the limit.
    this.minConnections = Math.ceil(this.limits.perClient / (4 * Math.max(1, workers.length)));
    const { round, minConnections, watched } = this;
    for (const worker of workers) this.send(worker, { type: 'count-clients', round, minConnections, watched });
  }

  add(worker: number, round: number, clients: readonly ClientConnectionCount[]): void {
    if (round !== this.round || !this.queriedWorkers.has(worker)) return;
    this.reports.set(worker, clients);
    if (this.reports.size === this.queriedWorkers.size) this.distribute();
  }

  /** Removes an exited worker. A round ends if only this worker's report was missing. */
  remove(worker: number): void {
    this.cappedWorkers.delete(worker);
    const isReportMissing = this.queriedWorkers.delete(worker) && !this.reports.delete(worker);
    if (isReportMissing && this.reports.size === this.queriedWorkers.size) this.distribute();
  }

  private distribute(): void {
    const counts = [...this.reports].flatMap(([worker, clients]) => clients.map((count) => ({ ...count, worker })));
    const countsByClient = groupBy(counts, ({ client }) => client);
    const caps = this.watched.flatMap((client) => this.distributeLimit(client, countsByClient.get(client) ?? []));
    for (const worker of this.reports.keys()) this.sendCaps(worker, caps);
    const nearLimit = [...countsByClient].filter(
      ([client, clientCounts]) =>
        client !== ALL_CLIENTS &&
        (this.cappedClients.has(client) || this.estimateUpperBound(clientCounts) >= this.limits.perClient),
    );
    this.watched = [ALL_CLIENTS, ...nearLimit.map(([client]) => client)];
  }

  /** Sends a worker its part of `allCaps`. An empty list removes earlier caps. */
  private sendCaps(worker: number, allCaps: readonly ClientCap[]): void {
    const caps = allCaps.flatMap((cap) => (cap.worker === worker ? [[cap.client, cap.limit] as const] : []));
    const wasCapped = this.cappedWorkers.delete(worker);
    if (caps.length > 0) this.cappedWorkers.add(worker);
    if (caps.length > 0 || wasCapped) this.send(worker, { type: 'cap-clients', caps });
  }

  /** Returns an upper bound of a client's connections. Each worker without a count has fewer than `minConnections`. */
  private estimateUpperBound(counts: readonly WorkerCount[]): number {
    const unreported = (this.reports.size - counts.length) * (this.minConnections - 1);
    return counts.reduce((sum, { open }) => sum + open, unreported);
  }

  /**
   * Distributes a client's limit over the workers. Idle connections are closed first. Below the limit, every worker may
   * use all the free room.
   */
  private distributeLimit(client: string, counts: readonly WorkerCount[]): ClientCap[] {
    const limit = client === ALL_CLIENTS ? this.limits.total : this.limits.perClient;
    const rows = [...this.reports.keys()].map(
      (worker) => counts.find((count) => count.worker === worker) ?? { worker, open: 0, idle: 0 },
    );
    const total = rows.reduce((sum, { open }) => sum + open, 0);
    const excess = total - limit;
    if (excess >= 0) this.cappedClients.add(client);
    else if (total < limit / 2) this.cappedClients.delete(client);
    if (!this.cappedClients.has(client)) return [];
    if (excess < 0) return rows.map(({ worker, open }) => ({ client, worker, limit: open + limit - total }));
    const idleTotal = rows.reduce((sum, { idle }) => sum + idle, 0);
    const idleParts = splitProportionally(
      Math.min(excess, idleTotal),
      rows.map(({ idle }) => idle),
    );
    // Busy connections are closed for the limit of one client, not for the limit of all clients together.
    const busyExcess = client === ALL_CLIENTS ? 0 : Math.max(0, excess - idleTotal);
    const busyParts = splitProportionally(
      busyExcess,
      rows.map(({ open, idle }) => open - idle),
    );
    return rows.map(({ worker, open }, index) => {
      const closedCount = (idleParts[index] ?? 0) + (busyParts[index] ?? 0);
      return { client, worker, limit: open - closedCount };
    });
  }
}

/** Splits a number into whole parts in proportion to `weights`. */
function splitProportionally(total: number, weights: readonly number[]): number[] {
  let remaining = total;
  let remainingWeight = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => {
    const part = remainingWeight === 0 ? 0 : Math.round((remaining * weight) / remainingWeight);
    remaining -= part;
    remainingWeight -= weight;
    return part;
  });
}
