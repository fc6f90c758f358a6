import { ifMatch, unwrap, unwrapOrNull, unwrapPage, unwrapVoid } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';
import type { RestLive, WwwMode } from './rest-types';
import { getSelectedFields } from './selected-fields';

export const tenants: Resolvers = {
  WwwMode: { serve: 'serve', to_apex: 'to-apex', to_www: 'to-www' } satisfies Record<string, WwwMode>,
  Live: { reason: ({ reason }: RestLive) => reason ?? null },
  Query: {
    tenants: (_, query, { core }, info) =>
      unwrap(core.GET('/tenants', { params: { query: { ...query, fields: getSelectedFields(info) } } })),
    tenantPage: async (_, query, { core }, info) => {
      const fields = getSelectedFields(info, 'tenants');
      const { rows, total } = await unwrapPage(core.GET('/tenants', { params: { query: { ...query, fields } } }));
      return { tenants: rows, total };
    },
    tenant: (_, { id }, { core }) => unwrapOrNull(core.GET('/tenants/{id}', { params: { path: { id } } })),
  },
  Mutation: {
    createTenant: (_, { input }, { core }) => unwrap(core.POST('/tenants', { body: input })),
    updateTenant: (_, { id, input, version }, { core }) =>
      unwrap(core.PUT('/tenants/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input })),
    deleteTenant: (_, { id }, { core }) => unwrapVoid(core.DELETE('/tenants/{id}', { params: { path: { id } } })),
    moveTenant: (_, { id, project }, { core }) =>
      unwrap(core.PUT('/tenants/{id}', { params: { path: { id } }, body: { project } })),
    checkTenant: (_, { id }, { core }) => unwrap(core.POST('/tenants/{id}/check', { params: { path: { id } } })),
    setTenantDomain: (_, { id, ...body }, { core }) =>
      unwrap(core.POST('/tenants/{id}/domain', { params: { path: { id } }, body })),
    removeTenantDomain: (_, { id }, { core }) =>
      unwrap(core.DELETE('/tenants/{id}/domain', { params: { path: { id } } })),
  },
};
