import { MISSING_ID } from './graph-stack';

/** Valid values of arguments by their name. */
const SAMPLE_ARGUMENTS: Record<string, unknown> = {
  page: 1,
  limit: 15,
  range: 'day',
  id: MISSING_ID,
  serviceId: MISSING_ID,
  subdomain: 'loja',
  label: 'loja',
  path: '/srv/loja',
  domain: 'a.com',
  host: 'a.com',
  www: 'serve',
  project: MISSING_ID,
  graceSeconds: 0,
  site: { type: 'subdomain', key: 'loja' },
  activate: true,
  description: 'a',
  existingSubdomains: [],
  currentPassword: 'a',
  newPassword: 'b',
  routes: [],
  sortBy: 'name',
  order: 'asc',
  search: null,
  username: 'a',
  code: '123456',
  handled: true,
  answered: true,
  password: 'a',
  account: null,
  role: null,
  projects: null,
};

/** Values of arguments that are valid only for these fields. */
const SAMPLE_ARGUMENTS_BY_FIELD: Record<string, object> = {
  gatewayRoutePage: { sortBy: 'origin' },
  gatewayMetrics: { range: 'last1h', by: 'key' },
  gatewayMetricsCsv: { range: 'last1h', by: 'key' },
};

/** Values of the argument `input`, for the fields of the graph whose input has required properties. */
const SAMPLE_INPUTS: Record<string, object> = {
  createSubdomain: { subdomain: 'a', description: 'a', type: 'proxy' },
  addDomain: { host: 'a.com' },
  testConnection: { type: 'proxy', port: 4000 },
  createProject: { name: 'a', type: 'proxy' },
  createToken: { name: 'a', scopes: [] },
  createServiceAccount: { name: 'a' },
  createAlertRule: { kind: 'errors', subject: { type: 'key', id: MISSING_ID } },
  createAlertChannel: { name: 'a', type: 'email' },
  mute: { subject: { type: 'key', id: MISSING_ID }, until: '2027-01-01T00:00:00Z', reason: 'a' },
  createMaintenanceWindow: {
    title: 'a',
    subjects: [],
    startsAt: '2027-01-01T00:00:00Z',
    endsAt: '2027-01-01T01:00:00Z',
  },
  updateProject: { name: 'a', type: 'proxy' },
  createTenant: { name: 'a', project: MISSING_ID, subdomain: 'a' },
  createApiKey: { name: 'a', permissions: [] },
  createGatewayService: { name: 'a', host: 'a' },
  testRoute: { method: 'GET', path: '/a' },
  testHost: { url: 'http://a/', method: 'GET' },
  createGatewayRoute: { serviceId: MISSING_ID, origin: '/a', destination: '/a', methods: [], permission: 'a:b' },
};

/** Returns variables with which the document of a field is valid. No entity has their ids. */
export const createSampleVariables = (field: string): Record<string, unknown> => ({
  ...SAMPLE_ARGUMENTS,
  ...SAMPLE_ARGUMENTS_BY_FIELD[field],
  input: SAMPLE_INPUTS[field] ?? {},
});
