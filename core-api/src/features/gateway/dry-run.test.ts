import { waitFor } from '../../../../scripts/testing/program';
import { Core, listen } from '../../testing/core';
import { Edge, type RequestOptions, sendRequest } from '../../testing/edge';
import { createKey, createRoute, createService, findKey } from '../../testing/records';

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let key: { _id: string; key: string };
const receivedRequests: string[] = [];

const createUpstreamService = async (): Promise<string> => (await createService(core, { host: upstream.url }))._id;
const requestWithKey = (path: string, presentedKey: string | null, options: RequestOptions = {}) =>
  sendRequest(edge.port, {
    path,
    ...options,
    headers: presentedKey === null ? [] : [['X-API-Key', presentedKey]],
  });
const waitForStatus = (status: number, path: string, presentedKey: string) =>
  waitFor(`${path} is ${status}`, async () => (await requestWithKey(path, presentedKey)).status === status);

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => {
    receivedRequests.push(`${request.method} ${request.url}`);
    response.end('done');
  });
  await createRoute(core, await createUpstreamService(), '/plain');
  key = await createKey(core);
  edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

const requestDryRun = async (body: object) => (await core.request('POST', '/gateway/admin/test', { body })).body;
const createKeyText = async (fields: object) => (await createKey(core, fields)).key;
const withoutOrigin = (target: string | null) => target?.slice(upstream.url.length);

test('the dry run predicts the response of the edge for every decision', async () => {
  const rotatedKey = await createKey(core);
  await core.request('POST', `/gateway/admin/keys/${rotatedKey._id}/rotate`, { body: { graceSeconds: 1 } });
  const plainService = await createUpstreamService();
  await createRoute(core, plainService, '/tested/:id', { methods: ['GET', 'PUT'] });
  await createRoute(core, plainService, '/tested/fixed/*', { methods: ['POST'] });
  await createRoute(core, plainService, '/tested-open', { methods: ['GET'], public: true, permission: '' });
  const keys = {
    good: key.key,
    none: undefined,
    empty: '',
    unknown: 'sk7_nobody',
    disabled: await createKeyText({ disabled: true }),
    expired: await createKeyText({ expiresAt: new Date(Date.now() - 1).toISOString() }),
    rotated: rotatedKey.key,
    elsewhere: await createKeyText({ allowedIps: ['203.0.113.0/24'] }),
    here: await createKeyText({ allowedIps: ['127.0.0.0/8'] }),
    forbidden: await createKeyText({ permissions: ['b:*'] }),
    limited: await createKeyText({ rateLimit: { requests: 1_000, seconds: 60 } }),
  };
  await waitForStatus(401, '/tested/1', keys.rotated);
  await waitForStatus(200, '/tested/1', keys.limited);
  type Case = [method: string, path: string, key: keyof typeof keys, lastStep: string];
  const cases: Case[] = [
    ['GET', '/tested/1?a=%20b&c=/../', 'good', 'target'],
    ['GET', '/TESTED/A%20b/', 'good', 'target'],
    ['HEAD', '/tested/1', 'good', 'target'],
    ['POST', '/tested/FIXED/x/%7Ey', 'good', 'target'],
    ['PUT', '/tested/fixed', 'good', 'method'],
    ['GET', '/tested/../x', 'good', 'path'],
    ['GET', '/tested//1', 'good', 'path'],
    ['GET', '/tested/%2e%2E/x', 'good', 'path'],
    ['GET', '/tested/a;b', 'good', 'path'],
    ['GET', '/tested/%2F', 'good', 'path'],
    ['GET', '/tested/%', 'good', 'path'],
    ['GET', '/tested', 'good', 'route'],
    ['GET', '/none', 'none', 'route'],
    ['DELETE', '/tested/1', 'none', 'method'],
    ['OPTIONS', '/tested/1', 'good', 'method'],
    ['GET', '/tested-open', 'none', 'target'],
    ['GET', '/tested-open', 'disabled', 'target'],
    ['GET', '/tested/1', 'none', 'key'],
    ['GET', '/tested/1', 'empty', 'key'],
    ['GET', '/tested/1', 'unknown', 'key'],
    ['GET', '/tested/1', 'disabled', 'key'],
    ['GET', '/tested/1', 'expired', 'key'],
    ['GET', '/tested/1', 'rotated', 'key'],
    ['GET', '/tested/1', 'elsewhere', 'address'],
    ['GET', '/tested/1', 'here', 'target'],
    ['GET', '/tested/1', 'forbidden', 'permission'],
    ['GET', '/tested/1', 'limited', 'limit'],
  ];
  for (const [method, path, name, lastStep] of cases) {
    const presentedKey = keys[name];
    const result = await requestDryRun({ method, path, key: presentedKey, address: '127.0.0.1' });
    const earlierCount = receivedRequests.length;
    const response = await requestWithKey(path, presentedKey ?? null, { method });
    const error = response.status >= 400 && method !== 'HEAD' ? JSON.parse(response.text).error : undefined;
    const forwardedPath = receivedRequests[earlierCount]?.split(' ')[1];
    expect([method, path, name, result.status, result.error, withoutOrigin(result.target) ?? undefined]).toEqual([
      method,
      path,
      name,
      response.status,
      error,
      forwardedPath,
    ]);
    expect([result.allowed, result.steps.at(-1)]).toEqual([
      response.status === 200,
      { step: lastStep, ok: response.status === 200, state: expect.any(String), detail: expect.stringMatching(/\.$/) },
    ]);
  }
});

