import { answer } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const contact: Resolvers = {
  Query: {
    contactMessages: (_, query, { core }) => answer(core.GET('/contact', { params: { query } })),
  },
  Mutation: {
    sendContactMessage: (_, { input, website }, { core }) =>
      answer(core.POST('/contact', { body: { ...input, website } })),
  },
};
