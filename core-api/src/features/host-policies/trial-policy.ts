import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { compilePolicy, type HostPolicy } from '../../routing/hosts/host-policy';
import type { Site } from '../../routing/hosts/site';
import type { PolicyBody } from './host-policies.schema';
import { changePolicy, findPolicies, noRules, toPolicyRow } from './host-policies.service';
import { HostPolicyRow } from './host-policy.entity';

const KEY_BYTES = 32;
const PROJECT_SQL = 'SELECT "projectId" FROM tenants WHERE _id = $1';
/** Kinds of sites to which no rules apply. A preview has its own password; the other kinds respond before any rule. */
const KINDS_WITHOUT_RULES: readonly Site['kind'][] = ['preview', 'paused', 'redirect'];

/**
 * Returns the policy that a site would have after a PUT. Nothing is stored.
 * @returns the current policy for a kind of site that has no rules
 * @throws RuleError invalid
 */
export async function createTrialPolicy(
  read: EntityManager,
  site: Site,
  body: PolicyBody,
): Promise<HostPolicy | undefined> {
  if (KINDS_WITHOUT_RULES.includes(site.kind)) return site.policy;
  const stored = (await read.findOneBy(HostPolicyRow, { _id: site.id })) ?? {
    ...noRules,
    _id: site.id,
    ownerKind: site.tenant ? ('tenant' as const) : ('subdomain' as const),
    name: '',
  };
  // A test needs no real hash and key, because nothing compares the hash and no cookie was signed with the key.
  const hasNewPassword = body.access && typeof body.access.password === 'string';
  const password = { passwordHash: '', passwordKey: randomBytes(KEY_BYTES).toString('hex') };
  const siteRules = toPolicyRow(changePolicy(stored, body, hasNewPassword ? password : undefined));
  if (!site.tenant) return compilePolicy(site.id, siteRules);
  const [tenant] = await read.query<{ projectId: string }[]>(PROJECT_SQL, [site.id]);
  const projectId = tenant?.projectId ?? '';
  return compilePolicy(site.id, siteRules, (await findPolicies(read, [projectId])).get(projectId));
}
