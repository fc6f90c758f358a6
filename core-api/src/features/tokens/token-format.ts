import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** 256 bits: 43 base64url characters. */
const SECRET_BYTES = 32;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const FORMAT = /^st[ps]_[\w-]{43}[0-9A-Za-z]{6}$/;

/** Length of the part of a token that is stored and shown. */
const PREFIX_LENGTH = 12;

/** CRC-32 in six base62 digits, so that a mistyped or truncated token is refused without a database read. */
function computeChecksum(text: string): string {
  let quotient = crc32(text);
  let digits = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = `${DIGITS[quotient % DIGITS.length]}${digits}`;
    quotient = Math.floor(quotient / DIGITS.length);
  }
  return digits;
}

/** A token is `stp_` for a person or `sts_` for a service account, 256 random bits, and a checksum (contract §6). */
export function createTokenText(kind: 'person' | 'service'): string {
  const text = `${kind === 'person' ? 'stp' : 'sts'}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return text + computeChecksum(text);
}

/** Whether a bearer token has the prefix of API tokens; session tokens are JWTs. */
export const isApiToken = (text: string): boolean => text.startsWith('stp_') || text.startsWith('sts_');

export const isWellFormed = (text: string): boolean =>
  FORMAT.test(text) && text.endsWith(computeChecksum(text.slice(0, -CHECKSUM_LENGTH)));

export const digestToken = (text: string): string => hash('sha256', text);
export const toTokenPrefix = (text: string): string => text.slice(0, PREFIX_LENGTH);
