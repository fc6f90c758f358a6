import { closeSync, existsSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import { getErrorCode } from '../../platform/errors/error-details';
import { fsyncPath, replaceText } from '../../platform/secrets/secret-file';
import { getReplacementPath, getSecretPath, type SecretName, secretNames } from '../../platform/secrets/secrets';
import { type CopyTotals, computeTotals } from './backup';
import { type Backup, openBackup } from './backup-file';
import { applyMigrations, inTransaction, openPostgres, openSqlite, removeSqlite, withConnection } from './connections';
import { copyRows, migrateAndCopyRows } from './copy-rows';
import {
  getDatabaseFile,
  type InstallationConfig,
  openExclusively,
  removePassword,
  requireSoleSession,
} from './installation';
import { checkSiteFiles, prepareSiteFiles } from './site-files';
import { listTables } from './tables';

export interface RestoreResult extends CopyTotals {
  createdAt: string;
  /** Names of the folders and schemas with the previous data. */
  previousData: string[];
  siteFiles: number;
  /** Path of the edge's snapshot if this user may not remove it. */
  undeletedEdgeSnapshot: string | undefined;
  /** Folders of static sites. A backup contains only those below `DATA_DIR/sites`. */
  staticPaths: string[];
}

/** `schema` (PostgreSQL) and `folder` hold the previous data. */
type RestoredRows = CopyTotals & { createdAt: string; schema?: string | undefined; folder: string | undefined };

/** Returns for example `before-restore-20261121-181500-042`, which is unique and sorts by time. */
const createPreviousDataName = () =>
  `before-restore-${new Date().toISOString().slice(0, 23).replace(/[-:]/g, '').replace(/[T.]/g, '-')}`;

/** Returns the names of the secrets that are in files, because no variable sets them. */
const listFileSecrets = (installation: InstallationConfig): SecretName[] =>
  secretNames.filter((name) => installation[name] === undefined);

/**
 * Links existing files into `folder`. The files also stay in place until they are replaced, so that an installation
 * remains if this process is killed. @returns `folder`, or undefined if no file exists
 */
function linkInto(files: readonly string[], folder: string): string | undefined {
  const existingFiles = files.filter((file) => existsSync(file));
  if (existingFiles.length === 0) return undefined;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of existingFiles) linkSync(file, join(folder, basename(file)));
  fsyncPath(folder);
  return folder;
}

/** Writes the backup's secrets next to the current secrets. */
function prepareSecrets(installation: InstallationConfig, { secrets }: Backup): void {
  for (const name of listFileSecrets(installation))
    replaceText(getReplacementPath(getSecretPath(installation, name)), secrets[name]);
}

/**
 * Replaces the current secrets by the prepared secrets, after the database was replaced. If this process is killed
 * before this step, the next start replaces them (`applyReplacement`).
 */
function activateSecrets(installation: InstallationConfig): void {
  for (const path of listFileSecrets(installation).map((name) => getSecretPath(installation, name)))
    renameSync(getReplacementPath(path), path);
}

/**
 * Writes the backup's rows to a new database file and the backup's secrets to new files, each next to the current file.
 * The tables for the manifest and the files of sites are left out. No current file is replaced, so a full disk leaves
 * the installation unchanged.
 */
async function prepareFiles(
  from: QueryRunner,
  installation: InstallationConfig,
  backup: Backup,
): Promise<{ file: string; copied: CopyTotals }> {
  const newFile = `${getDatabaseFile(installation)}.restoring`;
  // A killed restore may have left this file.
  removeSqlite(newFile);
  closeSync(openSync(newFile, 'wx', 0o600));
  try {
    const target = openSqlite(newFile, 'write', backup.migrations);
    const counts = await withConnection(target, (to) => migrateAndCopyRows(from, to));
    prepareSecrets(installation, backup);
    return { file: newFile, copied: computeTotals(counts) };
  } catch (error) {
    removeSqlite(newFile);
    for (const name of listFileSecrets(installation))
      rmSync(getReplacementPath(getSecretPath(installation, name)), { force: true });
    throw error;
  }
}

async function restoreSqlite(
  installation: InstallationConfig,
  from: QueryRunner,
  backup: Backup,
): Promise<RestoredRows> {
  const { DATA_DIR } = installation;
  mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  const file = getDatabaseFile(installation);
  const journalFiles = [`${file}-wal`, `${file}-shm`];
  const secretPaths = listFileSecrets(installation).map((name) => getSecretPath(installation, name));
  const currentDatabase = await openExclusively(file);
  let prepared: Awaited<ReturnType<typeof prepareFiles>>;
  let folder: string | undefined;
  try {
    // The write-ahead log must not stay beside the new database file, so SQLite merges it into the current file.
    await currentDatabase?.query('PRAGMA journal_mode = DELETE');
    prepared = await prepareFiles(from, installation, backup);
    fsyncPath(prepared.file);
    folder = linkInto([file, ...journalFiles, ...secretPaths], join(DATA_DIR, createPreviousDataName()));
  } finally {
    await currentDatabase?.destroy();
  }
  for (const journalFile of journalFiles) rmSync(journalFile, { force: true });
  fsyncPath(DATA_DIR);
  renameSync(prepared.file, file);
  activateSecrets(installation);
  fsyncPath(DATA_DIR);
  return { createdAt: backup.createdAt, folder, ...prepared.copied };
}

