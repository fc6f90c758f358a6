import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Labels that name the installation itself (contract §3). */
export const reservedLabels: ReadonlySet<string> = new Set(['www', 'api', 'localhost']);

/** One DNS label (RFC 1123 §2.1), trimmed and in lower case; nothing for anything else. */
export function parseLabel(text: string): string | undefined {
  const label = text.trim().toLowerCase();
  const disguised = /^..--/.test(label) && !(label.startsWith('xn--') && domainToASCII(label) !== '');
  return LABEL.test(label) && !disguised ? label : undefined;
}

/** A fully qualified host name of at least two labels in punycode, no address, no numeric top level. */
export function parseDomainName(text: string): string | undefined {
  const written = text.trim().replace(/\.$/, '').toLowerCase();
  // What a URL parser would decode or cut off is no part of a name.
  if (/[\s/\\?#@:%[\]]/.test(written)) return undefined;
  const name = domainToASCII(written);
  const labels = name.split('.');
  const top = labels.at(-1) ?? '';
  if (name.length > 253 || labels.length < 2 || isIP(name) !== 0 || /^\d+$/.test(top)) return undefined;
  return labels.every((label) => LABEL.test(label)) ? name : undefined;
}

/** Most are: nothing is cut off or changed. */
const PLAIN_HOST = /^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/;

/** A Host header without port and one trailing dot, in lower case (contract §1). */
export const hostOfHeader = (host: string): string =>
  PLAIN_HOST.test(host) ? host : host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
