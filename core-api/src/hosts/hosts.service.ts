import type { EntityManager } from 'typeorm';
import { HostClaim } from './host-claim.entity';

/** Who answers at a host: exactly one of the two. */
export type HostOwner = { subdomainId: string } | { tenantId: string };

/**
 * Claims a label or a custom domain for its owner. Called in the transaction that stores the owner; a host that is taken
 * breaks the primary key, which the caller turns into its own 409 (`takenAs`).
 */
export async function claimHost(manager: EntityManager, host: string, owner: HostOwner): Promise<void> {
  await manager.insert(HostClaim, { host, ...owner });
}

/** Gives a host back while its owner stays; an owner that is removed takes its claims along. */
export async function releaseHost(manager: EntityManager, host: string): Promise<void> {
  await manager.delete(HostClaim, { host });
}

export const isHostClaimed = (manager: EntityManager, host: string): Promise<boolean> =>
  manager.existsBy(HostClaim, { host });
