import type { DomainRow, SubdomainRow, TenantRow } from '../config-snapshot';

/** The columns of a row that determine its hosts. */
type HostsRow = Pick<SubdomainRow, 'subdomain' | 'domains'> & Partial<Pick<TenantRow, 'customDomain' | 'wwwMode'>>;

export const isWildcard = (host: string): boolean => host.startsWith('*.');

/** Returns the wildcard that matches a host, with `*` as its first label; undefined for a name of one label. */
export function toWildcard(host: string): string | undefined {
  const dot = host.indexOf('.');
  return dot > 0 ? `*${host.slice(dot)}` : undefined;
}

/** Returns a domain and its `www` host, or a wildcard alone. */
export const listDomainHosts = (domain: string): string[] =>
  isWildcard(domain) ? [domain] : [domain, `www.${domain}`];

function listDomains({ domains, customDomain, wwwMode = 'serve' }: HostsRow): DomainRow[] {
  if (domains) return domains;
  return customDomain ? [{ host: customDomain, role: 'primary', to: null, wwwMode }] : [];
}

/** Returns the hosts that a subdomain or tenant claims, its label first and then its domains. */
export const listSiteHosts = (row: HostsRow): string[] => [
  row.subdomain,
  ...listDomains(row).flatMap(({ host }) => listDomainHosts(host)),
];

/** Returns the host to which a redirect without `to` leads. */
export function findMainHost(row: HostsRow, sitesDomain: string): string {
  const primary = listDomains(row).find(({ role }) => role === 'primary');
  if (!primary) return `${row.subdomain}.${sitesDomain}`;
  return primary.wwwMode === 'to-www' ? `www.${primary.host}` : primary.host;
}

/** Returns the claimed hosts that redirect, each with the target host of the redirect. */
export function listHostRedirects(row: HostsRow, sitesDomain: string): { from: string; to: string }[] {
  return listDomains(row).flatMap(({ host, role, to, wwwMode }) => {
    if (role === 'redirect')
      return listDomainHosts(host).map((from) => ({ from, to: to ?? findMainHost(row, sitesDomain) }));
    if (wwwMode === 'serve' || isWildcard(host)) return [];
    const www = `www.${host}`;
    return [wwwMode === 'to-apex' ? { from: www, to: host } : { from: host, to: www }];
  });
}
