import type { HostPolicy } from './host-policy';

/** Fields that shared caches (RFC 9213, nginx and others) read in place of `Cache-Control`. */
const SHARED_CACHE_FIELD = /^(?:(?:.*-)?cdn-cache-control|surrogate-control|x-accel-expires)$/;

/**
 * Makes a `Cache-Control` private, because not every client may read the response (RFC 9111 §5.2.2.7). Directives for
 * the browser stay.
 */
function toPrivateCaching(value: string): string {
  // A comma in quotes does not separate directives. Quoted directives are rare, so `no-store` replaces them.
  const directives = value.includes('"') ? ['no-store'] : value.split(',').map((directive) => directive.trim());
  const keptDirectives = directives.filter((text) => !/^(?:|public|private|s-maxage(?:\s*=.*)?)$/i.test(text));
  return ['private', ...keptDirectives].join(', ');
}

/** Applies the rules of a host to one header line of a response. @returns '' if the line is removed */
export function applyPolicyToHeader(
  { replacedHeaderNames, access }: HostPolicy,
  name: string,
  value: string,
  line: string,
): string {
  if (replacedHeaderNames.has(name)) return '';
  if (!access) return line;
  if (name === 'cache-control') return `Cache-Control: ${toPrivateCaching(value)}\r\n`;
  return SHARED_CACHE_FIELD.test(name) ? '' : line;
}

/** Returns the lines that rules add to upstream responses. Caches combine repeated `Cache-Control` (RFC 9110 §5.3). */
export const createPolicyLines = ({ responseLines, access }: HostPolicy): string =>
  access ? `Cache-Control: private\r\n${responseLines}` : responseLines;

/** Applies the rules of a host to the header lines of a reply that the edge itself creates. */
export function addPolicyHeaders(headerLines: string, policy: HostPolicy): string {
  if (createPolicyLines(policy) === '') return headerLines;
  const keptLines = headerLines.split('\r\n').map((text) => {
    if (text === '') return '';
    const colon = text.indexOf(':');
    return applyPolicyToHeader(policy, text.slice(0, colon).toLowerCase(), text.slice(colon + 1), `${text}\r\n`);
  });
  return keptLines.join('') + policy.responseLines;
}
