import { ifMatch, type RestSchemas, unwrap, unwrapOrNull, unwrapPage, unwrapVoid } from '../../core/client';
import type { MetricsRange, Resolvers } from '../generated/resolvers';
import { getSelectedFields } from './selected-fields';

/** Enum values of GraphQL cannot begin with a digit. */
const restRange = { last1h: '1h', last24h: '24h', last7d: '7d', last30d: '30d' } as const satisfies Record<
  MetricsRange,
  string
>;

/** REST returns `"*"` for any origin; the graph has a list with that one item. */
const toGraphService = ({ cors, ...service }: RestSchemas['GatewayService']) => ({
  ...service,
  cors: cors && { ...cors, origins: [cors.origins].flat() },
});

export const gateway: Resolvers = {
  Query: {
    apiKeys: (_, query, { core }, info) => {
      const fields = getSelectedFields(info);
      return unwrap(core.GET('/gateway/admin/keys', { params: { query: { ...query, fields } } }));
    },
    apiKeyPage: async (_, query, { core }, info) => {
      const fields = getSelectedFields(info, 'apiKeys');
      const page = await unwrapPage(core.GET('/gateway/admin/keys', { params: { query: { ...query, fields } } }));
      return { apiKeys: page.rows, total: page.total };
    },
    apiKeySummary: (_, _arguments, { core }) => unwrap(core.GET('/gateway/admin/key-summary')),
    apiKey: (_, { id }, { core }) => unwrapOrNull(core.GET('/gateway/admin/keys/{id}', { params: { path: { id } } })),
    gatewayServices: async (_, _arguments, { core }) =>
      (await unwrap(core.GET('/gateway/admin/services'))).map(toGraphService),
    gatewayService: async (_, { id }, { core }) => {
      const service = await unwrapOrNull(core.GET('/gateway/admin/services/{id}', { params: { path: { id } } }));
      return service && toGraphService(service);
    },
    serviceDependents: (_, { serviceId: id }, { core }) =>
      unwrap(core.GET('/gateway/admin/services/{id}/dependents', { params: { path: { id } } })),
    gatewayRoutes: (_, query, { core }, info) => {
      const fields = getSelectedFields(info);
      return unwrap(core.GET('/gateway/admin/routes', { params: { query: { ...query, fields } } }));
    },
    gatewayRoutePage: async (_, query, { core }, info) => {
      const fields = getSelectedFields(info, 'gatewayRoutes');
      const page = await unwrapPage(core.GET('/gateway/admin/routes', { params: { query: { ...query, fields } } }));
      return { gatewayRoutes: page.rows, total: page.total };
    },
    gatewayRoute: (_, { id }, { core }) =>
      unwrapOrNull(core.GET('/gateway/admin/routes/{id}', { params: { path: { id } } })),
    manifest: async (_, { serviceId: id, document, address }, { core }) => {
      const path = '/gateway/admin/services/{id}/manifest/reading';
      const params = { path: { id } };
      const body = { document: document ?? undefined, address: address ?? undefined };
      const { routes, skipped } = await unwrap(
        document == null && address == null ? core.GET(path, { params }) : core.POST(path, { params, body }),
      );
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
      (await unwrap(core.GET('/gateway/admin/requests', { params: { query } }))).requests,
    gatewayMetrics: async (_, { range, by, ...filters }, { core }) => {
      const query = { range: restRange[range], by, ...filters };
      return { ...(await unwrap(core.GET('/gateway/admin/metrics', { params: { query } }))), range };
    },
    gatewayMetricsCsv: (_, { range, by }, { core }) => {
      const query = { range: restRange[range], by };
      return unwrap(core.GET('/gateway/admin/metrics/csv', { params: { query }, parseAs: 'text' }));
    },
    keyActivity: (_, _arguments, { core }) => unwrap(core.GET('/gateway/admin/metrics/keys')),
    usageHistory: (_, query, { core }) => unwrap(core.GET('/gateway/admin/usage', { params: { query } })),
  },
  Mutation: {
    createApiKey: (_, { input }, { core }) => unwrap(core.POST('/gateway/admin/keys', { body: input })),
    updateApiKey: (_, { id, input, version }, { core }) =>
      unwrap(core.PUT('/gateway/admin/keys/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input })),
    rotateApiKey: (_, { id, graceSeconds }, { core }) =>
      unwrap(core.POST('/gateway/admin/keys/{id}/rotate', { params: { path: { id } }, body: { graceSeconds } })),
    deleteApiKey: (_, { id }, { core }) =>
      unwrapVoid(core.DELETE('/gateway/admin/keys/{id}', { params: { path: { id } } })),

    createGatewayService: async (_, { input }, { core }) =>
      toGraphService(await unwrap(core.POST('/gateway/admin/services', { body: input }))),
    updateGatewayService: async (_, { id, input, version }, { core }) =>
      toGraphService(
        await unwrap(
          core.PUT('/gateway/admin/services/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input }),
        ),
      ),
    deleteGatewayService: (_, { id }, { core }) =>
      unwrapVoid(core.DELETE('/gateway/admin/services/{id}', { params: { path: { id } } })),

    createGatewayRoute: (_, { input }, { core }) => unwrap(core.POST('/gateway/admin/routes', { body: input })),
    updateGatewayRoute: (_, { id, input, version }, { core }) =>
      unwrap(
        core.PUT('/gateway/admin/routes/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input }),
      ),
    deleteGatewayRoute: (_, { id }, { core }) =>
      unwrapVoid(core.DELETE('/gateway/admin/routes/{id}', { params: { path: { id } } })),
    importGatewayRoutes: (_, body, { core }) => unwrap(core.POST('/gateway/admin/routes/import', { body })),
    testRoute: async (_, { input }, { core }) => {
      const { error = null, ...answer } = await unwrap(core.POST('/gateway/admin/test', { body: input }));
      return { ...answer, error };
    },
  },
};
