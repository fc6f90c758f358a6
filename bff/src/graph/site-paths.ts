import type { SiteInput } from './generated/resolvers';

/**
 * Parameters of a REST path of a site. The path of a subdomain takes `subdomain`. The paths of other sites take `id`.
 */
export const toSiteParams = ({ key }: SiteInput) => ({ id: key, subdomain: key });
