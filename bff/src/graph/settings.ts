import { bodyOf, ifMatch, succeeded } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const settings: Resolvers = {
  Query: {
    settings: (_, _arguments, { core }) => bodyOf(core.GET('/settings')),
    integrations: (_, _arguments, { core }) => bodyOf(core.GET('/integrations')),
    overview: (_, _arguments, { core }) => bodyOf(core.GET('/overview')),
  },
  Mutation: {
    updateSettings: (_, { input, version }, { core }) =>
      bodyOf(core.PUT('/settings', { params: { header: ifMatch(version) }, body: input })),
    sendTestMessage: (_, _arguments, { core }) => succeeded(core.POST('/settings/test')),
    sendTestEmail: (_, _arguments, { core }) => succeeded(core.POST('/integrations/email/test')),
    testModel: (_, _arguments, { core }) => succeeded(core.POST('/integrations/ai/test')),
  },
};
