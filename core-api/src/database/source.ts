import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../config';
import { createQueue } from './queue';
import { entities, migrations } from './schema';

/** The system of record. Reads go to `read`; every write is one transaction of `write`. */
export interface Database {
  /** Connects; with `migrate` brings the schema up to date first. */
  open(options?: { migrate?: boolean }): Promise<void>;
  close(): Promise<void>;
  /** True while the database is open, migrated and answers. */
  isReady(): Promise<boolean>;
  readonly read: EntityManager;
  /** Runs `work` in one transaction: all of it is stored, or nothing. */
  write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T>;
}

/** A write that waits longer for another process fails with SQLITE_BUSY, which a caller sees as 503. */
const BUSY_TIMEOUT = 5_000;

/**
 * Touches no row, but makes the transaction a writing one before its first read. Otherwise a transaction that reads and
 * then writes fails at once, whatever the time-out, when another process wrote in between (SQLITE_BUSY_SNAPSHOT).
 */
const TAKE_WRITE_LOCK = 'UPDATE configuration_revision SET value = value WHERE id = 0';

/** `find({ where: { id: undefined } })` must fail instead of finding the first row. */
const common = { entities, migrations, invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' } } as const;

async function answers(source: DataSource): Promise<boolean> {
  if (!source.isInitialized) return false;
  try {
    await source.query('SELECT value FROM configuration_revision');
    return true;
  } catch {
    return false;
  }
}

/** TypeORM asks for `verbose()`, which takes a stack trace and prints the parameters at each query: twice the cost. */
const driver = { ...sqlite3, verbose: () => sqlite3 };

const migrateAll = (source: DataSource) => source.runMigrations({ transaction: 'each' });

/**
 * Composes without I/O.
 *
 * SQLite: TypeORM's driver shares one connection, on which parallel writes lose each other's rows and readers see
 * uncommitted ones. So there is a writer behind a queue and a reader of its own. PostgreSQL has a pool and needs neither.
 */
export function createDatabase(config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>): Database {
  return config.DATABASE_URL ? postgres(config.DATABASE_URL) : sqlite(config.DATA_DIR);
}

function sqlite(folder: string): Database {
  const options = {
    ...common,
    type: 'sqlite',
    driver,
    database: join(folder, 'studio.sqlite'),
    enableWAL: true,
    busyTimeout: BUSY_TIMEOUT,
  } as const;
  const writer = new DataSource(options);
  const reader = new DataSource(options);
  const enqueue = createQueue();
  return {
    async open({ migrate = false } = {}) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await writer.initialize();
      await writer.query('PRAGMA synchronous = FULL');
      if (migrate) await migrateAll(writer);
      await reader.initialize();
      await reader.query('PRAGMA query_only = ON');
    },
    async close() {
      await enqueue(() => writer.destroy());
      if (reader.isInitialized) await reader.destroy();
    },
    isReady: () => answers(reader),
    read: reader.manager,
    write: (work) =>
      enqueue(() =>
        writer.transaction(async (manager) => {
          await manager.query(TAKE_WRITE_LOCK);
          return work(manager);
        }),
      ),
  };
}

function postgres(url: string): Database {
  const source = new DataSource({ ...common, type: 'postgres', url, poolSize: 10 });
  return {
    async open({ migrate = false } = {}) {
      await source.initialize();
      if (migrate) await migrateAll(source);
    },
    close: () => source.destroy(),
    isReady: () => answers(source),
    read: source.manager,
    write: (work) => source.transaction(work),
  };
}
