export { holdContent } from './content/backup-marker';
export { contentNames } from './content/content-parts';
export { hostLabelOf, removeVersionsOf, type SiteOwner, type SiteOwnerStore, siteOwnerTable } from './site-owner';
export type { SitesService } from './sites.service';
