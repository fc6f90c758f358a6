import { METHODS } from 'node:http';
import type { BodyLength, Fields } from '../types';
import {
  hasNoTab,
  markConnectionOptions,
  type ParsedLine,
  parseContentLength,
  parseFields,
  splitTokens,
  unforwardedInRequests,
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
  readonly bodyLength: BodyLength;
  /** The framing field for the next hop, with CRLF; '' if the block has none. */
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

const REQUEST_LINE = /^([!#$%&'*+.^`|~0-9A-Za-z_-]+) ([!"$-~]+) HTTP\/(\d)\.(\d)$/;
const ABSOLUTE_FORM = /^https?:\/\/([^/?@]+)(\/.*|\?.*)?$/i;
/** A `Host` value (RFC 9110 §7.2). The last group permits ports up to 65535. */
const HOST =
  /^(?:[A-Za-z0-9._~!$&'()*+;=%-]*|\[[0-9A-Fa-f:.]+\])(?::(?:\d{0,4}|[0-5]\d{4}|6(?:[0-4]\d{3}|5(?:[0-4]\d{2}|5(?:[0-2]\d|3[0-5])))))?$/;
const methods = new Set(METHODS);

/**
 * Parses a request line strictly (RFC 9112 §3).
 * @param line without its CRLF
 */
export function parseRequestLine(line: string): RequestLine | RejectionStatus {
  const match = REQUEST_LINE.exec(line);
  if (!match) return 400;
  const [, method = '', target = '', major, minorDigit] = match;
  if (major !== '1' || (minorDigit !== '0' && minorDigit !== '1')) return 505;
  if (!methods.has(method) || method === 'CONNECT' || method === 'TRACE') return 405;
  const minorVersion = minorDigit === '1' ? 1 : 0;
  if (target.startsWith('/')) return { method, target, minorVersion, authority: undefined };
  if (target === '*') return method === 'OPTIONS' ? { method, target, minorVersion, authority: undefined } : 400;
  const [, authority, pathAndQuery = '/'] = ABSOLUTE_FORM.exec(target) ?? [];
  if (authority === undefined || !HOST.test(authority)) return 400;
  return { method, target: pathAndQuery.startsWith('?') ? `/${pathAndQuery}` : pathAndQuery, minorVersion, authority };
}

/** The fields of a request that the engine interprets. */
class EngineFields {
  host: string | undefined;
  length: number | undefined;
  isChunked = false;
  expectation: string | undefined;
  upgrade: string | undefined;
  acceptsTrailers = false;
  connection: string[] | undefined;

  /** Stores a field. @returns false if it is malformed, or repeated although it may occur only once */
  add(field: ParsedLine): boolean {
    const { name, value } = field;
    switch (name) {
      case 'host':
        if (this.host !== undefined || !HOST.test(value)) return false;
        this.host = value;
        return true;
      case 'content-length':
        if (this.length !== undefined || !hasNoTab(field)) return false;
        this.length = parseContentLength(value);
        return this.length !== undefined;
      case 'transfer-encoding':
        if (this.isChunked || value.toLowerCase() !== 'chunked' || !hasNoTab(field)) return false;
        this.isChunked = true;
        return true;
      case 'connection':
        this.connection = [...(this.connection ?? []), ...splitTokens(value)];
        return true;
      case 'expect':
        this.expectation = this.expectation === undefined ? value.toLowerCase() : 'several';
        return true;
      case 'upgrade':
        this.upgrade = this.upgrade === undefined ? value.toLowerCase() : 'several';
        return true;
      case 'te':
        this.acceptsTrailers ||= splitTokens(value).includes('trailers');
        return true;
      default:
        return true;
    }
  }

  get framingLine(): string {
    if (this.isChunked) return 'Transfer-Encoding: chunked\r\n';
    return this.length === undefined ? '' : `Content-Length: ${this.length}\r\n`;
  }

  /** Returns the status that rejects this combination of fields, or undefined if it is acceptable. */
  findRejection(minorVersion: 0 | 1): RejectionStatus | undefined {
    if (minorVersion === 0) return this.isChunked ? 400 : undefined;
    if (this.host === undefined || (this.isChunked && this.length !== undefined)) return 400;
    return this.expectation === undefined || this.expectation === '100-continue' ? undefined : 417;
  }
}

const replaceHost = (fields: Fields, authority: string): Fields =>
  fields.map((field) =>
    field.name === 'host' ? { ...field, value: authority, line: `Host: ${authority}\r\n` } : field,
  );

/**
 * Parses a request's header block. A block that two servers could read differently is rejected (RFC 9112 §6, §11.2).
 * @param authority authority of an absolute-form target
 * @param previous lines of the connection's previous block
 */
export function parseHeaderBlock(
  text: string,
  { minorVersion, authority }: Pick<RequestLine, 'minorVersion' | 'authority'>,
  maxFields: number,
  previous: readonly ParsedLine[],
): HeaderBlock | RejectionStatus {
  const lines = parseFields(text, unforwardedInRequests, previous);
  if (!lines) return 400;
  if (lines.length > maxFields) return 431;
  const engineFields = new EngineFields();
  for (const field of lines) if (!field.isForwarded && !engineFields.add(field)) return 400;
  const rejection = engineFields.findRejection(minorVersion);
  if (rejection !== undefined) return rejection;
  const { host = '', length = 0, isChunked, expectation, upgrade, acceptsTrailers, connection } = engineFields;
  const fields = connection ? markConnectionOptions(lines, connection) : lines;
  const bodyLength = isChunked ? 'chunked' : length;
  return {
    text,
    minorVersion,
    lines,
    fields: authority === undefined ? fields : replaceHost(fields, authority),
    host: authority ?? host,
    bodyLength,
    framingLine: engineFields.framingLine,
    expectsContinue: expectation !== undefined && minorVersion === 1 && bodyLength !== 0,
    isWebSocketUpgrade:
      upgrade === 'websocket' && minorVersion === 1 && bodyLength === 0 && (connection ?? []).includes('upgrade'),
    acceptsTrailers,
    closesConnection: connection?.includes('close') || (minorVersion === 0 && !connection?.includes('keep-alive')),
  };
}
