import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import type { Database } from '../database/source';
import { isBelieved } from './retention-clock';

/** How long rows of one kind are kept. */
export interface RetentionRule {
  /** The table, as the log and the test of all tables call it. */
  table: string;
  /**
   * Removes some of the rows whose time is over, so few that no other write waits long.
   * @returns whether there may be more
   */
  removeBatch(manager: EntityManager, now: number): Promise<boolean>;
}

const PERIOD_MS = 3_600_000;
const FIRST_MS = 60_000;

/**
 * Removes all rows whose time is over, a few at a time.
 * @param now milliseconds since the epoch
 * @returns false for a clock that leapt ahead: nothing was removed
 */
export async function applyRetention(
  database: Pick<Database, 'append'>,
  rules: readonly RetentionRule[],
  now: number,
  isStopped: () => boolean = () => false,
): Promise<boolean> {
  if (!(await database.append((manager) => isBelieved(manager, now)))) return false;
  for (const { removeBatch } of rules) {
    while (!isStopped() && (await database.append((manager) => removeBatch(manager, now))));
  }
  return true;
}

/** Applies the rules every hour; several cores do the same work without harm. @returns stops it */
export function startRetention(
  database: Pick<Database, 'append'>,
  rules: readonly RetentionRule[],
  log: Logger,
): () => Promise<void> {
  let stopped = false;
  let running = Promise.resolve();
  const run = () => {
    running = applyRetention(database, rules, Date.now(), () => stopped).then(
      (applied) => {
        if (!applied) log.warn('the clock leapt ahead: old rows are kept until it has stayed there for a day');
      },
      (error: unknown) => log.warn({ err: error }, 'old rows could not be removed'),
    );
  };
  const first = setTimeout(run, FIRST_MS);
  const next = setInterval(run, PERIOD_MS);
  return async () => {
    stopped = true;
    clearTimeout(first);
    clearInterval(next);
    await running;
  };
}
