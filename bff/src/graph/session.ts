import { bodyOf, succeeded } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const session: Resolvers = {
  Query: {
    installation: (_, _arguments, { installation }) => installation,
    me: (_, _arguments, { core }) => bodyOf(core.GET('/me')),
  },
  Mutation: {
    login: (_, body, { core }) => bodyOf(core.POST('/login', { body })),
    logout: (_, _arguments, { core }) => succeeded(core.POST('/logout')),
    changePassword: (_, body, { core }) => succeeded(core.PUT('/me/password', { body })),
  },
};
