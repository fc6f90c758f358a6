import type { DomainRow, SubdomainRow, TenantRow } from './config-snapshot';

/** The part of a row that decides about its hosts. */
type HostsRow = Pick<SubdomainRow, 'subdomain' | 'domains'> & Partial<Pick<TenantRow, 'customDomain' | 'wwwMode'>>;

export const isWildcard = (host: string): boolean => host.startsWith('*.');

/** The wildcard that matches a host: its first label is replaced by `*`. Undefined for a name of one label. */
export function toWildcard(host: string): string | undefined {
  const dot = host.indexOf('.');
  return dot > 0 ? `*${host.slice(dot)}` : undefined;
}

/** A domain with its `www`; a wildcard alone. */
export const listDomainHosts = (domain: string): string[] =>
  isWildcard(domain) ? [domain] : [domain, `www.${domain}`];

function listDomains({ domains, customDomain, wwwMode = 'serve' }: HostsRow): DomainRow[] {
  if (domains) return domains;
  return customDomain ? [{ host: customDomain, role: 'primary', to: null, wwwMode }] : [];
}

/** The hosts that a subdomain or tenant claims: its label first, then its domains. */
export const listSiteHosts = (row: HostsRow): string[] => [
  row.subdomain,
  ...listDomains(row).flatMap(({ host }) => listDomainHosts(host)),
];

/** The host to which redirects without their own target lead. */
export function findMainHost(row: HostsRow, sitesDomain: string): string {
  const primary = listDomains(row).find(({ role }) => role === 'primary');
  if (!primary) return `${row.subdomain}.${sitesDomain}`;
  return primary.wwwMode === 'to-www' ? `www.${primary.host}` : primary.host;
}

/** The claimed hosts that redirect, each with the host that it redirects to. */
export function listHostRedirects(row: HostsRow, sitesDomain: string): { from: string; to: string }[] {
  return listDomains(row).flatMap(({ host, role, to, wwwMode }) => {
    if (role === 'redirect')
      return listDomainHosts(host).map((from) => ({ from, to: to ?? findMainHost(row, sitesDomain) }));
    if (wwwMode === 'serve' || isWildcard(host)) return [];
    const www = `www.${host}`;
    return [wwwMode === 'to-apex' ? { from: www, to: host } : { from: host, to: www }];
  });
}
