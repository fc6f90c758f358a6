import { ifMatch, unwrap, unwrapVoid } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';

export const settings: Resolvers = {
  Query: {
    installation: (_, _arguments, { installation }) => installation,
    settings: (_, _arguments, { core }) => unwrap(core.GET('/settings')),
    integrations: (_, _arguments, { core }) => unwrap(core.GET('/integrations')),
  },
  Mutation: {
    updateSettings: (_, { input, version }, { core }) =>
      unwrap(core.PUT('/settings', { params: { header: ifMatch(version) }, body: input })),
    sendTestMessage: (_, _arguments, { core }) => unwrapVoid(core.POST('/settings/test')),
    sendTestEmail: (_, _arguments, { core }) => unwrapVoid(core.POST('/integrations/email/test')),
    testModel: (_, _arguments, { core }) => unwrapVoid(core.POST('/integrations/ai/test')),
  },
};
