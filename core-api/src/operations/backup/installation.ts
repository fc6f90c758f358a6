import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Config } from '../../platform/config/config';
import { SQLITE_FILE } from '../../platform/database/connection/sqlite';
import { findNewerMigration, getNewestMigration, readAppliedMigrations } from '../../platform/database/schema/migrate';
import { RuleError } from '../../platform/errors/rule-error';
import { backupMessages as messages } from './backup.messages';
import { COMMAND_APPLICATION, openPostgres, openSqlite, withRunner } from './connections';

/** Variables that locate the rows and secrets of an installation. */
export type InstallationConfig = Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'JWT_SECRET' | 'SETTINGS_KEY'>;

export const getDatabaseFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, SQLITE_FILE);

/** Removes the password from a PostgreSQL URL, so that the URL may be shown. */
export function removePassword(url: string): string {
  const shownUrl = new URL(url);
  shownUrl.password = '';
  return shownUrl.toString();
}

/** Returns the name of the database for messages, which is its file or its URL without the password. */
export const getDatabaseLabel = (installation: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>): string =>
  installation.DATABASE_URL ? removePassword(installation.DATABASE_URL) : getDatabaseFile(installation);

/** Requires an existing database, because a new one would hide a wrong `DATA_DIR`. @throws RuleError invalid */
export function requireDatabase(installation: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>): void {
  if (!installation.DATABASE_URL && !existsSync(getDatabaseFile(installation)))
    throw new RuleError('invalid', messages.noDatabase(getDatabaseFile(installation)));
}

/** Refuses a foreign, empty or newer database. @returns the applied migrations. @throws RuleError invalid */
export async function requireInstalled(source: DataSource, label: string): Promise<string[]> {
  const appliedMigrations = await withRunner(source, readAppliedMigrations);
  if (appliedMigrations.length === 0) throw new RuleError('invalid', messages.notInstalled(label));
  const newerName = findNewerMigration(appliedMigrations);
  if (newerName !== undefined) throw new RuleError('invalid', messages.newer(newerName, getNewestMigration()));
  return appliedMigrations;
}

/** Opens the database of an installation. @throws RuleError invalid if there is no database */
export async function openInstallation(installation: InstallationConfig): Promise<DataSource> {
  requireDatabase(installation);
  return installation.DATABASE_URL
    ? openPostgres(installation.DATABASE_URL)
    : openSqlite(getDatabaseFile(installation), 'write');
}

const isBusy = (error: unknown): boolean => error instanceof Error && /SQLITE_(BUSY|LOCKED)/.test(error.message);

/**
 * Opens a SQLite file with an exclusive lock. Core and edge keep the file open, so the lock fails while the core or the
 * edge runs.
 * @returns undefined if the file is missing or too damaged to be opened
 * @throws RuleError conflict while another process has the file open
 */
export async function openExclusively(file: string): Promise<DataSource | undefined> {
  if (!existsSync(file)) return undefined;
  let source: DataSource | undefined;
  try {
    source = await openSqlite(file, 'write');
    await source.query('PRAGMA busy_timeout = 100');
    // The mode is set before the first read. If it were set later, the lock would succeed despite other readers.
    await source.query('PRAGMA locking_mode = EXCLUSIVE');
    await source.query('BEGIN EXCLUSIVE');
    await source.query('COMMIT');
    // The checkpoint empties the write-ahead log, so that the file is complete without it.
    await source.query('PRAGMA wal_checkpoint(TRUNCATE)');
    return source;
  } catch (error) {
    await source?.destroy();
    if (!isBusy(error)) return undefined;
    throw new RuleError('conflict', messages.running(file));
  }
}

/** @throws RuleError conflict if another session of the role uses the database, except sessions of commands */
export async function requireSoleSession(source: DataSource, label: string): Promise<void> {
  const otherSessions: unknown[] = await withRunner(source, (runner) =>
    runner.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user
       AND pid <> pg_backend_pid() AND application_name <> $1`,
      [COMMAND_APPLICATION],
    ),
  );
  if (otherSessions.length > 0) throw new RuleError('conflict', messages.running(label));
}

/** @throws RuleError conflict if the core or the edge uses the database */
export async function requireStopped(installation: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>): Promise<void> {
  if (!installation.DATABASE_URL) {
    await (await openExclusively(getDatabaseFile(installation)))?.destroy();
    return;
  }
  const source = await openPostgres(installation.DATABASE_URL);
  await requireSoleSession(source, getDatabaseLabel(installation)).finally(() => source.destroy());
}
