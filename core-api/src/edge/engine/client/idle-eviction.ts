/** The properties that determine whether a connection may be evicted. */
export interface EvictableConnection {
  readonly isIdle: boolean;
  /** Start of the idle time by `Clock.now`, ms; valid while `isIdle`. */
  readonly idleSince: number;
}

interface IdleCandidate<Connection> {
  connection: Connection;
  idleSince: number;
}

interface IdleScan<Connection> {
  /** Idle connections, in the order of their idle time, with the longest time last. */
  candidates: IdleCandidate<Connection>[];
  /** True if the scan found so few connections that it is not repeated before `forget`. */
  isSparse: boolean;
}

/** A scan is sparse if fewer than one in this many connections is a candidate. */
const SPARSE_SCAN_RATIO = 64;

/** Finds the connections with the longest idle time. A result is used several times, because a scan is expensive. */
export class IdleEviction<Connection extends EvictableConnection> {
  /** Results of scans by client. The key undefined means all clients. */
  private readonly scans = new Map<string | undefined, IdleScan<Connection>>();

  constructor(private readonly connections: ReadonlyMap<Connection, string | undefined>) {}

  /**
   * After the result of a sparse scan is used up, no connection is returned until `forget` is called.
   * @returns at most `count` connections, the longest idle time first
   */
  take(client: string | undefined, count: number): Connection[] {
    const lastScan = this.scans.get(client);
    const evicted = lastScan ? this.takeStillIdle(lastScan.candidates, count) : [];
    if (evicted.length > 0 || lastScan?.isSparse) return evicted;
    const candidates = this.scan(client);
    this.scans.set(client, { candidates, isSparse: candidates.length * SPARSE_SCAN_RATIO < this.connections.size });
    return this.takeStillIdle(candidates, count);
  }

  private scan(client: string | undefined): IdleCandidate<Connection>[] {
    const candidates: IdleCandidate<Connection>[] = [];
    for (const [connection, connectionClient] of this.connections) {
      if ((client === undefined || connectionClient === client) && connection.isIdle)
        candidates.push({ connection, idleSince: connection.idleSince });
    }
    return candidates.sort((a, b) => b.idleSince - a.idleSince);
  }

  private takeStillIdle(candidates: IdleCandidate<Connection>[], count: number): Connection[] {
    const evicted: Connection[] = [];
    while (evicted.length < count) {
      const longestIdle = candidates.pop();
      if (!longestIdle) break;
      const { connection, idleSince } = longestIdle;
      // A connection that was used since the scan is no longer the longest idle one.
      if (this.connections.has(connection) && connection.isIdle && connection.idleSince === idleSince)
        evicted.push(connection);
    }
    return evicted;
  }

  forget(): void {
    this.scans.clear();
  }
}
