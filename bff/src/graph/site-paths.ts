import type { SiteInput } from './generated/resolvers';

/** REST has one path for each type of site, and names the parameter of a subdomain differently. A path uses one of the two. */
export const siteParams = ({ key }: SiteInput) => ({ id: key, subdomain: key });
