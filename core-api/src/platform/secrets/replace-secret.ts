import { renameSync } from 'node:fs';
import type { EntityManager } from 'typeorm';
import type { ChangeContext, Database } from '../database/database';
import { RuleError } from '../errors/rule-error';
import { decrypt, encrypt } from './encryption';
import { readFingerprints } from './load-secrets';
import { readText, replaceText } from './secret-file';
import { SecretFingerprint } from './secret-fingerprint.entity';
import { decodeKey } from './secret-text';
import {
  fingerprintSecret,
  generateSecret,
  getReplacementPath,
  getSecretPath,
  isUsableSecret,
  type SecretConfig,
  type SecretName,
} from './secrets';
import { secretMessages as messages } from './secrets.messages';

/** All encrypted columns of the database. */
export const encryptedColumns = [
  { table: 'settings', id: 'id', column: 'telegramBotToken' },
  { table: 'accounts', id: '_id', column: 'totpSecret' },
  { table: 'accounts', id: '_id', column: 'totpPending' },
  { table: 'alert_channels', id: '_id', column: 'url' },
  { table: 'alert_channels', id: '_id', column: 'secret' },
  { table: 'alert_channels', id: '_id', column: 'previousSecret' },
  { table: 'backup_plan', id: 'id', column: 'secretAccessKey' },
  { table: 'backup_plan', id: 'id', column: 'passphrase' },
  { table: 'backup_runs', id: '_id', column: 'access' },
] as const;

interface Replacement {
  name: SecretName;
  /** The new value. If absent, a value is generated. */
  text?: string | undefined;
  /** True if the old key is lost, so that the values which it encrypted are dropped. */
  isLost: boolean;
}

/**
 * Re-encrypts every value with the key `next`. If `isLost` is true, a value that the key `previous` does not decrypt is
 * dropped. @throws RuleError `invalid` for such a value if `isLost` is false
 */
async function reencrypt(
  manager: EntityManager,
  { previous, next, isLost }: { previous: Buffer | undefined; next: Buffer; isLost: boolean },
) {
  const counts = { reencryptedCount: 0, droppedCount: 0 };
  for (const { table, id, column } of encryptedColumns) {
    const rows = await manager.query<{ id: string | number; encrypted: string }[]>(
      `SELECT "${id}" AS id, "${column}" AS encrypted FROM "${table}" WHERE "${column}" <> ''`,
    );
    for (const row of rows) {
      const text = previous && decrypt(row.encrypted, previous);
      if (text === undefined && !isLost) throw new RuleError('invalid', messages.oldIsGone);
      counts[text === undefined ? 'droppedCount' : 'reencryptedCount'] += 1;
      const encrypted = text === undefined ? '' : encrypt(text, next);
      await manager.query(`UPDATE "${table}" SET "${column}" = $1 WHERE "${id}" = $2`, [encrypted, row.id]);
    }
  }
  return counts;
}

/** Returns the key that encrypted the stored values; undefined if that key is lost. */
async function findPreviousKey(manager: EntityManager, name: SecretName, current: string) {
  const stored = (await readFingerprints(manager)).get(name);
  const isCurrent =
    isUsableSecret(name, current) && (stored === undefined || stored === fingerprintSecret(name, current));
  return isCurrent ? decodeKey(current) : undefined;
}

/**
 * Replaces a secret while no core runs. One transaction re-encrypts the values and stores the new fingerprint. The new
 * file has another name until the commit, so that after a power cut a core finds the secret that the database expects.
 * @returns the new value, its file (undefined if a variable holds it), and the counts of encrypted and dropped values
 * @throws RuleError `invalid` if the old key does not decrypt a value or the new value is unusable
 */
export async function replaceSecret(
  context: ChangeContext,
  config: SecretConfig,
  database: Database,
  { name, text = generateSecret(), isLost }: Replacement,
) {
  if (!isUsableSecret(name, text)) {
    throw new RuleError('invalid', name === 'JWT_SECRET' ? messages.short(name) : messages.notAKey(name));
  }
  const path = config[name] === undefined ? getSecretPath(config, name) : undefined;
  const current = config[name] ?? readText(getSecretPath(config, name)) ?? '';
  if (path) replaceText(getReplacementPath(path), text);
  const counts = await database.serializedWrite(context, async (manager) => {
    const previous = await findPreviousKey(manager, name, current);
    const keys = { previous, next: decodeKey(text) ?? Buffer.alloc(0) };
    const reencryptCounts = name === 'SETTINGS_KEY' ? await reencrypt(manager, { ...keys, isLost }) : undefined;
    await manager.upsert(SecretFingerprint, { name, fingerprint: fingerprintSecret(name, text) }, ['name']);
    return reencryptCounts;
  });
  if (path) renameSync(getReplacementPath(path), path);
  return { text, path, reencryptedCount: 0, droppedCount: 0, ...counts };
}
