import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Labels that no site may have (contract §3). */
export const reservedLabels: ReadonlySet<string> = new Set(['www', 'api', 'localhost']);

/** Returns a DNS label (RFC 1123 §2.1) trimmed and in lower case, or undefined for any other text. */
export function parseLabel(text: string): string | undefined {
  const label = text.trim().toLowerCase();
  const isPunycode = label.startsWith('xn--') && domainToASCII(label) !== '';
  // Only punycode may have hyphens as its third and fourth characters (RFC 5891 §4.2.3.1).
  return LABEL.test(label) && (isPunycode || !/^..--/.test(label)) ? label : undefined;
}

/**
 * Returns a host name of at least two labels in punycode. Any other text gives undefined, such as an IP address or a
 * name with a numeric top-level domain.
 */
export function parseDomainName(text: string): string | undefined {
  const trimmedName = text.trim().replace(/\.$/, '').toLowerCase();
  // `domainToASCII` would decode or cut off these characters.
  if (/[\s/\\?#@:%[\]]/.test(trimmedName)) return undefined;
  const name = domainToASCII(trimmedName);
  const labels = name.split('.');
  const topLevelLabel = labels.at(-1) ?? '';
  if (name.length > 253 || labels.length < 2 || isIP(name) !== 0 || /^\d+$/.test(topLevelLabel)) return undefined;
  return labels.every((label) => LABEL.test(label)) ? name : undefined;
}

/** Returns a stored host name as people write it (`xn--caf-dma.com.br` is `café.com.br`). A wildcard stays a wildcard. */
export const toDisplayHost = (host: string): string => domainToUnicode(host) || host;

/** Matches the Host header of most requests, which is already canonical. */
const PLAIN_HOST = /^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/;

/** Returns the host of a Host header in lower case, without the port and one trailing dot (contract §1). */
export const parseHostHeader = (host: string): string =>
  PLAIN_HOST.test(host) ? host : host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
