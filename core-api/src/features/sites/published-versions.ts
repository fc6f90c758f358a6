import { type EntityManager, In, IsNull, Not } from 'typeorm';
import { groupBy } from '../../platform/collections/group-by';
import { DAY_MS } from '../../platform/time/relative-time';
import type { PublishedRow, VersionRow } from '../../routing/config-snapshot';
import { SiteActivation, SiteVersion } from './site-version.entity';

/** Time for which open pages find the files of the version from which they were loaded. */
const EARLIER_VERSION_MS = DAY_MS;
/** Bounds the manifests that a request reads, because a missing file is looked for in every earlier version. */
const MAX_VERSIONS = 50;

/** Columns of an owner that determine the files of its site. */
interface SourceRow {
  _id: string;
  source: string;
  versionId: string | null;
}

const REF_COLUMNS = { _id: true, manifestDigest: true } as const;

/** Finds at most 50 versions replaced within the last 24 h. @returns the end of each version's 24 h, by its id */
function findEarlierVersions(newestFirst: readonly SiteActivation[], currentId: string | null) {
  const endsById = new Map<string, number>();
  newestFirst.forEach(({ versionId }, index) => {
    const replacement = newestFirst[index - 1];
    if (!replacement || versionId === currentId || endsById.has(versionId) || endsById.size === MAX_VERSIONS) return;
    const endsAt = Date.parse(replacement.at) + EARLIER_VERSION_MS;
    if (endsAt > Date.now()) endsById.set(versionId, endsAt);
  });
  return endsById;
}

/** Finds the versions that the edge serves in place of a folder, by the id of the owner. */
export async function findPublishedVersions(
  manager: EntityManager,
  owners: readonly SourceRow[],
): Promise<ReadonlyMap<string, PublishedRow>> {
  const versionOwners = owners.filter(({ source }) => source === 'versions');
  if (versionOwners.length === 0) return new Map();
  const activations = await manager.find(SiteActivation, {
    where: { ownerId: In(versionOwners.map(({ _id }) => _id)) },
    order: { at: 'DESC', _id: 'DESC' },
  });
  const activationsByOwner = groupBy(activations, ({ ownerId }) => ownerId);
  const earlierByOwner = new Map<string, Map<string, number>>();
  for (const { _id, versionId } of versionOwners)
    earlierByOwner.set(_id, findEarlierVersions(activationsByOwner.get(_id) ?? [], versionId));
  const ids = [
    ...versionOwners.flatMap(({ versionId }) => versionId ?? []),
    ...[...earlierByOwner.values()].flatMap((versions) => [...versions.keys()]),
  ];
  const rows = await manager.find(SiteVersion, { select: REF_COLUMNS, where: { _id: In(ids) } });
  const digestsById = new Map(rows.map(({ _id, manifestDigest }) => [_id, manifestDigest]));
  const toRef = (id: string | null) => {
    const digest = id === null ? undefined : digestsById.get(id);
    return id && digest ? { id, manifest: digest } : undefined;
  };
  return new Map(
    versionOwners.map(({ _id, versionId }): [string, PublishedRow] => [
      _id,
      {
        current: toRef(versionId) ?? null,
        earlier: [...(earlierByOwner.get(_id) ?? [])].flatMap(([id, until]) => {
          const ref = toRef(id);
          return ref ? [{ ...ref, until: new Date(until).toISOString() }] : [];
        }),
      },
    ]),
  );
}

export async function loadPreviewedVersions(manager: EntityManager, ids: string[]): Promise<VersionRow[]> {
  const rows = await manager.find(SiteVersion, {
    select: { ...REF_COLUMNS, ownerId: true, previewHost: true, previewExpiresAt: true, previewPasswordKey: true },
    where: { _id: In(ids), state: 'ready', previewHost: Not(IsNull()) },
  });
  return rows.flatMap((row) => {
    const { _id, manifestDigest, ownerId, previewHost, previewExpiresAt, previewPasswordKey } = row;
    if (!manifestDigest || !previewHost || !previewExpiresAt) return [];
    const reference = { id: _id, manifest: manifestDigest };
    return [{ ...reference, ownerId, previewHost, previewExpiresAt, passwordKey: previewPasswordKey }];
  });
}
