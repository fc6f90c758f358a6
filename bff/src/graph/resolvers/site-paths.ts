import type { SiteInput } from '../generated/resolvers';

/** Parameters of a REST path of a site: the path of a subdomain takes `subdomain`, other paths take `id`. */
export const toSiteParams = ({ key }: SiteInput) => ({ id: key, subdomain: key });
