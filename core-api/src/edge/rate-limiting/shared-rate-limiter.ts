import type { Logger } from 'pino';
import type { GrantRequest } from '../../features/gateway/keys/take-rate-grants';
import { withDeadline } from '../../platform/database/connection/deadline';
import type { RateLimit } from '../../routing/config-snapshot';
import { getSliceStart, type RateGrant } from '../../routing/keys/rate-window';
import type { EdgeStore } from '../config-sync/edge-store';
import { createUnlimitedGrant, LocalRateLimiter, type RateLimiter } from './local-rate-limiter';

/** Time after which a database that has not answered counts as away, ms. */
const TIMEOUT_MS = 2_000;
const RETRY_MS = 1_000;
/** A window has fewer slices than this. */
const MAX_SLICES = 64;

interface PendingRequest {
  request: GrantRequest;
  settle(grant: RateGrant): void;
}

/**
 * Runs in the primary and counts against rate windows in the database, which all machines share. Requests that arrive
 * during a query are batched into the next query. While the database is away, this machine allows its part of each
 * limit and reports the counts afterwards.
 */
export class SharedRateLimiter implements RateLimiter {
  private pending: PendingRequest[] = [];
  private isSending = false;
  private isDatabaseAway = false;
  /** Number of machines that share the limits, including this one, when the database last answered. */
  private machineCount = 1;
  /** Counts this machine's requests against its own part of each limit. */
  private readonly localLimiter: LocalRateLimiter;
  /** Instant at which the next request of a key may pass, by the database's estimate, ms since the epoch. */
  private readonly availableAt = new Map<string, number>();
  /** Requests that passed while the database was away, by key and by the start of their slice, ms since the epoch. */
  private spentOffline = new Map<string, Map<number, number>>();
  /** Lead of this machine's clock over the database's clock, ms. */
  private aheadMs = 0;

  constructor(
    private readonly store: Pick<EdgeStore, 'takeRateGrants'>,
    private readonly findLimit: (keyId: string) => RateLimit | undefined,
    private readonly log: Pick<Logger, 'warn'>,
  ) {
    this.localLimiter = new LocalRateLimiter((keyId) => {
      const limit = findLimit(keyId);
      return limit && { ...limit, requests: Math.floor(limit.requests / this.machineCount) };
    });
  }

  acquire(keyId: string, requested: number, now: number): RateGrant | Promise<RateGrant> {
    const limit = this.findLimit(keyId);
    if (!limit) return createUnlimitedGrant(requested, now);
    if (this.isDatabaseAway) return this.acquireLocally(keyId, requested, now);
    return new Promise((settle) => this.enqueue({ keyId, limit, requested }, settle));
  }

  refund(keyId: string, unused: number, slice: number): void {
    const limit = this.findLimit(keyId);
    this.localLimiter.refund(keyId, unused, slice);
    if (!limit) return;
    if (this.isDatabaseAway) this.countOffline(keyId, getSliceStart(slice, limit.seconds), -unused);
    else this.enqueue({ keyId, limit, requested: 0, unused: { count: unused, slice } }, () => undefined);
  }

  prune(): void {
    this.localLimiter.prune();
    for (const keyId of this.availableAt.keys()) if (!this.findLimit(keyId)) this.availableAt.delete(keyId);
  }

  private enqueue(request: GrantRequest, settle: PendingRequest['settle']): void {
    this.pending.push({ request, settle });
    if (!this.isSending) void this.sendPending();
  }

  private async sendPending(): Promise<void> {
    this.isSending = true;
    while (this.pending.length > 0) {
      const batch = this.pending;
      this.pending = [];
      await this.send(batch).catch((error: unknown) => this.settleLocally(batch, error));
    }
    this.isSending = false;
  }

