import { STATUS_CODES } from 'node:http';
import type { Fields, HeaderRewrite } from '../types';
import {
  hasNoTab,
  markConnectionOptions,
  parseContentLength,
  parseFields,
  responseHopByHop,
  splitTokens,
  valuesOf,
} from './header-fields';

/** How the body of a response ends (RFC 9112 §6.3): after this number of bytes, by its last chunk, or with the connection. */
type Framing = number | 'chunked' | 'close';

export interface ResponseHead {
  readonly status: number;
  /** Status line and header lines for the client, each with its CRLF. Hop-by-hop lines, such as `Transfer-Encoding`, are removed. */
  readonly headerLines: string;
  /** The `Trailer` lines; only a chunked response to the client has them. */
  readonly trailerLines: string;
  readonly hasDate: boolean;
  readonly framing: Framing;
  /** True if the connection may carry another request after this response. */
  readonly isPersistent: boolean;
  /** Time for which an idle connection may be kept, ms: the upstream's `Keep-Alive: timeout` minus a margin. */
  readonly keepAliveMs: number;
  /** True for a 101 that switches to WebSocket. */
  readonly isWebSocket: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const MAX_KEEP_ALIVE_MS = 55_000;
/** An idle connection is closed this long before the upstream's time-out, which could end it during a new request. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/** The status line of a response, with the standard reason phrase and CRLF. */
export const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;

/**
 * Parses the head of a response strictly (RFC 9112 §4, §6).
 * @param head all lines without the empty line at the end
 * @returns undefined for a malformed or ambiguous head
 */
export function parseResponseHead(head: string, rewrite?: HeaderRewrite): ResponseHead | undefined {
  const end = head.indexOf('\r\n');
  const [, minor, digits] = STATUS_LINE.exec(end < 0 ? head : head.slice(0, end)) ?? [];
  if (digits === undefined) return undefined;
  const read = end < 0 ? [] : parseFields(`${head.slice(end + 2)}\r\n`, responseHopByHop);
  if (!read) return undefined;
  const status = Number(digits);
  const connection = valuesOf(read, 'connection').flatMap(splitTokens);
  const bodyless = status === 204 || status < 200;
  const framing = bodyless ? 0 : framingOf(read, status === 304, minor === '1');
  if (framing === undefined) return undefined;
  const fields = markConnectionOptions(read, connection);
  let lines = statusLine(status);
  let trailerLines = '';
  let hasDate = false;
  /** `Content-Length` or `Transfer-Encoding` of a bodyless response. A coding is no number, so it counts as a body. */
  let announcedBody = '0';
  for (const { name, value, line, isHopByHop } of fields) {
    if (name === 'trailer') trailerLines += line;
    if (bodyless && (name === 'content-length' || name === 'transfer-encoding')) announcedBody = value;
    if (isHopByHop || (bodyless && name === 'content-length')) continue;
    if (name === 'date') hasDate = true;
    lines += rewrite ? rewrite(name, value, line) : line;
  }
  const hint = /(?:^|,)[\t ]*timeout=(\d{1,6})/i.exec(valuesOf(fields, 'keep-alive').join());
  const upgrade = valuesOf(fields, 'upgrade').join().toLowerCase();
  return {
    status,
    headerLines: lines,
    trailerLines,
    hasDate,
    framing,
    // An upstream that announces a body for a 204 or 1xx may also send it, so the connection is not reused.
    isPersistent:
      Number(announcedBody) !== 0
        ? false
        : minor === '1'
          ? !connection.includes('close')
          : connection.includes('keep-alive'),
    keepAliveMs: hint ? Math.min(Number(hint[1]) * 1000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS) : MAX_KEEP_ALIVE_MS,
    isWebSocket: status === 101 && minor === '1' && upgrade === 'websocket' && connection.includes('upgrade'),
  };
}

/** @param ignoresCodings true for a 304, which has no body even with a `Transfer-Encoding` */
function framingOf(fields: Fields, ignoresCodings: boolean, chunksAllowed: boolean): Framing | undefined {
  const framing = fields.filter(({ name }) => name === 'content-length' || name === 'transfer-encoding');
  if (!framing.every(hasNoTab)) return undefined;
  const codings = ignoresCodings ? [] : valuesOf(fields, 'transfer-encoding');
  const [length, ...more] = valuesOf(fields, 'content-length');
  if (codings.length > 0) {
    const chunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked';
    return chunked && chunksAllowed && length === undefined ? 'chunked' : undefined;
  }
  if (length === undefined) return 'close';
  return more.length === 0 ? parseContentLength(length) : undefined;
}
