import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { SET_GROUP_ID } from '../../installation/file-mode';
import { migrate, refuseNewerSchema } from '../schema/migrate';
import type { DatabaseEngine, DatabaseEngineOptions } from './engine';
import { sqliteDriver } from './sqlite-driver';
import { BUSY_TIMEOUT_MS, SqliteWriter } from './sqlite-writer';
import { DatabaseUnavailableError } from './unavailable';

/** Cache for sums over months, which read more pages than SQLite's default cache of 2 MB holds. */
const REPORT_CACHE_KB = 16_384;

export const SQLITE_FILE = 'studio.sqlite';

const GROUP_WRITABLE = 0o020;

/**
 * Returns the mode of the database file, usually 0600. A data folder with the set-group-ID bit is shared with an edge
 * of another user. The mode is then 0640, or 0660 if the group may write to the folder.
 */
function getFileMode(folder: string): number {
  const { mode } = statSync(folder);
  if ((mode & SET_GROUP_ID) === 0) return 0o600;
  return (mode & GROUP_WRITABLE) === 0 ? 0o640 : 0o660;
}

/** Creates the database file. SQLite gives its journal files the same mode. */
function createFile(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const descriptor = openSync(file, 'a', 0o600);
  if (fstatSync(descriptor).uid === process.geteuid?.()) fchmodSync(descriptor, getFileMode(folder));
  closeSync(descriptor);
}

/**
 * The engine of a process whose user may only read the file. While the core is stopped, the journal files are missing
 * and the file cannot be opened, so the caller must retry.
 */
function createReadOnlyEngine(reader: DataSource): DatabaseEngine {
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

type SqliteOptions = DatabaseEngineOptions & { readOnly: boolean };

/**
 * The engine of SQLite. With the single connection of TypeORM's driver, parallel writes would lose each other's rows,
 * and readers would see uncommitted rows. So one writer works behind a queue, and reads have separate connections.
 */
export function createSqlite(folder: string, { readOnly, ...options }: SqliteOptions): DatabaseEngine {
  const database = join(folder, SQLITE_FILE);
  const shared = { ...options, type: 'sqlite', driver: sqliteDriver, database, busyTimeout: BUSY_TIMEOUT_MS } as const;
  if (readOnly) return createReadOnlyEngine(new DataSource({ ...shared, flags: sqliteDriver.OPEN_READONLY }));
  const walOptions = { ...shared, enableWAL: true };
  const writable = new DataSource(walOptions);
  const writer = new SqliteWriter(writable);
  const readers = { read: new DataSource(walOptions), report: new DataSource(walOptions) };
  return {
    read: readers.read.manager,
    report: readers.report.manager,
    serializedWrite: (work) => writer.write(work),
    concurrentWrite: (work) => writer.write(work),
    async open({ migrate: shouldMigrate, beforeInstall }) {
      createFile(folder, database);
      if (shouldMigrate) await migrate(walOptions, beforeInstall);
      await writer.open();
      await refuseNewerSchema(writable, 'DATA_DIR');
      for (const reader of Object.values(readers)) {
        if (!reader.isInitialized) await reader.initialize();
        await reader.query('PRAGMA query_only = ON');
      }
      await readers.report.query(`PRAGMA cache_size = -${REPORT_CACHE_KB}`);
    },
    async close() {
      await writer.close();
      for (const reader of Object.values(readers)) if (reader.isInitialized) await reader.destroy();
    },
    checkWritable: () => writer.checkWritable(),
  };
}
