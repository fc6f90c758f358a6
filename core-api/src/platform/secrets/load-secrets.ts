import { renameSync } from 'node:fs';
import type { EntityManager } from 'typeorm';
import { ConfigError } from '../config/config';
import type { Database } from '../database/database';
import { insertAll } from '../database/queries/insert-all';
import { readText } from './secret-file';
import { SecretFingerprint } from './secret-fingerprint.entity';
import {
  fingerprintSecret,
  getReplacementPath,
  getSecretPath,
  readSecretTexts,
  type SecretConfig,
  type SecretName,
  type Secrets,
  type SecretTexts,
  secretNames,
  toSecrets,
} from './secrets';
import { secretMessages as messages } from './secrets.messages';

export async function readFingerprints(manager: EntityManager): Promise<Map<string, string>> {
  const rows = await manager.find(SecretFingerprint);
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

/** Completes a replacement that was interrupted between the commit of its fingerprint and the renaming of its file. */
function applyReplacement(config: SecretConfig, name: SecretName, fingerprint: string): string | undefined {
  const path = getSecretPath(config, name);
  const replacement = config[name] === undefined ? readText(getReplacementPath(path)) : undefined;
  if (replacement === undefined || fingerprintSecret(name, replacement) !== fingerprint) return undefined;
  renameSync(getReplacementPath(path), path);
  return replacement;
}

/**
 * Loads the secrets and compares them with the fingerprints in the database, or stores fingerprints in a new database.
 * A machine with another secret would encrypt values that other machines cannot read, and refuse their sessions.
 * @throws ConfigError with the name of each secret that is malformed or does not match
 */
export async function loadSecrets(config: SecretConfig, database: Database): Promise<Secrets> {
  const texts: SecretTexts = readSecretTexts(config);
  const storedFingerprints = await database.concurrentWrite(async (manager) => {
    const rows = secretNames.map((name) => ({ name, fingerprint: fingerprintSecret(name, texts[name]) }));
    await insertAll(manager, SecretFingerprint, rows, { ignoreExisting: true });
    return readFingerprints(manager);
  });
  const violations: string[] = [];
  for (const name of secretNames) {
    const fingerprint = storedFingerprints.get(name) ?? '';
    if (fingerprintSecret(name, texts[name]) === fingerprint) continue;
    const replacement = applyReplacement(config, name, fingerprint);
    if (replacement === undefined) violations.push(messages.mismatch(name));
    else texts[name] = replacement;
  }
  if (violations.length > 0) throw new ConfigError(violations);
  return toSecrets(texts);
}
