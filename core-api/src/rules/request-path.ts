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

/** The bytes of the escapes that start at `index`, one after the other; null when one has no two hexadecimal digits. */
function escapedBytes(path: string, index: number): Buffer | null {
  const run = /^(?:%[0-9A-Fa-f]{2})+/.exec(path.slice(index))?.[0] ?? '';
  const ends = path.charCodeAt(index + run.length);
  return run === '' || KINDS[ends] === Kind.Percent ? null : Buffer.from(run.replaceAll('%', ''), 'hex');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const isUtf8 = (bytes: Buffer): boolean => {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

const UNRESERVED = /^[A-Za-z0-9._~-]$/;

function decodedOnce(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    text += UNRESERVED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}

/** Encoded slash, backslash, NUL and other controls: what the next server may decode into another path. */
const hidesStructure = (bytes: Buffer): boolean =>
  bytes.some((byte) => byte === 0x2f || byte === 0x5c || byte < 0x20 || byte === 0x7f);

function decodeEscapes(path: string): string | null {
  let text = '';
  for (let index = 0; index < path.length; ) {
    const next = path.indexOf('%', index);
    if (next < 0) return text + path.slice(index);
    const bytes = escapedBytes(path, next);
    if (bytes === null || hidesStructure(bytes) || !isUtf8(bytes)) return null;
    text += path.slice(index, next) + decodedOnce(bytes);
    index = next + bytes.length * 3;
  }
  return text;
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
