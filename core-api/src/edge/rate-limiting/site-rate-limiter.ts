import type { RateLimit } from '../../routing/config-snapshot';
import { getSliceStart } from '../../routing/keys/rate-window';
import { LocalRateLimiter } from './local-rate-limiter';

const PREFIX = 'site:';
/** Maximum number of counted clients, because an attacker may use many addresses. The oldest are removed first. */
const MAX_CLIENTS = 100_000;

/** Returns whether a lease is for a client of a site (`site:ID:ADDRESS`) and not for a key. */
export const isSiteClient = (id: string): boolean => id.startsWith(PREFIX);

const parseSiteId = (id: string): string => id.slice(PREFIX.length, id.indexOf(':', PREFIX.length));

/** Limits the requests of each client of a site. Every machine counts separately. */
export class SiteRateLimiter extends LocalRateLimiter {
  /** @param findLimit returns the limit of a site */
  constructor(findLimit: (siteId: string) => RateLimit | undefined) {
    super((id) => findLimit(parseSiteId(id)));
  }

  /** Removes clients without a limit, idle for two windows, or beyond `MAX_CLIENTS`. @param now ms since the epoch */
  forgetIdle(now: number): void {
    this.prune();
    for (const [id, { state, seconds }] of this.windows) {
      if (getSliceStart(state.slice, seconds) + 2 * seconds * 1_000 < now) this.windows.delete(id);
    }
    for (const id of this.windows.keys()) {
      if (this.windows.size <= MAX_CLIENTS) break;
      this.windows.delete(id);
    }
  }
}
