import { isNeverForwarded } from '../forward/headers';

/** The head of a request, cut into its parts. */
export interface RequestHead {
  method: string;
  /** Path and query. */
  target: string;
  /** Header lines, each with its CRLF. */
  block: string;
  /** Bytes up to the body. */
  size: number;
}

/** The header block of a request that needs no special care. */
export interface RequestFields {
  host: string;
  keys: string[];
  /** Header lines for the upstream, each with its CRLF; without `X-API-Key`. */
  kept: string;
  /** The `X-API-Key` lines, for upstreams other than the gateway's. */
  keyLines: string;
  forwardedFor: string[];
  forwardedProto: string[];
  requestIds: string[];
  via: string;
  /** Bytes of the body; 0 without one. */
  contentLength: number;
  /** The client asked for the connection to end after the answer. */
  closes: boolean;
}

const REQUEST_LINE = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\/[!"$-~]*) HTTP\/1\.1$/;
const MOST_HEADERS = 200;
const BLOCK = /^(?:[!#$%&'*+.^`|~0-9A-Za-z_-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+$/;
const HOST = /^[A-Za-z0-9._-]+(?::\d{1,5})?$/;
const LENGTH = /^\d{1,15}$/;

/** Framing, expectations and protocol changes: the general path reads these. */
const SPECIAL = new Set(['transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'http2-settings']);

/** @param text Latin-1. Nothing for a head that is not whole yet, or that the general path must read */
export function readRequestHead(text: string): RequestHead | undefined {
  const end = text.indexOf('\r\n\r\n');
  const lineEnd = text.indexOf('\r\n');
  const line = end < 0 ? null : REQUEST_LINE.exec(text.slice(0, lineEnd));
  const [, method, target] = line ?? [];
  if (method === undefined || target === undefined) return undefined;
  return { method, target, block: text.slice(lineEnd + 2, end + 2), size: end + 4 };
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** A value without the blanks around it (RFC 9110 §5.5). `trim` takes more away, 0xA0 too, which others leave in place. */
function withoutBlanks(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (start < end && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Field lines of a strictly formed block; nothing when there is one that is not. */
export function fieldLines(block: string): { name: string; value: string; line: string }[] | undefined {
  if (!BLOCK.test(block)) return undefined;
  const lines = [];
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf('\r\n', start);
    const colon = block.indexOf(':', start);
    const name = block.slice(start, colon).toLowerCase();
    lines.push({ name, value: withoutBlanks(block, colon + 1, end), line: block.slice(start, end + 2) });
    start = end + 2;
  }
  return lines;
}

/** @param block header lines, each with its CRLF. Nothing for a request that the general path must read. */
export function readRequestFields(block: string): RequestFields | undefined {
  const lines = fieldLines(block);
  if (!lines || lines.length > MOST_HEADERS) return undefined;
  const hosts: string[] = [];
  const lengths: string[] = [];
  const connection: string[] = [];
  const fields: RequestFields = {
    host: '',
    keys: [],
    kept: '',
    keyLines: '',
    forwardedFor: [],
    forwardedProto: [],
    requestIds: [],
    via: '',
    contentLength: 0,
    closes: false,
  };
  for (const { name, value, line } of lines) {
    if (SPECIAL.has(name)) return undefined;
    if (name === 'host') hosts.push(value);
    else if (name === 'connection') connection.push(value.toLowerCase());
    else if (name === 'x-forwarded-for') fields.forwardedFor.push(value);
    else if (name === 'x-forwarded-proto') fields.forwardedProto.push(value);
    else if (name === 'x-request-id') fields.requestIds.push(value);
    else if (name === 'x-api-key') {
      fields.keys.push(value);
      fields.keyLines += line;
    } else if (!isNeverForwarded(name)) {
      if (name === 'content-length') lengths.push(value);
      if (name === 'via') fields.via += value;
      fields.kept += line;
    }
  }
  const [host, ...moreHosts] = hosts;
  if (host === undefined || moreHosts.length > 0 || !HOST.test(host)) return undefined;
  if (lengths.length > 1 || (lengths[0] !== undefined && !LENGTH.test(lengths[0]))) return undefined;
  if (connection.length > 1 || !['keep-alive', 'close', undefined].includes(connection[0])) return undefined;
  fields.host = host;
  fields.contentLength = Number(lengths[0] ?? 0);
  fields.closes = connection[0] === 'close';
  return fields;
}
