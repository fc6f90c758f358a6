import { answer, done } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const settings: Resolvers = {
  Query: {
    settings: (_, _arguments, { core }) => answer(core.GET('/settings')),
  },
  Mutation: {
    updateSettings: (_, { input }, { core }) => answer(core.PUT('/settings', { body: input })),
    sendTestMessage: (_, _arguments, { core }) => done(core.POST('/settings/test')),
  },
};
