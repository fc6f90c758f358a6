import { isForbiddenAddress, parseTargetHost } from './address';
import { type Authority, toAuthority } from './authority';
import { parseUrl } from './parse-url';

export interface ServiceHost extends Pick<Authority, 'host' | 'port'> {
  /** The stored address, without a trailing slash. */
  baseUrl: string;
}

/**
 * Parses an http(s) address without credentials, query and fragment. Link-local and metadata addresses are refused
 * (contract §3). `findHostRefusal` checks whether the name resolves to a forbidden address.
 */
export function parseServiceHost(text: string): ServiceHost | { error: 'syntax' | 'forbidden' } {
  const url = parseUrl(text);
  if (!url || !/^https?:\/\/[^\s\\@?#]+$/i.test(text)) return { error: 'syntax' };
  // The URL parser turns 0xa9.254.169.254 into 169.254.169.254, so the host is also checked as it was typed.
  const authority = /^https?:\/\/([^/]+)/i.exec(text)?.[1] ?? '';
  const parsedHost = parseTargetHost(authority.replace(/:\d*$/, ''));
  if (parsedHost === undefined) return { error: 'syntax' };
  const { host, port } = toAuthority(url);
  if (parsedHost === 'forbidden' || isForbiddenAddress(host)) return { error: 'forbidden' };
  if (port === 0) return { error: 'syntax' };
  return { baseUrl: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`, host, port };
}
