import { type ProjectLimit, permitsProject } from '../../platform/database/changes/change-context';
import { createFieldError } from '../../platform/errors/rule-error';
import { DAY_MS } from '../../platform/time/relative-time';
import type { ApiToken, StoredSite } from './token.entity';
import { tokenMessages as messages } from './tokens.messages';
import type { SiteBody, TokenBody, TokenChanges } from './tokens.schema';

/** Finds a site and its project's id, which is null without a project; undefined for an unknown site. */
export type FindSite = (site: SiteBody) => Promise<{ site: StoredSite; projectId: string | null } | undefined>;

/** Checks an expiry. @param maxDays longest life of a token, 0 for any. @throws RuleError invalid */
export function checkExpiry(expiresAt: string | null, maxDays: number): void {
  if (expiresAt === null) {
    if (maxDays > 0) throw createFieldError('invalid', 'expiresAt', messages.expiresAt);
    return;
  }
  const lifeMs = Date.parse(expiresAt) - Date.now();
  if (lifeMs <= 0) throw createFieldError('invalid', 'expiresAt', messages.expiresPast);
  if (maxDays > 0 && lifeMs > maxDays * DAY_MS)
    throw createFieldError('invalid', 'expiresAt', messages.expiresFar(maxDays));
}

/** Checks that the scope `deploy` is the only scope of its token. @throws RuleError invalid */
function checkScopes(scopes: readonly string[]): void {
  if (scopes.includes('deploy') && scopes.length > 1) throw createFieldError('invalid', 'scopes', messages.deployAlone);
}

/**
 * Finds the site of a token with the scope `deploy`, which must be its only scope. Other tokens have no site.
 * @param permittedProjects projects that the creator may name; null for all
 * @throws RuleError invalid
 */
export async function findDeploySite(
  findSite: FindSite,
  { scopes, site }: Pick<TokenBody, 'scopes' | 'site'>,
  permittedProjects: ProjectLimit,
): Promise<StoredSite | null> {
  if (!scopes.includes('deploy')) {
    if (site) throw createFieldError('invalid', 'site', messages.siteWithoutDeploy);
    return null;
  }
  checkScopes(scopes);
  if (!site || !(site.id || (site.type === 'subdomain' && site.label)))
    throw createFieldError('invalid', 'site', messages.site);
  const foundSite = await findSite(site);
  if (!foundSite || !permitsProject(permittedProjects, foundSite.projectId))
    throw createFieldError('invalid', 'site', messages.unknownSite);
  return foundSite.site;
}

/**
 * Finds the site of a changed token. The stored site stays if the change has no site and neither adds nor removes the
 * scope `deploy`.
 * @throws RuleError invalid
 */
export async function findChangedSite(
  findSite: FindSite,
  stored: Pick<ApiToken, 'scopes' | 'site'>,
  { scopes = stored.scopes, site }: Pick<TokenChanges, 'scopes' | 'site'>,
  permittedProjects: ProjectLimit,
): Promise<StoredSite | null> {
  checkScopes(scopes);
  const isKept = site === undefined && scopes.includes('deploy') === stored.scopes.includes('deploy');
  return isKept ? stored.site : findDeploySite(findSite, { scopes, site: site ?? null }, permittedProjects);
}
