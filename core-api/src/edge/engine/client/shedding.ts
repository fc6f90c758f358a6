export interface SheddableConnection {
  /** Work for this connection since it was opened. The unit is the work for one forwarded byte. */
  readonly work: number;
  /** True if further requests may follow the current one. */
  readonly acceptsRequests: boolean;
}

/** An exchange costs about as much as forwarding this many bytes. */
export const WORK_PER_EXCHANGE = 16 * 1024;

/** Factor by which the selected work may exceed the wanted work, because the sums seldom match exactly. */
const TOLERANCE = 1.1;
/** A connection with a larger share of all work is not shed, because it would overload the next worker just as much. */
const MAX_SINGLE_SHARE = 0.9;
/** Selection stops at this fraction of the wanted work, so that the small remainder does not close many connections. */
const MIN_FRACTION = 0.9;

/**
 * Selects a few connections that together caused about `share` of the work since the sample began.
 * @param workBefore work of each connection when the sample began
 * @param share wanted share of this work, 0–1
 */
export function selectConnectionsToShed<Connection extends SheddableConnection>(
  workBefore: ReadonlyMap<Connection, number>,
  share: number,
): Connection[] {
  const connectionWork = [...workBefore].map(([connection, base]) => ({ connection, work: connection.work - base }));
  const total = connectionWork.reduce((sum, { work }) => sum + work, 0);
  const wantedWork = share * total;
  const selected: Connection[] = [];
  let sum = 0;
  for (const { connection, work } of connectionWork.sort((a, b) => b.work - a.work)) {
    if (work === 0 || sum >= MIN_FRACTION * wantedWork) break;
    if (!connection.acceptsRequests || work > MAX_SINGLE_SHARE * total || sum + work > TOLERANCE * wantedWork) continue;
    selected.push(connection);
    sum += work;
  }
  return selected;
}
