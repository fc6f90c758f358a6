import { isIP } from 'node:net';
import { hostOfHeader } from '../rules/hostname';
import type { Site } from './site';

/** What a host is here (contract §1). */
export type Destination = { kind: 'studio' } | { kind: 'gateway' } | { kind: 'site'; site: Site } | { kind: 'unknown' };

const unknown: Destination = { kind: 'unknown' };

/**
 * The name under which a host is claimed: a label of the base domain, or a custom domain. Labels hold no dot and custom
 * domains do: neither can be asked for in the other's way.
 * @param suffix the base domain behind a dot
 */
export function claimOf(host: string, suffix: string): string | undefined {
  const isLabel = host.endsWith(suffix);
  const name = isLabel ? host.slice(0, -suffix.length) : host;
  return isLabel !== name.includes('.') ? name : undefined;
}

/** Compiles the hosts table of a base domain. @param siteOf by a label of the base domain, or a custom domain */
export function createFrontDoor(
  baseDomain: string,
  siteOf: (host: string) => Site | undefined,
): (header: string) => Destination {
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
    const name = claimOf(host, suffix);
    const site = name === undefined ? undefined : siteOf(name);
    return site ? { kind: 'site', site } : unknown;
  };
}
