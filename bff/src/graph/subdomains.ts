import { bodyOf, ifMatch, succeeded } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const subdomains: Resolvers = {
  Query: {
    subdomains: (_, query, { core }) => bodyOf(core.GET('/subdomains', { params: { query } })),
    aiConfigured: async (_, _arguments, { core }) => (await bodyOf(core.GET('/ai'))).configured,
  },
  Mutation: {
    createSubdomain: (_, { input }, { core }) => bodyOf(core.POST('/subdomains', { body: input })),
    updateSubdomain: (_, { subdomain, input, version }, { core }) =>
      bodyOf(
        core.PUT('/subdomains/{subdomain}', { params: { path: { subdomain }, header: ifMatch(version) }, body: input }),
      ),
    deleteSubdomain: (_, { subdomain }, { core }) =>
      succeeded(core.DELETE('/subdomains/{subdomain}', { params: { path: { subdomain } } })),
    checkSubdomain: (_, { subdomain }, { core }) =>
      bodyOf(core.POST('/subdomains/{subdomain}/check', { params: { path: { subdomain } } })),
    testConnection: (_, { input }, { core }) => bodyOf(core.POST('/subdomains/test', { body: input })),
    suggestSubdomain: (_, body, { core }) => bodyOf(core.POST('/ai/suggest', { body })),
  },
};
