import { unwrap, unwrapVoid } from '../core/client';
import { notFoundError } from '../core/errors';
import type { Resolvers, SiteInput } from './generated/resolvers';
import { siteParams } from './site-paths';

const DOMAINS_PATHS = { subdomain: '/subdomains/{subdomain}/domains', tenant: '/tenants/{id}/domains' } as const;

function domainsPath({ type }: SiteInput) {
  // A project has no domains.
  if (type === 'project') throw notFoundError();
  return DOMAINS_PATHS[type];
}

export const domains: Resolvers = {
  Query: {
    domains: (_, { site }, { core }) => unwrap(core.GET(domainsPath(site), { params: { path: siteParams(site) } })),
  },
  Mutation: {
    addDomain: (_, { site, input }, { core }) =>
      unwrap(core.POST(domainsPath(site), { params: { path: siteParams(site) }, body: input })),
    removeDomain: (_, { site, host }, { core }) =>
      unwrapVoid(core.DELETE(`${domainsPath(site)}/{host}`, { params: { path: { ...siteParams(site), host } } })),
  },
};
