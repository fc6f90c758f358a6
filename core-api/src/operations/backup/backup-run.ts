import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { QueryRunner } from 'typeorm';
import {
  type BackupReport,
  type BackupWork,
  backupPlanMessages as messages,
  type StoredObject,
} from '../../features/backups';
import type { Config } from '../../platform/config/config';
import { decrypt } from '../../platform/secrets/encryption';
import { encryptedColumns } from '../../platform/secrets/replace-secret';
import { fingerprintSecret, type SecretTexts, toSecrets } from '../../platform/secrets/secrets';
import { backUp } from './backup';
import { countRowsByTable, openBackup } from './backup-file';
import { type BackupStore, MissingObjectError, openStore } from './backup-store';
import { applyMigrations, inTransaction, openSqlite, withConnection } from './connections';
import { migrateAndCopyRows } from './copy-rows';
import { decryptFile, encryptFile } from './encrypted-file';
import { getFailureReason } from './failure-reason';
import { checkSiteFiles } from './site-files';

/** The stored object is missing, was changed, or cannot be restored. */
class DamagedError extends Error {}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Checks the fingerprint of the backup's `SETTINGS_KEY`, and decrypts one value with that key. @throws DamagedError */
async function checkEncryptedValues(runner: QueryRunner, texts: SecretTexts): Promise<void> {
  const [stored]: { fingerprint: string }[] = await runner.query(
    "SELECT fingerprint FROM secret_fingerprints WHERE name = 'SETTINGS_KEY'",
  );
  if (stored && stored.fingerprint !== fingerprintSecret('SETTINGS_KEY', texts.SETTINGS_KEY))
    throw new DamagedError(messages.sealed);
  const { settings } = toSecrets(texts);
  for (const { table, column } of encryptedColumns) {
    const [row]: { encrypted: string }[] = await runner.query(
      `SELECT "${column}" AS encrypted FROM "${table}" WHERE "${column}" <> '' LIMIT 1`,
    );
    if (!row) continue;
    if (decrypt(row.encrypted, settings) === undefined) throw new DamagedError(messages.sealed);
    return;
  }
}

/** Restores a backup into a temporary SQLite database, with the checks of a real restore. @throws DamagedError */
async function restoreTemporarily(path: string, target: string, expectedRows: Record<string, number>): Promise<void> {
  // The backup's secrets may be older than those of this installation, so they are not compared with variables.
  const { source, backup } = await openBackup(path, { DATA_DIR: '', JWT_SECRET: undefined, SETTINGS_KEY: undefined });
  const copiedRows = await withConnection(source, async (from) => {
    await checkSiteFiles(from, path);
    return withConnection(openSqlite(target, 'create', backup.migrations), (to) => migrateAndCopyRows(from, to));
  });
  for (const [table, count] of Object.entries(expectedRows))
    if (copiedRows.get(table) !== count) throw new DamagedError(messages.tableDiffers(table));
  await withConnection(openSqlite(target, 'write'), async (runner) => {
    await inTransaction(runner, 'BEGIN', () => applyMigrations(runner));
    await checkEncryptedValues(runner, backup.secrets);
  });
}

/** Reads the stored object back and restores it in a temporary folder. @throws DamagedError */
async function verify(store: BackupStore, object: StoredObject, passphrase: string, folder: string): Promise<void> {
  const storedFile = join(folder, 'stored');
  await store.read(object.name, storedFile).catch((error) => {
    throw error instanceof MissingObjectError ? new DamagedError(messages.missing) : error;
  });
  if ((await hashFile(storedFile)) !== object.sha256) throw new DamagedError(messages.hashDiffers);
  const decryptedFile = join(folder, 'plain');
  if (passphrase) await decryptFile(storedFile, decryptedFile, passphrase).catch(throwDamaged);
  else renameSync(storedFile, decryptedFile);
  await restoreTemporarily(decryptedFile, join(folder, 'restored.sqlite'), object.tables).catch(throwDamaged);
}

function throwDamaged(error: unknown): never {
  throw error instanceof DamagedError ? error : new DamagedError(messages.unreadable, { cause: error });
}

async function makeBackup(
  config: Config,
  store: BackupStore,
  { name, access: { passphrase } }: Extract<BackupWork, { type: 'make' }>,
  folder: string,
): Promise<StoredObject> {
  const unencryptedFile = join(folder, 'made');
  await backUp(config, unencryptedFile);
  const tables = Object.fromEntries(await withConnection(openSqlite(unencryptedFile, 'read'), countRowsByTable));
  const objectFile = passphrase ? join(folder, 'sealed') : unencryptedFile;
  if (passphrase) await encryptFile(unencryptedFile, objectFile, passphrase);
  const object = { name, sha256: await hashFile(objectFile), bytes: statSync(objectFile).size, tables };
  await store.write(name, objectFile);
  rmSync(unencryptedFile, { force: true });
  rmSync(objectFile, { force: true }); // Already removed if there is no passphrase.
  return object;
}

/** Calls `work` with a new folder, which is removed when `work` or the process ends. */
async function inWorkFolder(dataDir: string, work: (folder: string) => Promise<void>): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // The files contain the secrets, so they are in `DATA_DIR`, like the secrets, and not in a shared folder.
  const folder = join(dataDir, 'backup-run');
  const clear = () => rmSync(folder, { recursive: true, force: true });
  // A killed process leaves its folder behind.
  clear();
  process.once('exit', clear);
  mkdirSync(folder, { mode: 0o700 });
  try {
    await work(folder);
  } finally {
    clear();
  }
}

/** Makes, verifies or removes a backup and reports the result or the failure. */
export async function runBackupWork(
  config: Config,
  work: BackupWork,
  report: (result: BackupReport) => void,
): Promise<void> {
  const { destination, passphrase } = work.access;
  try {
    const store = openStore(destination, config.OWN_PORTS);
    if (work.type === 'remove') {
      // A removal must not clear the work folder, because the next backup may already use that folder.
      await store.remove(work.name);
      report({ type: 'removed' });
      return;
    }
    await inWorkFolder(config.DATA_DIR, async (folder) => {
      let object: StoredObject;
      if (work.type === 'make') {
        object = await makeBackup(config, store, work, folder);
        report({ type: 'stored', object });
      } else object = work.object;
      await verify(store, object, passphrase, folder);
      report({ type: 'verified' });
    });
  } catch (error) {
    report(
      error instanceof DamagedError
        ? { type: 'damaged', reason: error.message }
        : { type: 'failed', reason: getFailureReason(error) },
    );
  }
}
