export { deferGarbageCollection } from './content/backup-marker';
export { hashDecompressed, listContentNames } from './content/content-parts';
export {
  createBaseOwnerStore,
  removeAllVersions,
  type SiteOwner,
  type SiteOwnerStore,
  toHostLabel,
} from './site-owner';
export type { SitesService } from './sites.service';
