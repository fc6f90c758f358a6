import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database';
import { DAY_MS, HOUR_MS } from '../time/units';
import { RetentionClock } from './retention-clock.entity';

/** Removes rows of one table after their time. */
export interface RetentionRule {
  /** Name of the table; a test requires a rule or a reason for every table. */
  table: string;
  /**
   * Removes a small batch of expired rows, so that other writes do not wait long.
   * @returns whether there may be more
   */
  removeBatch(manager: EntityManager, now: number): Promise<boolean>;
}

const PERIOD_MS = HOUR_MS;
const FIRST_MS = 60_000;

/** A clock is plausible up to this long after the last removal. */
const MAX_STEP_MS = 2 * DAY_MS;
/** Hourly runs after which a clock that stays ahead is plausible: the product was stopped for long. */
const MAX_IMPLAUSIBLE_RUNS = 24;

/**
 * Whether retention may remove rows by this clock. A clock that runs ahead would remove rows for good, while rows that
 * stay a day longer do no harm. A clock that was set back is plausible at once.
 * @param now milliseconds since the epoch
 */
async function isClockPlausible(manager: EntityManager, now: number): Promise<boolean> {
  const stored = await manager.findOneBy(RetentionClock, { id: 0 });
  const implausibleRuns = stored && now > Date.parse(stored.plausibleAt) + MAX_STEP_MS ? stored.implausibleRuns + 1 : 0;
  if (stored && implausibleRuns > 0 && implausibleRuns < MAX_IMPLAUSIBLE_RUNS) {
    await manager.update(RetentionClock, { id: 0 }, { implausibleRuns });
    return false;
  }
  await manager.upsert(RetentionClock, { id: 0, plausibleAt: new Date(now).toISOString(), implausibleRuns: 0 }, ['id']);
  return true;
}

/**
 * Removes all expired rows, in small batches.
 * @param now milliseconds since the epoch
 * @returns false for an implausible clock: nothing was removed
 */
export async function applyRetention(
  database: Pick<Database, 'concurrentWrite'>,
  rules: readonly RetentionRule[],
  now: number,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  if (!(await database.concurrentWrite((manager) => isClockPlausible(manager, now)))) return false;
  for (const { removeBatch } of rules) {
    while (!isStopped() && (await database.concurrentWrite((manager) => removeBatch(manager, now))));
  }
  return true;
}

/** Applies the rules every hour. Several cores may do so at once. @returns a function that stops it */
export function startRetention(
  database: Pick<Database, 'concurrentWrite'>,
  rules: readonly RetentionRule[],
  log: Logger,
): () => Promise<void> {
  let stopped = false;
  let running = Promise.resolve();
  const run = () => {
    running = applyRetention(database, rules, Date.now(), () => stopped).then(
      (isApplied) => {
        if (!isApplied) log.warn('the clock leapt ahead: old rows are kept until it has stayed there for a day');
      },
      (error: unknown) => log.warn({ err: error }, 'old rows could not be removed'),
    );
  };
  const firstRun = setTimeout(run, FIRST_MS);
  const laterRuns = setInterval(run, PERIOD_MS);
  return async () => {
    stopped = true;
    clearTimeout(firstRun);
    clearInterval(laterRuns);
    await running;
  };
}
