import { answer, done } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const tenants: Resolvers = {
  Query: {
    tenants: (_, _arguments, { core }) => answer(core.GET('/tenants')),
  },
  Mutation: {
    createTenant: (_, { input }, { core }) => answer(core.POST('/tenants', { body: input })),
    updateTenant: (_, { id, input }, { core }) =>
      answer(core.PUT('/tenants/{id}', { params: { path: { id } }, body: input })),
    deleteTenant: (_, { id }, { core }) => done(core.DELETE('/tenants/{id}', { params: { path: { id } } })),
    setTenantDomain: (_, { id, domain }, { core }) =>
      answer(core.POST('/tenants/{id}/domain', { params: { path: { id } }, body: { domain } })),
    removeTenantDomain: (_, { id }, { core }) =>
      answer(core.DELETE('/tenants/{id}/domain', { params: { path: { id } } })),
  },
};
