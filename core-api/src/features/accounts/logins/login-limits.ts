import type { EntityManager } from 'typeorm';
import type { Database } from '../../../platform/database/database';
import { RuleError } from '../../../platform/errors/rule-error';
import { DAY_MS, MINUTE_MS, toIsoFromNow } from '../../../platform/time/relative-time';
import { Account, LoginFailures, LoginNetwork } from '../account.entity';
import { accountMessages } from '../accounts.messages';
import { addFailure, type FailureCounter, refuseAtLimit, retractFailure, toCounterKey } from './failure-counters';

/** Contract §6 limits the failures within 15 minutes. */
const WINDOW_MS = 15 * MINUTE_MS;
const ACCOUNT_NETWORK_LIMIT = 20;
const NETWORK_LIMIT = 50;
/** Limit of a network for wrong passwords at all sites together. `ACCOUNT_NETWORK_LIMIT` also applies to each site. */
const SITES_NETWORK_LIMIT = 100;
const UNKNOWN_NETWORKS_LIMIT = 200;
const CUSTOMER_NETWORK_LIMIT = 200; // Counter keys name a customer network `site`, which is not a web site.
/** A network stays known to an account for this long after a login. */
export const KNOWN_NETWORK_MS = 30 * DAY_MS;

export interface LoginAttempt {
  username: string;
  /** `toLimitKey` of the client's address. */
  network: string;
  /** `toCustomerNetwork` of the client's address. */
  customerNetwork: string | null;
  /** True for a request with a token of the account or with a setup token. Its network counts as known. */
  isAuthenticated?: boolean;
  /**
   * True for the password of a site. Its failures do not count for logins. Any page can make a browser send passwords
   * to a site, which must not lock out an administrator with the same address.
   */
  isSitePassword?: boolean;
}

const createCounter = (limit: number, ...parts: string[]): FailureCounter => ({
  key: toCounterKey(...parts),
  limit,
  windowMs: WINDOW_MS,
});
const createAccountNetworkCounter = ({ username, network }: LoginAttempt) =>
  createCounter(ACCOUNT_NETWORK_LIMIT, 'pair', username, network);

const isNetworkKnown = (manager: EntityManager, { username, network }: LoginAttempt): Promise<boolean> =>
  manager
    .createQueryBuilder(LoginNetwork, 'address')
    .innerJoin(Account, 'account', 'account._id = address.accountId')
    .where('account.username = :username AND address.network = :network', { username, network })
    .andWhere('address.lastLoginAt > :since', { since: toIsoFromNow(-KNOWN_NETWORK_MS) })
    .getExists();

/** The counters of an attempt. They do not depend on whether the name exists, so that timing reveals nothing. */
function createCounters(attempt: LoginAttempt, isKnownNetwork: boolean): FailureCounter[] {
  const { username, network, customerNetwork, isSitePassword } = attempt;
  const keySuffix = isSitePassword ? ['sites'] : [];
  const unknownNetworkCounters = [
    createCounter(UNKNOWN_NETWORKS_LIMIT, 'strangers', username),
    ...(customerNetwork ? [createCounter(CUSTOMER_NETWORK_LIMIT, 'site', customerNetwork, ...keySuffix)] : []),
  ];
  return [
    createAccountNetworkCounter(attempt),
    createCounter(isSitePassword ? SITES_NETWORK_LIMIT : NETWORK_LIMIT, 'address', network, ...keySuffix),
    ...(isKnownNetwork ? [] : unknownNetworkCounters),
  ];
}

const findCounters = async (manager: EntityManager, attempt: LoginAttempt): Promise<FailureCounter[]> =>
  createCounters(attempt, attempt.isAuthenticated || (await isNetworkKnown(manager, attempt)));

/**
 * Limits how often a password may be guessed (contract §6), with counters in the database for all cores. Some
 * counters apply to unknown networks only, so that guesses from elsewhere cannot lock an administrator out.
 */
export class LoginLimits {
  constructor(private readonly database: Database) {}

  /**
   * Refuses an attempt that exceeds a limit. Call it before the attempt waits for a hashing slot.
   * @returns whether the network is known to the account
   * @throws RuleError tooMany
   */
  async check(attempt: LoginAttempt): Promise<boolean> {
    const isKnownNetwork = attempt.isAuthenticated || (await isNetworkKnown(this.database.read, attempt));
    const counters = createCounters(attempt, isKnownNetwork);
    await refuseAtLimit(this.database.read, counters, accountMessages.tooManyFailures, { isCounted: false });
    return isKnownNetwork;
  }

  /** Counts an attempt within the limits as a failure, before its password is compared. @throws RuleError tooMany */
  async countAttempt(attempt: LoginAttempt): Promise<void> {
    await this.database.concurrentWrite(async (manager) =>
      addFailure(manager, await findCounters(manager, attempt), accountMessages.tooManyFailures),
    );
  }

  /** Removes the failure that `countAttempt` has added for an attempt whose password was correct. */
  async retract(attempt: LoginAttempt): Promise<void> {
    await this.database.concurrentWrite(async (manager) => {
      await retractFailure(manager, await findCounters(manager, attempt));
    });
  }

  /**
   * Removes all failures that the network of a successful attempt has at the account. Stores the network as known.
   * @throws RuleError unauthenticated for an account that was removed meanwhile
   */
  async recordSuccess(attempt: LoginAttempt, accountId: string): Promise<void> {
    await this.database.concurrentWrite(async (manager) => {
      if (!(await manager.existsBy(Account, { _id: accountId })))
        throw new RuleError('unauthenticated', accountMessages.wrongCredentials);
      await retractFailure(manager, await findCounters(manager, attempt));
      await manager.delete(LoginFailures, { key: createAccountNetworkCounter(attempt).key });
      const { network } = attempt;
      const lastLoginAt = new Date().toISOString();
      await manager.upsert(LoginNetwork, { accountId, network, lastLoginAt }, ['accountId', 'network']);
    });
  }
}
