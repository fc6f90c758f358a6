import { ifMatch, type RestSchemas, unwrap, unwrapVoid } from '../../core/client';
import type { AlertRuleChanges, Resolvers } from '../generated/resolvers';

/** REST has an object of thresholds by name. The graph has a list, because its types have fixed field names. */
const toGraphRule = ({ thresholds, ...rule }: RestSchemas['AlertRule']) => ({
  ...rule,
  thresholds: Object.entries(thresholds).map(([name, value]) => ({ name, value })),
});
const toRestRule = <Input extends Pick<AlertRuleChanges, 'thresholds'>>({ thresholds, ...input }: Input) => ({
  ...input,
  ...(thresholds && { thresholds: Object.fromEntries(thresholds.map(({ name, value }) => [name, value])) }),
});
/** REST returns the secret as one of the channel's fields; the graph returns it beside the channel. */
const toGraphChannel = ({ secret, ...channel }: RestSchemas['AlertChannelWithSecret']) => ({
  channel,
  secret: secret ?? null,
});

export const alerts: Resolvers = {
  Query: {
    alerts: (_, query, { core }) => unwrap(core.GET('/alerts', { params: { query } })),
    alertRules: async (_, _arguments, { core }) => (await unwrap(core.GET('/alert-rules'))).map(toGraphRule),
    alertChannels: (_, _arguments, { core }) => unwrap(core.GET('/alert-channels')),
    mutes: (_, _arguments, { core }) => unwrap(core.GET('/mutes')),
    maintenanceWindows: (_, _arguments, { core }) => unwrap(core.GET('/maintenance-windows')),
    uptimes: (_, { subdomains, tenants }, { core }) =>
      unwrap(
        core.GET('/uptimes', { params: { query: { subdomains: subdomains?.join(','), tenants: tenants?.join(',') } } }),
      ),
    uptime: (_, query, { core }) => unwrap(core.GET('/uptime', { params: { query } })),
  },
  Mutation: {
    acknowledgeAlert: (_, { id, note }, { core }) =>
      unwrap(core.POST('/alerts/{id}/acknowledge', { params: { path: { id } }, body: { note } })),
    createAlertRule: async (_, { input }, { core }) =>
      toGraphRule(await unwrap(core.POST('/alert-rules', { body: toRestRule(input) }))),
    updateAlertRule: async (_, { id, input, version }, { core }) =>
      toGraphRule(
        await unwrap(
          core.PUT('/alert-rules/{id}', {
            params: { path: { id }, header: ifMatch(version) },
            body: toRestRule(input),
          }),
        ),
      ),
    deleteAlertRule: (_, { id }, { core }) =>
      unwrapVoid(core.DELETE('/alert-rules/{id}', { params: { path: { id } } })),
    createAlertChannel: async (_, { input }, { core }) =>
      toGraphChannel(await unwrap(core.POST('/alert-channels', { body: input }))),
    updateAlertChannel: (_, { id, input, version }, { core }) =>
      unwrap(core.PUT('/alert-channels/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input })),
    deleteAlertChannel: (_, { id }, { core }) =>
      unwrapVoid(core.DELETE('/alert-channels/{id}', { params: { path: { id } } })),
    testAlertChannel: (_, { id }, { core }) =>
      unwrapVoid(core.POST('/alert-channels/{id}/test', { params: { path: { id } } })),
    rotateAlertChannelSecret: async (_, { id, graceSeconds }, { core }) =>
      toGraphChannel(
        await unwrap(
          core.POST('/alert-channels/{id}/rotate-secret', { params: { path: { id } }, body: { graceSeconds } }),
        ),
      ),
    mute: (_, { input }, { core }) => unwrap(core.POST('/mutes', { body: input })),
    unmute: (_, { id }, { core }) => unwrapVoid(core.DELETE('/mutes/{id}', { params: { path: { id } } })),
    createMaintenanceWindow: (_, { input }, { core }) => unwrap(core.POST('/maintenance-windows', { body: input })),
    updateMaintenanceWindow: (_, { id, input, version }, { core }) =>
      unwrap(
        core.PUT('/maintenance-windows/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input }),
      ),
    deleteMaintenanceWindow: (_, { id }, { core }) =>
      unwrapVoid(core.DELETE('/maintenance-windows/{id}', { params: { path: { id } } })),
  },
};
