import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { DataSource, QueryRunner } from 'typeorm';
import { findNewerMigration, getNewestMigration, readAppliedMigrations } from '../../platform/database/schema/migrate';
import { RuleError } from '../../platform/errors/rule-error';
import {
  fingerprintSecret,
  isUsableSecret,
  type SecretConfig,
  type SecretTexts,
  secretNames,
} from '../../platform/secrets/secrets';
import { backupMessages as messages } from './backup.messages';
import { applyMigrations, openSqlite, withConnection, withRunner } from './connections';
import { countRows } from './copy-rows';
import { FILES_TABLE } from './site-files';
import { listTables } from './tables';

/*
 * A backup is one SQLite file, even of a PostgreSQL database. It contains the product's tables, a manifest table with
 * the secrets and the time of the copy, and a table with the files of sites.
 */

/** Table with the format, the time and the secrets of a backup. */
const MANIFEST = 'backup_manifest';
/** Tables that a backup has, but the product's database has not. */
const backupTables: readonly string[] = [MANIFEST, FILES_TABLE];
const FORMAT = '1';
const SQLITE_HEADER = 'SQLite format 3\0';

export interface Backup {
  createdAt: string;
  secrets: SecretTexts;
  /** Names of the applied migrations. */
  migrations: string[];
}

/** Adds the manifest to a file that already contains the rows. */
export async function writeManifest(runner: QueryRunner, secrets: SecretTexts): Promise<void> {
  await runner.query(`CREATE TABLE ${MANIFEST} (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)`);
  const entries = { format: FORMAT, createdAt: new Date().toISOString(), ...secrets };
  for (const [name, value] of Object.entries(entries))
    await runner.query(`INSERT INTO ${MANIFEST} (name, value) VALUES (?, ?)`, [name, value]);
}

/** Returns whether a file begins with a Latin-1 text. */
export function fileBeginsWith(path: string, header: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(header.length);
    readSync(descriptor, bytes, 0, bytes.length, 0);
    return bytes.toString('latin1') === header;
  } finally {
    closeSync(descriptor);
  }
}

async function readManifest(runner: QueryRunner): Promise<Map<string, string> | undefined> {
  if (!(await runner.hasTable(MANIFEST))) return undefined;
  const rows: { name: string; value: string }[] = await runner.query(`SELECT name, value FROM ${MANIFEST}`);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

async function passesIntegrityCheck(runner: QueryRunner): Promise<boolean> {
  const rows: { integrity_check: string }[] = await runner.query('PRAGMA integrity_check(1)');
  return rows[0]?.integrity_check === 'ok';
}

/** Refuses tables that the migrations do not create, and triggers and views, which would run in the product. */
async function refuseForeignSchema(runner: QueryRunner, path: string, migrations: readonly string[]): Promise<void> {
  const objects: { type: string; name: string }[] = await runner.query(
    "SELECT type, name FROM sqlite_master WHERE type <> 'index' AND name NOT LIKE 'sqlite_%'",
  );
  const allowedTables = new Set([...backupTables, 'migrations', ...(await listMigratedTables(migrations))]);
  const unexpectedObject = objects.find(({ type, name }) => type !== 'table' || !allowedTables.has(name));
  if (unexpectedObject) throw new RuleError('invalid', messages.foreign(path, unexpectedObject.name));
}

/** Counts the rows of each table of the installation. */
export async function countRowsByTable(runner: QueryRunner): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of await listTables(runner))
    if (!backupTables.includes(name)) counts.set(name, await countRows(runner, name));
  return counts;
}

/** Returns the names of the tables that these migrations create. */
async function listMigratedTables(migrations: readonly string[]): Promise<string[]> {
  return withConnection(openSqlite(':memory:', 'create', migrations), async (runner) => {
    await applyMigrations(runner);
    return (await listTables(runner)).map(({ name }) => name);
  });
}

/** @throws RuleError invalid if an environment variable sets another secret than that of the backup */
function requireSameSecrets(config: SecretConfig, secrets: SecretTexts): void {
  for (const name of secretNames) {
    const value = config[name];
    if (value !== undefined && fingerprintSecret(name, value) !== fingerprintSecret(name, secrets[name]))
      throw new RuleError('invalid', messages.otherSecret(name));
  }
}

/**
 * Opens a backup, checks its integrity and version, and compares its secrets with those of environment variables.
 * @throws RuleError invalid with the reason
 */
export async function openBackup(path: string, config: SecretConfig): Promise<{ source: DataSource; backup: Backup }> {
  if (!existsSync(path) || !fileBeginsWith(path, SQLITE_HEADER))
    throw new RuleError('invalid', messages.notABackup(path));
  const source = await openSqlite(path, 'read').catch(() => {
    throw new RuleError('invalid', messages.damaged(path));
  });
  try {
    return { source, backup: await withRunner(source, (runner) => readBackup(runner, path, config)) };
  } catch (error) {
    await source.destroy();
    // Any error of SQLite means that the file is damaged.
    throw error instanceof RuleError ? error : new RuleError('invalid', messages.damaged(path), { cause: error });
  }
}

async function readBackup(runner: QueryRunner, path: string, config: SecretConfig): Promise<Backup> {
  if (!(await passesIntegrityCheck(runner))) throw new RuleError('invalid', messages.damaged(path));
  const manifest = await readManifest(runner);
  if (manifest?.get('format') !== FORMAT) throw new RuleError('invalid', messages.notABackup(path));
  const migrations = await readAppliedMigrations(runner);
  const newerName = findNewerMigration(migrations);
  if (newerName !== undefined) throw new RuleError('invalid', messages.newerFile(newerName, getNewestMigration()));
  await refuseForeignSchema(runner, path, migrations);
  const secrets = { JWT_SECRET: manifest.get('JWT_SECRET') ?? '', SETTINGS_KEY: manifest.get('SETTINGS_KEY') ?? '' };
  if (!secretNames.every((name) => isUsableSecret(name, secrets[name])))
    throw new RuleError('invalid', messages.damaged(path));
  requireSameSecrets(config, secrets);
  return { createdAt: manifest.get('createdAt') ?? '', secrets, migrations };
}
