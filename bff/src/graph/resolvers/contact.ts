import { unwrap, unwrapVoid } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';

export const contact: Resolvers = {
  Query: {
    contactMessages: (_, query, { core }) => unwrap(core.GET('/contact', { params: { query } })),
  },
  Mutation: {
    sendContactMessage: (_, { input, website }, { core }) =>
      unwrap(core.POST('/contact', { body: { ...input, website } })),
    setContactHandled: (_, { id, handled }, { core }) =>
      unwrap(core.PUT('/contact/{id}', { params: { path: { id } }, body: { handled } })),
    setContactAnswered: (_, { id, answered }, { core }) =>
      unwrap(core.PUT('/contact/{id}', { params: { path: { id } }, body: { answered } })),
    deleteContactMessage: (_, { id }, { core }) =>
      unwrapVoid(core.DELETE('/contact/{id}', { params: { path: { id } } })),
  },
};
