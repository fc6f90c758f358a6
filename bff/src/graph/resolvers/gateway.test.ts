import { type Entity, GraphStack, MISSING_ID } from '../../testing/graph-stack';

let graph: GraphStack;

beforeAll(async () => {
  graph = await GraphStack.start();
});
afterAll(() => graph.stop());

/** Creates the service `pedidos`. @returns its id */
const createService = async () =>
  (await graph.run<Entity>('createGatewayService', { input: { name: 'pedidos', host: graph.service.url } }))._id;

const routeFields = { origin: '/p', destination: '/pedidos', methods: ['GET', 'POST'], permission: 'pedidos:ler' };
const createRoute = (serviceId: string) =>
  graph.run<Entity>('createGatewayRoute', { input: { serviceId, ...routeFields } });

const keyFields = { name: 'Loja', permissions: ['pedidos:ler'], allowedIps: ['10.0.0.0/8'] };
const createKey = () => graph.run<Entity & { key: string }>('createApiKey', { input: keyFields });

/** Deletes all services and keys. The core deletes the routes of a deleted service. */
afterEach(async () => {
  for (const { _id } of await graph.run<Entity[]>('gatewayServices'))
    await graph.run('deleteGatewayService', { id: _id });
  for (const { _id } of await graph.run<Entity[]>('apiKeys')) await graph.run('deleteApiKey', { id: _id });
});

test('services are created, changed, read and deleted', async () => {
  const service = await graph.run<Entity>('createGatewayService', {
    input: { name: 'pedidos', host: graph.service.url },
  });
  expect(service).toMatchObject({ name: 'pedidos', host: graph.service.url, createdAt: expect.stringMatching(/Z$/) });
  expect(await graph.run('updateGatewayService', { id: service._id, input: { name: 'pedidos-2' } })).toMatchObject({
    name: 'pedidos-2',
  });
  expect(await graph.run('gatewayServices')).toMatchObject([{ _id: service._id }]);
  expect(await graph.run('gatewayService', { id: service._id })).toMatchObject({ name: 'pedidos-2' });
  expect(await graph.run('gatewayService', { id: MISSING_ID })).toBeNull();
  const policies = {
    extraHosts: ['http://localhost:4001'],
    healthPath: '/healthz',
    timeoutSeconds: 5,
    maxBodyMb: 1,
    cors: { origins: ['*'], headers: ['x-a'], credentials: false, maxAgeSeconds: 60 },
  };
  expect(await graph.run('updateGatewayService', { id: service._id, input: policies })).toMatchObject(policies);
  expect(
    await graph.run('updateGatewayService', {
      id: service._id,
      input: { name: 'pedidos-3', renameRoutes: true, cors: { origins: ['https://a.exemplo'] } },
    }),
  ).toMatchObject({ name: 'pedidos-3', healthPath: '/healthz', cors: { origins: ['https://a.exemplo'] } });
  expect(await graph.run('deleteGatewayService', { id: service._id })).toBe(true);
  expect(await graph.run('gatewayServices')).toEqual([]);
});

