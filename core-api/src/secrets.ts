import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config';

export interface Secrets {
  /** Signs the tokens. */
  jwt: string;
  /** 32 bytes: encrypts secrets in the database. */
  settings: Buffer;
}

/** The secret kept in `file`, made on first use; readable by its owner alone. Two processes that start at once agree. */
function keptSecret(folder: string, file: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, file);
  try {
    writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8').trim();
}

export const readSecrets = ({ DATA_DIR, JWT_SECRET }: Pick<Config, 'DATA_DIR' | 'JWT_SECRET'>): Secrets => ({
  jwt: JWT_SECRET ?? keptSecret(DATA_DIR, 'jwt.secret'),
  settings: Buffer.from(keptSecret(DATA_DIR, 'settings.key'), 'hex'),
});
