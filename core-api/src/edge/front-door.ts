import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostOfHeader } from '../rules/hostname';
import type { Site, State } from './snapshot/state';

/** What a host is here (contract §1). */
export type Destination = { kind: 'studio' } | { kind: 'gateway' } | { kind: 'site'; site: Site } | { kind: 'unknown' };

const unknown: Destination = { kind: 'unknown' };

/** Compiles the hosts table for a base domain. */
export function createFrontDoor(baseDomain: string, state: State): (host: string) => Destination {
  const fixed = new Map<string, Destination>([
    [baseDomain, { kind: 'studio' }],
    [`www.${baseDomain}`, { kind: 'studio' }],
    [`api.${baseDomain}`, { kind: 'gateway' }],
  ]);
  const suffix = `.${baseDomain}`;
  return (header) => {
    const host = hostOfHeader(header);
    const known = fixed.get(host);
    if (known) return known;
    if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return { kind: 'studio' };
    const site = state.site(host.endsWith(suffix) ? host.slice(0, -suffix.length) : host);
    // Labels hold no dot and custom domains do: neither can be asked for in the other's way.
    const isLabel = host.endsWith(suffix);
    const isDomain = !isLabel && host.includes('.');
    return site && (isDomain || (isLabel && !host.slice(0, -suffix.length).includes('.')))
      ? { kind: 'site', site }
      : unknown;
  };
}

export interface Target {
  host: string;
  /** Origin-form: path and query as received, or `*`. */
  path: string;
}

/** The host and path that a request asks for; nothing when it has no host or an unusable target (RFC 9112 §3.2). */
export function targetOf(request: IncomingMessage): Target | undefined {
  const url = request.url ?? '';
  const hosts = request.headersDistinct.host ?? [];
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersionMinor > 0)) return undefined;
  const host = hosts[0] ?? '';
  if (/[^\x21-\x7e]|[/\\?#@,]/.test(host) || url.includes('#')) return undefined;
  if (url.startsWith('/')) return { host, path: url };
  if (url === '*') return request.method === 'OPTIONS' ? { host, path: url } : undefined;
  const absolute = /^https?:\/\/([^/?#@]+)(\/[^#]*|\?[^#]*)?$/i.exec(url);
  if (!absolute?.[1]) return undefined;
  const path = absolute[2] ?? '/';
  return { host: absolute[1], path: path.startsWith('?') ? `/${path}` : path };
}
