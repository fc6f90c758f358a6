import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DataSource, QueryRunner } from 'typeorm';
import { replaceText } from '../secrets/secret-file';
import { replacementFile, type SecretName, secretFile, secretNames } from '../secrets/secrets';
import { type CopyTotals, fsyncPath, totalsOf } from './backup';
import { type Backup, dropManifest, openBackup } from './backup-file';
import { inTransaction, migrate, openPostgres, openSqlite, removeSqlite, withRunner } from './connections';
import { copyRows, countRows } from './copy-rows';
import {
  databaseFile,
  type InstallationConfig,
  openExclusively,
  requireSoleSession,
  withoutPassword,
} from './installation';
import { tablesOf } from './tables';

export interface Restored extends CopyTotals {
  createdAt: string;
  /** Folders and schemas with the previous data. */
  before: string[];
}

/** `before-restore-20261121-181500-042`: sorts by time, is its restore's own, and names a folder as well as a schema. */
const beforeRestoreName = () =>
  `before-restore-${new Date().toISOString().slice(0, 23).replace(/[-:]/g, '').replace(/[T.]/g, '-')}`;

/** The secrets that are kept in files: no variable gives them. */
const fileSecrets = (installation: InstallationConfig): SecretName[] =>
  secretNames.filter((name) => installation[name] === undefined);

/**
 * Gives existing files a second name in `folder`. They stay in place until their successors replace them, so whenever
 * this process dies, an installation is there.
 */
function keep(files: readonly string[], folder: string): string[] {
  const present = files.filter((file) => existsSync(file));
  if (present.length === 0) return [];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of present) linkSync(file, join(folder, basename(file)));
  fsyncPath(folder);
  return [folder];
}

/** Writes the backup's secrets next to the current ones. */
function prepareSecrets(installation: InstallationConfig, { secrets }: Backup): void {
  for (const name of fileSecrets(installation))
    replaceText(replacementFile(secretFile(installation, name)), secrets[name]);
}

/**
 * Puts prepared secrets in the place of the current ones, whose database has gone already. If this process dies before,
 * the next start does it (`applyReplacement`).
 */
function activateSecrets(installation: InstallationConfig): void {
  for (const path of fileSecrets(installation).map((name) => secretFile(installation, name)))
    renameSync(replacementFile(path), path);
}

/**
 * Makes a database file of the backup, without the secrets, next to the current one, and the secrets next to theirs: all
 * that takes space is on the disk before the first old file moves.
 */
async function prepareFiles(
  path: string,
  installation: InstallationConfig,
  backup: Backup,
): Promise<{ file: string; copied: CopyTotals }> {
  const temporary = `${databaseFile(installation)}.restoring`;
  // Of a restore that was killed.
  removeSqlite(temporary);
  copyFileSync(path, temporary);
  try {
    const file = await openSqlite(temporary, 'write');
    try {
      const copied = await withRunner(file, async (runner) => {
        await dropManifest(runner);
        const counts = new Map<string, number>();
        for (const { name } of await tablesOf(runner)) counts.set(name, await countRows(runner, name));
        return totalsOf(counts);
      });
      prepareSecrets(installation, backup);
      return { file: temporary, copied };
    } finally {
      await file.destroy();
    }
  } catch (error) {
    removeSqlite(temporary);
    for (const name of fileSecrets(installation))
      rmSync(replacementFile(secretFile(installation, name)), { force: true });
    throw error;
  }
}

async function restoreSqlite(installation: InstallationConfig, path: string, backup: Backup): Promise<Restored> {
  const { DATA_DIR } = installation;
  mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  const file = databaseFile(installation);
  const logs = [`${file}-wal`, `${file}-shm`];
  const secrets = fileSecrets(installation).map((name) => secretFile(installation, name));
  const alone = await openExclusively(file);
  let prepared: Awaited<ReturnType<typeof prepareFiles>>;
  let before: string[];
  try {
    // The old file is whole without a write-ahead log, which must not lie beside the new one.
    await alone?.query('PRAGMA journal_mode = DELETE');
    prepared = await prepareFiles(path, installation, backup);
    fsyncPath(prepared.file);
    before = keep([file, ...logs, ...secrets], join(DATA_DIR, beforeRestoreName()));
  } finally {
    await alone?.destroy();
  }
  for (const log of logs) rmSync(log, { force: true });
  fsyncPath(DATA_DIR);
  renameSync(prepared.file, file);
  activateSecrets(installation);
  fsyncPath(DATA_DIR);
  return { createdAt: backup.createdAt, before, ...prepared.copied };
}

/** Moves the product's tables, with their indexes and sequences, into a new schema; other tables stay. */
async function setTablesAside(runner: QueryRunner, restored: readonly string[], schema: string): Promise<string[]> {
  const known = runner.connection.entityMetadatas.map(({ tableName }) => tableName);
  const names = [...known, ...restored, 'migrations'];
  const present: { name: string }[] = await runner.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
     AND relname = ANY($1)`,
    [names],
  );
  if (present.length === 0) return [];
  await runner.query(`CREATE SCHEMA "${schema}"`);
  for (const { name } of present) await runner.query(`ALTER TABLE "${name}" SET SCHEMA "${schema}"`);
  return [schema];
}

async function restorePostgres(
  installation: InstallationConfig,
  url: string,
  source: DataSource,
  backup: Backup,
): Promise<Restored> {
  const target = await openPostgres(url, backup.migrations);
  try {
    await requireSoleSession(target, withoutPassword(url));
    const { before, counts } = await withRunner(source, (from) =>
      withRunner(target, (to) =>
        inTransaction(to, 'BEGIN', async () => {
          const tables = (await tablesOf(from)).map(({ name }) => name);
          const aside = await setTablesAside(to, tables, beforeRestoreName());
          await migrate(target, to);
          const copied = await copyRows(from, to);
          prepareSecrets(installation, backup);
          return { before: aside, counts: copied };
        }),
      ),
    );
    const files = keep(
      fileSecrets(installation).map((name) => secretFile(installation, name)),
      join(installation.DATA_DIR, beforeRestoreName()),
    );
    activateSecrets(installation);
    return { createdAt: backup.createdAt, before: [...before, ...files], ...totalsOf(counts) };
  } finally {
    await target.destroy();
  }
}

/**
 * Replaces a stopped installation, whatever its state, by a backup; the previous data are kept next to it. The backup is
 * verified before anything is changed.
 * @throws RuleError invalid for a file that is no valid backup for this version, conflict while the product runs
 */
export async function restore(installation: InstallationConfig, path: string): Promise<Restored> {
  const { source, backup } = await openBackup(path, installation);
  try {
    return installation.DATABASE_URL
      ? await restorePostgres(installation, installation.DATABASE_URL, source, backup)
      : await restoreSqlite(installation, path, backup);
  } finally {
    await source.destroy();
  }
}
