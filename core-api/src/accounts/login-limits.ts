import { createHash } from 'node:crypto';
import { And, type EntityManager, In, LessThanOrEqual, MoreThan } from 'typeorm';
import type { Database } from '../database/source';
import { RuleError } from '../errors';
import { Account } from './account.entity';
import { accountMessages } from './accounts.messages';
import { LoginAddress, LoginFailures } from './login-limits.entity';

/** contract §3: failures in 15 minutes. */
const WINDOW_MS = 15 * 60 * 1000;
const PAIR_LIMIT = 20;
const ADDRESS_LIMIT = 50;
const STRANGER_LIMIT = 200;
/** An address that logged into an account within this time is known to it. */
export const KNOWN_MS = 30 * 24 * 3600 * 1000;

export interface Attempt {
  username: string;
  /** `networkOf` the client's address. */
  network: string;
  /** Sent with a token of the account: counts as known from any address. */
  authenticated?: boolean;
}

interface Counter {
  key: string;
  limit: number;
}

/** A digest, so that the table reveals neither names nor addresses. */
const keyOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex');

const pairOf = ({ username, network }: Attempt): Counter => ({
  key: keyOf('pair', username, network),
  limit: PAIR_LIMIT,
});
const addressOf = ({ network }: Attempt): Counter => ({ key: keyOf('address', network), limit: ADDRESS_LIMIT });
const strangersOf = ({ username }: Attempt): Counter => ({ key: keyOf('strangers', username), limit: STRANGER_LIMIT });

const isKnown = (manager: EntityManager, { username, network }: Attempt): Promise<boolean> =>
  manager
    .createQueryBuilder(LoginAddress, 'address')
    .innerJoin(Account, 'account', 'account._id = address.accountId')
    .where('account.username = :username AND address.network = :network', { username, network })
    .andWhere('address.lastLoginAt > :since', { since: new Date(Date.now() - KNOWN_MS).toISOString() })
    .getExists();

/** A window that ends later was begun under a clock that has been set back since: it is over. */
const latestEnd = (now: number): string => new Date(now + 2 * WINDOW_MS).toISOString();

/** The same counters whether the name exists or not, so that timing reveals nothing. */
async function countersOf(manager: EntityManager, attempt: Attempt): Promise<Counter[]> {
  const known = attempt.authenticated || (await isKnown(manager, attempt));
  const counters = [pairOf(attempt), addressOf(attempt), ...(known ? [] : [strangersOf(attempt)])];
  // In a fixed order, so that two attempts cannot deadlock.
  return counters.sort((one, other) => (one.key < other.key ? -1 : 1));
}

/** @throws RuleError tooMany for the first counter above `limit - spare` */
async function refuseUsed(manager: EntityManager, counters: readonly Counter[], spare: number): Promise<void> {
  const now = Date.now();
  const found = await manager.findBy(LoginFailures, {
    key: In(counters.map(({ key }) => key)),
    endsAt: And(MoreThan(new Date(now).toISOString()), LessThanOrEqual(latestEnd(now))),
  });
  for (const { key, failures, endsAt } of found) {
    const limit = counters.find((counter) => counter.key === key)?.limit ?? 0;
    if (failures <= limit - spare) continue;
    const retryAfterS = Math.max(1, Math.ceil((Date.parse(endsAt) - now) / 1000));
    throw new RuleError('tooMany', accountMessages.tooManyFailures, { retryAfterS });
  }
}

const ADD_ONE = `INSERT INTO login_failures (key, failures, "endsAt") VALUES ($1, 1, $2)
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN login_failures."endsAt" <= $3 OR login_failures."endsAt" > $4 THEN 1 ELSE login_failures.failures + 1 END,
    "endsAt" = CASE WHEN login_failures."endsAt" <= $3 OR login_failures."endsAt" > $4 THEN excluded."endsAt" ELSE login_failures."endsAt" END`;
const RETRACT = 'UPDATE login_failures SET failures = failures - 1 WHERE key = $1 AND failures > 0';

/**
 * How often a password may be guessed (contract §3), counted in the database for all cores. A known address has a counter
 * of its own, so that guesses from elsewhere cannot lock an administrator out.
 */
export class LoginLimits {
  constructor(private readonly database: Database) {}

  /** A cheap check before an attempt waits for hashing. @throws RuleError tooMany */
  async check(attempt: Attempt): Promise<void> {
    await refuseUsed(this.database.read, await countersOf(this.database.read, attempt), 1);
  }

  /**
   * Counts an attempt as a failure before its password is compared, so that concurrent guesses cannot exceed the limit.
   * @throws RuleError tooMany, and counts nothing
   */
  async begin(attempt: Attempt): Promise<void> {
    const now = Date.now();
    await this.database.append(async (manager) => {
      const counters = await countersOf(manager, attempt);
      for (const { key } of counters)
        await manager.query(ADD_ONE, [
          key,
          new Date(now + WINDOW_MS).toISOString(),
          new Date(now).toISOString(),
          latestEnd(now),
        ]);
      await refuseUsed(manager, counters, 0);
    });
  }

  /** Uncounts an attempt that neither failed nor logged in. */
  async retract(attempt: Attempt): Promise<void> {
    await this.database.append(async (manager) => {
      for (const { key } of await countersOf(manager, attempt)) await manager.query(RETRACT, [key]);
    });
  }

  /** Uncounts an attempt whose password was right; its address becomes known. */
  async succeed(attempt: Attempt, accountId: string): Promise<void> {
    await this.database.append(async (manager) => {
      const counters = await countersOf(manager, attempt);
      for (const { key } of counters) await manager.query(RETRACT, [key]);
      await manager.delete(LoginFailures, { key: pairOf(attempt).key });
      const { network } = attempt;
      const lastLoginAt = new Date().toISOString();
      await manager.upsert(LoginAddress, { accountId, network, lastLoginAt }, ['accountId', 'network']);
    });
  }
}
