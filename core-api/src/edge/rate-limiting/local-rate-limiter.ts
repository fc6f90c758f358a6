import type { RateLimit } from '../../routing/config-snapshot';
import { type RateGrant, RateWindow } from '../../routing/keys/rate-window';
import { ratesFile } from '../config-sync/state-files.schema';
import type { StateFolder } from '../config-sync/state-folder';

/** Runs in the primary and grants leases to its workers. A `keyId` may also name a site's client (`isSiteClient`). */
export interface RateLimiter {
  /** @param now ms since the epoch */
  acquire(keyId: string, requested: number, now: number): RateGrant | Promise<RateGrant>;
  /** Gives back the unused requests of a lease. @param slice the `slice` of its `RateGrant` */
  refund(keyId: string, unused: number, slice: number): void;
  /** Removes keys that no longer exist or have no limit. */
  prune(): void;
}

type FindLimit = (keyId: string) => RateLimit | undefined;

/** Grant for a key whose limit was removed. The worker gets the new configuration soon. */
export const createUnlimitedGrant = (requested: number, now: number): RateGrant => ({
  granted: requested,
  slice: 0,
  expiresAt: now + 1000,
  waitMs: 0,
});

/** Rate windows that this machine counts without other machines. */
export class LocalRateLimiter implements RateLimiter {
  protected readonly windows = new Map<string, RateWindow>();

  constructor(private readonly findLimit: FindLimit) {}

  acquire(keyId: string, requested: number, now: number): RateGrant {
    const limit = this.findLimit(keyId);
    return limit ? this.getWindow(keyId, limit).acquire(requested, now) : createUnlimitedGrant(requested, now);
  }

  /** Counts requests that another limiter has granted. */
  add(keyId: string, count: number, now: number): void {
    const limit = this.findLimit(keyId);
    if (limit) this.getWindow(keyId, limit).add(count, now);
  }

  refund(keyId: string, unused: number, slice: number): void {
    this.windows.get(keyId)?.refund(unused, slice);
  }

  prune(): void {
    for (const keyId of this.windows.keys()) if (!this.findLimit(keyId)) this.windows.delete(keyId);
  }

  /** Returns the window of a key. A changed limit keeps the counts, and a changed length of the window resets them. */
  private getWindow(keyId: string, { requests, seconds }: RateLimit): RateWindow {
    let window = this.windows.get(keyId);
    if (window?.seconds !== seconds) {
      window = new RateWindow(requests, seconds);
      this.windows.set(keyId, window);
    }
    window.limit = requests;
    return window;
  }
}

const FILE = 'rates.json';

/** Rate windows of a machine with its own database (SQLite). A file keeps the counts over restarts. */
export class PersistentRateLimiter extends LocalRateLimiter {
  private isChanged = false;

  constructor(
    findLimit: FindLimit,
    private readonly files: StateFolder,
  ) {
    super(findLimit);
  }

  override acquire(keyId: string, requested: number, now: number): RateGrant {
    this.isChanged = true;
    return super.acquire(keyId, requested, now);
  }

  override refund(keyId: string, unused: number, slice: number): void {
    this.isChanged = true;
    super.refund(keyId, unused, slice);
  }

  /** Loads the counts of the previous edge process. The limits are 0 until `getWindow` sets them. */
  async restore(): Promise<void> {
    const file = await this.files.read(FILE, ratesFile);
    for (const { keyId, seconds, state } of file?.windows ?? [])
      this.windows.set(keyId, new RateWindow(0, seconds, state));
  }

  /** Writes the counts if they have changed since the last call. */
  async persist(): Promise<void> {
    if (!this.isChanged) return;
    this.isChanged = false;
    const windows = [...this.windows].map(([keyId, { seconds, state }]) => ({ keyId, seconds, state }));
    await this.files.write(FILE, { version: 1, windows }).catch((error: unknown) => {
      this.isChanged = true;
      throw error;
    });
  }
}
