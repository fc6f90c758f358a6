import { type EntityManager, LessThan } from 'typeorm';
import { parseManifest } from '../../routing/sites/manifest';
import { SiteVersion } from './site-version.entity';
import type { ChangesResponse } from './sites.schema';

const LISTED_PATHS = 100;

type Change = ChangesResponse['paths'][number];

/** Returns the digest of each path. The result is a map, because `constructor` is a valid path. */
const parseDigests = ({ manifest }: Pick<SiteVersion, 'manifest'>): Map<string, string> => {
  const { files } = parseManifest(manifest);
  return new Map(Object.entries(files).map(([path, { sha256 }]) => [path, sha256]));
};

/** Compares the files of a version with those of the previous version. */
export async function compareWithPrevious(manager: EntityManager, version: SiteVersion): Promise<ChangesResponse> {
  const previousVersion = await manager.findOne(SiteVersion, {
    select: { number: true, manifest: true },
    where: { ownerId: version.ownerId, state: 'ready', number: LessThan(version.number) },
    order: { number: 'DESC' },
  });
  const digests = parseDigests(version);
  const previousDigests = previousVersion ? parseDigests(previousVersion) : new Map<string, string>();
  const paths: Change[] = [];
  for (const [path, digest] of digests) {
    const previousDigest = previousDigests.get(path);
    if (previousDigest !== digest) paths.push({ path, change: previousDigest === undefined ? 'added' : 'changed' });
  }
  for (const path of previousDigests.keys()) if (!digests.has(path)) paths.push({ path, change: 'removed' });
  const count = (kind: Change['change']) => paths.filter(({ change }) => change === kind).length;
  return {
    since: previousVersion?.number ?? null,
    added: count('added'),
    changed: count('changed'),
    removed: count('removed'),
    paths: paths.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, LISTED_PATHS),
  };
}
