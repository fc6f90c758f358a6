import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config/config';
import { readOrCreateText, readText } from './secret-file';
import { decodeKey, isLongEnough } from './secret-text';
import { secretMessages as messages } from './secrets.messages';

export const secretNames = ['JWT_SECRET', 'SETTINGS_KEY'] as const;
export type SecretName = (typeof secretNames)[number];

export interface Secrets {
  /** Signs the tokens of sessions. */
  jwt: string;
  /** Key of 32 bytes that encrypts secrets in the database. */
  settings: Buffer;
}

/** The text of each secret: the variable's value, or else the content of the secret's file. */
export type SecretTexts = Record<SecretName, string>;

export type SecretConfig = Pick<Config, 'DATA_DIR' | 'JWT_SECRET' | 'SETTINGS_KEY'>;

/** Files in `DATA_DIR` for secrets without a variable. */
const fileNames: Record<SecretName, string> = { JWT_SECRET: 'jwt.secret', SETTINGS_KEY: 'settings.key' };
export const getSecretPath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, name: SecretName): string =>
  join(DATA_DIR, fileNames[name]);

/** Returns the path of the file that holds a replacement of `path` until the database has the new fingerprint. */
export const getReplacementPath = (path: string): string => `${path}.new`;

export const generateSecret = (): string => randomBytes(32).toString('hex');

export const isUsableSecret = (name: SecretName, text: string): boolean =>
  name === 'JWT_SECRET' ? isLongEnough(text) : decodeKey(text) !== undefined;

/**
 * Returns an HMAC with the secret as key, which identifies the secret without revealing it. The database stores the
 * HMAC, so that a core with another secret refuses to start.
 */
export function fingerprintSecret(name: SecretName, text: string): string {
  const key = name === 'SETTINGS_KEY' ? (decodeKey(text) ?? Buffer.alloc(0)) : Buffer.from(text);
  return createHmac('sha256', key).update(`studio ${name}`).digest('hex');
}

/**
 * Reads the secrets from variables or files. A missing file is created unless `create` is false.
 * @throws ConfigError with the name of each secret that is empty or malformed
 */
export function readSecretTexts(config: SecretConfig, { create = true } = {}): SecretTexts {
  const violations: string[] = [];
  const read = (name: SecretName): string => {
    const path = getSecretPath(config, name);
    const text = config[name] ?? (create ? readOrCreateText(path, generateSecret) : readText(path)) ?? '';
    if (!isUsableSecret(name, text)) violations.push(messages.shortFile(name, path));
    return text;
  };
  const texts = { JWT_SECRET: read('JWT_SECRET'), SETTINGS_KEY: read('SETTINGS_KEY') };
  if (violations.length > 0) throw new ConfigError(violations);
  return texts;
}

export const toSecrets = ({ JWT_SECRET, SETTINGS_KEY }: SecretTexts): Secrets => ({
  jwt: JWT_SECRET,
  settings: decodeKey(SETTINGS_KEY) ?? Buffer.alloc(0),
});
