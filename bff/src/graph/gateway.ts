import { bodyOf, ifMatch, succeeded } from '../core/client';
import type { MetricsRange, Resolvers } from './generated/resolvers';

/** GraphQL's names begin with no digit. */
const restRange = { last1h: '1h', last24h: '24h', last7d: '7d', last30d: '30d' } as const satisfies Record<
  MetricsRange,
  string
>;

interface RestCors {
  origins: '*' | string[];
  headers: string[];
  credentials: boolean;
  maxAgeSeconds: number;
}

/** REST says `"*"` for any origin, which a list of the graph has as its only item. */
const presentService = <Service extends { cors: RestCors | null }>({ cors, ...service }: Service) => ({
  ...service,
  cors: cors && { ...cors, origins: [cors.origins].flat() },
});

export const gateway: Resolvers = {
  Query: {
    apiKeys: (_, query, { core }) => bodyOf(core.GET('/gateway/admin/keys', { params: { query } })),
    gatewayServices: async (_, _arguments, { core }) =>
      (await bodyOf(core.GET('/gateway/admin/services'))).map(presentService),
    serviceDependents: (_, { serviceId: id }, { core }) =>
      bodyOf(core.GET('/gateway/admin/services/{id}/dependents', { params: { path: { id } } })),
    gatewayRoutes: (_, _arguments, { core }) => bodyOf(core.GET('/gateway/admin/routes')),
    manifest: async (_, { serviceId: id }, { core }) => {
      const path = '/gateway/admin/services/{id}/manifest/reading';
      const { routes, skipped } = await bodyOf(core.GET(path, { params: { path: { id } } }));
      return {
        routes: routes.map(({ summary = null, suggestedPermission = null, otherServer = null, ...route }) => ({
          ...route,
          summary,
          suggestedPermission,
          otherServer,
        })),
        skipped: skipped.map(({ method = null, ...operation }) => ({ ...operation, method })),
      };
    },
    requestLog: async (_, query, { core }) =>
      (await bodyOf(core.GET('/gateway/admin/requests', { params: { query } }))).requests,
    gatewayMetrics: async (_, { range, by, ...only }, { core }) => {
      const query = { range: restRange[range], by, ...only };
      return { ...(await bodyOf(core.GET('/gateway/admin/metrics', { params: { query } }))), range };
    },
    gatewayMetricsCsv: (_, { range, by }, { core }) => {
      const query = { range: restRange[range], by };
      return bodyOf(core.GET('/gateway/admin/metrics/csv', { params: { query }, parseAs: 'text' }));
    },
    keyActivity: (_, _arguments, { core }) => bodyOf(core.GET('/gateway/admin/metrics/keys')),
    usageHistory: (_, query, { core }) => bodyOf(core.GET('/gateway/admin/usage', { params: { query } })),
  },
  Mutation: {
    createApiKey: (_, { input }, { core }) => bodyOf(core.POST('/gateway/admin/keys', { body: input })),
    updateApiKey: (_, { id, input, version }, { core }) =>
      bodyOf(core.PUT('/gateway/admin/keys/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input })),
    rotateApiKey: (_, { id, graceSeconds }, { core }) =>
      bodyOf(core.POST('/gateway/admin/keys/{id}/rotate', { params: { path: { id } }, body: { graceSeconds } })),
    deleteApiKey: (_, { id }, { core }) =>
      succeeded(core.DELETE('/gateway/admin/keys/{id}', { params: { path: { id } } })),

    createGatewayService: async (_, { input }, { core }) =>
      presentService(await bodyOf(core.POST('/gateway/admin/services', { body: input }))),
    updateGatewayService: async (_, { id, input, version }, { core }) =>
      presentService(
        await bodyOf(
          core.PUT('/gateway/admin/services/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input }),
        ),
      ),
    deleteGatewayService: (_, { id }, { core }) =>
      succeeded(core.DELETE('/gateway/admin/services/{id}', { params: { path: { id } } })),

    createGatewayRoute: (_, { input }, { core }) => bodyOf(core.POST('/gateway/admin/routes', { body: input })),
    updateGatewayRoute: (_, { id, input, version }, { core }) =>
      bodyOf(
        core.PUT('/gateway/admin/routes/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input }),
      ),
    deleteGatewayRoute: (_, { id }, { core }) =>
      succeeded(core.DELETE('/gateway/admin/routes/{id}', { params: { path: { id } } })),
    importGatewayRoutes: (_, body, { core }) => bodyOf(core.POST('/gateway/admin/routes/import', { body })),
    testRoute: async (_, { input }, { core }) => {
      const { error = null, ...answer } = await bodyOf(core.POST('/gateway/admin/test', { body: input }));
      return { ...answer, error };
    },
  },
};
