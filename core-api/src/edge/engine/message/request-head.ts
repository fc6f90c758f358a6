import { METHODS } from 'node:http';
import type { Fields } from '../types';
import {
  hasNoTab,
  markConnectionOptions,
  type ParsedLine,
  parseContentLength,
  parseFields,
  requestHopByHop,
  splitTokens,
} from './header-fields';

export type RejectionStatus = 400 | 405 | 417 | 431 | 505;

/** A parsed header block, with all properties that the engine needs. */
export interface HeaderBlock {
  /** Header lines, each with its CRLF, as received. */
  readonly text: string;
  readonly minorVersion: 0 | 1;
  /** The lines in their order, before the options of `Connection` are applied. */
  readonly lines: readonly ParsedLine[];
  readonly fields: Fields;
  readonly host: string;
  readonly body: number | 'chunked';
  /** The framing field for the next hop, with CRLF; '' without a body. */
  readonly framingLine: string;
  readonly expectsContinue: boolean;
  readonly isWebSocketUpgrade: boolean;
  readonly acceptsTrailers: boolean;
  /** True if the client wants the connection to end after the response. */
  readonly closesConnection: boolean;
}

export interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly minorVersion: 0 | 1;
  /** Authority of an absolute-form target, which replaces the Host field (RFC 9112 §3.2.2). */
  readonly authority: string | undefined;
}

const LINE = /^([!#$%&'*+.^`|~0-9A-Za-z_-]+) ([!"$-~]+) HTTP\/(\d)\.(\d)$/;
const ABSOLUTE = /^https?:\/\/([^/?@]+)(\/.*|\?.*)?$/i;
const HOST =
  /^(?:[A-Za-z0-9._~!$&'()*+;=%-]*|\[[0-9A-Fa-f:.]+\])(?::(?:\d{0,4}|[0-5]\d{4}|6(?:[0-4]\d{3}|5(?:[0-4]\d{2}|5(?:[0-2]\d|3[0-5])))))?$/;
const methods = new Set(METHODS);

/**
 * Parses a request line strictly (RFC 9112 §3).
 * @param line without its CRLF
 * @returns 'preface' for the beginning of the HTTP/2 preface
 */
export function parseRequestLine(line: string): RequestLine | RejectionStatus | 'preface' {
  const match = LINE.exec(line);
  if (!match) return 400;
  const [, method = '', target = '', major, minorDigit] = match;
  if (major !== '1' || (minorDigit !== '0' && minorDigit !== '1')) return method === 'PRI' ? 'preface' : 505;
  if (!methods.has(method) || method === 'CONNECT' || method === 'TRACE') return 405;
  const minorVersion = minorDigit === '1' ? 1 : 0;
  if (target.startsWith('/')) return { method, target, minorVersion, authority: undefined };
  if (target === '*') return method === 'OPTIONS' ? { method, target, minorVersion, authority: undefined } : 400;
  const [, authority, pathAndQuery = '/'] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined || !HOST.test(authority)) return 400;
  return { method, target: pathAndQuery.startsWith('?') ? `/${pathAndQuery}` : pathAndQuery, minorVersion, authority };
}

/**
 * Parses the header block of a request. A block that two servers could read differently is rejected (RFC 9112 §6, §11.2).
 * @param authority authority of an absolute-form target
 * @param previous lines of the connection's previous block
 */
export function parseHeaderBlock(
  text: string,
  { minorVersion, authority }: Pick<RequestLine, 'minorVersion' | 'authority'>,
  maxFields: number,
  previous: readonly ParsedLine[],
): HeaderBlock | RejectionStatus {
  const lines = parseFields(text, requestHopByHop, previous);
  if (!lines) return 400;
  if (lines.length > maxFields) return 431;
  let host: string | undefined;
  let length: number | undefined;
  let chunked = false;
  let expectation: string | undefined;
  let upgrade: string | undefined;
  let asksForTrailers = false;
  let connection: string[] | undefined;
  for (const field of lines) {
    if (!field.isHopByHop) continue;
    const { name, value } = field;
    if (name === 'host') {
      if (host !== undefined || !HOST.test(value)) return 400;
      host = value;
    } else if (name === 'content-length') {
      const read = parseContentLength(value);
      if (length !== undefined || read === undefined || !hasNoTab(field)) return 400;
      length = read;
    } else if (name === 'transfer-encoding') {
      if (chunked || value.toLowerCase() !== 'chunked' || !hasNoTab(field)) return 400;
      chunked = true;
    } else if (name === 'connection') connection = [...(connection ?? []), ...splitTokens(value)];
    else if (name === 'expect') expectation = expectation === undefined ? value.toLowerCase() : 'several';
    else if (name === 'upgrade') upgrade = upgrade === undefined ? value.toLowerCase() : 'several';
    else if (name === 'te') asksForTrailers ||= splitTokens(value).includes('trailers');
  }
  if ((host === undefined && minorVersion === 1) || (chunked && (length !== undefined || minorVersion === 0)))
    return 400;
  if (expectation !== undefined && expectation !== '100-continue' && minorVersion === 1) return 417;
  const marked = connection ? markConnectionOptions(lines, connection) : lines;
  const fields =
    authority === undefined
      ? marked
      : marked.map((field) =>
          field.name === 'host' ? { ...field, value: authority, line: `Host: ${authority}\r\n` } : field,
        );
  const body = chunked ? 'chunked' : (length ?? 0);
  return {
    text,
    minorVersion,
    lines,
    fields,
    host: authority ?? host ?? '',
    body,
    framingLine: chunked
      ? 'Transfer-Encoding: chunked\r\n'
      : length === undefined
        ? ''
        : `Content-Length: ${length}\r\n`,
    expectsContinue: expectation !== undefined && minorVersion === 1 && body !== 0,
    isWebSocketUpgrade:
      upgrade === 'websocket' && minorVersion === 1 && body === 0 && (connection ?? []).includes('upgrade'),
    acceptsTrailers: asksForTrailers,
    closesConnection: connection?.includes('close') || (minorVersion === 0 && !connection?.includes('keep-alive')),
  };
}
