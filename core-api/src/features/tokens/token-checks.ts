import { fieldError } from '../../platform/errors';
import { DAY_MS } from '../../platform/time/units';
import type { StoredSite } from './token.entity';
import { tokenMessages as messages } from './tokens.messages';
import type { SiteBody } from './tokens.schema';

/** Finds a site and the id of its project, null without a project; undefined for an unknown site. */
export type FindSite = (site: SiteBody) => Promise<{ site: StoredSite; projectId: string | null } | undefined>;

/** Checks an expiry. @param maxDays longest life of a token, 0 for any. @throws RuleError invalid */
export function checkExpiry(expiresAt: string | null, maxDays: number): void {
  if (expiresAt === null) {
    if (maxDays > 0) throw fieldError('invalid', 'expiresAt', messages.expiresAt);
    return;
  }
  const lifeMs = Date.parse(expiresAt) - Date.now();
  if (lifeMs <= 0) throw fieldError('invalid', 'expiresAt', messages.expiresPast);
  if (maxDays > 0 && lifeMs > maxDays * DAY_MS) throw fieldError('invalid', 'expiresAt', messages.expiresFar(maxDays));
}

/**
 * Finds the site of a token with the scope `deploy`, which must be its only scope. Other tokens have no site.
 * @param permittedProjects projects that the creator may name; null for all
 * @throws RuleError invalid
 */
export async function findDeploySite(
  findSite: FindSite,
  scopes: readonly string[],
  site: SiteBody | null,
  permittedProjects: readonly string[] | null,
): Promise<StoredSite | null> {
  if (!scopes.includes('deploy')) {
    if (site) throw fieldError('invalid', 'site', messages.siteWithoutDeploy);
    return null;
  }
  if (scopes.length > 1) throw fieldError('invalid', 'scopes', messages.deployAlone);
  if (!site || (site.type === 'subdomain' ? !(site.label || site.id) : !site.id))
    throw fieldError('invalid', 'site', messages.site);
  const foundSite = await findSite(site);
  if (!foundSite || (permittedProjects && !permittedProjects.includes(foundSite.projectId ?? '')))
    throw fieldError('invalid', 'site', messages.unknownSite);
  return foundSite.site;
}
