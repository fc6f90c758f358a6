import { unwrap, unwrapVoid } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const session: Resolvers = {
  Query: {
    installation: (_, _arguments, { installation }) => installation,
    me: (_, _arguments, { core }) => unwrap(core.GET('/me')),
    myLogins: (_, query, { core }) => unwrap(core.GET('/me/logins', { params: { query } })),
  },
  Mutation: {
    login: (_, body, { core }) => unwrap(core.POST('/login', { body })),
    logout: (_, _arguments, { core }) => unwrapVoid(core.POST('/logout')),
    changePassword: (_, body, { core }) => unwrapVoid(core.PUT('/me/password', { body })),
    changePasswordAndKeepSession: (_, body, { core }) =>
      unwrap(core.PUT('/me/password', { body: { ...body, keepSession: true } })),
    confirmPassword: (_, body, { core }) => unwrap(core.POST('/me/sudo', { body })),
  },
};
