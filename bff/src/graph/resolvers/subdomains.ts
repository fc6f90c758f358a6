import { ifMatch, unwrap, unwrapOrNull, unwrapVoid } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';

export const subdomains: Resolvers = {
  Query: {
    subdomains: (_, query, { core }) => unwrap(core.GET('/subdomains', { params: { query } })),
    subdomain: (_, { label: subdomain }, { core }) =>
      unwrapOrNull(core.GET('/subdomains/{subdomain}', { params: { path: { subdomain } } })),
    staticFolders: (_, _arguments, { core }) => unwrap(core.GET('/static-folders')),
    aiConfigured: async (_, _arguments, { core }) => (await unwrap(core.GET('/ai'))).configured,
  },
  Mutation: {
    createSubdomain: (_, { input }, { core }) => unwrap(core.POST('/subdomains', { body: input })),
    updateSubdomain: (_, { subdomain, input, version }, { core }) =>
      unwrap(
        core.PUT('/subdomains/{subdomain}', { params: { path: { subdomain }, header: ifMatch(version) }, body: input }),
      ),
    deleteSubdomain: (_, { subdomain }, { core }) =>
      unwrapVoid(core.DELETE('/subdomains/{subdomain}', { params: { path: { subdomain } } })),
    checkSubdomain: (_, { subdomain }, { core }) =>
      unwrap(core.POST('/subdomains/{subdomain}/check', { params: { path: { subdomain } } })),
    testConnection: (_, { input }, { core }) => unwrap(core.POST('/subdomains/test', { body: input })),
    createStaticFolder: (_, { path }, { core }) => unwrap(core.POST('/static-folders', { body: { path } })),
    suggestSubdomain: (_, body, { core }) => unwrap(core.POST('/ai/suggest', { body })),
  },
};
