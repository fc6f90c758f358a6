import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LessThan, MoreThan } from 'typeorm';
import type { Database } from '../database/source';
import { Lease } from './lease.entity';

const INTERVAL_MS = 1_000;
const LEASE_MS = 20_000;
const MAX_SKEW_MS = 3_600_000;
const RENEW_INTERVAL_MS = 5_000;
/** How long `stop` waits for a running check. */
const STOP_GRACE_MS = 4_000;

/**
 * Runs one kind of check in the background, in the one core that holds its lease. SQLite has a single core and needs no
 * lease.
 */
export class Monitor {
  private readonly holder = randomUUID();
  private running: Promise<void> | undefined;
  private readonly stopped = new AbortController();
  private heldUntil = 0;

  constructor(
    private readonly database: Database,
    private readonly name: string,
    /** Checks what is due. @returns whether more is due already */
    private readonly checkDue: () => Promise<boolean>,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Starts no further check, waits for the running one and lets another core take over. */
  async stop(): Promise<void> {
    this.stopped.abort();
    const released = this.running?.then(() => this.releaseLease());
    await Promise.race([released, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    let failing = false;
    while (!signal.aborted) {
      let more = false;
      try {
        more = (await this.holdsLease()) && (await this.checkDue());
        failing = false;
      } catch (error) {
        if (!failing) this.log.warn({ err: error, what: this.name }, 'check failed');
        failing = true;
      }
      if (!more) await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Acquires or renews the lease. */
  private async holdsLease(): Promise<boolean> {
    if (this.database.read.connection.options.type !== 'postgres') return true;
    const leftMs = this.heldUntil - Date.now();
    if (leftMs > LEASE_MS - RENEW_INTERVAL_MS && leftMs <= LEASE_MS) return true;
    const until = Date.now() + LEASE_MS;
    const { name, holder } = this;
    const lease = { holder, expiresAt: new Date(until).toISOString() };
    const held = await this.database.append(async (manager) => {
      await manager
        .createQueryBuilder()
        .insert()
        .into(Lease)
        .values({ name, holder, expiresAt: new Date(0).toISOString() })
        .orIgnore()
        .execute();
      const expired = LessThan(new Date().toISOString());
      const { affected } = await manager
        .createQueryBuilder()
        .update(Lease)
        .set(lease)
        .where([
          { name, holder },
          { name, expiresAt: expired },
          // No clock of another machine is so far ahead: this one was set back.
          { name, expiresAt: MoreThan(new Date(Date.now() + MAX_SKEW_MS).toISOString()) },
        ])
        .execute();
      return affected === 1;
    });
    this.heldUntil = held ? until : 0;
    return held;
  }

  private async releaseLease(): Promise<void> {
    if (this.heldUntil <= Date.now()) return;
    const { name, holder } = this;
    const expired = { expiresAt: new Date(0).toISOString() };
    // Where this fails, the lease expires.
    await this.database.append((manager) => manager.update(Lease, { name, holder }, expired)).catch(() => undefined);
  }
}
