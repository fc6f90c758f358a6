import { renameSync } from 'node:fs';
import type { EntityManager } from 'typeorm';
import type { ChangeContext, Database } from '../database/source';
import { RuleError } from '../errors';
import { keyBytes } from '../rules/secret';
import { decrypt, encrypt } from './encryption';
import { fingerprints } from './load-secrets';
import { readText, replaceText } from './secret-file';
import { SecretFingerprint } from './secret-fingerprint.entity';
import {
  fingerprintOf,
  generateSecret,
  isUsable,
  replacementFile,
  type SecretConfig,
  type SecretName,
  secretFile,
} from './secrets';
import { secretMessages as messages } from './secrets.messages';

/** Every column that `encryption.ts` encrypts. */
const encryptedColumns = [
  { table: 'settings', id: 'id', column: 'telegramBotToken' },
  { table: 'accounts', id: '_id', column: 'totpSecret' },
  { table: 'accounts', id: '_id', column: 'totpPending' },
] as const;

export interface Replacement {
  /** The new value; to be shown only where no file keeps it. */
  text: string;
  /** The file that keeps it; undefined where a variable does. */
  path: string | undefined;
  reencrypted: number;
  dropped: number;
}

interface Options {
  /** The new value; generated when unset. */
  text?: string | undefined;
  /** Goes on without the old key: what it encrypted is dropped. */
  lost: boolean;
}

/** Re-encrypts with `next` what `previous` decrypts; anything else is dropped when `lost`, or refused. */
async function reencrypt(manager: EntityManager, previous: Buffer | undefined, next: Buffer, lost: boolean) {
  let reencrypted = 0;
  let dropped = 0;
  for (const { table, id, column } of encryptedColumns) {
    const rows: { id: string | number; encrypted: string }[] = await manager.query(
      `SELECT "${id}" AS id, "${column}" AS encrypted FROM "${table}" WHERE "${column}" <> ''`,
    );
    for (const row of rows) {
      const plain = previous && decrypt(row.encrypted, previous);
      if (plain === undefined && !lost) throw new RuleError('invalid', messages.oldIsGone);
      if (plain === undefined) dropped += 1;
      else reencrypted += 1;
      const encrypted = plain === undefined ? '' : encrypt(plain, next);
      await manager.query(`UPDATE "${table}" SET "${column}" = $1 WHERE "${id}" = $2`, [encrypted, row.id]);
    }
  }
  return { reencrypted, dropped };
}

/**
 * Replaces a secret while no core runs. One transaction re-encrypts and stores the new fingerprint; the new file waits
 * under another name until it is committed, so that a start after a power cut finds the secret that the database expects.
 * @throws RuleError invalid when the old key decrypts nothing, or the new value is unusable
 */
export async function replaceSecret(
  context: ChangeContext,
  config: SecretConfig,
  database: Database,
  name: SecretName,
  { text = generateSecret(), lost }: Options,
): Promise<Replacement> {
  if (!isUsable(name, text)) {
    throw new RuleError('invalid', name === 'JWT_SECRET' ? messages.short(name) : messages.notAKey(name));
  }
  const path = config[name] === undefined ? secretFile(config, name) : undefined;
  const current = config[name] ?? readText(secretFile(config, name)) ?? '';
  if (path) replaceText(replacementFile(path), text);
  const counts = await database.change(context, async (manager) => {
    const known = (await fingerprints(manager)).get(name);
    const isCurrent = isUsable(name, current) && (known === undefined || known === fingerprintOf(name, current));
    const counted =
      name === 'SETTINGS_KEY'
        ? await reencrypt(manager, isCurrent ? keyBytes(current) : undefined, keyBytes(text) ?? Buffer.alloc(0), lost)
        : { reencrypted: 0, dropped: 0 };
    await manager.upsert(SecretFingerprint, { name, fingerprint: fingerprintOf(name, text) }, ['name']);
    return counted;
  });
  if (path) renameSync(replacementFile(path), path);
  return { text, path, ...counts };
}
