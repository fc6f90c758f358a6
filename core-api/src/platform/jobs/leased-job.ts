import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LessThan, MoreThan } from 'typeorm';
import type { Database } from '../database/database';
import { isSharedDatabase } from '../database/queries/dialect';
import { insertAll } from '../database/queries/insert-all';
import { computeAlignedPause } from '../time/aligned-pause';
import { HOUR_MS, toIsoFromNow } from '../time/relative-time';
import { Lease } from './lease.entity';

const INTERVAL_MS = 1_000;
/** Time after the last renewal until another core may run the job. */
const LEASE_MS = 60_000;
const MAX_SKEW_MS = HOUR_MS;
const RENEW_INTERVAL_MS = 10_000;
const STOP_GRACE_MS = 4_000;

interface JobOptions {
  database: Database;
  log: Logger;
  /** The cores that run a job share the lease of this name. */
  name: string;
  /** Does the work that is due. Resolves to true if more work is already due. The signal is aborted at a stop. */
  run: (signal: AbortSignal) => Promise<unknown>;
  /** True if every core runs the job at the same time. */
  withoutLease?: boolean;
  /** Called before the first run after this core acquired the lease. */
  onAcquire?: () => Promise<void>;
  /** Called after the last run, when the job stops. */
  onStop?: () => Promise<void>;
}

/**
 * Repeats a job in the background of the core that holds the job's lease. An installation on SQLite has only one core,
 * which needs no lease.
 */
export class LeasedJob {
  private readonly holder = randomUUID();
  private running: Promise<void> | undefined;
  private readonly stopController = new AbortController();
  private leaseHeldUntil = 0;

  constructor(private readonly options: JobOptions) {}

  start(): void {
    this.running = this.repeat();
  }

  /** Starts no further run. Waits up to 4 s for the end of the current run and the release of the lease. */
  async stop(): Promise<void> {
    this.stopController.abort();
    const whenReleased = this.running?.then(() => this.options.onStop?.()).then(() => this.releaseLease());
    await Promise.race([whenReleased, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
  }

  private async repeat(): Promise<void> {
    const { signal } = this.stopController;
    const { log, name, run } = this.options;
    let isFailing = false;
    let wasHolder = false;
    while (!signal.aborted) {
      let isMoreDue = false;
      try {
        const isHolder = await this.acquireLease();
        if (isHolder && !wasHolder) await this.options.onAcquire?.();
        wasHolder = isHolder;
        isMoreDue = isHolder && (await this.renewWhile(() => run(signal))) === true;
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error, job: name }, 'background job failed');
        isFailing = true;
      }
      if (!isMoreDue) await sleep(computeAlignedPause(INTERVAL_MS), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Renews the lease during a long run, so that no other core starts the same work. */
  private async renewWhile(work: () => Promise<unknown>): Promise<unknown> {
    // A failed renewal is repeated after the next interval. The lease lasts for six intervals.
    const timer = setInterval(() => this.acquireLease().catch(() => undefined), RENEW_INTERVAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  private async acquireLease(): Promise<boolean> {
    const { database, name, withoutLease } = this.options;
    if (withoutLease || !isSharedDatabase(database.read)) return true;
    const leftMs = this.leaseHeldUntil - Date.now();
    // The last renewal is recent. If more than `LEASE_MS` is left, the clock was set back.
    if (leftMs > LEASE_MS - RENEW_INTERVAL_MS && leftMs <= LEASE_MS) return true;
    const until = Date.now() + LEASE_MS;
    const { holder } = this;
    const lease = { holder, expiresAt: new Date(until).toISOString() };
    const isHolder = await database.concurrentWrite(async (manager) => {
      await insertAll(manager, Lease, [{ name, holder, expiresAt: new Date(0).toISOString() }], {
        ignoreExisting: true,
      });
      const inPast = LessThan(new Date().toISOString());
      // An implausible end was written before a machine's clock was set back.
      const implausible = MoreThan(toIsoFromNow(MAX_SKEW_MS));
      const takeableLeases = [
        { name, holder },
        { name, expiresAt: inPast },
        { name, expiresAt: implausible },
      ];
      const { affected } = await manager.update(Lease, takeableLeases, lease);
      return affected === 1;
    });
    this.leaseHeldUntil = isHolder ? until : 0;
    return isHolder;
  }

  private async releaseLease(): Promise<void> {
    if (this.leaseHeldUntil <= Date.now()) return;
    const { database, name } = this.options;
    const expired = { expiresAt: new Date(0).toISOString() };
    // If this write fails, the lease expires later.
    await database
      .concurrentWrite((manager) => manager.update(Lease, { name, holder: this.holder }, expired))
      .catch(() => undefined);
  }
}
