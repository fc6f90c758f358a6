import { chmodSync, closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { deferGarbageCollection } from '../../features/sites';
import { ConfigError } from '../../platform/config/config';
import { getErrorCode } from '../../platform/errors/error-details';
import { RuleError } from '../../platform/errors/rule-error';
import { fsyncPath } from '../../platform/secrets/secret-file';
import { fingerprintSecret, readSecretTexts, type SecretTexts, secretNames } from '../../platform/secrets/secrets';
import { secretMessages } from '../../platform/secrets/secrets.messages';
import { backupMessages as messages } from './backup.messages';
import { countRowsByTable, openBackup, writeManifest } from './backup-file';
import { inTransaction, openSqlite, removeSqlite, withConnection, withRunner } from './connections';
import { migrateAndCopyRows } from './copy-rows';
import { getDatabaseLabel, type InstallationConfig, openInstallation, requireInstalled } from './installation';
import { addSiteFiles, checkSiteFiles, type SiteFileTotals, type SitesChoice } from './site-files';

/** Tables that are not copied from PostgreSQL. After a restore, each machine registers its content files again. */
const SHARED_CONTENT = ['content_parts', 'content_holders', 'content_machines'];
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

export interface CopyTotals {
  rows: number;
  tables: number;
}

export const computeTotals = (counts: ReadonlyMap<string, number>): CopyTotals => ({
  rows: [...counts.values()].reduce((sum, count) => sum + count, 0),
  tables: counts.size,
});

/** @throws ConfigError that names each secret whose fingerprint differs from the database */
async function checkFingerprints(source: DataSource, secrets: SecretTexts): Promise<void> {
  const storedFingerprints: { name: string; fingerprint: string }[] = await withRunner(source, async (runner) =>
    (await runner.hasTable('secret_fingerprints'))
      ? runner.query('SELECT name, fingerprint FROM secret_fingerprints')
      : [],
  );
  const violations = secretNames.filter((name) =>
    storedFingerprints.some((row) => row.name === name && row.fingerprint !== fingerprintSecret(name, secrets[name])),
  );
  if (violations.length > 0) throw new ConfigError(violations.map((name) => secretMessages.mismatch(name)));
}

/** Copies a consistent snapshot of the rows into the file `path`, while other processes may write. */
async function writeRows(source: DataSource, path: string, appliedMigrations: readonly string[]): Promise<void> {
  if (source.options.type !== 'postgres') {
    await source.query('VACUUM INTO ?', [path]);
    return;
  }
  await withConnection(openSqlite(path, 'create', appliedMigrations), (to) =>
    withRunner(source, (from) =>
      inTransaction(from, BEGIN_SNAPSHOT, () => migrateAndCopyRows(from, to, SHARED_CONTENT)),
    ),
  );
}

const addFiles = (path: string, secrets: SecretTexts, dataDir: string, sites: SitesChoice): Promise<SiteFileTotals> =>
  withConnection(openSqlite(path, 'write'), async (runner) => {
    // A backup is a single file, so it must not have a write-ahead log.
    await runner.query('PRAGMA journal_mode = DELETE');
    await writeManifest(runner, secrets);
    return inTransaction(runner, 'BEGIN', () => addSiteFiles(runner, dataDir, sites));
  });

/** Verifies the new backup with the checks that a restore makes. */
async function verifyBackup(path: string, installation: InstallationConfig): Promise<CopyTotals> {
  const { source } = await openBackup(path, installation);
  return withConnection(source, async (runner) => {
    const counts = await countRowsByTable(runner);
    await checkSiteFiles(runner, path);
    return computeTotals(counts);
  });
}

/** Creates an empty file with mode 0600. @throws RuleError invalid if its folder is not writable */
function createEmptyFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    throw new RuleError('invalid', messages.unusableFolder(dirname(resolve(path)), getErrorCode(error)), {
      cause: error,
    });
  }
}

/**
 * Copies a snapshot of the rows, the secrets, and the files of sites into the new file `path` with mode 0600. The file
 * gets its name when it is complete and verified.
 * @throws RuleError invalid if there is no installation, `path` exists or its folder is not writable
 */
export async function backUp(
  installation: InstallationConfig,
  path: string,
  sites: SitesChoice = 'live',
): Promise<CopyTotals & { sites: SiteFileTotals }> {
  if (existsSync(path)) throw new RuleError('invalid', messages.exists(path));
  const source = await openInstallation(installation);
  const temporaryFile = `${path}.${process.pid}`;
  const resumeGarbageCollection = deferGarbageCollection(installation.DATA_DIR);
  try {
    const appliedMigrations = await requireInstalled(source, getDatabaseLabel(installation));
    const secrets = readSecretTexts(installation, { create: false });
    await checkFingerprints(source, secrets);
    // The umask may have removed bits of the mode. The mode is complete before the first byte is written.
    createEmptyFile(temporaryFile);
    chmodSync(temporaryFile, 0o600);
    await writeRows(source, temporaryFile, appliedMigrations);
    const sitesInBackup = await addFiles(temporaryFile, secrets, installation.DATA_DIR, sites);
    const totals = await verifyBackup(temporaryFile, installation);
    fsyncPath(temporaryFile);
    renameSync(temporaryFile, path);
    fsyncPath(dirname(path));
    return { ...totals, sites: sitesInBackup };
  } finally {
    resumeGarbageCollection();
    await source.destroy();
    removeSqlite(temporaryFile);
  }
}
