import type { SiteType } from './access/access';
import { idParams, subdomainParams } from './input/fields';

/**
 * The REST path of each kind of site. A subdomain belongs to no project, so an account that is limited to projects may
 * not call the endpoints of subdomains.
 */
export const sitePaths = {
  subdomain: { path: '/subdomains/:subdomain', params: subdomainParams, access: {} },
  project: { path: '/projects/:id', params: idParams, access: { project: true } },
  tenant: { path: '/tenants/:id', params: idParams, access: { project: true } },
} as const satisfies Record<SiteType, object>;

export type SiteParams = { subdomain: string } | { id: string };

/** Returns the label or id of a site from the parameters of its path. */
export const getSiteKey = (params: SiteParams): string => ('id' in params ? params.id : params.subdomain);