/** Moves the product's tables, with indexes and sequences, into a new schema. @returns whether a table existed */
async function setTablesAside(runner: QueryRunner, tables: readonly string[], schema: string): Promise<boolean> {
  const entityTables = runner.connection.entityMetadatas.map(({ tableName }) => tableName);
  const names = [...entityTables, ...tables, 'migrations'];
  const existingTables: { name: string }[] = await runner.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
     AND relname = ANY($1)`,
    [names],
  );
  if (existingTables.length === 0) return false;
  await runner.query(`CREATE SCHEMA "${schema}"`);
  for (const { name } of existingTables) await runner.query(`ALTER TABLE "${name}" SET SCHEMA "${schema}"`);
  return true;
}

async function restorePostgres(
  installation: InstallationConfig,
  url: string,
  from: QueryRunner,
  backup: Backup,
): Promise<RestoredRows> {
  return withConnection(openPostgres(url, backup.migrations), async (to) => {
    await requireSoleSession(to.connection, removePassword(url));
    const { schema, counts } = await inTransaction(to, 'BEGIN', async () => {
      const tables = (await listTables(from)).map(({ name }) => name);
      const name = createPreviousDataName();
      const previousSchema = (await setTablesAside(to, tables, name)) ? name : undefined;
      await applyMigrations(to);
      const rowCounts = await copyRows(from, to);
      prepareSecrets(installation, backup);
      return { schema: previousSchema, counts: rowCounts };
    });
    const secretPaths = listFileSecrets(installation).map((name) => getSecretPath(installation, name));
    const folder = linkInto(secretPaths, join(installation.DATA_DIR, createPreviousDataName()));
    activateSecrets(installation);
    return { createdAt: backup.createdAt, schema, folder, ...computeTotals(counts) };
  });
}

/** Restores the files of sites. An existing folder of sites is moved into the folder with the previous data. */
async function restoreSites(
  from: QueryRunner,
  { DATA_DIR }: InstallationConfig,
  previousFolder: string | undefined,
): Promise<{ siteFiles: number; folder: string | undefined }> {
  mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  const prepared = await prepareSiteFiles(from, DATA_DIR);
  const folder = previousFolder ?? join(DATA_DIR, createPreviousDataName());
  await prepared.activate(folder);
  return { siteFiles: prepared.files, folder: existsSync(folder) ? folder : undefined };
}

/**
 * Removes the edge's snapshot, because an edge would not replace a snapshot of another installation. The folder may
 * belong to the edge's user.
 * @returns the path of a snapshot that could not be removed
 */
function removeSnapshot(dataDir: string): string | undefined {
  const path = join(dataDir, 'edge/snapshot.json');
  try {
    rmSync(path, { force: true });
    return undefined;
  } catch (error) {
    if (['EACCES', 'EPERM'].includes(getErrorCode(error))) return path;
    throw error;
  }
}

async function readStaticPaths(from: QueryRunner): Promise<string[]> {
  const rows: { path: string | null }[] = await from.query(
    'SELECT "staticPath" AS path FROM subdomains UNION SELECT "staticPath" FROM projects ORDER BY path',
  );
  return rows.flatMap(({ path }) => path ?? []);
}

/**
 * Replaces a stopped installation, even a damaged one, by a backup. The previous data are kept. The backup is verified
 * before anything is changed.
 * @throws RuleError invalid for a file that is no valid backup for this version, conflict while the product runs
 */
export async function restore(installation: InstallationConfig, path: string): Promise<RestoreResult> {
  const { source, backup } = await openBackup(path, installation);
  return withConnection(source, async (from) => {
    await checkSiteFiles(from, path);
    const restoredRows = installation.DATABASE_URL
      ? await restorePostgres(installation, installation.DATABASE_URL, from, backup)
      : await restoreSqlite(installation, from, backup);
    const { schema, folder: previousFolder, ...totals } = restoredRows;
    const { siteFiles, folder } = await restoreSites(from, installation, previousFolder);
    return {
      ...totals,
      previousData: [schema, folder].flatMap((name) => name ?? []),
      siteFiles,
      undeletedEdgeSnapshot: removeSnapshot(installation.DATA_DIR),
      staticPaths: await readStaticPaths(from),
    };
  });
}
