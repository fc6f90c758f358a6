import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Labels that the installation keeps for itself (contract §3). */
export const reservedLabels: ReadonlySet<string> = new Set(['www', 'api', 'localhost']);

/** One DNS label (RFC 1123 §2.1), trimmed and in lower case; undefined for any other text. */
export function parseLabel(text: string): string | undefined {
  const label = text.trim().toLowerCase();
  const isInvalidPunycode = /^..--/.test(label) && !(label.startsWith('xn--') && domainToASCII(label) !== '');
  return LABEL.test(label) && !isInvalidPunycode ? label : undefined;
}

/**
 * A fully qualified host name in punycode: at least two labels, no IP address, no numeric top level. Undefined for any
 * other text.
 */
export function parseDomainName(text: string): string | undefined {
  const written = text.trim().replace(/\.$/, '').toLowerCase();
  // A URL parser would decode or cut off these characters.
  if (/[\s/\\?#@:%[\]]/.test(written)) return undefined;
  const name = domainToASCII(written);
  const labels = name.split('.');
  const topLevelLabel = labels.at(-1) ?? '';
  if (name.length > 253 || labels.length < 2 || isIP(name) !== 0 || /^\d+$/.test(topLevelLabel)) return undefined;
  return labels.every((label) => LABEL.test(label)) ? name : undefined;
}

/** Matches a Host header that is canonical already, which most are. */
const PLAIN_HOST = /^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/;

/** The host of a Host header, in lower case, without the port and one trailing dot (contract §1). */
export const parseHostHeader = (host: string): string =>
  PLAIN_HOST.test(host) ? host : host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
