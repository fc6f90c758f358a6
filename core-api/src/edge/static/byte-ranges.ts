import { splitTokens } from '../engine/message/header-fields';

export interface ByteRange {
  start: number;
  /** Offset of the last byte, inclusive. */
  end: number;
}

const MAX_RANGES = 16;

/**
 * Parses one range.
 * @returns 'none' for a range without bytes of the file, 'whole' for a suffix of an empty file, undefined if invalid
 */
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
 * Selects the ranges of a file for a GET (RFC 9110 §14.2). A date in `If-Range` never matches, because a file may
 * change twice within one second (§8.8.2.2).
 * @param etag strong, with its quotes
 * @returns undefined for the whole file. The reasons are a missing or malformed header, an `If-Range` that does not
 *   match, too many ranges, or ranges with more bytes than the file
 */
export function selectRanges(
  header: string | undefined,
  ifRange: string | undefined,
  size: number,
  etag: string,
): ByteRange[] | 'unsatisfiable' | undefined {
  const [, list] = /^bytes=(.+)$/i.exec(header ?? '') ?? [];
  if (list === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const texts = splitTokens(list).filter((text) => text !== '');
  if (texts.length === 0 || texts.length > MAX_RANGES) return undefined;
  const ranges: ByteRange[] = [];
  for (const text of texts) {
    const range = parseRange(text, size);
    if (range === undefined || range === 'whole') return undefined;
    if (range !== 'none') ranges.push(range);
  }
  if (ranges.length === 0) return 'unsatisfiable';
  const requestedBytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return requestedBytes > size ? undefined : ranges;
}
