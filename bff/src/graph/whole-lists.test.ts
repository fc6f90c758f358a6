import { ask } from '../testing/ask';
import { type CoreDouble, json, startCoreDouble } from '../testing/core-double';
import { type Running, startBff } from '../testing/servers';

const tenant = {
  _id: '1',
  name: 'Padaria',
  project: { _id: 'p', name: 'Loja' },
  subdomain: 'padaria',
  dbName: 'loja_padaria',
  customDomain: 'padaria.com.br',
  wwwMode: 'to-apex',
  domainStatus: [
    {
      host: 'padaria.com.br',
      dns: 'ok',
      found: ['203.0.113.1'],
      expected: [],
      certificate: { state: 'active', issuer: 'A', expiresAt: '2027-01-01T00:00:00.000Z' },
      checkedAt: null,
      nextCheckAt: null,
    },
  ],
  responsibleName: null,
  responsibleContact: null,
  paused: false,
  healthCheck: true,
  health: { state: 'up', status: 200, ms: 3, checkedAt: null, reason: null },
  live: null,
  version: 1,
};

let core: CoreDouble;
let bff: Running;

beforeAll(async () => {
  core = await startCoreDouble();
  bff = await startBff(core.url);
});

afterAll(async () => {
  await bff.stop();
  await core.stop();
});

/** The field beside the list keeps the query from being completed at once. */
const fieldByField = (query: string) => query.replace('{', '{ installation { brandName } ');

test.each([
  ['plain fields', '{ tenants { _id name paused version wwwMode responsibleName } }'],
  ['objects and lists', '{ tenants { project { name } domainStatus { host found dns certificate { state } } } }'],
  ['names of types', '{ tenants { __typename _id project { __typename } health { __typename state } } }'],
  ['other names, and the same field twice', '{ all: tenants { id: _id health { ms } health { state } id: _id } }'],
  ['several lists', '{ tenants { name } again: tenants { dbName } }'],
  [
    'fragments',
    '{ tenants { ...A ... on Tenant { name } ... { paused } ...A } } fragment A on Tenant { _id project { ...B } } fragment B on ProjectReference { name }',
  ],
  ['directives', '{ tenants { _id name @skip(if: true) dbName @include(if: true) } }'],
  ['a field with a resolver', '{ tenants { _id live { state reason } } }'],
])('a whole list answers as field by field: %s', async (_name, query) => {
  core.reset(json(200, [tenant, { ...tenant, _id: '2', domainStatus: null, live: { state: 'active' } }]));
  const [{ data, errors }, slow] = [await ask(bff.url, { query }), await ask(bff.url, { query: fieldByField(query) })];
  expect(errors).toEqual([]);
  expect(JSON.stringify({ installation: slow.data?.installation, ...data })).toBe(JSON.stringify(slow.data));
});

test.each([
  ['a null where none may be', { name: null }],
  ['a value of another type', { version: 'um' }],
  ['a word that the graph does not have', { wwwMode: 'nenhum' }],
  ['no list', { domainStatus: {} }],
])('a row with %s is the same error as field by field', async (_name, wrong) => {
  const query = '{ tenants { name version wwwMode domainStatus { host } } }';
  core.reset(json(200, [tenant, { ...tenant, ...wrong }]));
  const [quick, slow] = [await ask(bff.url, { query }), await ask(bff.url, { query: fieldByField(query) })];
  expect(quick.errors).toMatchObject([{ path: ['tenants', 1, Object.keys(wrong)[0]] }]);
  expect(quick.errors.map(({ message, path }) => [message, path])).toEqual(
    slow.errors.map(({ message, path }) => [message, path]),
  );
});

test('a refused list says why, and the core is asked once', async () => {
  core.reset(json(401, { error: 'Entre de novo.' }));
  const { status, errors } = await ask(bff.url, { query: '{ tenants { name } }' });
  expect(status).toBe(401);
  expect(errors).toMatchObject([{ message: 'Entre de novo.', path: ['tenants'], locations: [{ line: 1, column: 3 }] }]);
  expect(core.calls).toEqual(['GET /api/tenants']);
});
