import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** `v1.` and base64url of nonce, tag and ciphertext. @param key 32 bytes */
export function encrypt(text: string, key: Buffer): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
}

/** Nothing when the text was made with another key or was changed. */
export function decrypt(sealed: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  const start = decipher.update(bytes.subarray(NONCE + TAG));
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
