/** A site as the graph takes it: the label of a subdomain, the id of a tenant or project. */
interface SiteRef {
  type: 'subdomain' | 'project' | 'tenant';
  key: string;
}

const KINDS = ['tenant', 'project'] as const;

/**
 * The site of a tab. A label has no colon, so the forms cannot be confused.
 * @param site the label of a subdomain, `tenant:{id}` or `project:{id}`
 */
export function parseSite(site: string): SiteRef {
  for (const type of KINDS) if (site.startsWith(`${type}:`)) return { type, key: site.slice(type.length + 1) };
  return { type: 'subdomain', key: site };
}
