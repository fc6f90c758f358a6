import { bodyOf, ifMatch, succeeded } from '../core/client';
import type { Resolvers } from './generated/resolvers';
import type { RestLive, WwwMode } from './rest-forms';

export const tenants: Resolvers = {
  WwwMode: { serve: 'serve', to_apex: 'to-apex', to_www: 'to-www' } satisfies Record<string, WwwMode>,
  Live: { reason: ({ reason }: RestLive) => reason ?? null },
  Query: {
    tenants: (_, _arguments, { core }) => bodyOf(core.GET('/tenants')),
  },
  Mutation: {
    createTenant: (_, { input }, { core }) => bodyOf(core.POST('/tenants', { body: input })),
    updateTenant: (_, { id, input, version }, { core }) =>
      bodyOf(core.PUT('/tenants/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input })),
    deleteTenant: (_, { id }, { core }) => succeeded(core.DELETE('/tenants/{id}', { params: { path: { id } } })),
    moveTenant: (_, { id, project }, { core }) =>
      bodyOf(core.PUT('/tenants/{id}', { params: { path: { id } }, body: { project } })),
    checkTenant: (_, { id }, { core }) => bodyOf(core.POST('/tenants/{id}/check', { params: { path: { id } } })),
    setTenantDomain: (_, { id, ...body }, { core }) =>
      bodyOf(core.POST('/tenants/{id}/domain', { params: { path: { id } }, body })),
    removeTenantDomain: (_, { id }, { core }) =>
      bodyOf(core.DELETE('/tenants/{id}/domain', { params: { path: { id } } })),
  },
};
