import type { SiteInput } from './generated/resolvers';

/**
 * Parameters of a REST path of a site. The path of a subdomain takes `subdomain`. The paths of other sites take `id`.
 */
export const siteParams = ({ key }: SiteInput) => ({ id: key, subdomain: key });
