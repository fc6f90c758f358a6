import { RuleError } from '../../errors/rule-error';
import { httpMessages } from '../http.messages';
import type { Access, RequiredAccess, Role, Scope, SiteType, TokenSite } from './access';
import { roles } from './access';
import type { Principal } from './authentication';

const includesRole = (role: Role, needed: Access['role']): boolean =>
  needed === 'any' || roles.indexOf(role) >= roles.indexOf(needed);

/** Returns whether the scopes permit `needed`. The scopes `write` and `delete` include `read`. */
const includesScope = (granted: readonly Scope[], needed: Scope): boolean =>
  granted.includes(needed) ||
  (needed.endsWith(':read') && granted.some((scope) => scope.startsWith(needed.slice(0, -'read'.length))));

const createForbiddenError = (message: string, { role, scope }: RequiredAccess): RuleError =>
  new RuleError('forbidden', message, { extensions: { required: { role, scope } } });

/** Checks all of `access` except sudo, in the order of contract §6. @throws RuleError forbidden */
export function authorize(principal: Principal, access: Access, address: string): void {
  const { role, token, projects } = principal;
  if (token && !token.permitsAddress(address)) throw createForbiddenError(httpMessages.tokenAddress, access);
  if (!includesRole(role, access.role)) throw createForbiddenError(httpMessages.role, access);
  if (projects && !access.project) throw createForbiddenError(httpMessages.projectLimit, access);
  if (!token) {
    // Only a token names the site to publish, so a session is refused.
    if (access.scope === 'deploy') throw createForbiddenError(httpMessages.deployToken, access);
    return;
  }
  const isDeployment = access.deploy && token.scopes.includes('deploy');
  if (access.scope && !isDeployment && !includesScope(token.scopes, access.scope))
    throw createForbiddenError(httpMessages.scope, access);
  if (access.personOnly || access.sudo) throw createForbiddenError(httpMessages.personOnly, access);
}

/** Refuses a caller who now has fewer rights than at the admission of the request. @throws RuleError forbidden */
export function refuseFewerRights(admitted: Principal, current: Principal, access: RequiredAccess): void {
  const { role, projects, token } = current;
  const hasProjects = !projects || (admitted.projects?.every((id) => projects.includes(id)) ?? false);
  const hasScopes = (admitted.token?.scopes ?? []).every((scope) => token?.scopes.includes(scope));
  const hasSite = admitted.token?.site?.id === token?.site?.id;
  if (!includesRole(role, admitted.role) || !hasProjects || !hasScopes || !hasSite)
    throw createForbiddenError(httpMessages.fewerRights, access);
}

/** Checks role and scope, for rules that depend on the body or the query. @throws RuleError forbidden */
export function requireAccess(principal: Principal, required: RequiredAccess): void {
  if (!includesRole(principal.role, required.role)) throw createForbiddenError(httpMessages.role, required);
  if (principal.token && required.scope && !includesScope(principal.token.scopes, required.scope))
    throw createForbiddenError(httpMessages.scope, required);
}

/** Checks role and scope, and refuses accounts and tokens with a limit to projects. @throws RuleError forbidden */
export function requireAllProjects(principal: Principal, required: RequiredAccess): void {
  requireAccess(principal, required);
  if (principal.projects) throw createForbiddenError(httpMessages.projectLimit, required);
}

/** Refuses a token with the scope `deploy` that belongs to another site. @throws RuleError forbidden */
export function requireSite({ token }: Principal, { type, id }: TokenSite): void {
  if (!token?.scopes.includes('deploy')) return;
  if (token.site?.type !== type || token.site.id !== id)
    throw createForbiddenError(httpMessages.otherSite, { role: 'any', scope: 'deploy' });
}

/** Prefix of the scopes of each type of site. */
export const siteScopes = { subdomain: 'subdomains', project: 'projects', tenant: 'tenants' } as const;

/**
 * Checks role and scope for the site of a version. An endpoint that names only the version cannot declare the scope.
 * @throws RuleError forbidden
 */
export function requireSiteScope(
  principal: Principal,
  type: SiteType,
  role: Role,
  action: 'read' | 'write' | 'delete',
): void {
  requireAccess(principal, { role, scope: `${siteScopes[type]}:${action}` });
}
