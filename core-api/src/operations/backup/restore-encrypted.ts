import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RuleError } from '../../platform/errors/rule-error';
import { backupMessages as messages } from './backup.messages';
import { decryptFile, isEncrypted } from './encrypted-file';
import type { InstallationConfig } from './installation';
import { type RestoreResult, restore } from './restore';

/** Reads the passphrase from the first line of the file. @throws RuleError invalid */
function readPassphrase(path: string): string {
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/, 1)[0] ?? '';
  } catch (error) {
    throw new RuleError('invalid', messages.passphraseFile(path), { cause: error });
  }
}

/**
 * Restores a backup as `restore` does. An encrypted backup is first decrypted into a temporary file in `DATA_DIR`.
 * @throws RuleError invalid, conflict
 */
export async function restoreFile(
  installation: InstallationConfig,
  path: string,
  passphraseFile: string | undefined,
): Promise<RestoreResult> {
  if (!existsSync(path) || !isEncrypted(path)) return restore(installation, path);
  if (passphraseFile === undefined) throw new RuleError('invalid', messages.needsPassphrase(path));
  const passphrase = readPassphrase(passphraseFile);
  const folder = join(installation.DATA_DIR, 'restore-run');
  // A killed restore leaves its decrypted backup here. A folder `restore` might contain files of an administrator.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const decryptedFile = join(folder, 'plain.backup');
    await decryptFile(path, decryptedFile, passphrase).catch((error) => {
      throw new RuleError('invalid', messages.wrongPassphrase(path), { cause: error });
    });
    return await restore(installation, decryptedFile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
