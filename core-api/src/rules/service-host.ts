import { isForbiddenAddress, isLoopback, parseTargetHost } from './address';

export type ServiceHostFault = 'syntax' | 'forbidden' | 'own';

/**
 * An http(s) address without credentials, query and fragment; a trailing slash is dropped (contract §3). Loopback is
 * allowed but for this installation's own ports, link-local and metadata addresses never.
 */
export function parseServiceHost(
  text: string,
  ownPorts: readonly number[],
): { host: string } | { fault: ServiceHostFault } {
  if (!/^https?:\/\/[^\s\\@?#]+$/i.test(text) || !URL.canParse(text)) return { fault: 'syntax' };
  const url = new URL(text);
  const authority = /^https?:\/\/([^/]+)/i.exec(text)?.[1] ?? '';
  const written = parseTargetHost(authority.replace(/:\d*$/, ''));
  if (written === undefined) return { fault: 'syntax' };
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (written === 'forbidden' || isForbiddenAddress(bare)) return { fault: 'forbidden' };
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port === 0) return { fault: 'syntax' };
  if (isLoopback(bare) && ownPorts.includes(port)) return { fault: 'own' };
  return { host: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}` };
}
