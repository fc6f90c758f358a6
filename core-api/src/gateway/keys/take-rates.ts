import type { EntityManager } from 'typeorm';
import { type Granted, RateWindow } from '../../rules/rate-window';
import type { RateLimit } from './key.entity';
import type { RateWindowRow } from './rate-window.entity';

/** What one machine asks of the windows that all share. */
export interface RateAsk {
  keyId: string;
  limit: RateLimit;
  /** Requests that it wants to let through. */
  wanted: number;
  /** Requests that it has let through without asking. */
  spent?: number;
  /** What it was given in a slice and does not need. */
  unused?: { count: number; slice: number };
}

/** `endsAt` and the slices are by the database's clock. */
export interface RatesTaken {
  granted: Granted[];
  /** The database's clock, ms since the epoch. */
  now: number;
}

/** For a key that is gone: the edge learns so in a moment. */
const NONE: Granted = { given: 0, slice: 0, endsAt: 0, waitMs: 1000 };

/**
 * Takes from the windows of keys, in the transaction of `manager`. They are locked, always in the same order, so no two
 * machines are given the same and none waits for each other. PostgreSQL only.
 * @returns what was granted, in the order of `asks`
 */
export async function takeRates(manager: EntityManager, asks: readonly RateAsk[]): Promise<RatesTaken> {
  // A server that loses its last moments loses those of the limits too.
  await manager.query('SET LOCAL synchronous_commit = off');
  const windows = await lockWindows(manager, asks);
  const [clock] = await manager.query('SELECT extract(epoch from clock_timestamp())::float8 * 1000 AS now');
  const now = Number(clock.now);
  const granted = asks.map(({ keyId, limit, wanted, spent = 0, unused }) => {
    let window = windows.get(keyId);
    if (!window) return NONE;
    if (window.seconds !== limit.seconds) window = new RateWindow(limit.requests, limit.seconds);
    window.requests = limit.requests;
    windows.set(keyId, window);
    if (unused) window.giveBack(unused.count, unused.slice);
    if (spent > 0) window.add(spent, now);
    return window.take(wanted, now);
  });
  const rows: RateWindowRow[] = [...windows].map(([keyId, { seconds, state }]) => ({ keyId, seconds, ...state }));
  await manager.query(
    `UPDATE rate_windows w SET seconds = v.seconds, slice = v.slice, counts = v.counts::text
     FROM jsonb_to_recordset($1::jsonb) AS v("keyId" text, seconds int, slice bigint, counts jsonb)
     WHERE w."keyId" = v."keyId"`,
    [JSON.stringify(rows)],
  );
  return { granted, now };
}

/** Of keys that exist, each with a row of its own from now on. */
async function lockWindows(manager: EntityManager, asks: readonly RateAsk[]): Promise<Map<string, RateWindow>> {
  const ids = [...new Set(asks.map(({ keyId }) => keyId))];
  const lock = (): Promise<{ keyId: string; seconds: number; slice: string; counts: string }[]> =>
    manager.query('SELECT * FROM rate_windows WHERE "keyId" = ANY($1) ORDER BY "keyId" FOR UPDATE', [ids]);
  let rows = await lock();
  if (rows.length < ids.length) {
    await manager.query(
      `INSERT INTO rate_windows ("keyId", seconds, slice, counts)
       SELECT _id, 0, 0, '[]' FROM api_keys WHERE _id = ANY($1) ORDER BY _id ON CONFLICT DO NOTHING`,
      [ids],
    );
    rows = await lock();
  }
  return new Map(
    rows.map(({ keyId, seconds, slice, counts }) => [
      keyId,
      new RateWindow(0, seconds, { slice: Number(slice), counts: JSON.parse(counts) }),
    ]),
  );
}
