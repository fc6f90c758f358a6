import { type EntityManager, In } from 'typeorm';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import { applyChanges, computeNextVersion } from '../../platform/database/changes/apply-changes';
import type { ChangeContext, Database } from '../../platform/database/database';
import { createFieldError } from '../../platform/errors/rule-error';
import { parseUrl } from '../../platform/net/parse-url';
import type { PolicyRow } from '../../routing/config-snapshot';
import { matchRedirect } from '../../routing/hosts/evaluate-policy';
import { compileRedirects } from '../../routing/hosts/host-policy';
import { listDomainHosts, toWildcard } from '../../routing/hosts/site-domains';
import { findEndlessRedirects } from '../../routing/sites/endless-redirects';
import { createSitePassword } from '../accounts';
import { findClaims, isHostClaimed } from '../hosts';
import type { SiteOwner } from '../sites';
import { policyMessages as messages } from './host-policies.messages';
import type { PolicyBody, PolicyResponse } from './host-policies.schema';
import { HostPolicyRow } from './host-policy.entity';

export const noRules = {
  access: null,
  passwordHash: null,
  passwordKey: null,
  redirects: null,
  headers: null,
  noindex: null,
  rate: null,
  maxBodyMb: null,
  timeoutSeconds: null,
  maintenance: null,
  branding: null,
  logoPng: null,
  version: 0,
} as const;

/** Rules of a site's hosts: access, redirects, headers, limits, maintenance and branding (contract §9). */
export class HostPoliciesService {
  constructor(
    private readonly database: Database,
    private readonly sitesDomain: string,
  ) {}

  async get({ id }: SiteOwner): Promise<PolicyResponse> {
    return toResponse((await this.database.read.findOneBy(HostPolicyRow, { _id: id })) ?? noRules);
  }

  /** Changes the rules that the body contains (contract §9). @throws RuleError invalid, stale */
  async update(context: ChangeContext, owner: SiteOwner, body: PolicyBody): Promise<PolicyResponse> {
    const requestedPassword = body.access ? body.access.password : undefined;
    // The password is hashed outside of the transaction, because hashing is slow on purpose.
    const password = typeof requestedPassword === 'string' ? await createSitePassword(requestedPassword) : undefined;
    return this.database.serializedWrite(context, async (manager) => {
      await this.refuseEndlessRedirects(manager, owner, body);
      const stored = await manager.findOneBy(HostPolicyRow, { _id: owner.id });
      const currentRow = stored ?? { ...noRules, _id: owner.id, ownerKind: owner.kind, name: owner.name };
      const changedRow = changePolicy(currentRow, body, password);
      const row = { ...changedRow, version: computeNextVersion(currentRow, changedRow, context) };
      if (stored) await manager.update(HostPolicyRow, { _id: owner.id }, row);
      else await manager.insert(HostPolicyRow, row);
      await recordConfigChange(manager, owner.kind, owner.id);
      return toResponse(row);
    });
  }

  private async refuseEndlessRedirects(
    manager: EntityManager,
    { id }: SiteOwner,
    { redirects }: PolicyBody,
  ): Promise<void> {
    if (!redirects) return;
    const claims = await findClaims(manager, id);
    // A claim without a dot is a label.
    const hosts = new Set(
      claims.flatMap((name) => (name.includes('.') ? listDomainHosts(name) : `${name}.${this.sitesDomain}`)),
    );
    for (const host of new Set(redirects.map(({ to }) => parseUrl(to)?.host ?? ''))) {
      // As at the edge, an exact domain, also of another site, takes precedence over a wildcard.
      if (hosts.has(toWildcard(host) ?? '') && !(await isHostClaimed(manager, host.replace(/^www\./, ''))))
        hosts.add(host);
    }
    const compiledRedirects = compileRedirects(redirects);
    const [endlessRedirect] = findEndlessRedirects(redirects, (path) => {
      const location = matchRedirect({ redirects: compiledRedirects }, path)?.location;
      if (location === undefined || location.startsWith('/')) return location;
      const { host = '', pathname = '', search = '' } = parseUrl(location) ?? {};
      return hosts.has(host) ? pathname + search : undefined;
    });
    if (endlessRedirect !== undefined)
      throw createFieldError('invalid', 'redirects', messages.endlessRedirect(endlessRedirect));
  }
}

