import type { EntityManager } from 'typeorm';
import { type ChangeContext, type ProjectLimit, permitsProject } from '../../platform/database/changes/change-context';
import { selectIn } from '../../platform/database/queries/select-in';
import { toConflict } from '../../platform/database/queries/unique-violation';
import { RuleError } from '../../platform/errors/rule-error';
import { HostClaim } from './host-claim.entity';

export type HostOwner = { subdomainId: string } | { tenantId: string } | { versionId: string };

/**
 * Claims a label or a custom domain for its owner, in the transaction of `manager`. If the host is already claimed,
 * the insert violates the primary key, and `mapHostConflict` turns the error into a 409.
 */
export async function claimHost(manager: EntityManager, host: string, owner: HostOwner): Promise<void> {
  await manager.insert(HostClaim, { host, ...owner });
}

/** Releases a host whose owner stays. Foreign keys remove the claims of a removed owner. */
export async function releaseHost(manager: EntityManager, host: string): Promise<void> {
  await manager.delete(HostClaim, { host });
}

/** The claims of a subdomain or tenant: its label, and its domains. */
export const findClaims = async (manager: EntityManager, ownerId: string): Promise<string[]> =>
  (await manager.findBy(HostClaim, [{ subdomainId: ownerId }, { tenantId: ownerId }])).map(({ host }) => host);

export const isHostClaimed = (manager: EntityManager, host: string): Promise<boolean> =>
  manager.existsBy(HostClaim, { host });

/** Whether a site outside of `projects` has one of `hosts`. @param projects null if there is no limit */
export async function isClaimedOutside(
  manager: EntityManager,
  hosts: readonly string[],
  projects: ProjectLimit,
): Promise<boolean> {
  if (!projects) return false;
  const rows = await selectIn<{ projectId: string | null }>(manager, {
    table: 'host_claims AS claim LEFT JOIN tenants AS t ON t._id = claim."tenantId"',
    columns: 't."projectId"',
    column: 'claim.host',
    values: hosts,
  });
  return rows.some(({ projectId }) => !permitsProject(projects, projectId));
}

/** Plain SQL avoids an import cycle: the entities belong to features that import this feature. */
const NAMED_OWNER_SQL = `SELECT CASE WHEN s._id IS NULL THEN 'tenant' ELSE 'subdomain' END AS kind,
    COALESCE(s.subdomain, t._id) AS id, COALESCE(s.subdomain, t.name) AS name FROM host_claims AS claim
  LEFT JOIN subdomains AS s ON s._id = claim."subdomainId" LEFT JOIN tenants AS t ON t._id = claim."tenantId"
  WHERE claim.host = $1 AND COALESCE(s._id, t._id) IS NOT NULL`;

/** The subdomain or tenant that already has the requested host name. */
interface NamedHostOwner {
  kind: 'subdomain' | 'tenant';
  /** A subdomain's label, or a tenant's id. */
  id: string;
  name: string;
}

/**
 * Returns a handler for errors of a write that claims a host. If the host has another owner, the handler throws a 409
 * with this owner. An account that is limited to projects does not learn the owner, which may be in another project.
 * @param hostField the field of the request that contains the host, and the message of the conflict
 */
export const mapHostConflict =
  (
    read: EntityManager,
    { projects }: ChangeContext,
    host: string,
    hostField: readonly [field: 'subdomain' | 'domain' | 'host', message: string],
  ) =>
  async (caught: unknown): Promise<never> => {
    const error = toConflict(caught, {
      'host_claims(host)': hostField,
      'subdomains(subdomain)': hostField,
      'tenants(subdomain)': hostField,
    });
    const isHostConflict =
      error instanceof RuleError && error.kind === 'conflict' && error.options.fields?.[hostField[0]];
    if (!isHostConflict || projects) throw error;
    const [owner] = await read.query<NamedHostOwner[]>(NAMED_OWNER_SQL, [host]);
    throw owner ? new RuleError('conflict', error.message, { ...error.options, extensions: { heldBy: owner } }) : error;
  };
