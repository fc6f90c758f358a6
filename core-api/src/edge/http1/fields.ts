import type { Field } from './types';

const BLOCK = /^(?:[!#$%&'*+.^`|~0-9A-Za-z_-]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/;

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

interface Line {
  name: string;
  value: string;
  line: string;
  hop: boolean;
}

/**
 * Field lines of a strictly formed block (RFC 9112 §5): names are tokens, values without controls, no folding.
 * @param block header lines, each with its CRLF
 * @param hops names that are marked as not for the next hop
 * @returns nothing where there is one that is not so formed
 */
export function readFields(block: string, hops: ReadonlySet<string>): Line[] | undefined {
  if (!BLOCK.test(block)) return undefined;
  const lines: Line[] = [];
  for (let start = 0; start < block.length; ) {
    const colon = block.indexOf(':', start);
    const end = block.indexOf('\r\n', colon);
    const written = block.slice(start, colon);
    const name = lowerCases.get(written) ?? written.toLowerCase();
    const line = block.slice(start, end + 2);
    lines.push({ name, value: withoutBlanks(block, colon + 1, end), line, hop: hops.has(name) });
    start = end + 2;
  }
  return lines;
}

/** The elements of a list field, in lower case. */
export const tokens = (value: string): string[] =>
  value
    .toLowerCase()
    .split(',')
    .map((token) => withoutBlanks(token, 0, token.length));

/** Marks the fields that `Connection` names as such for the next hop alone. @param named its tokens */
export function markNamed(fields: readonly Line[], named: readonly string[]): void {
  const names = named.filter((name) => !NOT_NAMEABLE.has(name));
  if (names.length === 0) return;
  for (const field of fields) if (names.includes(field.name)) field.hop = true;
}

/** The values of a field, line by line. @param name lower case */
export const valuesOf = (fields: readonly Field[], name: string): string[] =>
  fields.filter((field) => field.name === name).map(({ value }) => value);

/** A body's length (RFC 9110 §8.6), nothing for what is none. */
export const readLength = (value: string): number | undefined => (/^\d{1,15}$/.test(value) ? Number(value) : undefined);

/** Some readers take a tab for a part of the value: in a field that frames a message there must be none. */
export const isUnequivocal = (framing: Field): boolean => !framing.line.includes('\t');
