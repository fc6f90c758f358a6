import { unwrap, unwrapVoid } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const admins: Resolvers = {
  Query: { admins: (_, _arguments, { core }) => unwrap(core.GET('/admins')) },
  Mutation: {
    createAdmin: (_, body, { core }) => unwrap(core.POST('/admins', { body })),
    updateAdmin: (_, { id, input }, { core }) =>
      unwrap(core.PUT('/admins/{id}', { params: { path: { id } }, body: input })),
    resetAdmin: (_, { id }, { core }) => unwrap(core.POST('/admins/{id}/reset', { params: { path: { id } } })),
    deleteAdmin: (_, { id }, { core }) => unwrapVoid(core.DELETE('/admins/{id}', { params: { path: { id } } })),
    setupAdmin: (_, body, { core }) => unwrapVoid(core.POST('/setup', { body })),
    beginTotp: (_, _arguments, { core }) => unwrap(core.POST('/me/totp')),
    confirmTotp: (_, body, { core }) => unwrap(core.PUT('/me/totp', { body })),
    endTotp: (_, body, { core }) => unwrapVoid(core.DELETE('/me/totp', { body })),
  },
};
