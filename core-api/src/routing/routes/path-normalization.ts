import { isUtf8 } from 'node:buffer';

enum ByteClass {
  Plain,
  Slash,
  Percent,
  Refused,
}

/**
 * Class of each ASCII byte in a request path. Controls, space, `#`, `;`, `?`, `\`, DEL and all bytes beyond ASCII are
 * refused.
 */
const BYTE_CLASSES = new Uint8Array(128).map((_, code) => {
  const character = String.fromCharCode(code);
  if (code <= 0x20 || code === 0x7f || '#;?\\'.includes(character)) return ByteClass.Refused;
  if (character === '/') return ByteClass.Slash;
  return character === '%' ? ByteClass.Percent : ByteClass.Plain;
});

const DOT = 0x2e;

/** Returns whether a `.` or `..` segment starts at `index`. */
function isDotSegment(path: string, index: number): boolean {
  if (path.charCodeAt(index) !== DOT) return false;
  const next = path.charCodeAt(index + 1);
  const after = next === DOT ? path.charCodeAt(index + 2) : next;
  return Number.isNaN(after) || BYTE_CLASSES[after] === ByteClass.Slash;
}

const PERCENT = 0x25;
/** Value of a hexadecimal digit by its character code; 0xff for any other character. */
const HEX_VALUES = new Uint8Array(128).fill(0xff).map((noDigit, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? noDigit : value;
});
const UPPER_DIGITS = Buffer.from('0123456789ABCDEF');
const UNRESERVED = new Uint8Array(256).map((_, byte) =>
  byte < 0x80 && /^[A-Za-z0-9._~-]$/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Encoded slashes, backslashes, semicolons and controls are refused, because a server may decode them differently. */
const isForbiddenEscape = (byte: number): boolean =>
  byte === 0x2f || byte === 0x5c || byte === 0x3b || byte < 0x20 || byte === 0x7f;

/**
 * Decodes unreserved characters and writes the other escapes in upper case. The function makes one pass over the bytes,
 * because a hostile path may consist of thousands of escapes.
 * @param path ASCII text
 * @returns null for an incomplete escape, an escape that is not UTF-8, or a forbidden escape
 */
function decodeEscapes(path: string): string | null {
  const bytes = Buffer.from(path, 'latin1');
  const output = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  // Decoded bytes overwrite the part of `bytes` that has been read. Only the UTF-8 check needs the decoded bytes.
  let decodedLength = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    let byte = bytes[index] ?? 0;
    if (byte === PERCENT) {
      const high = HEX_VALUES[bytes[index + 1] ?? 0] ?? 0xff;
      const low = HEX_VALUES[bytes[index + 2] ?? 0] ?? 0xff;
      if (high > 0xf || low > 0xf) return null;
      byte = high * 16 + low;
      if (isForbiddenEscape(byte)) return null;
      index += 2;
      if (UNRESERVED[byte] === 0) {
        output[length] = PERCENT;
        output[length + 1] = UPPER_DIGITS[high] ?? 0;
        length += 2;
        output[length] = UPPER_DIGITS[low] ?? 0;
      } else output[length] = byte;
    } else output[length] = byte;
    length += 1;
    bytes[decodedLength] = byte;
    decodedLength += 1;
  }
  return isUtf8(bytes.subarray(0, decodedLength)) ? output.toString('latin1', 0, length) : null;
}

/** Returns whether a path begins with a slash and has no empty segment, dot segment or refused character. */
function hasNormalForm(path: string): boolean {
  if (path.charCodeAt(0) !== 0x2f) return false;
  for (let index = 0; index < path.length; index += 1) {
    const byteClass = BYTE_CLASSES[path.charCodeAt(index)];
    if (byteClass === ByteClass.Plain || byteClass === ByteClass.Percent) continue;
    if (byteClass !== ByteClass.Slash) return false;
    if (BYTE_CLASSES[path.charCodeAt(index + 1)] === ByteClass.Slash || isDotSegment(path, index + 1)) return false;
  }
  return true;
}

/**
 * Normalizes the path of a request (without its query) for matching. Unreserved characters are decoded once; other
 * escapes stay, with upper-case digits. Segments of the result and of the request correspond one to one, so parameters
 * can be forwarded as they were received.
 * @returns null if two servers could read the path differently (contract §5.1). The reasons are a relative path, `//`,
 * a raw or encoded dot segment, a refused character (`BYTE_CLASSES`), and an escape that is incomplete, forbidden
 * (`isForbiddenEscape`) or not UTF-8
 */
export function canonicalizePath(path: string): string | null {
  if (!hasNormalForm(path)) return null;
  if (!path.includes('%')) return path;
  const decoded = decodeEscapes(path);
  return decoded !== null && hasNormalForm(decoded) ? decoded : null;
}