/**
 * Returns the rules after a PUT. Each field of the body replaces its old value completely.
 * @param password columns of the new password, if the body has one
 * @throws RuleError invalid
 */
export const changePolicy = (
  stored: HostPolicyRow,
  { access, branding, ...rest }: PolicyBody,
  password: PasswordColumns | undefined,
): HostPolicyRow => ({
  ...applyChanges<HostPolicyRow>(stored, rest),
  ...toAccessColumns(stored, access, password),
  ...toBrandingColumns(branding),
});

type PasswordColumns = Pick<HostPolicyRow, 'passwordHash' | 'passwordKey'>;

function toAccessColumns(
  stored: PasswordColumns,
  access: PolicyBody['access'],
  password: PasswordColumns | undefined,
): Partial<Pick<HostPolicyRow, 'access'> & PasswordColumns> {
  if (access === undefined) return {};
  const noPassword = { passwordHash: null, passwordKey: null };
  if (access === null || access === false) return { access, ...noPassword };
  const { ips, require } = access;
  if (access.password === true && stored.passwordHash === null)
    throw createFieldError('invalid', 'access.password', messages.noPassword);
  if (!access.password && ips.length === 0)
    throw createFieldError('invalid', stored.passwordHash ? 'access.ips' : 'access.password', messages.emptyAccess);
  const storedPassword = { passwordHash: stored.passwordHash, passwordKey: stored.passwordKey };
  return { access: { ips, require }, ...(access.password === true ? storedPassword : (password ?? noPassword)) };
}

function toBrandingColumns(branding: PolicyBody['branding']): Partial<Pick<HostPolicyRow, 'branding' | 'logoPng'>> {
  if (branding === undefined) return {};
  if (branding === null || branding === false) return { branding, logoPng: null };
  const { name, accent, logoPng } = branding;
  return { branding: { name, accent }, logoPng };
}

type Rules = Omit<HostPolicyRow, '_id' | 'ownerKind' | 'name'>;

const toResponse = ({
  access,
  passwordHash,
  passwordKey: _key,
  branding,
  logoPng,
  ...rest
}: Rules): PolicyResponse => ({
  ...rest,
  access: access ? { ...access, password: passwordHash !== null } : access,
  branding: branding ? { ...branding, logoPng } : branding,
});

/** Converts the rules of an owner to the form that the edge loads. */
export function toPolicyRow({ access, passwordKey, branding, logoPng, ...rest }: HostPolicyRow): PolicyRow {
  const { redirects, headers, noindex, rate, maxBodyMb, timeoutSeconds, maintenance } = rest;
  const rules = { redirects, headers, noindex, rate, maxBodyMb, timeoutSeconds, maintenance };
  return {
    ...rules,
    access: access ? { ...access, passwordKey } : access,
    branding: branding ? { ...branding, logoPng } : branding,
  };
}

/** Returns the rules that the edge loads, without password hashes, by the owner's id. */
export async function findPolicies(manager: EntityManager, ids: readonly string[]): Promise<Map<string, PolicyRow>> {
  const rows = await manager.findBy(HostPolicyRow, { _id: In([...ids]) });
  return new Map(rows.map((row): [string, PolicyRow] => [row._id, toPolicyRow(row)]));
}

/** Removes the rules of an owner. Call it in the transaction that removes the owner. */
export async function removePolicy(manager: EntityManager, ownerId: string): Promise<void> {
  await manager.delete(HostPolicyRow, { _id: ownerId });
}
