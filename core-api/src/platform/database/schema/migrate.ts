import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { ConfigError } from '../../config/config';
import { databaseMessages as messages } from '../database.messages';
import { migrations } from '../migrations';

/** The session holds this lock, because each migration commits its own transaction. Serialized writes use (7, 1). */
const TRY_MIGRATION_LOCK_SQL = 'SELECT pg_try_advisory_lock(7, 2) AS taken';
const LOCK_POLL_MS = 200;

/** Maximum wait for another process that migrates the same SQLite file, ms. */
const SQLITE_LOCK_MS = 60_000;
/** Writes a page without changing data. This takes the write lock, and fails under the same conditions as a write. */
export const PROBE_WRITE_SQL = 'PRAGMA user_version = 0';

/**
 * Brings the schema up to date, over connections without time limits. If several processes start together, one of them
 * migrates and the others wait.
 * @param beforeInstall called for an empty database; it may throw
 */
export async function migrate(options: DataSourceOptions, beforeInstall: () => void): Promise<void> {
  // Migrations are SQL, so the connection needs no metadata of entities.
  const source = await new DataSource({ ...options, entities: [] }).initialize();
  try {
    if (options.type === 'postgres') await takeMigrationLock(source);
    await refuseNewerSchema(source, options.type === 'postgres' ? 'DATABASE_URL' : 'DATA_DIR');
    const applied = await readAppliedMigrationsFrom(source);
    if (applied.length === 0) beforeInstall();
    if (applied.length === source.migrations.length) return;
    if (options.type === 'postgres') await source.runMigrations({ transaction: 'each' });
    else await runPendingOnSqlite(source);
  } finally {
    await source.destroy();
  }
}

/** Takes a lock that is released when the source, and with it the connection, is destroyed. */
async function takeMigrationLock(source: DataSource): Promise<void> {
  const runner = source.createQueryRunner();
  while (!(await runner.query(TRY_MIGRATION_LOCK_SQL))[0].taken) await sleep(LOCK_POLL_MS);
}

/**
 * SQLite has no advisory lock, so all migrations run in one transaction that takes the write lock before its first
 * read. A transaction that has already read cannot wait for another writer: its write fails (SQLITE_BUSY).
 */
async function runPendingOnSqlite(source: DataSource): Promise<void> {
  // The driver has one runner, which `runMigrations` uses, too.
  const runner = source.createQueryRunner();
  await runner.query(`PRAGMA busy_timeout = ${SQLITE_LOCK_MS}`);
  // Migrations may replace a table by a copy. Foreign keys are disabled, because the removal of the old table would
  // delete rows of other tables.
  await runner.beforeMigration();
  await runner.startTransaction();
  await runner.query(PROBE_WRITE_SQL);
  await source.runMigrations({ transaction: 'all' });
  await runner.commitTransaction();
}

/** Returns the names of the applied migrations, oldest first; none for an empty or foreign database. */
export async function readAppliedMigrations(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('migrations'))) return [];
  const rows: { name: string }[] = await runner.query('SELECT name FROM migrations ORDER BY timestamp, id');
  return rows.map(({ name }) => name);
}

async function readAppliedMigrationsFrom(source: DataSource): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    return await readAppliedMigrations(runner);
  } finally {
    await runner.release();
  }
}

export const getNewestMigration = (): string => migrations.at(-1)?.name ?? '';

/** Returns the newest applied migration that this build lacks. A newer build has then migrated the database. */
export const findNewerMigration = (applied: readonly string[]): string | undefined =>
  applied.findLast((name) => !migrations.some((migration) => migration.name === name));

/**
 * Refuses a database whose schema is newer than this build.
 * @param variable the environment variable that names this database
 * @throws ConfigError with one line that names the newest migrations of the database and of this build
 */
export async function refuseNewerSchema(source: DataSource, variable: string): Promise<void> {
  const unknownName = findNewerMigration(await readAppliedMigrationsFrom(source));
  if (unknownName) throw new ConfigError([messages.newerSchema(variable, unknownName, getNewestMigration())]);
}
