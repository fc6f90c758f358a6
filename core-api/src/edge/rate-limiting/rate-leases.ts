import type { CountedLimit } from '../../routing/routing-decision';
import type { ToPrimary, ToWorker } from '../ipc/messages';

/** Time for which a request waits for the primary, ms. A late response is better than a wrong 429. */
const WAIT_MS = 500;
/** Maximum pause after a refused lease, ms. Another worker may return an unused lease meanwhile. */
const RETRY_MS = 250;
/** Size of a lease as a share of the limit; at least one request. */
const LEASE_SHARE = 0.05;

interface Lease {
  limit: CountedLimit;
  remaining: number;
  /** The slice of the window in which the lease is counted. */
  slice: number;
  /** Instant at which the lease expires, ms since the epoch, like all instants of this interface. */
  expiresAt: number;
  /** Instant from which the next lease is requested in advance, so that no request waits for it. */
  renewAt: number;
  isRequested: boolean;
  /** Instant before which no lease is requested, because the limit is reached. */
  retryAt: number;
  /** Instant at which the next request may pass, by the primary's estimate. */
  availableAt: number;
  /** True if the lease was used since the last `returnUnused`. */
  isUsed: boolean;
  /** Callbacks of waiting requests: 0 lets the request pass, any other number is its `Retry-After` in seconds. */
  readonly waiters: Set<(retryAfterS: number) => void>;
}

const getLeaseSize = ({ requests }: CountedLimit): number => Math.max(1, Math.floor(requests * LEASE_SHARE));
/** Returns whether the pause after a refusal still lasts. A pause over `RETRY_MS` means that the clock was set back. */
const isPausing = ({ retryAt }: Lease, now: number): boolean => now < retryAt && retryAt <= now + RETRY_MS;
const getSecondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000));

/** A worker's leases of rate limits. Most requests use a lease, so they need no message to the primary. */
export class RateLeases {
  private readonly leases = new Map<string, Lease>();

  constructor(private readonly send: (message: ToPrimary) => void) {}

  /**
   * Counts one request.
   * @param now ms since the epoch
   * @returns 0 if the request may pass, else `Retry-After` in seconds; a promise if the primary must grant a lease
   */
  acquire(limit: CountedLimit, now: number): number | Promise<number> {
    const lease = this.getLease(limit);
    lease.isUsed = true;
    if (now >= lease.expiresAt) this.returnRemaining(lease);
    if (lease.remaining > 0) {
      lease.remaining -= 1;
      const size = getLeaseSize(limit);
      // A lease of one request is not renewed in advance, because another worker may need the limit's last request.
      const isRunningOut = lease.remaining <= size / 2 || now >= lease.renewAt;
      if (size > 1 && isRunningOut && !isPausing(lease, now)) this.requestLease(lease);
      return 0;
    }
    if (isPausing(lease, now)) return getSecondsUntil(lease.availableAt, now);
    this.requestLease(lease);
    return this.waitForGrant(lease);
  }

  /** Handles the response of the primary. */
  onLeaseReply(
    { counterId, granted, slice, expiresAt, waitMs }: Extract<ToWorker, { type: 'lease-reply' }>,
    now: number,
  ): void {
    const lease = this.leases.get(counterId);
    if (!lease) return;
    lease.isRequested = false;
    if (granted > 0) {
      if (lease.slice !== slice) this.returnRemaining(lease);
      Object.assign(lease, { remaining: lease.remaining + granted, slice, expiresAt, renewAt: (now + expiresAt) / 2 });
      // A grant that arrives late may already have expired.
      if (now >= expiresAt) this.returnRemaining(lease);
    } else {
      lease.retryAt = now + Math.min(waitMs, RETRY_MS);
      lease.availableAt = now + waitMs;
    }
    for (const settle of lease.waiters) {
      if (lease.remaining > 0) {
        lease.remaining -= 1;
        settle(0);
      } else if (granted === 0) settle(getSecondsUntil(lease.availableAt, now));
    }
    if (lease.waiters.size > 0) this.requestLease(lease);
  }

  /** Gives back leases that were not used since the last call. */
  returnUnused(): void {
    for (const [counterId, lease] of this.leases) {
      if (!lease.isUsed && !lease.isRequested) {
        this.returnRemaining(lease);
        this.leases.delete(counterId);
      }
      lease.isUsed = false;
    }
  }

  /** Returns the lease of a key. If the limit has changed, the requests of the old lease go back to the primary. */
  private getLease(limit: CountedLimit): Lease {
    let lease = this.leases.get(limit.counterId);
    if (!lease) {
      lease = {
        limit,
        remaining: 0,
        slice: 0,
        expiresAt: 0,
        renewAt: 0,
        isRequested: false,
        retryAt: 0,
        availableAt: 0,
        isUsed: true,
        waiters: new Set(),
      };
      this.leases.set(limit.counterId, lease);
    } else if (lease.limit !== limit) {
      const isSame = lease.limit.requests === limit.requests && lease.limit.seconds === limit.seconds;
      if (!isSame) {
        this.returnRemaining(lease);
        lease.retryAt = 0;
      }
      lease.limit = limit;
    }
    return lease;
  }

  private returnRemaining(lease: Lease): void {
    const { limit, remaining, slice } = lease;
    if (remaining === 0) return;
    this.send({ type: 'return-lease', counterId: limit.counterId, unused: remaining, slice });
    lease.remaining = 0;
    // The returned requests can be leased again immediately.
    lease.retryAt = 0;
  }

  private requestLease(lease: Lease): void {
    if (lease.isRequested) return;
    lease.isRequested = true;
    this.send({ type: 'request-lease', counterId: lease.limit.counterId, requested: getLeaseSize(lease.limit) });
  }

  /** Waits for a grant. If the primary does not respond in time, the request is refused with `Retry-After: 1`. */
  private waitForGrant({ waiters }: Lease): Promise<number> {
    return new Promise((resolve) => {
      const settle = (retryAfterS: number) => {
        clearTimeout(timer);
        waiters.delete(settle);
        resolve(retryAfterS);
      };
      const timer = setTimeout(settle, WAIT_MS, 1);
      waiters.add(settle);
    });
  }
}
