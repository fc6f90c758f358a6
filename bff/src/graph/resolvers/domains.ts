import { unwrap, unwrapVoid } from '../../core/client';
import { createNotFoundError } from '../../core/errors';
import type { Resolvers, SiteInput } from '../generated/resolvers';
import { toSiteParams } from './site-paths';

const DOMAINS_PATHS = { subdomain: '/subdomains/{subdomain}/domains', tenant: '/tenants/{id}/domains' } as const;

function toDomainsPath({ type }: SiteInput) {
  // A project has no domains.
  if (type === 'project') throw createNotFoundError();
  return DOMAINS_PATHS[type];
}

export const domains: Resolvers = {
  Query: {
    domains: (_, { site }, { core }) => unwrap(core.GET(toDomainsPath(site), { params: { path: toSiteParams(site) } })),
  },
  Mutation: {
    addDomain: (_, { site, input }, { core }) =>
      unwrap(core.POST(toDomainsPath(site), { params: { path: toSiteParams(site) }, body: input })),
    removeDomain: (_, { site, host }, { core }) =>
      unwrapVoid(core.DELETE(`${toDomainsPath(site)}/{host}`, { params: { path: { ...toSiteParams(site), host } } })),
  },
};