  private async send(batch: readonly PendingRequest[]): Promise<void> {
    const grants = await this.query(batch.map(({ request }) => request));
    const now = Date.now();
    for (const [index, { request, settle }] of batch.entries()) {
      const grant = grants[index];
      if (!grant) continue;
      this.localLimiter.add(request.keyId, grant.granted, now);
      this.availableAt.set(request.keyId, now + grant.waitMs);
      settle(grant);
    }
  }

  private settleLocally(batch: readonly PendingRequest[], error: unknown): void {
    this.enterOfflineMode(error);
    const now = Date.now();
    for (const { request, settle } of batch) {
      for (const { count, at } of request.spent ?? []) this.countOffline(request.keyId, at + this.aheadMs, count);
      if (request.requested > 0) settle(this.acquireLocally(request.keyId, request.requested, now));
    }
  }

  /** Takes grants from the windows in the database. @returns the grants, with times by this machine's clock */
  private async query(requests: readonly GrantRequest[]): Promise<RateGrant[]> {
    // The database's clock is read after this machine's, so a lease may expire slightly too early, but not too late.
    const askedAt = Date.now();
    const take = () => this.store.takeRateGrants(requests);
    const result = await withDeadline(take, { name: 'limits of keys', limitMs: TIMEOUT_MS });
    this.machineCount = Math.max(1, result.machines);
    this.aheadMs = askedAt - result.now;
    return result.grants.map((grant) => ({ ...grant, expiresAt: grant.expiresAt + this.aheadMs }));
  }

  private acquireLocally(keyId: string, requested: number, now: number): RateGrant {
    // A wait above 0 means that all machines together have used up the limit, by the database's last answer.
    const waitMs = (this.availableAt.get(keyId) ?? 0) - now;
    if (waitMs > 0) return { granted: 0, slice: 0, expiresAt: now, waitMs };
    const grant = this.localLimiter.acquire(keyId, requested, now);
    const seconds = this.findLimit(keyId)?.seconds;
    if (grant.granted > 0 && seconds !== undefined)
      this.countOffline(keyId, getSliceStart(grant.slice, seconds), grant.granted);
    return grant;
  }

  /** @param count negative for returned requests. @param at start of a slice, ms since the epoch */
  private countOffline(keyId: string, at: number, count: number): void {
    const slices = this.spentOffline.get(keyId) ?? new Map<number, number>();
    const spentCount = slices.get(at);
    // A refund of a lease from before the outage has no entry.
    if (spentCount === undefined && count < 0) return;
    slices.set(at, Math.max(0, (spentCount ?? 0) + count));
    this.spentOffline.set(keyId, slices);
    // A window has fewer slices, so the oldest one has left it.
    if (slices.size > MAX_SLICES) slices.delete(Math.min(...slices.keys()));
  }

  private enterOfflineMode(error: unknown): void {
    if (this.isDatabaseAway) return;
    this.isDatabaseAway = true;
    this.log.warn(
      { err: error, machines: this.machineCount },
      'limits of keys: this machine counts its part by itself',
    );
    setTimeout(() => void this.reconnect(), RETRY_MS).unref();
  }

  private async reconnect(): Promise<void> {
    const reportedSpent = this.spentOffline;
    this.spentOffline = new Map();
    try {
      await this.query(this.createSpentReports(reportedSpent));
    } catch {
      for (const [keyId, slices] of reportedSpent)
        for (const [at, count] of slices) this.countOffline(keyId, at, count);
      setTimeout(() => void this.reconnect(), RETRY_MS).unref();
      return;
    }
    this.isDatabaseAway = false;
    for (const request of this.createSpentReports(this.spentOffline)) this.enqueue(request, () => undefined);
    this.spentOffline.clear();
  }

  private createSpentReports(spentByKey: ReadonlyMap<string, ReadonlyMap<number, number>>): GrantRequest[] {
    return [...spentByKey].flatMap(([keyId, slices]) => {
      const limit = this.findLimit(keyId);
      const spent = [...slices].map(([at, count]) => ({ count, at: at - this.aheadMs }));
      return limit ? [{ keyId, limit, requested: 0, spent }] : [];
    });
  }
}
