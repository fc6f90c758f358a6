import { METHODS } from 'node:http';
import { isUnequivocal, type Line, markNamed, readFields, readLength, requestHops, tokens } from './fields';
import type { Fields } from './types';

/** Why a head is not read: the status to refuse it with. */
export type Unreadable = 400 | 405 | 417 | 431 | 505;

/** What a header block says of its request. */
export interface Block {
  /** Header lines, each with its CRLF, as received. */
  readonly text: string;
  readonly minor: 0 | 1;
  /** As they stand there. */
  readonly lines: readonly Line[];
  readonly fields: Fields;
  readonly host: string;
  readonly body: number | 'chunked';
  /** The body's framing for the next hop, with CRLF; '' without one. */
  readonly framing: string;
  readonly expectsContinue: boolean;
  readonly asksForWebSocket: boolean;
  readonly asksForTrailers: boolean;
  /** The connection ends with the answer. */
  readonly closes: boolean;
}

export interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly minor: 0 | 1;
  /** Of an absolute-form target: it stands for the Host field (RFC 9112 §3.2.2). */
  readonly authority: string | undefined;
}

const LINE = /^([!#$%&'*+.^`|~0-9A-Za-z_-]+) ([!"$-~]+) HTTP\/(\d)\.(\d)$/;
const ABSOLUTE = /^https?:\/\/([^/?@]+)(\/.*|\?.*)?$/i;
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;
const methods = new Set(METHODS);

/**
 * @param line without its CRLF
 * @returns 'preface' for the beginning of HTTP/2
 */
export function readRequestLine(line: string): RequestLine | Unreadable | 'preface' {
  const found = LINE.exec(line);
  if (!found) return 400;
  const [, method = '', target = '', major, minorDigit] = found;
  if (major !== '1' || (minorDigit !== '0' && minorDigit !== '1')) return method === 'PRI' ? 'preface' : 505;
  if (!methods.has(method) || method === 'CONNECT' || method === 'TRACE') return 405;
  const minor = minorDigit === '1' ? 1 : 0;
  if (target.startsWith('/')) return { method, target, minor, authority: undefined };
  if (target === '*') return method === 'OPTIONS' ? { method, target, minor, authority: undefined } : 400;
  const [, authority, rest = '/'] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined || !HOST.test(authority)) return 400;
  return { method, target: rest.startsWith('?') ? `/${rest}` : rest, minor, authority };
}

/**
 * Reads the header block of a request: what two servers could read differently is refused (RFC 9112 §6, §11.2).
 * @param authority of an absolute-form target
 * @param before the lines of the connection's last block
 */
export function readBlock(
  text: string,
  { minor, authority }: Pick<RequestLine, 'minor' | 'authority'>,
  mostFields: number,
  before: readonly Line[],
): Block | Unreadable {
  const lines = readFields(text, requestHops, before);
  if (!lines) return 400;
  if (lines.length > mostFields) return 431;
  let host: string | undefined;
  let length: number | undefined;
  let chunked = false;
  let expectation: string | undefined;
  let upgrade: string | undefined;
  let asksForTrailers = false;
  let connection: string[] | undefined;
  for (const field of lines) {
    if (!field.hop) continue;
    const { name, value } = field;
    if (name === 'host') {
      if (host !== undefined || !HOST.test(value)) return 400;
      host = value;
    } else if (name === 'content-length') {
      const read = readLength(value);
      if (length !== undefined || read === undefined || !isUnequivocal(field)) return 400;
      length = read;
    } else if (name === 'transfer-encoding') {
      if (chunked || value.toLowerCase() !== 'chunked' || !isUnequivocal(field)) return 400;
      chunked = true;
    } else if (name === 'connection') connection = [...(connection ?? []), ...tokens(value)];
    else if (name === 'expect') expectation = expectation === undefined ? value.toLowerCase() : 'several';
    else if (name === 'upgrade') upgrade = upgrade === undefined ? value.toLowerCase() : 'several';
    else if (name === 'te') asksForTrailers ||= tokens(value).includes('trailers');
  }
  if ((host === undefined && minor === 1) || (chunked && (length !== undefined || minor === 0))) return 400;
  if (expectation !== undefined && expectation !== '100-continue' && minor === 1) return 417;
  const marked = connection ? markNamed(lines, connection) : lines;
  const fields =
    authority === undefined
      ? marked
      : marked.map((field) =>
          field.name === 'host' ? { ...field, value: authority, line: `Host: ${authority}\r\n` } : field,
        );
  const body = chunked ? 'chunked' : (length ?? 0);
  return {
    text,
    minor,
    lines,
    fields,
    host: authority ?? host ?? '',
    body,
    framing: chunked ? 'Transfer-Encoding: chunked\r\n' : length === undefined ? '' : `Content-Length: ${length}\r\n`,
    expectsContinue: expectation !== undefined && minor === 1 && body !== 0,
    asksForWebSocket: upgrade === 'websocket' && minor === 1 && body === 0 && (connection ?? []).includes('upgrade'),
    asksForTrailers,
    closes: connection?.includes('close') || (minor === 0 && !connection?.includes('keep-alive')),
  };
}
