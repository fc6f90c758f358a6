import { answer, done } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const session: Resolvers = {
  Query: {
    installation: (_, _arguments, { installation }) => installation,
    me: (_, _arguments, { core }) => answer(core.GET('/me')),
  },
  Mutation: {
    login: (_, body, { core }) => answer(core.POST('/login', { body })),
    changePassword: (_, body, { core }) => done(core.PUT('/me/password', { body })),
  },
};
