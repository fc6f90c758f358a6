import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text with a key of 32 bytes. Returns `v1.` and base64url of nonce, tag and ciphertext. */
export function encrypt(text: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
}

/**
 * Returns the new value of an encrypted column; '' for an empty text. An unchanged text keeps the stored value, because
 * a second encryption of the same text differs and would count as a change.
 * @param stored the column's current value
 */
export function encryptChanged(stored: string, text: string | undefined, key: Buffer): string {
  if (text === undefined || text === decryptStored(stored, key)) return stored;
  return text === '' ? '' : encrypt(text, key);
}

/** Decrypts a column's value. Returns '' if the column is empty or was encrypted with another key. */
export const decryptStored = (stored: string | null, key: Buffer): string => (stored && decrypt(stored, key)) || '';

/** Decrypts a text. Returns undefined if the text was encrypted with another key, altered or truncated. */
export function decrypt(encrypted: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(encrypted.replace(/^v1\./, ''), 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  try {
    // Without `authTagLength`, a truncated tag of 4 bytes would be accepted.
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const plainStart = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([plainStart, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
