import { type Core, unwrap, unwrapVoid } from '../core/client';
import { notFound } from '../core/errors';
import type { Resolvers, SiteInput } from './generated/resolvers';
import type { WwwMode } from './rest-types';

interface DomainBody {
  host: string;
  role?: 'primary' | 'alias' | 'redirect' | undefined;
  to?: string | null;
  www?: WwwMode | undefined;
}

/** REST has one path for each type of site; a project has no domains. */
function callsFor(core: Core, { type, key }: SiteInput) {
  if (type === 'tenant') {
    const path = { id: key };
    return {
      list: () => core.GET('/tenants/{id}/domains', { params: { path } }),
      add: (body: DomainBody) => core.POST('/tenants/{id}/domains', { params: { path }, body }),
      remove: (host: string) => core.DELETE('/tenants/{id}/domains/{host}', { params: { path: { ...path, host } } }),
    };
  }
  if (type === 'project') throw notFound();
  const path = { subdomain: key };
  return {
    list: () => core.GET('/subdomains/{subdomain}/domains', { params: { path } }),
    add: (body: DomainBody) => core.POST('/subdomains/{subdomain}/domains', { params: { path }, body }),
    remove: (host: string) =>
      core.DELETE('/subdomains/{subdomain}/domains/{host}', { params: { path: { ...path, host } } }),
  };
}

export const domains: Resolvers = {
  Query: {
    domains: (_, { site }, { core }) => unwrap(callsFor(core, site).list()),
  },
  Mutation: {
    addDomain: (_, { site, input }, { core }) => unwrap(callsFor(core, site).add(input)),
    removeDomain: (_, { site, host }, { core }) => unwrapVoid(callsFor(core, site).remove(host)),
  },
};
