import type { DataSource } from 'typeorm';
import { PROBE_WRITE_SQL } from '../schema/migrate';
import { getRemainingMs } from './deadline';
import type { TransactionCallback } from './engine';
import { createQueue } from './queue';
import { DatabaseUnavailableError } from './unavailable';

/** A write that waits longer than this for another process fails with SQLITE_BUSY. */
export const BUSY_TIMEOUT_MS = 5_000;
/** Pause between two attempts to open a writer that failed. */
const REOPEN_PAUSE_MS = 250;

/**
 * Takes the write lock before the first read, without changing a row. Otherwise a transaction that reads and then
 * writes fails without waiting for the busy time-out (SQLITE_BUSY_SNAPSHOT), if another process wrote in between.
 */
const TAKE_WRITE_LOCK_SQL = 'UPDATE configuration_revision SET value = value WHERE id = 0';

/**
 * The connection of all writes, which run one at a time.
 *
 * After a failed COMMIT or ROLLBACK, TypeORM would treat the next transaction as nested and never commit it. So the
 * connection is closed, and is reopened and probed before the next write.
 */
export class SqliteWriter {
  private readonly enqueue = createQueue();
  private isConnected = false;
  /** False during a COMMIT, and after a failed COMMIT or ROLLBACK until the connection is reopened. */
  private isUsable = false;
  /** Earliest time of the next attempt to reopen, by the monotonic clock, ms. */
  private nextAttemptAt = 0;
  private busyTimeoutMs = BUSY_TIMEOUT_MS;

  /** @param source opens connections with `BUSY_TIMEOUT_MS` */
  constructor(private readonly source: DataSource) {}

  async open(): Promise<void> {
    if (!this.source.isInitialized) await this.source.initialize();
    await this.markOpen();
  }

  close(): Promise<void> {
    return this.enqueue(async () => (this.isConnected ? this.source.destroy() : undefined));
  }

  write<T>(work: TransactionCallback<T>): Promise<T> {
    return this.enqueue(() => this.runTransaction(work));
  }

  /** Reopens a failed connection. @throws while the database cannot be written */
  async checkWritable(): Promise<void> {
    if (!this.isUsable) await this.enqueue(async () => (this.isUsable ? undefined : this.reopen()));
  }

  private async runTransaction<T>(work: TransactionCallback<T>): Promise<T> {
    if (!this.isUsable) await this.reopen();
    await this.limitWaiting();
    const runner = this.source.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(TAKE_WRITE_LOCK_SQL);
      const result = await work(runner.manager);
      this.isUsable = false;
      await runner.commitTransaction();
      this.isUsable = true;
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => {
        this.isUsable = false;
      });
      throw error;
    }
  }

  /** Reopens the connection, which also ends an open transaction. */
  private async reopen(): Promise<void> {
    if (performance.now() < this.nextAttemptAt)
      throw new DatabaseUnavailableError('the writer failed and is being reopened');
    this.nextAttemptAt = performance.now() + REOPEN_PAUSE_MS;
    if (this.isConnected) await this.source.driver.disconnect();
    this.isConnected = false;
    await this.source.driver.connect();
    this.isConnected = true;
    this.busyTimeoutMs = BUSY_TIMEOUT_MS;
    await this.limitWaiting();
    await this.source.query(PROBE_WRITE_SQL);
    await this.markOpen();
  }

  private async markOpen(): Promise<void> {
    await this.source.query('PRAGMA synchronous = FULL');
    this.isConnected = true;
    this.isUsable = true;
  }

  /** Sets the busy time-out to the time budget of the call. */
  private async limitWaiting(): Promise<void> {
    const limitMs = Math.max(0, Math.min(BUSY_TIMEOUT_MS, Math.floor(getRemainingMs())));
    if (limitMs === this.busyTimeoutMs) return;
    await this.source.query(`PRAGMA busy_timeout = ${limitMs}`);
    this.busyTimeoutMs = limitMs;
  }
}
