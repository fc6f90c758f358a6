import { isIP } from 'node:net';
import { parseHostHeader } from '../../platform/net/hostname';
import type { RowChange } from '../config-snapshot';
import type { Site } from './site';
import { listSiteHosts } from './site-domains';

/** The route of all requests for one host (contract §1). */
export type HostMatch = { kind: 'studio' } | { kind: 'gateway' } | { kind: 'site'; site: Site } | { kind: 'unknown' };

/** Class of a host name, which depends on the domains of the installation only. */
export type HostClass =
  | { kind: 'studio' }
  | { kind: 'gateway' }
  | { kind: 'address' }
  /** `name` is a label of the sites' domain (`isLabel`), or a custom domain. */
  | { kind: 'claimable'; name: string; isLabel: boolean }
  | { kind: 'unknown' };

const UNKNOWN_HOST = { kind: 'unknown' } as const;

/** Returns the hosts that a changed row claims (`listSiteHosts`); none for a removed row or another entity. */
export function listClaimedHosts({ entity, row }: RowChange): string[] {
  return (entity === 'subdomain' || entity === 'tenant') && row ? listSiteHosts(row) : [];
}

/**
 * Compiles the function that classifies a host name in lower case.
 * @param sitesDomain parent of subdomains and tenants, often the base domain itself
 */
export function createHostClassifier(baseDomain: string, sitesDomain: string): (host: string) => HostClass {
  const fixedHosts = new Map<string, HostClass>([
    [baseDomain, { kind: 'studio' }],
    [`www.${baseDomain}`, { kind: 'studio' }],
    [`api.${baseDomain}`, { kind: 'gateway' }],
  ]);
  const suffix = `.${sitesDomain}`;
  return (host) => {
    const fixedClass = fixedHosts.get(host);
    if (fixedClass) return fixedClass;
    if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return { kind: 'address' };
    const isLabel = host.endsWith(suffix);
    const name = isLabel ? host.slice(0, -suffix.length) : host;
    // A label has no dot, and a custom domain has at least one. No other name can be claimed.
    const isClaimable = name.includes('.') !== isLabel;
    return isClaimable ? { kind: 'claimable', name, isLabel } : UNKNOWN_HOST;
  };
}

/**
 * Compiles the function that maps a Host header to its route. IP addresses belong to the studio.
 * @param findSite returns the site of a label of the sites' domain or of a custom domain
 */
export function createHostRouter(
  baseDomain: string,
  sitesDomain: string,
  findSite: (host: string) => Site | undefined,
): (header: string) => HostMatch {
  const classify = createHostClassifier(baseDomain, sitesDomain);
  return (header) => {
    const hostClass = classify(parseHostHeader(header));
    if (hostClass.kind === 'address') return { kind: 'studio' };
    if (hostClass.kind !== 'claimable') return hostClass;
    const site = findSite(hostClass.name);
    return site ? { kind: 'site', site } : UNKNOWN_HOST;
  };
}
