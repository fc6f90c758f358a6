import { STATUS_CODES } from 'node:http';
import type { Fields, HeaderRewrite } from '../types';
import {
  hasNoTab,
  listValues,
  markConnectionOptions,
  parseContentLength,
  parseFields,
  splitTokens,
  unforwardedInResponses,
} from './header-fields';

/** A response body ends after a number of bytes, at the last chunk or with the connection (RFC 9112 §6.3). */
type Framing = number | 'chunked' | 'close';

export interface ResponseHead {
  readonly status: number;
  /** Status line and header lines for the client, each with its CRLF and without hop-by-hop lines. */
  readonly headerLines: string;
  /** The `Trailer` lines, which are forwarded only in a chunked response. */
  readonly trailerLines: string;
  readonly hasDate: boolean;
  readonly framing: Framing;
  /** True if the connection may carry another request after this response. */
  readonly isPersistent: boolean;
  /** Time for which an idle connection may be kept, ms: `Keep-Alive: timeout` minus a margin, and at most 55 s. */
  readonly keepAliveMs: number;
  /** True for a 101 that switches to WebSocket. */
  readonly isWebSocket: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const MAX_KEEP_ALIVE_MS = 55_000;
/** An idle connection is closed this long before the upstream's time-out, which could interrupt a new request. */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/** Formats the status line of a response, with the standard reason phrase and CRLF. */
export const formatStatusLine = (status: number): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;

/**
 * Parses the head of a response strictly (RFC 9112 §4, §6).
 * @param head all lines without the empty line at the end
 * @returns undefined for a malformed or ambiguous head
 */
export function parseResponseHead(head: string, rewrite?: HeaderRewrite): ResponseHead | undefined {
  const end = head.indexOf('\r\n');
  const [, minor, digits] = STATUS_LINE.exec(end < 0 ? head : head.slice(0, end)) ?? [];
  if (digits === undefined) return undefined;
  const receivedFields = end < 0 ? [] : parseFields(`${head.slice(end + 2)}\r\n`, unforwardedInResponses);
  if (!receivedFields) return undefined;
  const status = Number(digits);
  const isHttp11 = minor === '1';
  const isBodyless = status === 204 || status < 200;
  const framing = isBodyless ? 0 : parseFraming(receivedFields, status === 304, isHttp11);
  if (framing === undefined) return undefined;
  const connection = listValues(receivedFields, 'connection').flatMap(splitTokens);
  const fields = markConnectionOptions(receivedFields, connection);
  const keepsAlive = isHttp11 ? !connection.includes('close') : connection.includes('keep-alive');
  const { headerLines, trailerLines, hasDate } = createClientLines(status, fields, isBodyless, rewrite);
  const upgrade = listValues(fields, 'upgrade').join().toLowerCase();
  return {
    status,
    headerLines,
    trailerLines,
    hasDate,
    framing,
    // An upstream that announces a body for a 204 or 1xx may also send it, so the connection is not reused.
    isPersistent: keepsAlive && !(isBodyless && announcesBody(fields)),
    keepAliveMs: parseKeepAliveMs(fields),
    isWebSocket: status === 101 && isHttp11 && upgrade === 'websocket' && connection.includes('upgrade'),
  };
}

/** Creates the header lines for the client. A 204 or 1xx response keeps no `Content-Length`. */
function createClientLines(
  status: number,
  fields: Fields,
  isBodyless: boolean,
  rewrite: HeaderRewrite | undefined,
): Pick<ResponseHead, 'headerLines' | 'trailerLines' | 'hasDate'> {
  let headerLines = formatStatusLine(status);
  let trailerLines = '';
  let hasDate = false;
  for (const { name, value, line, isForwarded } of fields) {
    if (name === 'trailer') trailerLines += line;
    if (!isForwarded || (isBodyless && name === 'content-length')) continue;
    if (name === 'date') hasDate = true;
    headerLines += rewrite ? rewrite(name, value, line) : line;
  }
  return { headerLines, trailerLines, hasDate };
}

/** Returns whether the last framing field announces a body. A transfer coding does: its `Number` is NaN, not 0. */
function announcesBody(fields: Fields): boolean {
  const framingField = fields.findLast(({ name }) => name === 'content-length' || name === 'transfer-encoding');
  return framingField !== undefined && Number(framingField.value) !== 0;
}

function parseKeepAliveMs(fields: Fields): number {
  const [, seconds] = /(?:^|,)[\t ]*timeout=(\d{1,6})/i.exec(listValues(fields, 'keep-alive').join()) ?? [];
  return seconds === undefined
    ? MAX_KEEP_ALIVE_MS
    : Math.min(Number(seconds) * 1000 - KEEP_ALIVE_MARGIN_MS, MAX_KEEP_ALIVE_MS);
}

/** @param ignoresCodings true for a 304, which has no body even with a `Transfer-Encoding` */
function parseFraming(fields: Fields, ignoresCodings: boolean, allowsChunks: boolean): Framing | undefined {
  const framingFields = fields.filter(({ name }) => name === 'content-length' || name === 'transfer-encoding');
  if (!framingFields.every(hasNoTab)) return undefined;
  const codings = ignoresCodings ? [] : listValues(fields, 'transfer-encoding');
  const [length, ...otherLengths] = listValues(fields, 'content-length');
  if (codings.length > 0) {
    const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked';
    return isChunked && allowsChunks && length === undefined ? 'chunked' : undefined;
  }
  if (length === undefined) return 'close';
  return otherLengths.length === 0 ? parseContentLength(length) : undefined;
}
