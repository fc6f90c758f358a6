import { LRUCache } from 'lru-cache';
import type { Database } from '../database/source';
import { Account } from './account.entity';
import { EndedSession } from './ended-session.entity';

/** How long an account is served from memory: a change by another process counts after this time. */
const CACHE_TTL_MS = 1_000;
const CACHE_ENTRIES = 10_000;

/** The account of a session, which every request asks for. A change made by this process counts at once. */
export class AccountCache {
  private readonly cache = new LRUCache<string, Account>({ max: CACHE_ENTRIES, ttl: CACHE_TTL_MS });
  private changes = 0;

  constructor(private readonly database: Pick<Database, 'read'>) {}

  /** Undefined when the account is gone or the session was ended. */
  async find(accountId: string, sessionId: string): Promise<Account | undefined> {
    const cached = this.cache.get(sessionId);
    if (cached) return cached;
    const { changes } = this;
    const account = await this.database.read.findOneBy(Account, { _id: accountId });
    if (!account || (await this.database.read.existsBy(EndedSession, { id: sessionId }))) return undefined;
    // A read that overlaps a change may have seen what was before it.
    if (changes === this.changes) this.cache.set(sessionId, account);
    return account;
  }

  readonly clear = (): void => {
    this.changes += 1;
    this.cache.clear();
  };
}
