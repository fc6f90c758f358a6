import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { ConfigurationError } from '../config';
import { databaseMessages as messages } from './database.messages';

/** Held by a session, not by a transaction: another migration's transactions come and go meanwhile. */
const TRY_MIGRATION_LOCK = 'SELECT pg_try_advisory_lock(7, 2) AS taken';
const LOCK_POLL_MS = 200;

/**
 * Brings the schema up to date over connections of its own, which know no time limits. Several machines may start at
 * once: one migrates, the others wait and find it done.
 * @throws ConfigurationError when the database is newer than this build
 */
export async function migrate(options: DataSourceOptions): Promise<void> {
  const source = await new DataSource(options).initialize();
  try {
    if (options.type === 'postgres') await takeMigrationLock(source);
    await refuseNewerSchema(source, options.type === 'postgres' ? 'DATABASE_URL' : 'DATA_DIR');
    await runPending(source);
  } finally {
    await source.destroy();
  }
}

/** Given back when the source is destroyed: its connection ends. */
async function takeMigrationLock(source: DataSource): Promise<void> {
  const runner = source.createQueryRunner();
  while (!(await runner.query(TRY_MIGRATION_LOCK))[0].taken) await sleep(LOCK_POLL_MS);
}

/** SQLite knows no such lock: when a migration fails because another process was faster, the rest is tried again. */
async function runPending(source: DataSource): Promise<void> {
  for (let applied = -1; ; ) {
    try {
      await source.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      const now = (await appliedMigrations(source)).length;
      if (source.options.type === 'postgres' || now <= applied) throw error;
      applied = now;
    }
  }
}

/** Names of the migrations that the database has seen, oldest first. */
async function appliedMigrations(source: DataSource): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    if (!(await runner.hasTable('migrations'))) return [];
    const rows: { name: string }[] = await runner.query('SELECT name FROM migrations ORDER BY timestamp, id');
    return rows.map(({ name }) => name);
  } finally {
    await runner.release();
  }
}

/**
 * A build must not work on a schema that it does not know.
 * @param variable that leads to this database
 * @throws ConfigurationError one line with both versions
 */
export async function refuseNewerSchema(source: DataSource, variable: string): Promise<void> {
  const known = source.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const unknown = (await appliedMigrations(source)).filter((name) => !known.includes(name));
  const newest = unknown.at(-1);
  if (newest) throw new ConfigurationError([messages.newerSchema(variable, newest, known.at(-1) ?? '')]);
}
