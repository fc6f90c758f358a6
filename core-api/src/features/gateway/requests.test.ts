import { entities } from '../../app/entities';
import { createDatabase, type Database } from '../../platform/database/database';
import { Core } from '../../testing/core';
import { createSubdomain } from '../../testing/records';
import { LoggedRequest } from './requests/request-log.entity';
import { appendRequests } from './requests/request-log.service';

const KEY_ID = '019a0000-0000-7000-8000-000000000001';
const ROUTE_ID = '019a0000-0000-7000-8000-000000000002';
const TENANT_ID = '019a0000-0000-7000-8000-000000000003';

let core: Core;
/** Acts as an edge on the core's database. */
let edge: Database;
beforeAll(async () => {
  core = await new Core().start();
  edge = createDatabase({ DATABASE_URL: undefined, ...core.database }, entities);
  await edge.open();
});
/** Each test begins with an empty log. */
beforeEach(() =>
  edge.concurrentWrite((manager) => manager.createQueryBuilder().delete().from(LoggedRequest).execute()),
);
afterAll(async () => {
  await edge.close();
  await core.stop();
});

const START_MS = Date.parse('2026-01-15T12:00:00Z');
const createEntry = (second: number, changes: Partial<LoggedRequest> = {}) => ({
  at: new Date(START_MS + second * 1000).toISOString(),
  kind: 'gateway',
  method: 'GET',
  path: `/pedidos/${second}`,
  status: 200,
  reason: null,
  ms: 12,
  clientIp: '203.0.113.9',
  requestId: `r-${second}`,
  keyId: null,
  routeId: null,
  subdomainId: null,
  tenantId: null,
  weight: 1,
  ...changes,
});
const appendRows = (rows: ReturnType<typeof createEntry>[]) =>
  edge.concurrentWrite((manager) => appendRequests(manager, rows));
async function listPaths(query: string): Promise<string[]> {
  const { status, body } = await core.request('GET', `/gateway/admin/requests?${query}`);
  expect(status).toBe(200);
  return body.requests.map(({ path }: { path: string }) => path.replace('/pedidos/', ''));
}

test('the request log lists entries newest first, and each filter restricts the list', async () => {
  await appendRows([
    createEntry(1, { keyId: KEY_ID, routeId: ROUTE_ID }),
    createEntry(2, { keyId: KEY_ID, status: 401, reason: 'expired', weight: 20 }),
    createEntry(3, { kind: 'tenant', tenantId: TENANT_ID, status: 502 }),
  ]);
  expect((await core.request('GET', '/gateway/admin/requests?limit=2')).body).toEqual({
    requests: [
      {
        at: '2026-01-15T12:00:03.000Z',
        kind: 'tenant',
        method: 'GET',
        path: '/pedidos/3',
        status: 502,
        reason: null,
        ms: 12,
        clientIp: '203.0.113.9',
        requestId: 'r-3',
        keyId: null,
        keyName: null,
        routeId: null,
        weight: 1,
      },
      expect.objectContaining({ keyId: KEY_ID, keyName: null, reason: 'expired', weight: 20 }),
    ],
  });
  expect(await listPaths('')).toEqual(['3', '2', '1']);
  expect(await listPaths(`key=${KEY_ID}`)).toEqual(['2', '1']);
  expect(await listPaths(`key=${KEY_ID}&route=${ROUTE_ID}`)).toEqual(['1']);
  expect(await listPaths(`tenant=${TENANT_ID}`)).toEqual(['3']);
  expect(await listPaths(`subdomain=${TENANT_ID}`)).toEqual([]);
  expect(await listPaths('status=401')).toEqual(['2']);
  expect(await listPaths('status=5xx')).toEqual(['3']);
  expect(await listPaths('status=refused')).toEqual(['2']);
  expect(await listPaths('since=2026-01-15T09:00:01-03:00')).toEqual(['3', '2']);
  for (const query of ['key=x', 'status=6xx', 'status=40', 'since=ontem', 'limit=0', 'limit=501']) {
    const { status, body } = await core.request('GET', `/gateway/admin/requests?${query}`);
    expect([query, status, Object.keys(body.fields)]).toEqual([query, 400, [query.split('=')[0]]]);
  }
});

test('the requests of a subdomain are found by its label and its id, and after its removal by its id', async () => {
  const { _id } = await createSubdomain(core, 'loja', { port: 4000 });
  await appendRows([createEntry(5, { subdomainId: _id })]);
  for (const name of ['loja', 'Loja', _id]) expect(await listPaths(`subdomain=${name}`)).toEqual(['5']);
  expect(await listPaths('subdomain=outra')).toEqual([]);
  expect((await core.request('DELETE', '/subdomains/loja')).status).toBe(204);
  expect(await listPaths(`subdomain=${_id}`)).toEqual(['5']);
});

test('an entry of the request log contains the name of its key', async () => {
  const key = await core.create('/gateway/admin/keys', { name: 'Parceiro', permissions: ['*'] });
  await appendRows([createEntry(4, { keyId: key._id })]);
  const { body } = await core.request('GET', `/gateway/admin/requests?key=${key._id}`);
  expect(body.requests).toMatchObject([{ keyName: 'Parceiro' }]);
});

test('beyond 10,000 entries, old successes are removed down to 5,000, then old entries of any status', async () => {
  await appendRows([createEntry(2, { status: 401, reason: 'expired' })]);
  await appendRows(Array.from({ length: 9_000 }, (_, index) => createEntry(10 + index)));
  await appendRows(
    Array.from({ length: 4_000 }, (_, index) => createEntry(10_000 + index, { status: 429, reason: 'limit' })),
  );
  const countEntries = async (where: object = {}) => edge.read.countBy(LoggedRequest, where);
  expect([await countEntries(), await countEntries({ reason: 'limit' }), await countEntries({ status: 200 })]).toEqual([
    10_000, 4_000, 5_999,
  ]);
  expect(await listPaths('status=401')).toEqual(['2']);
  await appendRows(
    Array.from({ length: 3_000 }, (_, index) => createEntry(20_000 + index, { status: 403, reason: 'address' })),
  );
  expect([
    await countEntries(),
    await countEntries({ status: 200 }),
    await countEntries({ reason: 'address' }),
  ]).toEqual([10_000, 3_000, 3_000]);
  expect(await listPaths('status=401')).toEqual([]);
});
