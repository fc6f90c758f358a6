import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { DataSource, type EntityManager } from 'typeorm';
import { remainingMs } from './deadline';
import type { Engine, EngineOptions } from './engine';
import { migrate, refuseNewerSchema } from './migrate';
import { DatabaseOutage } from './outage';
import { createQueue } from './queue';

/** A write that waits longer for another process fails with SQLITE_BUSY. */
const BUSY_TIMEOUT_MS = 5_000;
/** Pause between two attempts to open a writer that failed. */
const REOPEN_PAUSE_MS = 250;

/**
 * Touches no row, but makes the transaction a writing one before its first read. Otherwise a transaction that reads and
 * then writes fails at once, whatever the time-out, when another process wrote in between (SQLITE_BUSY_SNAPSHOT).
 */
const TAKE_WRITE_LOCK = 'UPDATE configuration_revision SET value = value WHERE id = 0';

/** Sums over months read more pages than the 2 MB that a connection keeps by default. */
const REPORT_CACHE_KB = 16_384;

/** Set-group-ID and write permission of the group: the folder of core and edge as users of their own. */
const SHARED_FOLDER = 0o2020;

/** 0600, or 0660 in a folder that is set up to be shared by a group. */
const modeIn = (folder: string) => ((statSync(folder).mode & SHARED_FOLDER) === SHARED_FOLDER ? 0o660 : 0o600);

/** Writes a page without changing anything: it fails wherever a real write would. */
const PROBE_WRITE = 'PRAGMA user_version = 0';

/** TypeORM asks for `verbose()`, which takes a stack trace and prints the parameters at each query: twice the cost. */
const driver = { ...sqlite3, verbose: () => sqlite3 };

/**
 * TypeORM's driver shares one connection, on which parallel writes lose each other's rows and readers see uncommitted
 * ones. So there is a writer behind a queue and readers of their own, one for what takes long.
 *
 * After a failed COMMIT or ROLLBACK TypeORM would take the next transaction for a nested one and never commit it. So the
 * writer is closed, and reopened and probed before the next write.
 */
export function createSqlite(folder: string, options: EngineOptions): Engine {
  const file = join(folder, 'studio.sqlite');
  const connection = {
    ...options,
    type: 'sqlite',
    driver,
    database: file,
    enableWAL: true,
    busyTimeout: BUSY_TIMEOUT_MS,
  } as const;
  const writer = new DataSource(connection);
  const readers = { read: new DataSource(connection), report: new DataSource(connection) };
  const enqueue = createQueue();
  let connected = false;
  let trusted = false;
  let nextAttemptAt = 0;
  let busyTimeout = BUSY_TIMEOUT_MS;

  const markOpen = async () => {
    await writer.query('PRAGMA synchronous = FULL');
    connected = true;
    trusted = true;
  };

  /** Closing ends whatever transaction is left. */
  async function reopen(): Promise<void> {
    if (Date.now() < nextAttemptAt) throw new DatabaseOutage('the writer failed and is being reopened');
    nextAttemptAt = Date.now() + REOPEN_PAUSE_MS;
    if (connected) await writer.driver.disconnect();
    connected = false;
    await writer.driver.connect();
    connected = true;
    busyTimeout = BUSY_TIMEOUT_MS;
    await limitWaiting();
    await writer.query(PROBE_WRITE);
    await markOpen();
  }

  /** Waits for another process as long as the call has time. */
  async function limitWaiting(): Promise<void> {
    const limit = Math.max(0, Math.min(BUSY_TIMEOUT_MS, Math.floor(remainingMs())));
    if (limit === busyTimeout) return;
    await writer.query(`PRAGMA busy_timeout = ${limit}`);
    busyTimeout = limit;
  }

  async function transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    if (!trusted) await reopen();
    await limitWaiting();
    const runner = writer.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(TAKE_WRITE_LOCK);
      const result = await work(runner.manager);
      trusted = false;
      await runner.commitTransaction();
      trusted = true;
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => {
        trusted = false;
      });
      throw error;
    }
  }

  return {
    read: readers.read.manager,
    report: readers.report.manager,
    change: (work) => enqueue(() => transaction(work)),
    append: (work) => enqueue(() => transaction(work)),
    async open({ migrate: toMigrate }) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The files that SQLite puts beside it get the same mode.
      const descriptor = openSync(file, 'a', 0o600);
      if (fstatSync(descriptor).uid === process.geteuid?.()) fchmodSync(descriptor, modeIn(folder));
      closeSync(descriptor);
      if (toMigrate) await migrate(connection);
      if (!writer.isInitialized) await writer.initialize();
      await markOpen();
      await refuseNewerSchema(writer, 'DATA_DIR');
      for (const reader of Object.values(readers)) {
        if (!reader.isInitialized) await reader.initialize();
        await reader.query('PRAGMA query_only = ON');
      }
      await readers.report.query(`PRAGMA cache_size = -${REPORT_CACHE_KB}`);
    },
    async close() {
      await enqueue(async () => {
        if (connected) await writer.destroy();
      });
      for (const reader of Object.values(readers)) if (reader.isInitialized) await reader.destroy();
    },
    async proveWriting() {
      if (!trusted) await enqueue(async () => (trusted ? undefined : reopen()));
    },
  };
}