test('the manifest of a service is read from the service or from a document', async () => {
  const serviceId = await createService();
  const unsetTexts = { summary: null, suggestedPermission: null, otherServer: null };
  expect(await graph.run('manifest', { serviceId })).toEqual({
    routes: [
      { ...unsetTexts, method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Um pedido' },
      { ...unsetTexts, method: 'POST', path: '/pedidos', permission: '', suggestedPermission: 'pedidos:criar' },
    ],
    skipped: [{ method: 'GET', path: '/{a}.pdf', reason: 'O trecho {a}.pdf mistura texto e parâmetro.' }],
  });
  const document = JSON.stringify([{ method: 'GET', path: '/itens', permission: 'itens:ler' }]);
  expect(await graph.run('manifest', { serviceId, document })).toMatchObject({
    routes: [{ path: '/itens' }],
  });
});

test('routes are created, changed, read and deleted', async () => {
  const serviceId = await createService();
  const createdRoute = await createRoute(serviceId);
  expect(createdRoute).toMatchObject({ ...routeFields, service: { _id: serviceId, name: 'pedidos' } });
  const changes = { origin: '/q', methods: ['PUT'] };
  expect(await graph.run('updateGatewayRoute', { id: createdRoute._id, input: changes })).toMatchObject({
    origin: '/q',
    methods: ['PUT'],
    destination: '/pedidos',
  });
  expect(await graph.run('gatewayRoute', { id: createdRoute._id })).toMatchObject({ _id: createdRoute._id });
  expect(await graph.run('gatewayRoute', { id: MISSING_ID })).toBeNull();
  expect(await graph.run('deleteGatewayRoute', { id: createdRoute._id })).toBe(true);
  expect(await graph.run('gatewayRoutes')).toEqual([]);
});

test('routes are imported, and an import replaces and removes routes', async () => {
  const serviceId = await createService();
  await createRoute(serviceId);
  const routes = [{ method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler' }];
  expect(await graph.run('importGatewayRoutes', { serviceId, routes })).toMatchObject([
    { origin: '/pedidos/pedidos/:id', methods: ['GET'] },
  ]);
  expect(await graph.run('gatewayRoutes')).toHaveLength(2);
  expect(await graph.run('gatewayRoutePage', { limit: 1 })).toMatchObject({ gatewayRoutes: [{}], total: 2 });
  const reimportedRoutes = await graph.run<Entity[]>('importGatewayRoutes', {
    serviceId,
    routes: [{ method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ver' }],
  });
  expect(reimportedRoutes).toMatchObject([{ permission: 'pedidos:ver', public: false }]);
  expect(await graph.run('serviceDependents', { serviceId })).toEqual({ routes: 2, keys: 0 });
  await graph.run('importGatewayRoutes', { serviceId, routes: [], remove: [reimportedRoutes[0]?._id] });
  expect(await graph.run('gatewayRoutes')).toHaveLength(1);
});

test('a request is tested against the routes', async () => {
  const serviceId = await createService();
  await graph.run('createGatewayRoute', { input: { serviceId, ...routeFields, origin: '/q', methods: ['PUT'] } });
  const openRoute = await graph.run<Entity>('createGatewayRoute', {
    input: { serviceId, origin: '/aberta', destination: '/', methods: ['GET'], public: true },
  });
  expect(openRoute).toMatchObject({ permission: '', public: true });
  const passedStep = { ok: true, state: 'passed', detail: expect.any(String) };
  expect(await graph.run('testRoute', { input: { method: 'GET', path: '/aberta?x=1', call: true } })).toEqual({
    status: 200,
    allowed: true,
    error: null,
    steps: ['path', 'route', 'method', 'key', 'target', 'call'].map((step) => ({ ...passedStep, step })),
    target: `${graph.service.url}/?x=1`,
  });
  expect(await graph.run('testRoute', { input: { method: 'GET', path: '/q' } })).toMatchObject({
    status: 405,
    allowed: false,
    error: expect.any(String),
    target: null,
  });
  expect(await graph.run('deleteGatewayRoute', { id: openRoute._id })).toBe(true);
});

test('API keys are created, changed, rotated, read and deleted', async () => {
  const key = await createKey();
  expect(key).toMatchObject({ ...keyFields, usageCount: 0, lastUsedAt: null, key: expect.any(String) });
  expect(
    await graph.run('updateApiKey', {
      id: key._id,
      input: { name: 'Loja 2', permissions: ['*'], allowedIps: [] },
    }),
  ).toMatchObject({ name: 'Loja 2', permissions: ['*'], allowedIps: [] });
  const limits = {
    note: 'Contrato 12',
    disabled: true,
    expiresAt: '2030-01-01T00:00:00.000Z',
    rateLimit: { requests: 10, seconds: 60 },
  };
  expect(await graph.run('updateApiKey', { id: key._id, input: limits })).toMatchObject(limits);
  expect(await graph.run('updateApiKey', { id: key._id, input: { expiresAt: null, rateLimit: null } })).toMatchObject({
    note: 'Contrato 12',
    expiresAt: null,
    rateLimit: null,
  });
  const rotatedKey = await graph.run<{ key: string }>('rotateApiKey', { id: key._id, graceSeconds: 60 });
  expect(rotatedKey).toMatchObject({ _id: key._id, previousExpiresAt: expect.any(String) });
  expect(rotatedKey).toMatchObject({ prefix: rotatedKey.key.slice(0, 12) });
  expect(await graph.run('apiKey', { id: key._id })).toMatchObject({ _id: key._id, name: 'Loja 2' });
  expect(await graph.run('apiKey', { id: MISSING_ID })).toBeNull();
  expect(await graph.run('apiKeyPage', { permission: 'nada:ler', status: 'disabled' })).toMatchObject({
    total: 1,
  });
  expect(await graph.run('apiKeySummary')).toMatchObject({
    keys: expect.any(Number),
    usageCount: expect.any(Number),
  });
  const keys = await graph.run('apiKeys', { sortBy: 'usageCount', order: 'desc' });
  expect(keys).toMatchObject([{ _id: key._id }]);
  expect(JSON.stringify(keys)).not.toContain(key.key);
  expect(await graph.run('deleteApiKey', { id: key._id })).toBe(true);
  expect(await graph.run('apiKeys')).toEqual([]);
});

test('the expiry of a key and `since` of the request log accept variables of the type String', async () => {
  const query = `mutation($name: String!, $expiresAt: String) {
    createApiKey(input: { name: $name, permissions: ["a:b"], expiresAt: $expiresAt }) { expiresAt }
  }`;
  const expiresAt = '2999-01-01T00:00:00.000Z';
  const { data, errors } = await graph.send(query, { name: 'Loja', expiresAt });
  expect([errors, data]).toMatchObject([[], { createApiKey: { expiresAt } }]);
  const log = await graph.send('query($since: String) { requestLog(since: $since) { at } }', { since: expiresAt });
  expect(log).toMatchObject({ errors: [], data: { requestLog: [] } });
});

test('requests and metrics of a key are read', async () => {
  const key = await createKey();
  expect(await graph.run('requestLog', { key: key._id, status: 'refused', limit: 10 })).toEqual([]);
  expect(await graph.run('usageHistory', { range: 'day' })).toMatchObject({
    range: 'day',
    bucketSeconds: expect.any(Number),
    series: [],
  });
  expect(await graph.run('gatewayMetrics', { range: 'last7d', by: 'service', key: key._id })).toMatchObject({
    range: 'last7d',
    by: 'service',
    bucketSeconds: 7_200,
    totals: { requests: 0, refused: 0, p95Ms: null },
    points: expect.arrayContaining([{ at: expect.any(String), counts: expect.objectContaining({ requests: 0 }) }]),
    refusals: [],
    subjects: [],
  });
  expect(await graph.run('gatewayMetricsCsv', { range: 'last1h', by: 'route' })).toMatch(/^at,id,name,.*\r\n$/);
  expect(await graph.run('keyActivity')).toEqual({ from: expect.any(String), keys: [] });
});
