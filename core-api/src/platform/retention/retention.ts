import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database';
import { LeasedJob } from '../jobs/leased-job';
import { DAY_MS, HOUR_MS } from '../time/relative-time';
import { RetentionClock } from './retention-clock.entity';

/** Removes expired rows of one table. */
export interface RetentionRule {
  /** Name of the table. A test requires a rule or another bound for every table. */
  table: string;
  /** Removes a small batch of rows, so that other writes do not wait long. Returns whether there may be more rows. */
  removeBatch(manager: EntityManager, now: number): Promise<boolean>;
}

const INTERVAL_MS = HOUR_MS;
const FIRST_DELAY_MS = 60_000;

/** Maximum time after the last plausible run. A clock that is further ahead is implausible. */
const MAX_STEP_MS = 2 * DAY_MS;
/** Number of hourly runs after which a clock that stays ahead is plausible: the product may have been stopped. */
const MAX_IMPLAUSIBLE_RUNS = 24;

/**
 * Returns whether retention may remove rows by the clock, and stores the result. A clock that runs ahead would remove
 * rows for good, while rows that stay a day longer do no harm. A clock that was set back is plausible immediately.
 * @param now milliseconds since the epoch
 */
async function isClockPlausible(manager: EntityManager, now: number): Promise<boolean> {
  const clock = await manager.findOneBy(RetentionClock, { id: 0 });
  const implausibleRuns = clock && now > Date.parse(clock.plausibleAt) + MAX_STEP_MS ? clock.implausibleRuns + 1 : 0;
  if (clock && implausibleRuns > 0 && implausibleRuns < MAX_IMPLAUSIBLE_RUNS) {
    await manager.update(RetentionClock, { id: 0 }, { implausibleRuns });
    return false;
  }
  await manager.upsert(RetentionClock, { id: 0, plausibleAt: new Date(now).toISOString(), implausibleRuns: 0 }, ['id']);
  return true;
}

/**
 * Removes all expired rows in small batches. Returns false, and removes nothing, if the clock is implausible.
 * @param now milliseconds since the epoch
 */
export async function applyRetention(
  database: Pick<Database, 'concurrentWrite'>,
  rules: readonly RetentionRule[],
  now: number,
  signal?: AbortSignal,
): Promise<boolean> {
  if (!(await database.concurrentWrite((manager) => isClockPlausible(manager, now)))) return false;
  for (const { removeBatch } of rules) {
    let hasMore = true;
    while (hasMore && !signal?.aborted)
      hasMore = await database.concurrentWrite((manager) => removeBatch(manager, now));
  }
  return true;
}

/**
 * Creates the job that applies the rules every hour, and when another core takes over the job. One core runs it:
 * otherwise the runs of every core would count as implausible if all their clocks were ahead.
 */
export function createRetentionJob(database: Database, rules: readonly RetentionRule[], log: Logger): LeasedJob {
  let nextRunAt = performance.now() + FIRST_DELAY_MS;
  const run = async (signal: AbortSignal) => {
    if (performance.now() < nextRunAt) return;
    nextRunAt = performance.now() + INTERVAL_MS;
    const isApplied = await applyRetention(database, rules, Date.now(), signal);
    if (!isApplied) log.warn('the clock leapt ahead: old rows are kept until the clock has stayed ahead for a day');
  };
  return new LeasedJob({ database, log, name: 'retention', run });
}
