import type { Field } from '../types';
import { toFlatCopy } from './flat-copy';

/** Matches one field line with its CRLF at `lastIndex`. */
const FIELD_LINE = /[!#$%&'*+.^`|~0-9A-Za-z_-]+:[\t\x20-\x7e\x80-\xff]*\r\n/y;

/** Hop-by-hop fields (RFC 9110 §7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];

/** Request fields that the engine writes itself. */
const SET_BY_ENGINE = ['host', 'content-length', 'expect'];

/** Frequent names, whose lower case is looked up instead of computed for each message. */
const COMMON_NAMES = [
  ...HOP_BY_HOP,
  ...SET_BY_ENGINE,
  ...'accept accept-encoding accept-language authorization cache-control content-type cookie date dnt etag forwarded'.split(
    ' ',
  ),
  ...'if-modified-since if-none-match last-modified origin pragma priority range referer sec-ch-ua sec-ch-ua-mobile'.split(
    ' ',
  ),
  ...'sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user server set-cookie traceparent'.split(
    ' ',
  ),
  ...'upgrade-insecure-requests user-agent vary via x-api-key x-forwarded-for x-forwarded-host x-forwarded-proto x-request-id'.split(
    ' ',
  ),
];

const capitalize = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());

const lowerCaseNames = new Map<string, string>(
  COMMON_NAMES.flatMap((name): [string, string][] => [
    [name, name],
    [capitalize(name), name],
  ]),
);
export const unforwardedInResponses: ReadonlySet<string> = new Set(HOP_BY_HOP);
export const unforwardedInRequests: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...SET_BY_ENGINE]);

/** Options of `Connection` that remove no field: names of framing and routing fields, `close` and `keep-alive`. */
const NON_REMOVING_OPTIONS = new Set(['content-length', 'host', 'transfer-encoding', 'close', 'keep-alive']);

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** Removes spaces and tabs around a value (RFC 9110 §5.5). `trim` would also remove 0xA0, which other servers keep. */
function trimBlanks(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (start < end && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A parsed field line. The options of `Connection` are not applied yet. */
export interface ParsedLine extends Field {
  /** True if the texts are copies. A V8 string slice would keep the whole message in memory. */
  readonly isCopied: boolean;
}

/** @param text a line that matches `FIELD_LINE` */
function parseLine(text: string, unforwardedNames: ReadonlySet<string>, isCopied: boolean): ParsedLine {
  const colon = text.indexOf(':');
  const rawName = text.slice(0, colon);
  const name = lowerCaseNames.get(rawName) ?? rawName.toLowerCase();
  const value = trimBlanks(text, colon + 1, text.length - 2);
  return { name, value, line: text, isForwarded: !unforwardedNames.has(name), isCopied };
}

/**
 * Parses field lines strictly (RFC 9112 §5). Names are tokens. Values have no folding, and no controls except tabs.
 * @param block header lines, each with its CRLF
 * @param unforwardedNames names of fields that are not forwarded
 * @param previous lines of the previous message on the connection, reused if equal at the same position
 * @returns undefined for a malformed block
 */
export function parseFields(
  block: string,
  unforwardedNames: ReadonlySet<string>,
  previous: readonly ParsedLine[] = [],
): ParsedLine[] | undefined {
  const lines: ParsedLine[] = [];
  for (let start = 0; start < block.length; ) {
    const repeated = previous[lines.length];
    if (repeated && block.slice(start, start + repeated.line.length) === repeated.line) {
      lines.push(repeated.isCopied ? repeated : parseLine(toFlatCopy(repeated.line), unforwardedNames, true));
      start += repeated.line.length;
    } else {
      FIELD_LINE.lastIndex = start;
      if (!FIELD_LINE.test(block)) return undefined;
      lines.push(parseLine(block.slice(start, FIELD_LINE.lastIndex), unforwardedNames, false));
      start = FIELD_LINE.lastIndex;
    }
  }
  return lines;
}

/** Splits a comma-separated value into its elements in lower case. */
export const splitTokens = (value: string): string[] =>
  value
    .toLowerCase()
    .split(',')
    .map((token) => trimBlanks(token, 0, token.length));

/** Excludes the fields named in `Connection` from forwarding (RFC 9110 §7.6.1). @param options tokens of `Connection` */
export function markConnectionOptions(fields: readonly Field[], options: readonly string[]): readonly Field[] {
  const names = new Set(options.filter((name) => !NON_REMOVING_OPTIONS.has(name)));
  if (names.size === 0) return fields;
  return fields.map((field) => (names.has(field.name) ? { ...field, isForwarded: false } : field));
}

/** Returns the values of all field lines with a name. @param name in lower case */
export const listValues = (fields: readonly Field[], name: string): string[] =>
  fields.filter((field) => field.name === name).map(({ value }) => value);

/** Parses a `Content-Length` (RFC 9110 §8.6), or returns undefined for an invalid value. */
export const parseContentLength = (value: string): number | undefined =>
  /^\d{1,15}$/.test(value) ? Number(value) : undefined;

/** Some servers treat a tab as part of the value, so framing fields must not contain a tab. */
export const hasNoTab = (framing: Field): boolean => !framing.line.includes('\t');
