import { flat } from './flat';
import type { Field } from './types';

/** A field line with its CRLF, from `lastIndex` on. */
const LINE = /[!#$%&'*+.^`|~0-9A-Za-z_-]+:[\t\x20-\x7e\x80-\xff]*\r\n/y;

/** Between two hops only (RFC 9110 §7.6.1), or about the connection itself. */
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

/** What the engine writes itself in a request. */
const WRITTEN_HERE = ['host', 'content-length', 'expect'];

/** Names that a reader asks about, or that most messages carry: their lower case need not be made for each message. */
const USUAL = [
  ...HOP_BY_HOP,
  ...WRITTEN_HERE,
  ...[
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'cache-control',
    'content-type',
    'cookie',
    'date',
  ],
  ...[
    'dnt',
    'etag',
    'forwarded',
    'if-modified-since',
    'if-none-match',
    'last-modified',
    'origin',
    'pragma',
    'priority',
  ],
  ...['range', 'referer', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'sec-fetch-dest', 'sec-fetch-mode'],
  ...[
    'sec-fetch-site',
    'sec-fetch-user',
    'server',
    'set-cookie',
    'traceparent',
    'upgrade-insecure-requests',
    'user-agent',
  ],
  ...['vary', 'via', 'x-api-key', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-request-id'],
];

const capitalised = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());

const lowerCases = new Map<string, string>(
  USUAL.flatMap((name): [string, string][] => [
    [name, name],
    [capitalised(name), name],
  ]),
);
/** Of an answer: names that stay here. */
export const answerHops: ReadonlySet<string> = new Set(HOP_BY_HOP);
/** Of a request, likewise. */
export const requestHops: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...WRITTEN_HERE]);

/** These frame the message or belong to it: `Connection` cannot take them away. */
const NOT_NAMEABLE = new Set(['content-length', 'host', 'transfer-encoding', 'close', 'keep-alive']);

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** A value without the blanks around it (RFC 9110 §5.5). `trim` takes more away, 0xA0 too, which others leave in place. */
function withoutBlanks(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (start < end && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A field line, before `Connection` is asked about it. */
export interface Line extends Field {
  /** Its texts are its own: a slice keeps the whole message that it is of. */
  readonly isOwn: boolean;
}

/** @param text of the form of `LINE` */
function lineOf(text: string, hops: ReadonlySet<string>, isOwn: boolean): Line {
  const colon = text.indexOf(':');
  const written = text.slice(0, colon);
  const name = lowerCases.get(written) ?? written.toLowerCase();
  return { name, value: withoutBlanks(text, colon + 1, text.length - 2), line: text, hop: hops.has(name), isOwn };
}

/**
 * Field lines of a strictly formed block (RFC 9112 §5): names are tokens, values without controls, no folding.
 * @param block header lines, each with its CRLF
 * @param hops names that are marked as not for the next hop
 * @param before the lines of the message before on the same connection: those that stand in their places again are not
 *   read again
 * @returns nothing where there is one that is not so formed
 */
export function readFields(block: string, hops: ReadonlySet<string>, before: readonly Line[] = []): Line[] | undefined {
  const lines: Line[] = [];
  for (let start = 0; start < block.length; ) {
    const known = before[lines.length];
    if (known && block.slice(start, start + known.line.length) === known.line) {
      lines.push(known.isOwn ? known : lineOf(flat(known.line), hops, true));
      start += known.line.length;
    } else {
      LINE.lastIndex = start;
      if (!LINE.test(block)) return undefined;
      lines.push(lineOf(block.slice(start, LINE.lastIndex), hops, false));
      start = LINE.lastIndex;
    }
  }
  return lines;
}

/** The elements of a list field, in lower case. */
export const tokens = (value: string): string[] =>
  value
    .toLowerCase()
    .split(',')
    .map((token) => withoutBlanks(token, 0, token.length));

/** The fields with those marked that `Connection` names as such for the next hop alone. @param named its tokens */
export function markNamed(fields: readonly Field[], named: readonly string[]): readonly Field[] {
  const names = new Set(named.filter((name) => !NOT_NAMEABLE.has(name)));
  if (names.size === 0) return fields;
  return fields.map((field) => (names.has(field.name) ? { ...field, hop: true } : field));
}

/** The values of a field, line by line. @param name lower case */
export const valuesOf = (fields: readonly Field[], name: string): string[] =>
  fields.filter((field) => field.name === name).map(({ value }) => value);

/** A body's length (RFC 9110 §8.6), nothing for what is none. */
export const readLength = (value: string): number | undefined => (/^\d{1,15}$/.test(value) ? Number(value) : undefined);

/** Some readers take a tab for a part of the value: in a field that frames a message there must be none. */
export const isUnequivocal = (framing: Field): boolean => !framing.line.includes('\t');
