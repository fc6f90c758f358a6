import { parseUrl } from '../../platform/net/parse-url';
import { type HeaderRule, type RedirectRule, redirectStatuses } from './manifest';
import { compilePathRule } from './path-rule';

const MAX_HEADER_RULES = 100;
const MAX_STATIC_REDIRECTS = 2_000;
const MAX_DYNAMIC_REDIRECTS = 100;

/** The violation of a line in `_headers` or `_redirects`, for which the package is refused. */
export type RuleViolation =
  | 'syntax'
  | 'path'
  | 'condition'
  | 'proxy'
  | 'status'
  | 'target'
  | 'header'
  | 'basic-auth'
  | 'too-many';

export interface InvalidLine {
  readonly line: number;
  readonly violation: RuleViolation;
}

/** Fields that the edge writes itself, and fields that could affect the studio or another site. */
const REFUSED_HEADERS = new Set([
  'accept-ranges',
  'age',
  'alt-svc',
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'date',
  'etag',
  'host',
  'keep-alive',
  'last-modified',
  'location',
  'proxy-authenticate',
  'proxy-connection',
  'set-cookie',
  'set-cookie2',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'vary',
  'via',
  'www-authenticate',
  'x-request-id',
]);
const REFUSED_PREFIX = /^(?:x-tenant-|x-forwarded-|x-gateway-|proxy-|sec-)/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Header values contain printable ASCII only. */
const VALUE = /^[\x20-\x7e]{1,4000}$/;

/** Returns whether a site may set a response header. HSTS preloading would bind the whole domain for years. */
export function isAllowedHeader(name: string, value: string): boolean {
  const canonical = name.toLowerCase();
  if (!TOKEN.test(name) || !VALUE.test(value)) return false;
  if (REFUSED_HEADERS.has(canonical) || REFUSED_PREFIX.test(canonical)) return false;
  return canonical !== 'strict-transport-security' || !/\bpreload\b/i.test(value);
}

// The flag `s` keeps the expressions below linear. Without `s`, `.` stops at a lone carriage return, `$` fails there,
// and the search restarts at each position of the line.
const HEADER_LINE = /^([^:\s]+)\s*:\s*(.*)$/s;
const COMMENT = /\s#.*$/s;

/** Lists the lines that are neither blank nor comments, with their line numbers from 1. */
const listRuleLines = (text: string) =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((raw, index) => ({ raw, line: index + 1 }))
    .filter(({ raw }) => raw.trim() !== '' && !raw.trim().startsWith('#'));

/** Parses `_headers`. A path stands at the start of a line, and its headers are in the indented lines below. */
export function parseHeaders(text: string): HeaderRule[] | InvalidLine {
  const rules: EditableHeaderRule[] = [];
  for (const { raw, line } of listRuleLines(text)) {
    const content = raw.trim();
    const violation = /^\s/.test(raw) ? addHeader(rules.at(-1), content) : addPath(rules, content);
    if (violation) return { line, violation };
  }
  return rules;
}

type EditableHeaderRule = { path: string; set: [string, string][]; remove: string[] };

function addPath(rules: EditableHeaderRule[], path: string): RuleViolation | undefined {
  if (!compilePathRule(path) || /\s/.test(path)) return 'path';
  rules.push({ path, set: [], remove: [] });
  return rules.length > MAX_HEADER_RULES ? 'too-many' : undefined;
}

/** Reads `Name: value`, or `! Name` for a header that is removed. */
function addHeader(rule: EditableHeaderRule | undefined, content: string): RuleViolation | undefined {
  if (!rule) return 'syntax';
  if (content.startsWith('!')) {
    const removedName = content.slice(1).trim();
    if (!TOKEN.test(removedName)) return 'syntax';
    rule.remove.push(removedName.toLowerCase());
    return undefined;
  }
  const [, name = '', value = ''] = HEADER_LINE.exec(content) ?? [];
  if (name === '') return 'syntax';
  if (name.toLowerCase() === 'basic-auth') return 'basic-auth';
  if (!isAllowedHeader(name, value)) return 'header';
  rule.set.push([name, value]);
  return undefined;
}

/** Maximum length of a target, as in the rules of a host. */
const MAX_TARGET = 2_000;
/** Returns whether a target is a path of the same site. Browsers read `/\` like `//`, which precedes a host. */
export const isOwnPath = (to: string): boolean => /^\/(?![/\\])/.test(to);

/** Returns whether a target is an HTTP URL of printable ASCII. A placeholder in the host would be an invalid port. */
export const isHttpUrl = (to: string): boolean =>
  /^https?:\/\//i.test(to) && /^[\x21-\x7e]+$/.test(to) && parseUrl(to) !== undefined;

function parseRedirect(words: readonly string[]): RedirectRule | RuleViolation {
  const [from = '', ...fields] = words;
  if (!compilePathRule(from)) return 'path';
  const targetIndex = fields.findIndex((word) => word.startsWith('/') || /^[a-z][a-z0-9+.-]*:\/\//i.test(word));
  // Fields before the target match the query (`id=:id`), and are refused like the conditions below.
  if (targetIndex !== 0) return targetIndex > 0 ? 'condition' : 'target';
  const [to = '', statusField = '301', ...conditions] = fields;
  // Conditions such as `Country=` are refused, because a redirect without its condition could publish protected pages.
  if (conditions.length > 0 || statusField.includes('=')) return 'condition';
  const [, digits, mark] = /^(\d{3})(!?)$/.exec(statusField) ?? [];
  const status = redirectStatuses.find((known) => String(known) === digits);
  if (status === undefined) return 'status';
  if (to.length > MAX_TARGET) return 'target';
  if (!isOwnPath(to)) {
    if (!isHttpUrl(to)) return 'target';
    if (status === 200 || status === 404) return 'proxy';
  }
  return { from, to, status, ...(mark === '!' && { force: true as const }) };
}

/** Parses `_redirects`, which has `from to [status][!]` in each line. */
export function parseRedirects(text: string): RedirectRule[] | InvalidLine {
  const rules: RedirectRule[] = [];
  const counts = { static: 0, dynamic: 0 };
  for (const { raw, line } of listRuleLines(text)) {
    const content = raw.replace(COMMENT, '').trim();
    const rule = parseRedirect(content.split(/\s+/));
    if (typeof rule === 'string') return { line, violation: rule };
    counts[compilePathRule(rule.from)?.isDynamic ? 'dynamic' : 'static'] += 1;
    if (counts.static > MAX_STATIC_REDIRECTS || counts.dynamic > MAX_DYNAMIC_REDIRECTS)
      return { line, violation: 'too-many' };
    rules.push(rule);
  }
  return rules;
}
