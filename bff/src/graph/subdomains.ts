import { answer, done } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const subdomains: Resolvers = {
  Query: {
    subdomains: (_, query, { core }) => answer(core.GET('/subdomains', { params: { query } })),
  },
  Mutation: {
    createSubdomain: (_, { input }, { core }) => answer(core.POST('/subdomains', { body: input })),
    updateSubdomain: (_, { subdomain, input }, { core }) =>
      answer(core.PUT('/subdomains/{subdomain}', { params: { path: { subdomain } }, body: input })),
    deleteSubdomain: (_, { subdomain }, { core }) =>
      done(core.DELETE('/subdomains/{subdomain}', { params: { path: { subdomain } } })),
    suggestSubdomain: (_, body, { core }) => answer(core.POST('/ai/suggest', { body })),
  },
};
