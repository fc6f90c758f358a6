import type { EntityManager } from 'typeorm';
import type { RateLimit } from '../../../routing/config-snapshot';
import { type RateGrant, RateWindow } from '../../../routing/keys/rate-window';
import type { RateWindowRow } from './key.entity';

/** Asks for a grant. A grant is the right of a machine to allow a number of requests with a key. */
export interface GrantRequest {
  keyId: string;
  limit: RateLimit;
  /** Number of requests that the machine wants to allow. */
  requested: number;
  /** Requests that the machine allowed without a grant, with their time by the database's clock, ms since the epoch. */
  spent?: { count: number; at: number }[];
  /** The unused part of an earlier grant, which the machine returns with the slice of that grant. */
  unused?: { count: number; slice: number };
}

/** Grants for a machine. Their `expiresAt` and slices follow the database's clock. */
export interface RateGrants {
  grants: RateGrant[];
  /** The database's clock, ms since the epoch. */
  now: number;
}

/** An empty grant for a removed key, because the edge may not know of the removal yet. */
const NO_GRANT: RateGrant = { granted: 0, slice: 0, expiresAt: 0, waitMs: 1000 };

const CLOCK_SQL = 'SELECT extract(epoch from clock_timestamp())::float8 * 1000 AS now';
const LOCK_WINDOWS_SQL = 'SELECT * FROM rate_windows WHERE "keyId" = ANY($1) ORDER BY "keyId" FOR UPDATE';
const INSERT_MISSING_WINDOWS_SQL = `INSERT INTO rate_windows ("keyId", seconds, slice, counts)
  SELECT _id, 0, 0, '[]' FROM api_keys WHERE _id = ANY($1) ORDER BY _id ON CONFLICT DO NOTHING`;
const UPDATE_WINDOWS_SQL = `UPDATE rate_windows w SET seconds = v.seconds, slice = v.slice, counts = v.counts::text
  FROM jsonb_to_recordset($1::jsonb) AS v("keyId" text, seconds int, slice bigint, counts jsonb)
  WHERE w."keyId" = v."keyId"`;

/**
 * Takes grants from the rate windows, in the transaction of `manager`. Locks on the rows prevent that a request is
 * granted twice, and the fixed order of these locks prevents deadlocks. PostgreSQL only.
 * @returns the grants, in the order of `requests`
 */
export async function takeRateGrants(manager: EntityManager, requests: readonly GrantRequest[]): Promise<RateGrants> {
  // The commit need not be durable: the loss of the last counts in a crash of the server is acceptable.
  await manager.query('SET LOCAL synchronous_commit = off');
  const windows = await lockWindows(manager, requests);
  const [clock] = await manager.query(CLOCK_SQL);
  const now = Number(clock.now);
  const grants = requests.map(({ keyId, limit, requested, spent = [], unused }) => {
    let window = windows.get(keyId);
    if (!window) return NO_GRANT;
    if (window.seconds !== limit.seconds) window = new RateWindow(limit.requests, limit.seconds);
    window.limit = limit.requests;
    windows.set(keyId, window);
    if (unused) window.refund(unused.count, unused.slice);
    for (const { count, at } of spent) window.add(count, now, at);
    return window.acquire(requested, now);
  });
  const rows: RateWindowRow[] = [...windows].map(([keyId, { seconds, state }]) => ({ keyId, seconds, ...state }));
  await manager.query(UPDATE_WINDOWS_SQL, [JSON.stringify(rows)]);
  return { grants, now };
}

/** Locks the windows of the existing keys, and creates missing rows. Their limit is 0 until the caller sets it. */
async function lockWindows(
  manager: EntityManager,
  requests: readonly GrantRequest[],
): Promise<Map<string, RateWindow>> {
  const ids = [...new Set(requests.map(({ keyId }) => keyId))];
  const selectForUpdate = (): Promise<{ keyId: string; seconds: number; slice: string; counts: string }[]> =>
    manager.query(LOCK_WINDOWS_SQL, [ids]);
  let rows = await selectForUpdate();
  if (rows.length < ids.length) {
    await manager.query(INSERT_MISSING_WINDOWS_SQL, [ids]);
    rows = await selectForUpdate();
  }
  return new Map(
    rows.map(({ keyId, seconds, slice, counts }) => [
      keyId,
      new RateWindow(0, seconds, { slice: Number(slice), counts: JSON.parse(counts) }),
    ]),
  );
}
