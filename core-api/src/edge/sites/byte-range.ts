export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/**
 * The range to send of a file (RFC 9110 §14.2). Several ranges are answered with the whole file, which the RFC permits;
 * so is a range whose `If-Range` no longer holds.
 * @param etag strong, with its quotes
 */
export function byteRange(
  header: string | undefined,
  ifRange: string | undefined,
  size: number,
  etag: string,
  modified: Date,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (ifRange !== undefined && ifRange !== etag && ifRange !== modified.toUTCString()) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
