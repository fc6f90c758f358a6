export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

const MAX_RANGES = 16;

/** One range of a file; 'none' beyond its end, undefined for text that is no range. */
function parseRange(text: string, size: number): ByteRange | 'none' | undefined {
  const [, first, last] = /^\s*(\d*)-(\d*)\s*$/.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * The ranges to send of a file (RFC 9110 §14.2); nothing for the whole: without the header, with one that is malformed,
 * asks for more bytes than there are or for too many pieces, or when `If-Range` no longer holds.
 * @param etag strong, with its quotes
 */
export function byteRanges(
  header: string | undefined,
  ifRange: string | undefined,
  size: number,
  etag: string,
  modified: Date,
): ByteRange[] | 'unsatisfiable' | undefined {
  const [, list] = /^bytes=(.+)$/i.exec(header ?? '') ?? [];
  if (list === undefined || (ifRange !== undefined && ifRange !== etag && ifRange !== modified.toUTCString()))
    return undefined;
  const texts = list.split(',');
  const ranges: ByteRange[] = [];
  for (const text of texts) {
    const range = parseRange(text, size);
    if (range === undefined || texts.length > MAX_RANGES) return undefined;
    if (range !== 'none') ranges.push(range);
  }
  if (ranges.length === 0) return 'unsatisfiable';
  const asked = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return asked > size ? undefined : ranges;
}
