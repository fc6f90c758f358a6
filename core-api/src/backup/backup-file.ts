import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { DataSource, QueryRunner } from 'typeorm';
import { migrations } from '../database/migrations';
import { RuleError } from '../errors';
import { fingerprintOf, isUsable, type SecretConfig, type SecretTexts, secretNames } from '../secrets/secrets';
import { backupMessages as messages } from './backup.messages';
import { appliedMigrations, openSqlite, unknownMigration, withRunner } from './connections';

/*
 * A backup is one SQLite file, whatever the database: the product's tables, and a manifest table with the secrets and the
 * time of the copy.
 */

const MANIFEST = 'backup_manifest';
const FORMAT = '1';
const HEADER = 'SQLite format 3\0';

export interface Backup {
  createdAt: string;
  secrets: SecretTexts;
  /** Names of the applied migrations. */
  migrations: string[];
}

export const newestMigration = (): string => migrations.at(-1)?.name ?? '';

/** Adds the secrets to a file that holds the rows. */
export async function writeManifest(runner: QueryRunner, secrets: SecretTexts): Promise<void> {
  await runner.query(`CREATE TABLE ${MANIFEST} (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)`);
  const entries = { format: FORMAT, createdAt: new Date().toISOString(), ...secrets };
  for (const [name, value] of Object.entries(entries))
    await runner.query(`INSERT INTO ${MANIFEST} (name, value) VALUES (?, ?)`, [name, value]);
}

/** Removes the secrets from a copy that becomes the database, and overwrites their bytes. */
export async function dropManifest(runner: QueryRunner): Promise<void> {
  await runner.query('PRAGMA secure_delete = ON');
  await runner.query(`DROP TABLE ${MANIFEST}`);
}

function hasSqliteHeader(path: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEADER.length);
    readSync(descriptor, bytes, 0, bytes.length, 0);
    return bytes.toString('latin1') === HEADER;
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

/** @throws RuleError invalid when a variable holds another secret than the backup */
function checkSecrets(config: SecretConfig, secrets: SecretTexts): void {
  for (const name of secretNames) {
    const given = config[name];
    if (given !== undefined && fingerprintOf(name, given) !== fingerprintOf(name, secrets[name]))
      throw new RuleError('invalid', messages.otherSecret(name));
  }
}

/**
 * Opens a backup and checks its integrity, its version and the secrets that variables give.
 * @throws RuleError invalid with the reason; nothing has been changed
 */
export async function openBackup(path: string, config: SecretConfig): Promise<{ source: DataSource; backup: Backup }> {
  if (!existsSync(path) || !hasSqliteHeader(path)) throw new RuleError('invalid', messages.notABackup(path));
  const source = await openSqlite(path, 'read').catch(() => {
    throw new RuleError('invalid', messages.damaged(path));
  });
  try {
    return { source, backup: await withRunner(source, (runner) => read(runner, path, config)) };
  } catch (error) {
    await source.destroy();
    // An error of SQLite here means a damaged file.
    throw error instanceof RuleError ? error : new RuleError('invalid', messages.damaged(path), { cause: error });
  }
}

async function read(runner: QueryRunner, path: string, config: SecretConfig): Promise<Backup> {
  if (!(await passesIntegrityCheck(runner))) throw new RuleError('invalid', messages.damaged(path));
  const manifest = await readManifest(runner);
  if (manifest?.get('format') !== FORMAT) throw new RuleError('invalid', messages.notABackup(path));
  const applied = await appliedMigrations(runner);
  const unknown = unknownMigration(applied);
  if (unknown !== undefined) throw new RuleError('invalid', messages.newerFile(unknown, newestMigration()));
  const secrets = {
    JWT_SECRET: manifest.get('JWT_SECRET') ?? '',
    SETTINGS_KEY: manifest.get('SETTINGS_KEY') ?? '',
  };
  if (!secretNames.every((name) => isUsable(name, secrets[name])))
    throw new RuleError('invalid', messages.damaged(path));
  checkSecrets(config, secrets);
  return { createdAt: manifest.get('createdAt') ?? '', secrets, migrations: applied };
}
