import { isForbiddenAddress, parseTargetHost } from './address';

export interface ServiceHost {
  /** As it is stored: without a trailing slash. */
  host: string;
  /** Name or address without brackets. */
  hostname: string;
  port: number;
}

/**
 * An http(s) address without credentials, query and fragment; link-local and metadata addresses never
 * (contract §3). Whether it is this installation itself, `resolvedTargetFault` judges.
 */
export function parseServiceHost(text: string): ServiceHost | { fault: 'syntax' | 'forbidden' } {
  if (!/^https?:\/\/[^\s\\@?#]+$/i.test(text) || !URL.canParse(text)) return { fault: 'syntax' };
  const url = new URL(text);
  const authority = /^https?:\/\/([^/]+)/i.exec(text)?.[1] ?? '';
  const written = parseTargetHost(authority.replace(/:\d*$/, ''));
  if (written === undefined) return { fault: 'syntax' };
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (written === 'forbidden' || isForbiddenAddress(bare)) return { fault: 'forbidden' };
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port === 0) return { fault: 'syntax' };
  return { host: `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`, hostname: bare, port };
}
