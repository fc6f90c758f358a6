import { type EntityManager, In } from 'typeorm';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import type { ProjectLimit } from '../../platform/database/changes/change-context';
import type { SiteType } from '../../platform/http/access/access';
import { foldAccents } from '../../platform/text/fold-accents';
import { SiteActivation, SiteVersion } from './site-version.entity';

/** A subdomain, project or tenant with the fields that its versions need. */
export interface SiteOwner {
  readonly kind: SiteType;
  readonly id: string;
  /** Name of the owner in the audit trail. */
  readonly name: string;
  /** Suffix of the labels of the site's previews. */
  readonly label: string;
  readonly isStatic: boolean;
  /** The version that was activated last. */
  readonly versionId: string | null;
  /** Whether the site serves `versionId`, and not a folder or the files of its project. */
  readonly servesVersion: boolean;
  /** Id of the project; null for a site without a project. */
  readonly projectId: string | null;
}

/** Functions of the feature (subdomains, projects or tenants) to which a site belongs. */
export interface SiteOwnerStore {
  /** Finds an owner by its label or id. @throws RuleError notFound, also for an owner outside of `projectLimit` */
  find(manager: EntityManager, key: string, projectLimit: ProjectLimit): Promise<SiteOwner>;
  /** Makes a site serve a version. Call it in a transaction. */
  activate(manager: EntityManager, id: string, versionId: string): Promise<void>;
  /** Returns the ids that belong to existing owners. */
  findExisting(manager: EntityManager, ids: readonly string[]): Promise<string[]>;
}

/** Creates the functions of a `SiteOwnerStore` that are the same for every table of owners. */
export const createBaseOwnerStore = (
  kind: SiteType,
  entity: new () => { _id: string; source: string; versionId: string | null },
): Omit<SiteOwnerStore, 'find'> => ({
  async activate(manager, id, versionId) {
    await manager.update(entity, { _id: id }, { source: 'versions', versionId });
    await recordConfigChange(manager, kind, id);
  },
  async findExisting(manager, ids) {
    const rows = await manager.find(entity, { select: { _id: true }, where: { _id: In([...ids]) } });
    return rows.map(({ _id }) => _id);
  },
});

/** Converts a name to a label, without characters that a host name cannot have. */
export const toHostLabel = (text: string): string =>
  foldAccents(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'site';

/** Removes versions. Garbage collection removes their content later. Call it in a transaction. */
export async function removeVersions(manager: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await manager.delete(SiteActivation, { versionId: In([...ids]) });
  // A foreign key removes the claims of their previews.
  await manager.delete(SiteVersion, { _id: In([...ids]) });
  for (const id of ids) await recordConfigChange(manager, 'version', id);
}

/** Removes the versions of a subdomain, project or tenant. Call it in the transaction that removes the owner. */
export async function removeAllVersions(manager: EntityManager, ownerId: string): Promise<void> {
  const versions = await manager.find(SiteVersion, { select: { _id: true }, where: { ownerId } });
  const ids = versions.map(({ _id }) => _id);
  await removeVersions(manager, ids);
}
