import { unwrap, unwrapVoid } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';

export const accounts: Resolvers = {
  Query: {
    me: (_, _arguments, { core }) => unwrap(core.GET('/me')),
    myLogins: (_, query, { core }) => unwrap(core.GET('/me/logins', { params: { query } })),
    admins: (_, _arguments, { core }) => unwrap(core.GET('/admins')),
    serviceAccounts: (_, _arguments, { core }) => unwrap(core.GET('/service-accounts')),
  },
  Mutation: {
    login: (_, body, { core }) => unwrap(core.POST('/login', { body })),
    logout: (_, _arguments, { core }) => unwrapVoid(core.POST('/logout')),
    changePassword: (_, body, { core }) => unwrapVoid(core.PUT('/me/password', { body })),
    changePasswordAndKeepSession: (_, body, { core }) =>
      unwrap(core.PUT('/me/password', { body: { ...body, keepSession: true } })),
    confirmPassword: (_, body, { core }) => unwrap(core.POST('/me/sudo', { body })),
    createAdmin: (_, body, { core }) => unwrap(core.POST('/admins', { body })),
    updateAdmin: (_, { id, input }, { core }) =>
      unwrap(core.PUT('/admins/{id}', { params: { path: { id } }, body: input })),
    resetAdmin: (_, { id }, { core }) => unwrap(core.POST('/admins/{id}/reset', { params: { path: { id } } })),
    deleteAdmin: (_, { id }, { core }) => unwrapVoid(core.DELETE('/admins/{id}', { params: { path: { id } } })),
    setupAdmin: (_, body, { core }) => unwrapVoid(core.POST('/setup', { body })),
    beginTotp: (_, _arguments, { core }) => unwrap(core.POST('/me/totp')),
    confirmTotp: (_, body, { core }) => unwrap(core.PUT('/me/totp', { body })),
    endTotp: (_, body, { core }) => unwrapVoid(core.DELETE('/me/totp', { body })),
    createServiceAccount: (_, { input }, { core }) => unwrap(core.POST('/service-accounts', { body: input })),
    updateServiceAccount: (_, { id, input }, { core }) =>
      unwrap(core.PUT('/service-accounts/{id}', { params: { path: { id } }, body: input })),
    deleteServiceAccount: (_, { id }, { core }) =>
      unwrapVoid(core.DELETE('/service-accounts/{id}', { params: { path: { id } } })),
  },
};
