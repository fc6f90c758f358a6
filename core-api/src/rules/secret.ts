import { createHash, timingSafeEqual } from 'node:crypto';

/** The 32 bytes that `text` writes as hexadecimal or base64; nothing when it is neither. */
export function keyBytes(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[\w+/-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return undefined;
}

/** Long enough to sign with: HMAC-SHA256 wants a key of its own length. */
export const isLongEnough = (text: string): boolean => Buffer.byteLength(text) >= 32;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** In a time that tells nothing of where they differ. */
export const isSameSecret = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
