import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, type RequestOptions, type WireResponse } from '../../../testing/edge';
import { createKey, createRoute, createService } from '../../../testing/records';
import { GatewayClient } from './testing/gateway-client';

let core: Core;
let edge: Edge;
let gateway: GatewayClient;
let upstream: Awaited<ReturnType<typeof listen>>;
let key: { _id: string; key: string };
let receivedCount = 0;

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((_request, response) => {
    receivedCount += 1;
    response.writeHead(200, {
      'Access-Control-Allow-Origin': 'https://the-service.example',
      'Access-Control-Allow-Methods': 'PURGE',
      'X-Total-Count': '7',
    });
    response.end('done');
  });
  await createRoute(core, (await createService(core, { host: upstream.url }))._id, '/plain');
  const cors = { headers: ['X-Pedido'], maxAgeSeconds: 300 };
  const anyOriginService = await createService(core, {
    host: upstream.url,
    cors: { ...cors, origins: '*' },
  });
  await createRoute(core, anyOriginService._id, '/any', { methods: ['GET', 'PUT'] });
  const listedOriginService = await createService(core, {
    host: upstream.url,
    cors: { ...cors, origins: ['https://app.example'], credentials: true },
  });
  await createRoute(core, listedOriginService._id, '/listed');
  const unreachableService = await createService(core, {
    host: 'http://127.0.0.1:9',
    cors: { ...cors, origins: '*' },
  });
  await createRoute(core, unreachableService._id, '/gone');
  key = await createKey(core);
  edge = await new Edge(core).start();
  gateway = new GatewayClient(edge, key.key);
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

const selectHeaders = ({ headers }: WireResponse, prefix: string) =>
  Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => name.startsWith(prefix)),
  );

const withOrigin = (origin: string, headerFields: [string, string][] = []): RequestOptions => ({
  headers: [['Origin', origin], ...headerFields],
});
const sendPreflight = (path: string, origin: string, method = 'POST') =>
  gateway.request(path, null, {
    method: 'OPTIONS',
    ...withOrigin(origin, [
      ['Access-Control-Request-Method', method],
      ['Access-Control-Request-Headers', 'x-api-key'],
    ]),
  });

test('the gateway answers a preflight without a key and lists the methods that the service has at this path', async () => {
  const countBefore = receivedCount;
  const response = await sendPreflight('/any', 'https://whoever.example', 'PUT');
  expect([response.status, response.body.length, selectHeaders(response, 'access-control-')]).toEqual([
    204,
    0,
    {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'x-api-key, content-type, x-pedido',
      'access-control-max-age': '300',
    },
  ]);
  expect(receivedCount).toBe(countBefore);
  expect((await sendPreflight('/any', 'https://whoever.example', 'DELETE')).status).toBe(405);
  expect((await sendPreflight('/plain', 'https://whoever.example')).status).toBe(405);
});

test('only listed origins get CORS headers, and every response varies by Origin', async () => {
  const response = await sendPreflight('/listed', 'https://app.example');
  expect([response.status, getHeader(response, 'vary'), selectHeaders(response, 'access-control-')]).toEqual([
    204,
    'Origin',
    expect.objectContaining({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-credentials': 'true',
    }),
  ]);
  for (const origin of ['https://app.example.evil', 'https://APP.example', 'http://app.example', 'null']) {
    const unlistedResponse = await sendPreflight('/listed', origin);
    expect([
      origin,
      unlistedResponse.status,
      getHeader(unlistedResponse, 'vary'),
      selectHeaders(unlistedResponse, 'access-control-'),
    ]).toEqual([origin, 204, 'Origin', {}]);
  }
});

test('with a CORS policy, every response has the CORS headers of the gateway instead of those of the service', async () => {
  const anyOriginFields = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
  const passedResponse = await gateway.request('/any', key.key, withOrigin('https://whoever.example'));
  expect([
    passedResponse.status,
    selectHeaders(passedResponse, 'access-control-'),
    getHeader(passedResponse, 'x-total-count'),
  ]).toEqual([200, anyOriginFields, '7']);
  expect(selectHeaders(await gateway.request('/any'), 'access-control-')).toEqual(anyOriginFields);
  const response = await gateway.request('/any', null, withOrigin('https://whoever.example'));
  expect([response.status, selectHeaders(response, 'access-control-')]).toEqual([401, anyOriginFields]);
  const wrongMethodResponse = await gateway.request('/any', key.key, {
    method: 'DELETE',
    ...withOrigin('https://whoever.example'),
  });
  expect([wrongMethodResponse.status, selectHeaders(wrongMethodResponse, 'access-control-')]).toEqual([
    405,
    anyOriginFields,
  ]);
  const unreachableResponse = await gateway.request('/gone', key.key, withOrigin('https://whoever.example'));
  expect([unreachableResponse.status, selectHeaders(unreachableResponse, 'access-control-')]).toEqual([
    502,
    anyOriginFields,
  ]);
  const otherOriginResponse = await gateway.request('/listed', key.key, withOrigin('https://other.example'));
  expect([
    otherOriginResponse.status,
    getHeader(otherOriginResponse, 'vary'),
    selectHeaders(otherOriginResponse, 'access-control-'),
  ]).toEqual([200, 'Origin', {}]);
});

test('without a CORS policy, the CORS headers of the service are forwarded, and every origin may read refusals', async () => {
  const response = await gateway.request('/plain', key.key, withOrigin('https://whoever.example'));
  expect(getHeader(response, 'access-control-allow-origin')).toBe('https://the-service.example');
  const refusal = await gateway.request('/plain', null, withOrigin('https://whoever.example'));
  expect([refusal.status, getHeader(refusal, 'access-control-allow-origin')]).toEqual([401, '*']);
});
