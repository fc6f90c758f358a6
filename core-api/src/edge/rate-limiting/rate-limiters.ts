import type { Logger } from 'pino';
import type { RateGrant } from '../../routing/keys/rate-window';
import type { ConfigIndex } from '../config-sync/config-index';
import type { EdgeStore } from '../config-sync/edge-store';
import type { StateFolder } from '../config-sync/state-folder';
import { PersistentRateLimiter, type RateLimiter } from './local-rate-limiter';
import { SharedRateLimiter } from './shared-rate-limiter';
import { isSiteClient, SiteRateLimiter } from './site-rate-limiter';

interface RateLimiterOptions {
  /** True if several machines count the requests of a key together. */
  isShared: boolean;
  getIndex: () => ConfigIndex;
  store: EdgeStore;
  files: StateFolder;
  log: Logger;
}

/** All rate limiters of the primary, for keys and for the clients of sites. */
export class RateLimiters {
  private readonly keyLimiter: RateLimiter;
  private readonly siteLimiter: SiteRateLimiter;
  /** The limiter of keys, if its counts are in a file; undefined if the database has the counts. */
  private readonly persistentLimiter: PersistentRateLimiter | undefined;

  constructor({ isShared, getIndex, store, files, log }: RateLimiterOptions) {
    const findLimit = (keyId: string) => getIndex().findKeyRateLimit(keyId);
    this.persistentLimiter = isShared ? undefined : new PersistentRateLimiter(findLimit, files);
    this.keyLimiter = this.persistentLimiter ?? new SharedRateLimiter(store, findLimit, log);
    this.siteLimiter = new SiteRateLimiter((siteId) => getIndex().findSiteRateLimit(siteId));
  }

  /** @param id id of a key, or of a site's client (`isSiteClient`). @param now ms since the epoch */
  acquire(id: string, requested: number, now: number): RateGrant | Promise<RateGrant> {
    return this.chooseLimiter(id).acquire(id, requested, now);
  }

  refund(id: string, unused: number, slice: number): void {
    this.chooseLimiter(id).refund(id, unused, slice);
  }

  private chooseLimiter(id: string): RateLimiter {
    return isSiteClient(id) ? this.siteLimiter : this.keyLimiter;
  }

  /** Calls `RateLimiter.prune` for keys. */
  pruneKeys(): void {
    this.keyLimiter.prune();
  }

  /** Calls `SiteRateLimiter.forgetIdle`. @param now ms since the epoch */
  forgetIdleClients(now: number): void {
    this.siteLimiter.forgetIdle(now);
  }

  async restore(): Promise<void> {
    await this.persistentLimiter?.restore();
  }

  async persist(): Promise<void> {
    await this.persistentLimiter?.persist();
  }
}