test('the dry run checks the address in its body, uses up no limit, and counts no use of the key', async () => {
  const limitedKey = await createKey(core, {
    allowedIps: ['203.0.113.0/24'],
    rateLimit: { requests: 1, seconds: 60 },
  });
  const request = { method: 'GET', path: '/plain', key: limitedKey.key };
  expect(await requestDryRun({ ...request, address: '203.0.113.9' })).toMatchObject({ status: 200, allowed: true });
  const result = await requestDryRun({ ...request, address: '203.0.113.9' });
  expect(result.steps.at(-1)).toMatchObject({ step: 'limit', ok: true, state: 'unknown' });
  expect(await requestDryRun(request)).toMatchObject({ status: 403, allowed: false, target: null });
  expect(await requestDryRun({ ...request, address: '::ffff:203.0.113.9' })).toMatchObject({ status: 200 });
  expect(await findKey(core, limitedKey._id)).toMatchObject({ usageCount: 0, lastUsedAt: null });
});

test('the dry run calls a reachable instance of the service only if the edge would forward the request', async () => {
  const id = (await createService(core, { host: 'http://127.0.0.1:9', extraHosts: [upstream.url] }))._id;
  await createRoute(core, id, '/called');
  const earlierCount = receivedRequests.length;
  const request = { method: 'POST', path: '/called?x=1', key: key.key, call: true };
  const result = await requestDryRun(request);
  expect([result.status, result.steps.at(-1), receivedRequests.slice(earlierCount)]).toEqual([
    200,
    { step: 'call', ok: true, state: 'passed', detail: expect.stringMatching(/status 200/) },
    ['POST /called?x=1'],
  ]);
  await requestDryRun({ ...request, key: 'sk7_nobody' });
  expect(receivedRequests).toHaveLength(earlierCount + 1);
  await core.request('PUT', `/gateway/admin/services/${id}`, { body: { extraHosts: [] } });
  expect((await requestDryRun(request)).steps.at(-1)).toMatchObject({ step: 'call', ok: false, state: 'failed' });
});

test('an invalid dry run is refused with 400', async () => {
  const sendDryRun = (body: object) => core.request('POST', '/gateway/admin/test', { body });
  for (const [field, value] of [
    ['method', 'TRACE'],
    ['path', 'plain'],
    ['path', '/a b'],
    ['address', 'example.com'],
    ['call', 'yes'],
  ]) {
    const { status, body } = await sendDryRun({ method: 'GET', path: '/plain', [String(field)]: value });
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  }
});

test('the dry run never calls a port of this installation, by address or by name', async () => {
  const { _id: serviceId } = await createService(core);
  await createRoute(core, serviceId, '/propria', { public: true, permission: '' });
  /** Moves the service to the core's port by SQL, because a save would refuse this port. @returns a dry run */
  const runAfterMoveTo = async (host: string) => {
    await core.query(`UPDATE gateway_services SET host = 'http://${host}:${core.port}' WHERE _id = '${serviceId}'`);
    await core.query('UPDATE configuration_revision SET value = value + 1');
    return requestDryRun({ method: 'GET', path: '/propria', call: true });
  };
  const byAddress = await runAfterMoveTo('127.0.0.1');
  expect([byAddress.status, byAddress.target, byAddress.steps.at(-1)]).toEqual([
    508,
    null,
    expect.objectContaining({ step: 'target', ok: false, state: 'failed' }),
  ]);
  const byName = await runAfterMoveTo('localhost');
  expect([byName.status, byName.steps.at(-1)]).toEqual([
    200,
    expect.objectContaining({ step: 'call', ok: false, detail: expect.stringContaining('própria instalação') }),
  ]);
});
