import { renameSync } from 'node:fs';
import type { EntityManager } from 'typeorm';
import { ConfigurationError } from '../config';
import type { Database } from '../database/database';
import { insertAll } from '../database/insert-all';
import { readText } from './secret-file';
import { SecretFingerprint } from './secret-fingerprint.entity';
import {
  fingerprintSecret,
  readSecretTexts,
  replacementFile,
  type SecretConfig,
  type SecretName,
  type Secrets,
  type SecretTexts,
  secretFile,
  secretNames,
  toSecrets,
} from './secrets';
import { secretMessages as messages } from './secrets.messages';

export async function readFingerprints(manager: EntityManager): Promise<Map<string, string>> {
  const rows = await manager.find(SecretFingerprint);
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

/** Completes a replacement whose fingerprint was committed before its file was renamed. */
function applyReplacement(config: SecretConfig, name: SecretName, fingerprint: string): string | undefined {
  const path = secretFile(config, name);
  const replacement = config[name] === undefined ? readText(replacementFile(path)) : undefined;
  if (replacement === undefined || fingerprintSecret(name, replacement) !== fingerprint) return undefined;
  renameSync(replacementFile(path), path);
  return replacement;
}

/**
 * Loads the secrets and checks them against the fingerprints in the database; an empty database stores them. A machine
 * with another key would encrypt values that the others cannot read, and end their sessions.
 * @throws ConfigurationError naming each secret that is malformed or does not match
 */
export async function loadSecrets(config: SecretConfig, database: Database): Promise<Secrets> {
  const texts: SecretTexts = readSecretTexts(config);
  const storedFingerprints = await database.concurrentWrite(async (manager) => {
    const rows = secretNames.map((name) => ({ name, fingerprint: fingerprintSecret(name, texts[name]) }));
    await insertAll(manager, SecretFingerprint, rows, { ignoreExisting: true });
    return readFingerprints(manager);
  });
  const faults: string[] = [];
  for (const name of secretNames) {
    const fingerprint = storedFingerprints.get(name) ?? '';
    if (fingerprintSecret(name, texts[name]) === fingerprint) continue;
    const replacement = applyReplacement(config, name, fingerprint);
    if (replacement === undefined) faults.push(messages.other(name));
    else texts[name] = replacement;
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return toSecrets(texts);
}
