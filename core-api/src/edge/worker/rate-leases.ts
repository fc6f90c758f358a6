import type { KeyLimit } from '../../decide/verdict';
import type { ToPrimary, ToWorker } from '../messages';

/** A request waits this long for the primary: on a busy machine, being late is better than refusing what may pass. */
const WAIT_MS = 500;
/** After a refusal the primary is left alone for so long at most: another worker may give something back. */
const ASK_AGAIN_MS = 250;
/** Of the limit, at least one request. */
const LEASE_SHARE = 0.05;

interface Lease {
  limit: KeyLimit;
  left: number;
  /** Where it is counted. */
  slice: number;
  /** ms since the epoch, as all times here. */
  endsAt: number;
  /** From then on the next one is asked for, so that no request has to wait for it. */
  renewAt: number;
  isAsking: boolean;
  /** The limit is reached: no question before then. */
  askAgainAt: number;
  /** When the primary expects that one more may pass. */
  freeAt: number;
  /** Since the last `giveBack`. */
  isUsed: boolean;
  /** Each is called with the seconds until another attempt makes sense, 0 to go on. */
  readonly waiting: Set<(retryAfterS: number) => void>;
}

const sizeOf = ({ requests }: KeyLimit): number => Math.max(1, Math.floor(requests * LEASE_SHARE));
const secondsUntil = (then: number, now: number): number => Math.max(1, Math.ceil((then - now) / 1000));

/** What this worker may let through of keys with a limit, leased from the primary, who knows all workers' use. */
export class RateLeases {
  private readonly leases = new Map<string, Lease>();

  constructor(private readonly tell: (message: ToPrimary) => void) {}

  /**
   * One request.
   * @param now ms since the epoch
   * @returns 0 when it may pass, else seconds until another attempt makes sense; a promise where the primary must be asked
   */
  take(limit: KeyLimit, now: number): number | Promise<number> {
    const lease = this.leaseOf(limit);
    lease.isUsed = true;
    if (now >= lease.endsAt) this.returnRest(lease);
    if (lease.left > 0) {
      lease.left -= 1;
      const size = sizeOf(limit);
      // A lease of one is not renewed ahead: it might be the last one, which another worker needs.
      const isShort = lease.left <= size / 2 || now >= lease.renewAt;
      if (size > 1 && isShort && now >= lease.askAgainAt) this.ask(lease);
      return 0;
    }
    if (now < lease.askAgainAt) return secondsUntil(lease.freeAt, now);
    this.ask(lease);
    return this.wait(lease);
  }

  /** The primary's answer. */
  granted({ keyId, given, slice, endsAt, waitMs }: Extract<ToWorker, { type: 'leased' }>, now: number): void {
    const lease = this.leases.get(keyId);
    if (!lease) return;
    lease.isAsking = false;
    if (given > 0) {
      if (lease.slice !== slice) this.returnRest(lease);
      Object.assign(lease, { left: lease.left + given, slice, endsAt, renewAt: (now + endsAt) / 2 });
      // An answer that took so long gave nothing.
      if (now >= endsAt) this.returnRest(lease);
    } else {
      lease.askAgainAt = now + Math.min(waitMs, ASK_AGAIN_MS);
      lease.freeAt = now + waitMs;
    }
    for (const settle of lease.waiting) {
      if (lease.left > 0) {
        lease.left -= 1;
        settle(0);
      } else if (given === 0) settle(secondsUntil(lease.freeAt, now));
    }
    if (lease.waiting.size > 0) this.ask(lease);
  }

  /** Called periodically: returns leases that were not used since the last call. */
  giveBack(): void {
    for (const [keyId, lease] of this.leases) {
      if (!lease.isUsed && !lease.isAsking) {
        this.returnRest(lease);
        this.leases.delete(keyId);
      }
      lease.isUsed = false;
    }
  }

  /** A limit that was changed applies at once: what was leased under the old one is not used. */
  private leaseOf(limit: KeyLimit): Lease {
    let lease = this.leases.get(limit.keyId);
    if (!lease) {
      lease = {
        limit,
        left: 0,
        slice: 0,
        endsAt: 0,
        renewAt: 0,
        isAsking: false,
        askAgainAt: 0,
        freeAt: 0,
        isUsed: true,
        waiting: new Set(),
      };
      this.leases.set(limit.keyId, lease);
    } else if (lease.limit !== limit) {
      const isSame = lease.limit.requests === limit.requests && lease.limit.seconds === limit.seconds;
      if (!isSame) {
        this.returnRest(lease);
        lease.askAgainAt = 0;
      }
      lease.limit = limit;
    }
    return lease;
  }

  private returnRest(lease: Lease): void {
    const { limit, left: unused, slice } = lease;
    if (unused === 0) return;
    this.tell({ type: 'give-back', keyId: limit.keyId, unused, slice });
    lease.left = 0;
    // So much is to be had again.
    lease.askAgainAt = 0;
  }

  private ask(lease: Lease): void {
    if (lease.isAsking) return;
    lease.isAsking = true;
    this.tell({ type: 'lease', keyId: lease.limit.keyId, wanted: sizeOf(lease.limit) });
  }

  /** A primary that does not answer in time is no leave to pass. */
  private wait({ waiting }: Lease): Promise<number> {
    return new Promise((resolve) => {
      const settle = (retryAfterS: number) => {
        clearTimeout(timer);
        waiting.delete(settle);
        resolve(retryAfterS);
      };
      const timer = setTimeout(settle, WAIT_MS, 1);
      waiting.add(settle);
    });
  }
}
