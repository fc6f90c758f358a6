import { STATUS_CODES } from 'node:http';
import { answerHops, isUnequivocal, markNamed, readFields, readLength, tokens, valuesOf } from './fields';
import type { AnswerEdit, Fields } from './types';

/** How the end of an answer's body is found (RFC 9112 §6.3): after so many bytes, by chunks, or with the connection. */
type Framing = number | 'chunked' | 'close';

export interface AnswerHead {
  readonly status: number;
  /** Status line and header lines for the client, each with its CRLF; without framing by chunks, `Date` if it had one. */
  readonly lines: string;
  /** The `Trailer` lines, for clients that asked for trailers. */
  readonly trailerLines: string;
  readonly hasDate: boolean;
  readonly framing: Framing;
  /** The connection may serve another request, once this answer's end was found. */
  readonly persistent: boolean;
  /** How long the upstream keeps an idle connection, ms. */
  readonly idleMs: number;
  /** Of a 101: it changes to WebSocket. */
  readonly isWebSocket: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const MAX_IDLE_MS = 55_000;
/** Closed this long before the upstream would, which otherwise could happen while a request is on its way. */
const MARGIN_MS = 1_000;

/** The status line of an answer, with its CRLF. */
export const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;

/**
 * @param head all lines without the empty one at the end
 * @returns nothing for a head that is malformed or ambiguous
 */
export function readAnswerHead(head: string, edit?: AnswerEdit): AnswerHead | undefined {
  const end = head.indexOf('\r\n');
  const [, minor, digits] = STATUS_LINE.exec(end < 0 ? head : head.slice(0, end)) ?? [];
  if (digits === undefined) return undefined;
  const read = end < 0 ? [] : readFields(`${head.slice(end + 2)}\r\n`, answerHops);
  if (!read) return undefined;
  const status = Number(digits);
  const connection = valuesOf(read, 'connection').flatMap(tokens);
  const bodyless = status === 204 || status < 200;
  const framing = bodyless ? 0 : framingOf(read, status === 304, minor === '1');
  if (framing === undefined) return undefined;
  const fields = markNamed(read, connection);
  let [lines, trailerLines, hasDate, bytes] = [statusLine(status), '', false, '0'];
  for (const { name, value, line, hop } of fields) {
    if (name === 'trailer') trailerLines += line;
    if (bodyless && (name === 'content-length' || name === 'transfer-encoding')) bytes = value;
    if (hop || (bodyless && name === 'content-length')) continue;
    if (name === 'date') hasDate = true;
    lines += edit ? edit(name, value, line) : line;
  }
  const hint = /(?:^|,)[\t ]*timeout=(\d{1,6})/i.exec(valuesOf(fields, 'keep-alive').join());
  const upgrade = valuesOf(fields, 'upgrade').join().toLowerCase();
  return {
    status,
    lines,
    trailerLines,
    hasDate,
    framing,
    // What tells of a body where none can be may send it as well.
    persistent:
      Number(bytes) !== 0 ? false : minor === '1' ? !connection.includes('close') : connection.includes('keep-alive'),
    idleMs: hint ? Math.min(Number(hint[1]) * 1000 - MARGIN_MS, MAX_IDLE_MS) : MAX_IDLE_MS,
    isWebSocket: status === 101 && minor === '1' && upgrade === 'websocket' && connection.includes('upgrade'),
  };
}

/** @param uncoded a 304, which has no body whatever its coding says */
function framingOf(fields: Fields, uncoded: boolean, chunksAllowed: boolean): Framing | undefined {
  const framing = fields.filter(({ name }) => name === 'content-length' || name === 'transfer-encoding');
  if (!framing.every(isUnequivocal)) return undefined;
  const codings = uncoded ? [] : valuesOf(fields, 'transfer-encoding');
  const [length, ...more] = valuesOf(fields, 'content-length');
  if (codings.length > 0) {
    const chunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked';
    return chunked && chunksAllowed && length === undefined ? 'chunked' : undefined;
  }
  if (length === undefined) return 'close';
  return more.length === 0 ? readLength(length) : undefined;
}
