import 'reflect-metadata';
import { rmSync } from 'node:fs';
import sqlite3 from 'sqlite3';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { entities } from '../../app/entities';
import { sqliteDriver } from '../../platform/database/connection/sqlite-driver';
import { migrations } from '../../platform/database/migrations';

// Connections of commands have no time limits, and create a database only on request.

/** `application_name` of commands in PostgreSQL. Their sessions do not count as the running product. */
export const COMMAND_APPLICATION = 'studio-command';

type Mode = 'read' | 'write' | 'create';
const openFlags: Record<Mode, number> = {
  read: sqlite3.OPEN_READONLY,
  write: sqlite3.OPEN_READWRITE,
  create: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE,
};

/** @param migrationNames migrations that `applyMigrations` may apply, by default all */
export const openSqlite = (database: string, mode: Mode, migrationNames?: readonly string[]): Promise<DataSource> =>
  new DataSource({
    type: 'sqlite',
    driver: sqliteDriver,
    database,
    flags: openFlags[mode],
    busyTimeout: 5_000,
    migrations: selectMigrations(migrationNames),
  }).initialize();

/** @param migrationNames migrations that `applyMigrations` may apply, by default all */
export const openPostgres = (url: string, migrationNames?: readonly string[]): Promise<DataSource> =>
  new DataSource({
    type: 'postgres',
    url,
    poolSize: 2,
    connectTimeoutMS: 10_000,
    applicationName: COMMAND_APPLICATION,
    entities,
    migrations: selectMigrations(migrationNames),
    extra: { keepAlive: true },
  }).initialize();

/** Removes a SQLite file with its journal files. */
export function removeSqlite(database: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(database + suffix, { force: true });
}

const selectMigrations = (names: readonly string[] | undefined) =>
  names ? migrations.filter(({ name }) => names.includes(name)) : [...migrations];

/** Runs `work` on one connection without the server's time-outs. */
export async function withRunner<T>(source: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  try {
    if (source.options.type === 'postgres') {
      for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
        await runner.query(`SET ${limit} = 0`);
    }
    return await work(runner);
  } finally {
    await runner.release();
  }
}

/** Runs `work` like `withRunner` and then closes the connection. */
export async function withConnection<T>(
  connecting: DataSource | Promise<DataSource>,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const source = await connecting;
  return withRunner(source, work).finally(() => source.destroy());
}

/** Runs `work` in one transaction. @param begin statement that begins the transaction */
export async function inTransaction<T>(runner: QueryRunner, begin: string, work: () => Promise<T>): Promise<T> {
  await runner.query(begin);
  try {
    const result = await work();
    await runner.query('COMMIT');
    return result;
  } catch (error) {
    await runner.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Applies the migrations of the connection in the current transaction of `runner`. */
export async function applyMigrations(runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(runner.connection, runner);
  executor.transaction = 'none';
  await executor.executePendingMigrations();
}
