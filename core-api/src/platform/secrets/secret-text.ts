import { createHash, timingSafeEqual } from 'node:crypto';

/** Decodes 32 bytes from hexadecimal or base64, or returns undefined for any other text. */
export function decodeKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[\w+/-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  return undefined;
}

/** Returns whether a text is long enough as an HMAC key. RFC 2104 recommends a key as long as the hash. */
export const isLongEnough = (text: string): boolean => Buffer.byteLength(text) >= 32;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two secrets in constant time. */
export const isSameSecret = (text: string, secret: string): boolean => timingSafeEqual(digest(text), digest(secret));
