import { tokens } from '../http1/fields';

export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

const MAX_RANGES = 16;

/** One range of a file; 'none' beyond its end, 'whole' for a suffix of nothing, undefined for text that is no range. */
function parseRange(text: string, size: number): ByteRange | 'none' | 'whole' | undefined {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    if (length > 0) return { start: size - length, end: size - 1 };
    return Number(last) > 0 ? 'whole' : 'none';
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * The ranges of a GET to send of a file (RFC 9110 §14.2); nothing for the whole: without the header, with one that is
 * malformed, asks for more bytes than there are or for too many pieces, or when `If-Range` no longer holds. That a file
 * did not change twice in a second nobody knows, so a date is no proof of it (§8.8.2.2).
 * @param etag strong, with its quotes
 */
export function byteRanges(
  header: string | undefined,
  ifRange: string | undefined,
  size: number,
  etag: string,
): ByteRange[] | 'unsatisfiable' | undefined {
  const [, list] = /^bytes=(.+)$/i.exec(header ?? '') ?? [];
  if (list === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const texts = tokens(list).filter((text) => text !== '');
  if (texts.length === 0 || texts.length > MAX_RANGES) return undefined;
  const ranges: ByteRange[] = [];
  for (const text of texts) {
    const range = parseRange(text, size);
    if (range === undefined || range === 'whole') return undefined;
    if (range !== 'none') ranges.push(range);
  }
  if (ranges.length === 0) return 'unsatisfiable';
  const asked = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return asked > size ? undefined : ranges;
}
