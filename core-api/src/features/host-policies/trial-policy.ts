import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { compilePolicy, type HostPolicy } from '../../routing/host-policy';
import type { Site } from '../../routing/site';
import type { PolicyBody } from './host-policies.schema';
import { changePolicy, findPolicies, noRules, toPolicyRow } from './host-policies.service';
import { HostPolicyRow } from './host-policy.entity';

const KEY_BYTES = 32;
/** Kinds of sites without rules of their own. A preview has its own password; the others answer before any rule. */
const WITHOUT_RULES: readonly Site['kind'][] = ['preview', 'paused', 'redirect'];

/**
 * Returns the policy that a site would have after a PUT. Nothing is stored.
 * @returns undefined for a site that has no rules of its own
 * @throws RuleError invalid
 */
export async function createTrialPolicy(
  read: EntityManager,
  site: Site,
  body: PolicyBody,
): Promise<HostPolicy | undefined> {
  if (WITHOUT_RULES.includes(site.kind)) return site.policy;
  const stored = (await read.findOneBy(HostPolicyRow, { _id: site.id })) ?? {
    ...noRules,
    _id: site.id,
    ownerKind: site.tenant ? ('tenant' as const) : ('subdomain' as const),
    name: '',
  };
  // A test needs no real hash and key: nothing compares the hash, and no cookie was made with the key.
  const isNewPassword = body.access && typeof body.access.password === 'string';
  const password = { passwordHash: '', passwordKey: randomBytes(KEY_BYTES).toString('hex') };
  const siteRules = toPolicyRow(changePolicy(stored, body, isNewPassword ? password : undefined));
  if (!site.tenant) return compilePolicy(site.id, siteRules);
  const [tenant]: { projectId: string }[] = await read.query(`SELECT "projectId" FROM tenants WHERE _id = $1`, [
    site.id,
  ]);
  const projectId = tenant?.projectId ?? '';
  return compilePolicy(site.id, siteRules, (await findPolicies(read, [projectId])).get(projectId));
}
