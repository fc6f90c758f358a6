import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../config';
import { RuleError } from '../errors';
import { fingerprintOf, readSecretTexts, type SecretTexts, secretNames } from '../secrets/secrets';
import { secretMessages } from '../secrets/secrets.messages';
import { backupMessages as messages } from './backup.messages';
import { openBackup, writeManifest } from './backup-file';
import { inTransaction, migrate, openSqlite, removeSqlite, withRunner } from './connections';
import { copyRows, countRows } from './copy-rows';
import { databaseLabel, type InstallationConfig, openInstallation, requireInstalled } from './installation';
import { tablesOf } from './tables';

export interface CopyTotals {
  rows: number;
  tables: number;
}

export const totalsOf = (counts: ReadonlyMap<string, number>): CopyTotals => ({
  rows: [...counts.values()].reduce((sum, count) => sum + count, 0),
  tables: counts.size,
});

/** Flushes a file or folder to the disk. */
export function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A backup with other secrets than the database's would be useless. @throws ConfigurationError naming the secret */
async function checkFingerprints(source: DataSource, secrets: SecretTexts): Promise<void> {
  const known: { name: string; fingerprint: string }[] = await withRunner(source, async (runner) =>
    (await runner.hasTable('secret_fingerprints'))
      ? runner.query('SELECT name, fingerprint FROM secret_fingerprints')
      : [],
  );
  const faults = secretNames.filter((name) =>
    known.some((row) => row.name === name && row.fingerprint !== fingerprintOf(name, secrets[name])),
  );
  if (faults.length > 0) throw new ConfigurationError(faults.map((name) => secretMessages.other(name)));
}

/** Copies a consistent snapshot of the rows while others write. */
async function writeRows(source: DataSource, path: string, applied: readonly string[]): Promise<void> {
  if (source.options.type !== 'postgres') {
    await source.query('VACUUM INTO ?', [path]);
    return;
  }
  const file = await openSqlite(path, 'create', applied);
  try {
    await withRunner(source, (from) =>
      withRunner(file, (to) =>
        inTransaction(from, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', () =>
          inTransaction(to, 'BEGIN', async () => {
            await migrate(file, to);
            await copyRows(from, to);
          }),
        ),
      ),
    );
  } finally {
    await file.destroy();
  }
}

async function addSecrets(path: string, secrets: SecretTexts): Promise<void> {
  const file = await openSqlite(path, 'write');
  try {
    await withRunner(file, async (runner) => {
      await runner.query('PRAGMA journal_mode = DELETE');
      await writeManifest(runner, secrets);
    });
  } finally {
    await file.destroy();
  }
}

/** Opens the copy as a restore does. */
async function verify(path: string, installation: InstallationConfig): Promise<CopyTotals> {
  const { source } = await openBackup(path, installation);
  try {
    return await withRunner(source, async (runner) => {
      const counts = new Map<string, number>();
      for (const { name } of await tablesOf(runner)) counts.set(name, await countRows(runner, name));
      counts.delete('backup_manifest');
      return totalsOf(counts);
    });
  } finally {
    await source.destroy();
  }
}

/**
 * Copies an installation into the new file `path`, mode 0600: a snapshot of the rows, and the secrets. The file appears
 * under its name once it is complete and verified.
 * @throws RuleError invalid when there is nothing to copy or `path` exists
 */
export async function backUp(installation: InstallationConfig, path: string): Promise<CopyTotals> {
  if (existsSync(path)) throw new RuleError('invalid', messages.exists(path));
  const source = await openInstallation(installation);
  const temporary = `${path}.${process.pid}`;
  try {
    const applied = await requireInstalled(source, databaseLabel(installation));
    const secrets = readSecretTexts(installation, { create: false });
    await checkFingerprints(source, secrets);
    // Mode 0600 before the first byte is written.
    closeSync(openSync(temporary, 'wx', 0o600));
    chmodSync(temporary, 0o600);
    await writeRows(source, temporary, applied);
    await addSecrets(temporary, secrets);
    const copied = await verify(temporary, installation);
    fsyncPath(temporary);
    renameSync(temporary, path);
    fsyncPath(dirname(path));
    return copied;
  } finally {
    await source.destroy();
    removeSqlite(temporary);
  }
}
