import { type EntityManager, In } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { chunks } from '../../platform/collections/chunks';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import type { ProjectLimit } from '../../platform/database/changes/change-context';
import type { ChangeContext } from '../../platform/database/database';
import { insertAll } from '../../platform/database/queries/insert-all';
import { requireRow } from '../../platform/database/queries/require-row';
import { RuleError } from '../../platform/errors/rule-error';
import type { SiteType } from '../../platform/http/access/access';
import { DAY_MS, toIsoFromNow } from '../../platform/time/relative-time';
import { parseManifest } from '../../routing/sites/manifest';
import { claimHost } from '../hosts';
import { Content } from './content/content.entity';
import type { FinishedPackage } from './package/finish-package';
import type { PackageEntry } from './package/package-entry';
import { createPreviewLabel } from './preview-host';
import type { SiteOwner, SiteOwnerStore } from './site-owner';
import { SiteActivation, SiteVersion } from './site-version.entity';
import { siteMessages as messages } from './sites.messages';
import type { PublishQuery } from './sites.schema';

const PREVIEW_MS = 14 * DAY_MS;

/** Creates a version with the number 0, which means that it is not stored yet. `insertVersion` assigns the number. */
export function createVersion(
  context: ChangeContext,
  owner: SiteOwner,
  files: readonly PackageEntry[],
  { message, activate }: PublishQuery,
): SiteVersion {
  return {
    _id: uuid(),
    ownerKind: owner.kind,
    ownerId: owner.id,
    number: 0,
    state: 'ready',
    activates: activate,
    name: '',
    manifest: '',
    manifestDigest: null,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    message: message || null,
    actor: context.actor.slice(0, 100),
    createdAt: new Date().toISOString(),
    pinned: false,
    previewHost: null,
    previewPasswordHash: null,
    previewPasswordKey: null,
    previewExpiresAt: null,
  };
}

/** Stores a version under the next number of its site. */
export async function insertVersion(manager: EntityManager, owner: SiteOwner, row: SiteVersion): Promise<SiteVersion> {
  const lastNumber = await manager.maximum(SiteVersion, 'number', { ownerId: owner.id });
  const number = (lastNumber ?? 0) + 1;
  const numberedRow = { ...row, number, name: `${owner.name} #${number}` };
  await manager.insert(SiteVersion, numberedRow);
  return numberedRow;
}

/** A version that is not stored as ready yet, and whose content is on the disk completely. */
export interface ReceivedVersion {
  version: SiteVersion;
  files: readonly PackageEntry[];
  finishedPackage: Pick<FinishedPackage, 'manifest' | 'digest'>;
}

/**
 * Stores a received version, with its preview.
 * @throws RuleError notFound for a version that was removed while its content arrived
 */
export async function storeReadyVersion(
  manager: EntityManager,
  owner: SiteOwner,
  { version, files, finishedPackage: { manifest, digest } }: ReceivedVersion,
): Promise<SiteVersion> {
  const isNew = version.number === 0;
  if (!isNew) await requireVersion(manager, version._id);
  await touchContent(manager, [...files, { sha256: digest, size: Buffer.byteLength(manifest) }]);
  const previewHost = createPreviewLabel(owner.label);
  const readyColumns = {
    state: 'ready' as const,
    manifest,
    manifestDigest: digest,
    previewHost,
    previewExpiresAt: toIsoFromNow(PREVIEW_MS),
  };
  const row = { ...version, ...readyColumns };
  const storedVersion = isNew ? await insertVersion(manager, owner, row) : row;
  if (!isNew) await manager.update(SiteVersion, { _id: version._id }, readyColumns);
  await claimHost(manager, previewHost, { versionId: storedVersion._id });
  await recordConfigChange(manager, 'version', storedVersion._id);
  return storedVersion;
}

/** Marks content as seen, so that garbage collection keeps it for 24 h. */
async function touchContent(
  manager: EntityManager,
  files: readonly Pick<PackageEntry, 'sha256' | 'size'>[],
): Promise<void> {
  const seenAt = new Date().toISOString();
  const sizes = [...new Map(files.map(({ sha256, size }) => [sha256, size]))];
  for (const chunk of chunks(sizes)) {
    await manager.delete(Content, { digest: In(chunk.map(([digest]) => digest)) });
    const rows = chunk.map(([digest, size]) => ({ digest, size, seenAt }));
    await insertAll(manager, Content, rows);
  }
}

/** Creates the manifest of a version from its file list, before the files are received. */
export const createListManifest = (files: readonly PackageEntry[]): string =>
  JSON.stringify({ files: Object.fromEntries(files.map(({ path, sha256, size }) => [path, { sha256, size }])) });

/** Reads the files from the manifest of a version, even of an incomplete one. */
export function parseManifestFiles({ manifest }: SiteVersion): PackageEntry[] {
  const { files } = parseManifest(manifest);
  return Object.entries(files).map(([path, { sha256, size }]) => ({ path, sha256, size }));
}

export const requireVersion = (manager: EntityManager, id: string): Promise<SiteVersion> =>
  requireRow(manager, SiteVersion, { _id: id }, messages.versionNotFound);

/**
 * Makes a site serve a version, and stores the activation. Call it in a transaction.
 * @throws RuleError notFound for a version or site that was removed, invalid for a site that is no longer static
 */
export async function activateVersion(
  manager: EntityManager,
  owners: Record<SiteType, SiteOwnerStore>,
  { owner, versionId, projectLimit }: { owner: SiteOwner; versionId: string; projectLimit: ProjectLimit },
): Promise<SiteVersion> {
  const { id: ownerId, kind: ownerKind } = owner;
  const version = await requireVersion(manager, versionId);
  const { isStatic } = await owners[ownerKind].find(manager, ownerId, projectLimit);
  if (!isStatic) throw new RuleError('invalid', messages.notStatic);
  await owners[ownerKind].activate(manager, ownerId, versionId);
  await manager.insert(SiteActivation, { _id: uuid(), ownerKind, ownerId, versionId, at: new Date().toISOString() });
  return version;
}
