import { splitTokens } from '../engine/message/header-fields';

export interface ByteRange {
  start: number;
  /** Offset of the last byte, inclusive. */
  end: number;
}

const MAX_RANGES = 16;

/**
 * Parses one range.
 * @returns 'none' for a range without bytes of the file; undefined if the range is invalid or a suffix of an empty file
 */
function parseRange(text: string, size: number): ByteRange | 'none' | undefined {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    if (length > 0) return { start: size - length, end: size - 1 };
    return Number(last) > 0 ? undefined : 'none';
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * Selects the ranges of a file for a GET (RFC 9110 §14.2). A date in `If-Range` never matches, because a file may
 * change twice within one second (§8.8.2.2).
 * @param etag strong, with its quotes
 * @returns 'whole' for a malformed header, an `If-Range` that does not match, too many ranges, or ranges that have more
 *   bytes than the file; 416 if the file has none of the bytes
 */
export function selectRanges(
  header: string,
  ifRange: string | undefined,
  size: number,
  etag: string,
): ByteRange[] | 416 | 'whole' {
  const [, list] = /^bytes=(.+)$/i.exec(header) ?? [];
  if (list === undefined || (ifRange !== undefined && ifRange !== etag)) return 'whole';
  const texts = splitTokens(list).filter((text) => text !== '');
  if (texts.length === 0 || texts.length > MAX_RANGES) return 'whole';
  const ranges: ByteRange[] = [];
  for (const text of texts) {
    const range = parseRange(text, size);
    if (range === undefined) return 'whole';
    if (range !== 'none') ranges.push(range);
  }
  if (ranges.length === 0) return 416;
  const requestedBytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return requestedBytes > size ? 'whole' : ranges;
}
