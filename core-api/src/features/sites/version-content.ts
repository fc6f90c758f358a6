import type { EntityManager } from 'typeorm';
import type { SiteManifest } from '../../routing/sites/manifest';
import type { ContentFolder } from './content-folder';
import { SiteVersion } from './site-version.entity';

/** Whether the manifest and every file of a version lie on this machine. False for a version that does not exist. */
export async function isVersionComplete(read: EntityManager, store: ContentFolder, id: string): Promise<boolean> {
  const version = await read.findOneBy(SiteVersion, { _id: id });
  if (!version?.manifestDigest) return false;
  const { files } = JSON.parse(version.manifest) as Pick<SiteManifest, 'files'>;
  const digests = new Set([version.manifestDigest, ...Object.values(files).map(({ sha256 }) => sha256)]);
  for (const digest of digests) if (!(await store.has(digest))) return false;
  return true;
}
