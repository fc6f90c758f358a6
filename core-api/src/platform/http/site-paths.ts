import type { SiteType } from './access';
import { idParams, subdomainParams } from './fields';

type SiteParams = { subdomain: string } | { id: string };

/** Where REST has what belongs to a site of each kind. No subdomain belongs to a project, so `limit` lets no limited account in. */
export const sitePaths = {
  subdomain: { path: '/subdomains/:subdomain', params: subdomainParams, limit: {} },
  project: { path: '/projects/:id', params: idParams, limit: { project: true } },
  tenant: { path: '/tenants/:id', params: idParams, limit: { project: true } },
} as const satisfies Record<SiteType, object>;

/** The label or id of a site, from the parameters of its path. */
export const siteKeyOf = (params: SiteParams): string => ('id' in params ? params.id : params.subdomain);
