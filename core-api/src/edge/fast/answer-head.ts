import { isHopByHop } from '../forward/headers';
import { fieldLines } from './request-head';

/** How the end of an answer's body is found (RFC 9112 §6.3): after so many bytes, by chunks, or with the connection. */
type Framing = number | 'chunked' | 'close';

export interface AnswerHead {
  status: number;
  /** Status line and header lines for the client, each with its CRLF; without framing by chunks and `X-Request-Id`. */
  lines: string;
  framing: Framing;
  /** The connection may serve another request, once this answer's end was found. */
  persistent: boolean;
  /** How long the upstream keeps an idle connection, in ms. */
  idle: number;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const LENGTH = /^\d{1,15}$/;
const LONGEST_IDLE = 55_000;
/** Closed this long before the upstream would, which otherwise could happen while a request is on its way. */
const MARGIN = 1_000;

/** @param head all lines without the empty one at the end. Nothing for a head that is malformed or ambiguous. */
export function readAnswerHead(head: string): AnswerHead | undefined {
  const end = head.indexOf('\r\n');
  const found = STATUS_LINE.exec(end < 0 ? head : head.slice(0, end));
  if (!found) return undefined;
  const lines = end < 0 ? [] : fieldLines(`${head.slice(end + 2)}\r\n`);
  if (!lines) return undefined;
  const [, minor, digits, reason = ''] = found;
  const valuesOf = (wanted: string) => lines.filter(({ name }) => name === wanted).map(({ value }) => value);
  const connection = valuesOf('connection').flatMap((value) =>
    value
      .toLowerCase()
      .split(',')
      .map((token) => token.trim()),
  );
  const framing = framingOf(valuesOf('content-length'), valuesOf('transfer-encoding'), minor === '1');
  if (framing === undefined) return undefined;
  const named = new Set(connection.filter((token) => token !== 'content-length'));
  const kept = lines.filter(({ name }) => !isHopByHop(name) && name !== 'x-request-id' && !named.has(name));
  const hint = /(?:^|,)\s*timeout=(\d{1,6})/.exec(valuesOf('keep-alive').join());
  return {
    status: Number(digits),
    lines: `HTTP/1.1 ${digits} ${reason}\r\n${kept.map(({ line }) => line).join('')}`,
    framing,
    persistent: minor === '1' ? !connection.includes('close') : connection.includes('keep-alive'),
    idle: hint ? Math.min(Number(hint[1]) * 1000 - MARGIN, LONGEST_IDLE) : LONGEST_IDLE,
  };
}

function framingOf(lengths: string[], codings: string[], chunksAllowed: boolean): Framing | undefined {
  if (codings.length > 0) {
    const chunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked';
    return chunked && chunksAllowed && lengths.length === 0 ? 'chunked' : undefined;
  }
  if (lengths.length === 0) return 'close';
  return lengths.length === 1 && lengths[0] !== undefined && LENGTH.test(lengths[0]) ? Number(lengths[0]) : undefined;
}
