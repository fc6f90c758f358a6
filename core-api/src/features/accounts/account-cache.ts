import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../platform/database/database';
import { Account, EndedSession } from './account.entity';

/** Time to live of a cached account: a change by another process takes effect after this time. */
const CACHE_TTL_MS = 1_000;
const CACHE_ENTRIES = 10_000;

/** Caches the account of each session, which every request needs. A change by this process takes effect at once. */
export class AccountCache {
  private readonly cache = new LRUCache<string, Account>({ max: CACHE_ENTRIES, ttl: CACHE_TTL_MS });
  private changes = 0;

  constructor(private readonly database: Pick<Database, 'read'>) {}

  /** @returns undefined if the account was removed or the session was ended */
  async find(accountId: string, sessionId: string): Promise<Account | undefined> {
    const cached = this.cache.get(sessionId);
    if (cached) return cached;
    const { changes } = this;
    const account = await this.read(this.database.read, accountId, sessionId);
    // A read that overlaps a change may have returned the old row, so it is not cached.
    if (account && changes === this.changes) this.cache.set(sessionId, account);
    return account;
  }

  /** As `find`, without the cache. */
  async read(manager: EntityManager, accountId: string, sessionId: string): Promise<Account | undefined> {
    const account = await manager.findOneBy(Account, { _id: accountId });
    if (!account || (await manager.existsBy(EndedSession, { id: sessionId }))) return undefined;
    return account;
  }

  readonly clear = (): void => {
    this.changes += 1;
    this.cache.clear();
  };
}
