import { answer, done } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const gateway: Resolvers = {
  Query: {
    apiKeys: (_, query, { core }) => answer(core.GET('/gateway/admin/keys', { params: { query } })),
    gatewayServices: (_, _arguments, { core }) => answer(core.GET('/gateway/admin/services')),
    gatewayRoutes: (_, _arguments, { core }) => answer(core.GET('/gateway/admin/routes')),
    serviceManifest: async (_, { serviceId: id }, { core }) => {
      const manifest = await answer(core.GET('/gateway/admin/services/{id}/manifest', { params: { path: { id } } }));
      return manifest.map(({ summary = null, ...route }) => ({ ...route, summary }));
    },
    usageHistory: (_, query, { core }) => answer(core.GET('/gateway/admin/usage', { params: { query } })),
  },
  Mutation: {
    createApiKey: (_, { input }, { core }) => answer(core.POST('/gateway/admin/keys', { body: input })),
    updateApiKey: (_, { id, input }, { core }) =>
      answer(core.PUT('/gateway/admin/keys/{id}', { params: { path: { id } }, body: input })),
    deleteApiKey: (_, { id }, { core }) => done(core.DELETE('/gateway/admin/keys/{id}', { params: { path: { id } } })),

    createGatewayService: (_, { input }, { core }) => answer(core.POST('/gateway/admin/services', { body: input })),
    updateGatewayService: (_, { id, input }, { core }) =>
      answer(core.PUT('/gateway/admin/services/{id}', { params: { path: { id } }, body: input })),
    deleteGatewayService: (_, { id }, { core }) =>
      done(core.DELETE('/gateway/admin/services/{id}', { params: { path: { id } } })),

    createGatewayRoute: (_, { input }, { core }) => answer(core.POST('/gateway/admin/routes', { body: input })),
    updateGatewayRoute: (_, { id, input }, { core }) =>
      answer(core.PUT('/gateway/admin/routes/{id}', { params: { path: { id } }, body: input })),
    deleteGatewayRoute: (_, { id }, { core }) =>
      done(core.DELETE('/gateway/admin/routes/{id}', { params: { path: { id } } })),
    importGatewayRoutes: (_, body, { core }) => answer(core.POST('/gateway/admin/routes/import', { body })),
  },
};
