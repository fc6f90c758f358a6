import { hash } from 'node:crypto';
import { type EntityManager, In, MoreThan } from 'typeorm';
import { RuleError } from '../../../platform/errors/rule-error';
import { LoginFailures } from '../account.entity';

/** A limit on failures within a window. The window begins with the first failure. */
export interface FailureCounter {
  key: string;
  limit: number;
  windowMs: number;
}

/** The table stores digests, so that it reveals neither names nor addresses. */
export const toCounterKey = (...parts: string[]): string => hash('sha256', parts.join('\0'));

/** A fixed order prevents deadlocks between two attempts. */
const sortByKey = (counters: readonly FailureCounter[]): FailureCounter[] =>
  counters.toSorted((a, b) => (a.key < b.key ? -1 : 1));

/** The latest plausible end, with a second window for clock skew. A later end, of a wrong clock, is ignored. */
const computeLatestEnd = (now: number, windowMs: number): number => now + 2 * windowMs;

/**
 * Refuses an attempt that exceeds the limit of a counter.
 * @param isCounted false if the attempt itself is not counted yet
 * @throws RuleError tooMany with `message`
 */
export async function refuseAtLimit(
  manager: EntityManager,
  counters: readonly FailureCounter[],
  message: string,
  { isCounted = true } = {},
): Promise<void> {
  const now = Date.now();
  const storedRows = await manager.findBy(LoginFailures, {
    key: In(counters.map(({ key }) => key)),
    endsAt: MoreThan(new Date(now).toISOString()),
  });
  for (const { key, failures, endsAt } of storedRows) {
    const counter = counters.find((candidate) => candidate.key === key);
    if (!counter || Date.parse(endsAt) > computeLatestEnd(now, counter.windowMs)) continue;
    if (failures + (isCounted ? 0 : 1) <= counter.limit) continue;
    const retryAfterS = Math.max(1, Math.ceil((Date.parse(endsAt) - now) / 1000));
    throw new RuleError('tooMany', message, { retryAfterS });
  }
}

/** Counts a failure at `$3`. A stored window that is over, or ends after the latest plausible end `$4`, begins anew. */
const ADD_ONE_SQL = `INSERT INTO login_failures (key, failures, "endsAt") VALUES ($1, 1, $2)
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN login_failures."endsAt" <= $3 OR login_failures."endsAt" > $4 THEN 1 ELSE login_failures.failures + 1 END,
    "endsAt" = CASE WHEN login_failures."endsAt" <= $3 OR login_failures."endsAt" > $4 THEN excluded."endsAt" ELSE login_failures."endsAt" END`;
const SUBTRACT_ONE_SQL = 'UPDATE login_failures SET failures = failures - 1 WHERE key = $1 AND failures > 0';

/**
 * Counts an attempt as a failure before its secret is compared, so that concurrent guesses cannot exceed the limit.
 * Call it in a transaction, so that a refusal rolls the count back. @throws RuleError tooMany with `message`
 */
export async function addFailure(
  manager: EntityManager,
  counters: readonly FailureCounter[],
  message: string,
): Promise<void> {
  const now = Date.now();
  for (const { key, windowMs } of sortByKey(counters))
    await manager.query(ADD_ONE_SQL, [
      key,
      new Date(now + windowMs).toISOString(),
      new Date(now).toISOString(),
      new Date(computeLatestEnd(now, windowMs)).toISOString(),
    ]);
  await refuseAtLimit(manager, counters, message);
}

/** Removes one failure from each counter. Call it in a transaction. */
export async function retractFailure(manager: EntityManager, counters: readonly FailureCounter[]): Promise<void> {
  for (const { key } of sortByKey(counters)) await manager.query(SUBTRACT_ONE_SQL, [key]);
}
