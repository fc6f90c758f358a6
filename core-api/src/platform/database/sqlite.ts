import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource, type EntityManager } from 'typeorm';
import { remainingMs } from './deadline';
import type { DatabaseEngine, DatabaseEngineOptions } from './engine';
import { migrate, PROBE_WRITE, refuseNewerSchema } from './migrate';
import { createQueue } from './queue';
import { sqliteDriver } from './sqlite-driver';
import { DatabaseUnavailableError } from './unavailable';

/** A write that waits longer than this for another process fails with SQLITE_BUSY. */
const BUSY_TIMEOUT_MS = 5_000;
/** Pause between two attempts to open a writer that failed. */
const REOPEN_PAUSE_MS = 250;

/**
 * Touches no row, but takes the write lock before the first read. Otherwise a transaction that reads and then writes
 * fails at once (SQLITE_BUSY_SNAPSHOT), whatever the time-out, if another process wrote in between.
 */
const TAKE_WRITE_LOCK = 'UPDATE configuration_revision SET value = value WHERE id = 0';

/** Sums over months read more pages than SQLite's default cache of 2 MB holds. */
const REPORT_CACHE_KB = 16_384;

export const SQLITE_FILE = 'studio.sqlite';

const SET_GROUP_ID = 0o2000;
const GROUP_WRITABLE = 0o020;

/**
 * Mode of the file: 0600. A data folder with a set-group-ID bit is shared with an edge of another user. There the mode is
 * 0640, or 0660 if the group may write to the folder.
 */
function modeIn(folder: string): number {
  const { mode } = statSync(folder);
  if ((mode & SET_GROUP_ID) === 0) return 0o600;
  return (mode & GROUP_WRITABLE) === 0 ? 0o640 : 0o660;
}

/**
 * The engine of a process whose user may only read the file. While the core is stopped, its journal files are missing and
 * the file cannot be opened, so the caller tries again.
 */
function createReadOnly(reader: DataSource): DatabaseEngine {
  const refuse = () => Promise.reject(new DatabaseUnavailableError('this user may only read the database'));
  return {
    read: reader.manager,
    report: reader.manager,
    serializedWrite: refuse,
    concurrentWrite: refuse,
    async open() {
      if (!reader.isInitialized) await reader.initialize();
      await refuseNewerSchema(reader, 'DATA_DIR');
    },
    async close() {
      if (reader.isInitialized) await reader.destroy();
    },
    checkWritable: async () => undefined,
  };
}

/**
 * TypeORM's driver uses one connection for everything: parallel writes would lose each other's rows, and readers would
 * see uncommitted rows. So one writer works behind a queue, and reads have connections of their own.
 *
 * After a failed COMMIT or ROLLBACK TypeORM would treat the next transaction as a nested one and never commit it. So
 * the writer is closed, and reopened and probed before the next write.
 */
export function createSqlite(folder: string, options: DatabaseEngineOptions, readOnly = false): DatabaseEngine {
  const file = join(folder, SQLITE_FILE);
  const common = {
    ...options,
    type: 'sqlite',
    driver: sqliteDriver,
    database: file,
    busyTimeout: BUSY_TIMEOUT_MS,
  } as const;
  if (readOnly) return createReadOnly(new DataSource({ ...common, flags: sqliteDriver.OPEN_READONLY }));
  const connection = { ...common, enableWAL: true };
  const writer = new DataSource(connection);
  const readers = { read: new DataSource(connection), report: new DataSource(connection) };
  const enqueue = createQueue();
  let isConnected = false;
  /** False from a failed COMMIT or ROLLBACK until the writer is reopened. */
  let isWriterUsable = false;
  /** Monotonic clock, ms. */
  let nextAttemptAt = 0;
  let busyTimeout = BUSY_TIMEOUT_MS;

  const markOpen = async () => {
    await writer.query('PRAGMA synchronous = FULL');
    isConnected = true;
    isWriterUsable = true;
  };

  /** Closing the connection also ends a transaction that is still open. */
  async function reopen(): Promise<void> {
    if (performance.now() < nextAttemptAt)
      throw new DatabaseUnavailableError('the writer failed and is being reopened');
    nextAttemptAt = performance.now() + REOPEN_PAUSE_MS;
    if (isConnected) await writer.driver.disconnect();
    isConnected = false;
    await writer.driver.connect();
    isConnected = true;
    busyTimeout = BUSY_TIMEOUT_MS;
    await limitWaiting();
    await writer.query(PROBE_WRITE);
    await markOpen();
  }

  /** Sets the busy time-out to the time budget of the call. */
  async function limitWaiting(): Promise<void> {
    const limit = Math.max(0, Math.min(BUSY_TIMEOUT_MS, Math.floor(remainingMs())));
    if (limit === busyTimeout) return;
    await writer.query(`PRAGMA busy_timeout = ${limit}`);
    busyTimeout = limit;
  }

  async function transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    if (!isWriterUsable) await reopen();
    await limitWaiting();
    const runner = writer.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(TAKE_WRITE_LOCK);
      const result = await work(runner.manager);
      isWriterUsable = false;
      await runner.commitTransaction();
      isWriterUsable = true;
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => {
        isWriterUsable = false;
      });
      throw error;
    }
  }

  return {
    read: readers.read.manager,
    report: readers.report.manager,
    serializedWrite: (work) => enqueue(() => transaction(work)),
    concurrentWrite: (work) => enqueue(() => transaction(work)),
    async open({ migrate: toMigrate, beforeInstall }) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // SQLite gives its journal files the same mode.
      const descriptor = openSync(file, 'a', 0o600);
      if (fstatSync(descriptor).uid === process.geteuid?.()) fchmodSync(descriptor, modeIn(folder));
      closeSync(descriptor);
      if (toMigrate) await migrate(connection, beforeInstall);
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
        if (isConnected) await writer.destroy();
      });
      for (const reader of Object.values(readers)) if (reader.isInitialized) await reader.destroy();
    },
    async checkWritable() {
      if (!isWriterUsable) await enqueue(async () => (isWriterUsable ? undefined : reopen()));
    },
  };
}
