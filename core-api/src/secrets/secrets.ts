import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Config, ConfigurationError } from '../config';
import { isLongEnough, keyBytes } from '../rules/secret';
import { readOrCreateText, readText } from './secret-file';
import { secretMessages as messages } from './secrets.messages';

export const secretNames = ['JWT_SECRET', 'SETTINGS_KEY'] as const;
/** Name of the variable. */
export type SecretName = (typeof secretNames)[number];

export interface Secrets {
  /** Signs the tokens. */
  jwt: string;
  /** 32 bytes: encrypts secrets in the database. */
  settings: Buffer;
}

/** Each secret as text: the variable's value, or what its file holds. */
export type SecretTexts = Record<SecretName, string>;

export type SecretConfig = Pick<Config, 'DATA_DIR' | 'JWT_SECRET' | 'SETTINGS_KEY'>;

/** File in `DATA_DIR` of a secret that no variable gives. */
const files: Record<SecretName, string> = { JWT_SECRET: 'jwt.secret', SETTINGS_KEY: 'settings.key' };
export const secretFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, name: SecretName): string =>
  join(DATA_DIR, files[name]);

/** Where the replacement of `path` waits until the database has its fingerprint. */
export const replacementFile = (path: string): string => `${path}.new`;

export const generateSecret = (): string => randomBytes(32).toString('hex');

/** Whether a text has the form of that secret. */
export const isUsable = (name: SecretName, text: string): boolean =>
  name === 'JWT_SECRET' ? isLongEnough(text) : keyBytes(text) !== undefined;

/**
 * Identifies a secret without revealing it: an HMAC keyed with the secret. The database stores it, so that a core with
 * another secret is refused by name.
 */
export function fingerprintOf(name: SecretName, text: string): string {
  const key = name === 'SETTINGS_KEY' ? (keyBytes(text) ?? Buffer.alloc(0)) : Buffer.from(text);
  return createHmac('sha256', key).update(`studio ${name}`).digest('hex');
}

/**
 * Reads the secrets from variables or files; a missing file is created unless `create` is false.
 * @throws ConfigurationError naming each one that is empty or malformed
 */
export function readSecretTexts(config: SecretConfig, { create = true } = {}): SecretTexts {
  const faults: string[] = [];
  const read = (name: SecretName): string => {
    const path = secretFile(config, name);
    const text = config[name] ?? (create ? readOrCreateText(path, generateSecret) : readText(path)) ?? '';
    if (!isUsable(name, text)) faults.push(messages.shortFile(name, path));
    return text;
  };
  const texts = { JWT_SECRET: read('JWT_SECRET'), SETTINGS_KEY: read('SETTINGS_KEY') };
  if (faults.length > 0) throw new ConfigurationError(faults);
  return texts;
}

export const secretsOf = ({ JWT_SECRET, SETTINGS_KEY }: SecretTexts): Secrets => ({
  jwt: JWT_SECRET,
  settings: keyBytes(SETTINGS_KEY) ?? Buffer.alloc(0),
});
