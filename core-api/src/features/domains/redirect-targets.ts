import { type EntityManager, In, Like } from 'typeorm';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import { createFieldError } from '../../platform/errors/rule-error';
import { parseDomainName } from '../../platform/net/hostname';
import { isWildcard, listDomainHosts, toWildcard } from '../../routing/hosts/site-domains';
import { removeWww } from './domain-name';
import { domainMessages as messages } from './domains.messages';
import { SiteDomain } from './site-domain.entity';

/** Parses the target host of a redirect and returns it in punycode. @throws RuleError invalid */
export function parseRedirectTarget(text: string): string {
  const name = parseDomainName(text);
  if (name === undefined) throw createFieldError('invalid', 'to', messages.to);
  return name;
}

/** Finds the domain that matches a host. As at the edge, exact names take precedence over wildcards. */
async function findDomainOfHost(manager: EntityManager, host: string): Promise<SiteDomain | undefined> {
  const wildcard = toWildcard(host);
  const names = [removeWww(host), ...(wildcard ? [wildcard] : [])];
  const rows = await manager.findBy(SiteDomain, { host: In(names) });
  return rows.find((row) => !isWildcard(row.host)) ?? rows[0];
}

/** Finds redirects to a domain or its `www`; for a wildcard, redirects to the names that the wildcard matches. */
async function findRedirectsTo(manager: EntityManager, host: string): Promise<SiteDomain[]> {
  if (!isWildcard(host)) return manager.findBy(SiteDomain, { role: 'redirect', to: In(listDomainHosts(host)) });
  const candidates = await manager.findBy(SiteDomain, { role: 'redirect', to: Like(`%${host.slice(1)}`) });
  return candidates.filter(({ to }) => to !== null && toWildcard(to) === host);
}

/**
 * Refuses a redirect to another redirect, so that no chain of redirects can loop. Call it in the transaction that has
 * stored the redirect. @throws RuleError invalid, on `to` or `role`
 */
export async function refuseRedirectLoops(
  manager: EntityManager,
  { host, to }: Pick<SiteDomain, 'host' | 'to'>,
): Promise<void> {
  const target = to === null ? undefined : await findDomainOfHost(manager, to);
  if (target?.host === host) throw createFieldError('invalid', 'to', messages.toItself);
  if (target?.role === 'redirect') throw createFieldError('invalid', 'to', messages.toRedirect(target.host));
  for (const redirect of await findRedirectsTo(manager, host)) {
    // If `host` is a wildcard, an exact domain may match the target instead.
    const targetDomain = redirect.to === null ? undefined : await findDomainOfHost(manager, redirect.to);
    if (targetDomain?.host === host) throw createFieldError('invalid', 'role', messages.isTarget(redirect.host));
  }
}

/** Makes redirects to a removed domain lead to their own site instead. Call it in the transaction of the removal. */
export async function releaseRedirectsTo(manager: EntityManager, host: string): Promise<void> {
  for (const { _id, ownerKind, ownerId } of await findRedirectsTo(manager, host)) {
    await manager.update(SiteDomain, { _id }, { to: null });
    await recordConfigChange(manager, ownerKind, ownerId);
  }
}
