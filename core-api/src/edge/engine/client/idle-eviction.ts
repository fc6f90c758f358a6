/** The part of a connection that decides whether it may be evicted. */
export interface EvictableConnection {
  readonly isIdle: boolean;
  /** Time of the last use by the engine's clock, ms; valid while `isIdle`. */
  readonly idleSince: number;
}

interface IdleCandidate<Connection> {
  connection: Connection;
  idleSince: number;
}

interface IdleScan<Connection> {
  /** Idle connections; the longest idle one is last. */
  candidates: IdleCandidate<Connection>[];
  /** The scan found so few connections that it is not repeated before `forget`. */
  isSparse: boolean;
}

/** A scan is sparse if it finds fewer than one idle connection in this many. */
const MIN_SCAN_YIELD = 64;

/**
 * Finds the connections that have been idle the longest. A scan of all connections costs more than closing one, so its
 * result is used until it is empty or forgotten.
 */
export class IdleEviction<Connection extends EvictableConnection> {
  /** Scans by client; undefined stands for all clients. */
  private readonly scans = new Map<string | undefined, IdleScan<Connection>>();

  /** @param all all connections, each with its client */
  constructor(private readonly all: ReadonlyMap<Connection, string | undefined>) {}

  /**
   * After the result of a sparse scan is used up, it returns no connection until `forget` is called.
   * @returns at most `count` connections, the longest idle first
   */
  take(client: string | undefined, count: number): Connection[] {
    const last = this.scans.get(client);
    const taken = last ? this.takeStillIdle(last.candidates, count) : [];
    if (taken.length > 0 || last?.isSparse) return taken;
    const found = this.scan(client);
    this.scans.set(client, { candidates: found, isSparse: found.length * MIN_SCAN_YIELD < this.all.size });
    return this.takeStillIdle(found, count);
  }

  private scan(client: string | undefined): IdleCandidate<Connection>[] {
    const found: IdleCandidate<Connection>[] = [];
    for (const [connection, owner] of this.all) {
      if ((client === undefined || owner === client) && connection.isIdle)
        found.push({ connection, idleSince: connection.idleSince });
    }
    return found.sort((a, b) => a.idleSince - b.idleSince).reverse();
  }

  private takeStillIdle(found: IdleCandidate<Connection>[], count: number): Connection[] {
    const taken: Connection[] = [];
    while (taken.length < count) {
      const last = found.pop();
      if (!last) break;
      const { connection, idleSince } = last;
      // A connection that was used since the scan is no longer the longest idle one.
      if (this.all.has(connection) && connection.isIdle && connection.idleSince === idleSince) taken.push(connection);
    }
    return taken;
  }

  forget(): void {
    this.scans.clear();
  }
}
