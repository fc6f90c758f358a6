import { isUtf8 } from 'node:buffer';

enum Kind {
  Plain,
  Slash,
  Percent,
  Refused,
}

/** What each byte means in a request path; controls, space, `#`, `;`, `?`, `\`, DEL and all beyond ASCII are refused. */
const KINDS = new Uint8Array(128).map((_, code) => {
  const character = String.fromCharCode(code);
  if (code <= 0x20 || code === 0x7f || '#;?\\'.includes(character)) return Kind.Refused;
  if (character === '/') return Kind.Slash;
  return character === '%' ? Kind.Percent : Kind.Plain;
});

const DOT = 0x2e;

/** Whether a `.` or `..` segment starts at `index`. */
function isDotSegment(path: string, index: number): boolean {
  if (path.charCodeAt(index) !== DOT) return false;
  const next = path.charCodeAt(index + 1);
  const after = next === DOT ? path.charCodeAt(index + 2) : next;
  return Number.isNaN(after) || KINDS[after] === Kind.Slash;
}

const PERCENT = 0x25;
/** The value of a hexadecimal digit by its code; beyond 15 for what is none. */
const DIGITS = new Uint8Array(128).fill(0xff).map((none, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? none : value;
});
const UPPER_DIGITS = Buffer.from('0123456789ABCDEF');
const UNRESERVED = new Uint8Array(256).map((_, byte) =>
  byte < 0x80 && /^[A-Za-z0-9._~-]$/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Encoded slash, backslash, NUL and other controls: what the next server may decode into another path. */
const hidesStructure = (byte: number): boolean => byte === 0x2f || byte === 0x5c || byte < 0x20 || byte === 0x7f;

/**
 * In one pass over bytes: a path may be nothing but escapes, thousands of them.
 * @param path in ASCII
 * @returns null for escapes that are cut, no UTF-8, or hide structure
 */
function decodeEscapes(path: string): string | null {
  const bytes = Buffer.from(path, 'latin1');
  const text = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  // What the path stands for takes the place of what has been read of it.
  let decoded = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    let byte = bytes[index] ?? 0;
    if (byte === PERCENT) {
      const high = DIGITS[bytes[index + 1] ?? 0] ?? 0xff;
      const low = DIGITS[bytes[index + 2] ?? 0] ?? 0xff;
      if (high > 0xf || low > 0xf) return null;
      byte = high * 16 + low;
      if (hidesStructure(byte)) return null;
      index += 2;
      if (UNRESERVED[byte] === 0) {
        text[length] = PERCENT;
        text[length + 1] = UPPER_DIGITS[high] ?? 0;
        length += 2;
        text[length] = UPPER_DIGITS[low] ?? 0;
      } else text[length] = byte;
    } else text[length] = byte;
    length += 1;
    bytes[decoded] = byte;
    decoded += 1;
  }
  return isUtf8(bytes.subarray(0, decoded)) ? text.toString('latin1', 0, length) : null;
}

/** Whether a path starts at the root and has no empty segment, dot segment or refused character. */
function isPlain(path: string): boolean {
  if (path.charCodeAt(0) !== 0x2f) return false;
  for (let index = 0; index < path.length; index += 1) {
    const kind = KINDS[path.charCodeAt(index)];
    if (kind === Kind.Plain || kind === Kind.Percent) continue;
    if (kind !== Kind.Slash) return false;
    if (KINDS[path.charCodeAt(index + 1)] === Kind.Slash || isDotSegment(path, index + 1)) return false;
  }
  return true;
}

/**
 * The path of a request (without its query) as it is matched, or null when two servers could read it differently
 * (contract §5.1): not absolute, dot segments raw or encoded, `//`, `;`, `\`, an encoded slash, backslash or control,
 * raw controls or bytes beyond ASCII, escapes that are no UTF-8. Unreserved characters are decoded, once; the other
 * escapes stay, with upper-case digits. Segments of the result and of the request correspond one to one, so the value
 * of a parameter can be taken from the request as it was received.
 */
export function canonicalPath(path: string): string | null {
  if (!isPlain(path)) return null;
  if (!path.includes('%')) return path;
  const decoded = decodeEscapes(path);
  return decoded !== null && isPlain(decoded) ? decoded : null;
}
