import { bodyOf, succeeded } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const admins: Resolvers = {
  Query: {
    admins: (_, _arguments, { core }) => bodyOf(core.GET('/admins')),
  },
  Mutation: {
    createAdmin: (_, body, { core }) => bodyOf(core.POST('/admins', { body })),
    resetAdmin: (_, { id }, { core }) => bodyOf(core.POST('/admins/{id}/reset', { params: { path: { id } } })),
    deleteAdmin: (_, { id }, { core }) => succeeded(core.DELETE('/admins/{id}', { params: { path: { id } } })),
    setupAdmin: (_, body, { core }) => succeeded(core.POST('/setup', { body })),
    beginTotp: (_, _arguments, { core }) => bodyOf(core.POST('/me/totp')),
    confirmTotp: (_, body, { core }) => bodyOf(core.PUT('/me/totp', { body })),
    endTotp: (_, body, { core }) => succeeded(core.DELETE('/me/totp', { body })),
  },
};
