import { type EntityManager, In } from 'typeorm';
import { chunks } from '../../../platform/collections/chunks';
import { parseManifest } from '../../../routing/sites/manifest';
import { SiteVersion } from '../site-version.entity';

/** The content of all complete versions of a site. */
export interface SiteContents {
  readonly digests: ReadonlySet<string>;
  /** Digests of the files of all versions, by path. */
  readonly digestsByPath: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Manifests per query. A manifest may be large, and other calls are served between two queries. */
const PAGE_ROWS = 20;

export async function readSiteContents(manager: EntityManager, ownerId: string): Promise<SiteContents> {
  const versions = await manager.find(SiteVersion, { select: { _id: true }, where: { ownerId, state: 'ready' } });
  const digests = new Set<string>();
  const digestsByPath = new Map<string, Set<string>>();
  const addManifest = (manifest: string) => {
    const { files, ruleFiles } = parseManifest(manifest);
    for (const digest of ruleFiles) digests.add(digest);
    for (const [path, { sha256 }] of Object.entries(files)) {
      digests.add(sha256);
      const digestsOfPath = digestsByPath.get(path);
      if (digestsOfPath) digestsOfPath.add(sha256);
      else digestsByPath.set(path, new Set([sha256]));
    }
  };
  for (const page of chunks(versions, PAGE_ROWS)) {
    const ids = page.map(({ _id }) => _id);
    const rows = await manager.find(SiteVersion, { select: { manifest: true }, where: { _id: In(ids) } });
    for (const { manifest } of rows) addManifest(manifest);
  }
  return { digests, digestsByPath };
}
