import { bodyOf, succeeded } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const contact: Resolvers = {
  Query: {
    contactMessages: (_, query, { core }) => bodyOf(core.GET('/contact', { params: { query } })),
  },
  Mutation: {
    sendContactMessage: (_, { input, website }, { core }) =>
      bodyOf(core.POST('/contact', { body: { ...input, website } })),
    setContactHandled: (_, { id, handled }, { core }) =>
      bodyOf(core.PUT('/contact/{id}', { params: { path: { id } }, body: { handled } })),
    deleteContactMessage: (_, { id }, { core }) =>
      succeeded(core.DELETE('/contact/{id}', { params: { path: { id } } })),
  },
};
