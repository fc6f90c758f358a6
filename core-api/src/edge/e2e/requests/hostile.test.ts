import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { listenOnLoopback } from '../../../../../scripts/testing/server';
import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, sendRaw, sendRequest } from '../../../testing/edge';
import { createKey, createSubdomain, findKey } from '../../../testing/records';

// Attacks by clients and upstreams on a complete edge, and outages. Other tests cover the engine alone.

let core: Core;
let edge: Edge;
let hasDatabase = true;
let echo: Awaited<ReturnType<typeof listen>>;
let brokenUpstream: Server;
let brokenResponse = '';
let key: { _id: string; key: string };

const createRouteToRoot = (serviceId: string, origin: string, methods: string[]) =>
  core.create('/gateway/admin/routes', { serviceId, origin, destination: '/*', methods, permission: 'a:b' });
const requestWithKey = (path: string, headerFields: [string, string][] = []) =>
  sendRequest(edge.port, { path, headers: [['X-API-Key', key.key], ...headerFields] });
const readEndedWorkers = () => edge.readMetric('edge_workers_ended_total');
const requestStatus = async (host: string, path = '/') => (await sendRequest(edge.port, { host, path })).status;

beforeAll(async () => {
  core = await new Core().start();
  echo = await listen((request, response) => {
    response.setHeader('Set-Cookie', [
      'a=1; Domain=localhost; Path=/',
      'b=2; domain=".LOCALHOST"',
      'c=3; Domain=loja.localhost',
      'd=4; Secure',
    ]);
    response.setHeader('Clear-Site-Data', '"cookies" , "storage"');
    if (request.url === '/all') response.setHeader('Clear-Site-Data', '"*"');
    if (request.url === '/cookies') response.setHeader('Clear-Site-Data', '"cookies"');
    response.end(JSON.stringify({ url: request.url, headers: request.rawHeaders }));
  });
  brokenUpstream = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.write(brokenResponse, 'latin1'));
  });
  const brokenPort = await listenOnLoopback(brokenUpstream);
  const [echoService, brokenService] = [
    await core.create('/gateway/admin/services', { name: 'echo', host: echo.url }),
    await core.create('/gateway/admin/services', { name: 'broken', host: `http://127.0.0.1:${brokenPort}` }),
  ];
  await createRouteToRoot(echoService._id, '/echo/*', ['GET', 'POST']);
  await createRouteToRoot(brokenService._id, '/broken/*', ['GET']);
  key = await createKey(core);
  await createSubdomain(core, 'loja', { type: 'proxy', port: echo.port });
  await core.request('POST', '/subdomains/loja/domains', { body: { host: 'loja.com.br', role: 'primary' } });
  edge = await new Edge(core, { LOG_LEVEL: 'error' }).start();
  await waitFor('the key works', async () => (await requestWithKey('/echo/')).status === 200);
});
/** Each test begins with an edge that reaches its database. */
beforeEach(async () => {
  if (hasDatabase) return;
  await edge.stop();
  edge = await new Edge(core).start();
  hasDatabase = true;
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await echo?.stop();
  brokenUpstream?.close();
});

describe('hostile requests and responses', () => {
  const headStart = 'GET / HTTP/1.1\r\nHost: x.invalid\r\n';
  test.each([
    ['an upgrade after a request', `${headStart}\r\n${headStart}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['CONNECT after a request', `${headStart}\r\nCONNECT x:1 HTTP/1.1\r\nHost: x.invalid\r\n\r\n`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'an upgrade with a body',
      `POST / HTTP/1.1\r\nHost: loja.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n\r\nx${headStart}\r\n`,
    ],
  ])('every worker survives %s', async (_case, bytes) => {
    for (let turn = 0; turn < 4; turn += 1) await sendRaw(edge.port, bytes, 1).catch(() => undefined);
    expect(await requestStatus('loja.localhost')).toBe(200);
    expect([await readEndedWorkers(), await edge.readMetric('edge_faults_total')]).toEqual([0, 0]);
  });

  test.each([
    ['a control in the reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n'],
    ['a status of 000', 'HTTP/1.1 000 X\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
    ['nonsense', '\0\0\0\0\r\n\r\n'],
  ])('every worker survives an upstream that responds with %s', async (_case, response) => {
    brokenResponse = response;
    expect((await requestWithKey('/broken/x')).status).toBe(502);
    const requestHeaders: [string, string][] = [
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', 'MDEyMzQ1Njc4OWFiY2RlZg=='],
    ];
    await requestWithKey('/broken/x', requestHeaders).catch(() => undefined);
    expect(await requestStatus('loja.localhost')).toBe(200);
    expect([await readEndedWorkers(), await edge.readMetric('edge_faults_total')]).toEqual([0, 0]);
  });

  test('the administration port still answers after malformed requests', async () => {
    for (const target of ['//', 'http://', '*', '/ask?domain=%', '/%', `/${'a'.repeat(9_000)}`]) {
      await sendRaw(edge.adminPort, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    }
    await sendRaw(edge.adminPort, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect((await edge.fetchAdmin('/readyz')).status).toBe(200);
  });
});

describe('invalid requests', () => {
  const formatPost = (extra: string, body: string) =>
    `POST /echo/upload HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${key.key}\r\n${extra}\r\n${body}`;
  const formatRequestHead = (path: string, extra: string) =>
    `GET /echo${path} HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${key.key}\r\n${extra}\r\n`;
  // This text is longer than any part of a UUID, so the random request id in the response cannot contain it.
  const HIDDEN = '6'.repeat(13);
  const createHiddenRequest = () => formatRequestHead(`/number?${HIDDEN}`, 'Connection: close\r\n');
  test.each([
    ['a length and chunks', () => formatPost('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    ['two lengths', () => formatPost('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello')],
    ['a list of lengths', () => formatPost('Content-Length: 5, 5\r\n', 'hello')],
    ['a signed length', () => formatPost('Content-Length: +5\r\n', 'hello')],
    ['an unknown coding', () => formatPost('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n')],
    ['a transfer coding after chunked', () => formatPost('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n')],
    ['gzip before chunked', () => formatPost('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n')],
    [
      'two Transfer-Encoding lines',
      () => formatPost('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    ],
    ['space before the colon', () => formatPost('Content-Length : 5\r\n', 'hello')],
    ['a folded line', () => formatPost('X-Folded: a\r\n b\r\n', '')],
    ['a bare line feed', () => formatPost('X-Bare: a\nX-Other: b\r\n', '')],
    ['a bare carriage return', () => formatPost('X-Bare: a\rb\r\n', '')],
    ['NUL in a header', () => formatPost('X-Nul: a\0b\r\n', '')],
    [
      'a chunk size that is not hexadecimal',
      () => formatPost('Transfer-Encoding: chunked\r\n', '5x\r\nhello\r\n0\r\n\r\n'),
    ],
    [
      'a chunk size over 64 bits',
      () => formatPost('Transfer-Encoding: chunked\r\n', 'fffffffffffffffff\r\nhello\r\n0\r\n\r\n'),
    ],
    [
      'chunks in HTTP/1.0',
      () => formatPost('Transfer-Encoding: chunked\r\n', '0\r\n\r\n').replace('HTTP/1.1', 'HTTP/1.0'),
    ],
    ['no host', () => formatPost('', '').replace('Host: api.localhost\r\n', '')],
    ['two hosts', () => formatPost('Host: api.localhost\r\n', '')],
    ['HTTP/0.9', () => 'GET /echo/number?1\r\n\r\n'],
    ['a space in the path', () => 'GET /echo/number 1 HTTP/1.1\r\nHost: api.localhost\r\n\r\n'],
  ])('a request with %s is refused with 400, and nothing after it is read', async (_case, request) => {
    const bytes = (await sendRaw(edge.port, request() + createHiddenRequest())).toString();
    expect(bytes).toMatch(/^HTTP\/1\.1 400 /);
    expect(bytes).not.toContain(HIDDEN);
    expect(bytes.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  test.each([
    ['300 headers', Array.from({ length: 300 }, (_, index) => `X-${index}: 1\r\n`).join('')],
    ['201 headers', Array.from({ length: 201 }, (_, index) => `X-${index}: 1\r\n`).join('')],
    ['33 kB of headers', `X-Large: ${'x'.repeat(33_000)}\r\n`],
  ])('a request with %s is refused with 431', async (_case, extra) => {
    expect(
      (await sendRaw(edge.port, formatRequestHead('/number?1', `${extra}Connection: close\r\n`))).toString(),
    ).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('a request line over 16 kB is refused with 414', async () => {
    const bytes = await sendRaw(edge.port, formatRequestHead(`/number?${'1'.repeat(17_000)}`, 'Connection: close\r\n'));
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 414 /);
  });
});

test('an upgrade to h2c is handled as an ordinary request, so that no bytes bypass the decision', async () => {
  const response = await requestWithKey('/echo/x', [
    ['Connection', 'Upgrade, HTTP2-Settings'],
    ['Upgrade', 'h2c'],
    ['HTTP2-Settings', 'AAMAAABk'],
  ]);
  const { headers } = JSON.parse(response.text);
  expect(response.status).toBe(200);
  expect(headers.map((text: string) => text.toLowerCase())).not.toEqual(expect.arrayContaining(['upgrade']));
  expect(JSON.stringify(headers)).not.toMatch(/h2c|http2-settings/i);
});

test('header fields that a server could mistake for those of the edge, or for framing, reach neither site nor service', async () => {
  const forgedHeaders: [string, string][] = [
    ['x_tenant_id', 'forged'],
    ['X.Tenant.Id', 'forged'],
    ['x~forwarded!for', 'forged'],
    ['X.Real.IP', 'forged'],
    ['Transfer_Encoding', 'forged'],
    ['Content.Length', 'forged'],
  ];
  const [siteResponse, serviceResponse] = [
    await sendRequest(edge.port, {
      host: 'loja.localhost',
      headers: [...forgedHeaders, ['X_Own', 'kept'], ['X.Http.Method', 'kept']],
    }),
    await requestWithKey('/echo/x', [...forgedHeaders, ['X.HTTP.Method.Override', 'forged'], ['X.Own', 'kept']]),
  ];
  expect([siteResponse.status, serviceResponse.status]).toEqual([200, 200]);
  expect(siteResponse.text + serviceResponse.text).not.toContain('forged');
  expect([siteResponse.text.match(/kept/g)?.length, serviceResponse.text.match(/kept/g)?.length]).toEqual([2, 1]);
});

test('cookies of a site or a service do not reach the base domain', async () => {
  for (const { headers } of [
    await sendRequest(edge.port, { host: 'loja.localhost' }),
    await requestWithKey('/echo/x'),
  ]) {
    const cookies = headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value);
    expect(cookies).toEqual(['a=1; Path=/', 'b=2', 'c=3; Domain=loja.localhost', 'd=4; Secure']);
  }
});

test('a site below the base domain, or a service, does not clear the cookies of its neighbours', async () => {
  const readClearSiteData = async (host: string, path: string) =>
    getHeader(await sendRequest(edge.port, { host, path }), 'clear-site-data');
  expect(getHeader(await requestWithKey('/echo/x'), 'clear-site-data')).toBe('"storage"');
  expect(await readClearSiteData('loja.localhost', '/')).toBe('"storage"');
  expect(await readClearSiteData('LOJA.localhost.:80', '/all')).toBe('"cache", "storage", "executionContexts"');
  expect(await readClearSiteData('loja.localhost', '/cookies')).toBeUndefined();
  expect(await readClearSiteData('loja.com.br', '/')).toBe('"cookies" , "storage"');
  expect(await readClearSiteData('loja.com.br', '/all')).toBe('"*"');
});

test('only a name of the installation or a claimed name may get a certificate', async () => {
  const requestAskStatus = async (domain: string) => (await edge.fetchAdmin(`/ask?domain=${domain}`)).status;
  expect([
    await requestAskStatus('localhost'),
    await requestAskStatus('api.localhost'),
    await requestAskStatus('loja.localhost'),
  ]).toEqual([200, 200, 200]);
  const addresses = ['127.0.0.1', '[::1]', '::1', '10.0.0.1', '10.0.0.1:443', '[::1]:443'];
  // The server name of a handshake is arbitrary text and may contain a port.
  const unclaimedNames = ['nada.localhost', 'a.loja.localhost', 'loja', '', 'loja.localhost:443', 'loja.localhost:'];
  for (const domain of [...addresses, ...unclaimedNames]) {
    expect([domain, await requestAskStatus(domain)]).toEqual([domain, 404]);
  }
});

test('the edge does not connect to a target whose name resolves to this installation', async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const ownAddress = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
  const targets = ['127.0.0.1', 'localhost', ownAddress];
  // The core accepts this port as a target, because only `strictEdge` has it as `BFF_PORT`.
  const internalService = await listen((_request, response) => response.end('internal'));
  for (const [index, targetHost] of targets.entries()) {
    await createSubdomain(core, `volta${index}`, { type: 'tunnel', targetHost, targetPort: internalService.port });
  }
  // A site with rules has a branded page, but the same status.
  const branding = { name: 'Padaria' };
  expect((await core.request('PUT', '/subdomains/volta1/policy', { body: { branding } })).status).toBe(200);
  const strictEdge = await new Edge(core, {
    BFF_PORT: String(internalService.port),
    EDGE_WORKERS: '1',
    ACCESS_LOG: 'off',
  }).start();
  try {
    for (const index of targets.keys()) {
      const { status, text } = await sendRequest(strictEdge.port, { host: `volta${index}.localhost` });
      expect([index, status, text.includes('internal')]).toEqual([index, 508, false]);
    }
    expect((await sendRequest(strictEdge.port, { host: 'localhost' })).text).toBe('internal');
  } finally {
    await strictEdge.stop();
    await internalService.stop();
  }
});

test('the access log has one complete line of JSON for each request, with client and reason', async () => {
  const lengthBefore = edge.output.length;
  /** Returns the complete lines, because the last line may be incomplete. */
  const getCompleteLines = () => edge.output.slice(lengthBefore, edge.output.lastIndexOf('\n') + 1);
  const id = getHeader(await requestWithKey('/echo/logged?secret=1', [['X-Request-Id', 'mine']]), 'x-request-id');
  await sendRequest(edge.port, { path: '/echo/refused' });
  await sendRaw(edge.port, 'GET /beyond HTTP/1.1\r\nHost: caf\xe9"\\\r\n\r\n');
  const readLogLines = () =>
    getCompleteLines()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  await waitFor(
    'all lines are written',
    async () => readLogLines().filter(({ path }) => /logged|refused|beyond/.test(path)).length === 3,
  );
  expect(readLogLines()).toContainEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    kind: 'gateway',
    requestId: id,
    clientIp: '127.0.0.1',
    method: 'GET',
    host: 'api.localhost',
    path: '/echo/logged',
    protocol: 'HTTP/1.1',
    status: 200,
    bytesIn: expect.any(Number),
    bytesOut: expect.any(Number),
    ms: expect.any(Number),
    upstreamMs: expect.any(Number),
    keyId: key._id,
    routeId: expect.any(String),
    client_request_id: 'mine',
  });
  expect(readLogLines()).toContainEqual(
    expect.objectContaining({ path: '/echo/refused', status: 401, reason: 'no_key' }),
  );
  expect(readLogLines()).toContainEqual(expect.objectContaining({ path: '/beyond', status: 400, host: 'caf\xe9"\\' }));
  expect(edge.output).not.toContain(key.key);
  expect(edge.output).not.toContain('secret=1');
});

test('no row of the database makes the edge serve the data folder', async () => {
  writeFileSync(join(core.folder, 'secret.txt'), 'SECRET');
  mkdirSync(join(core.sites, 'limpo'), { recursive: true });
  await createSubdomain(core, 'limpo', { type: 'static', staticPath: join(core.sites, 'limpo') });
  await waitFor('the site is served', async () => (await requestStatus('limpo.localhost')) === 404);
  // The row is like one from before the data folder was refused. A revision without a change reloads all rows.
  await core.query(`UPDATE subdomains SET "staticPath" = '${core.folder}' WHERE subdomain = 'limpo'`);
  await core.query('UPDATE configuration_revision SET value = value + 2');
  await waitFor('the folder is refused', async () => (await requestStatus('limpo.localhost', '/secret.txt')) === 503);
});

test('undelivered counts are kept in a file and delivered once, even after a restart', async () => {
  const folder = join(core.folder, 'edge');
  const ownKey = await createKey(core);
  let passedCount = 0;
  const requestOnce = async () => {
    const { status } = await sendRequest(edge.port, { path: '/echo/', headers: [['X-API-Key', ownKey.key]] });
    if (status === 200) passedCount += 1;
    return status;
  };
  const readUsageCount = async () => (await findKey(core, ownKey._id)).usageCount;
  await waitFor('every worker knows the key', async () =>
    (await Promise.all(Array.from({ length: 6 }, requestOnce))).every((status) => status === 200),
  );
  await waitFor('all requests are counted', async () => (await readUsageCount()) === passedCount);
  const unlock = await core.lockUsage();
  try {
    for (let turn = 0; turn < 5; turn += 1) expect(await requestOnce()).toBe(200);
    await waitFor('the counts are in the file', () => Promise.resolve(existsSync(join(folder, 'usage.json'))));
    expect(await requestOnce()).toBe(200);
    expect(await edge.stop()).toBe(0);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'usage.json')).mode & 0o777]).toEqual([0o700, 0o600]);
  } finally {
    await unlock();
  }
  edge = await new Edge(core).start();
  await waitFor('the counts have arrived', async () => (await readUsageCount()) >= passedCount);
  await waitFor('the file is gone', () => Promise.resolve(!existsSync(join(folder, 'usage.json'))));
  expect(await readUsageCount()).toBe(passedCount);
});

async function restartWithoutDatabase(): Promise<void> {
  await edge.stop();
  edge = await new Edge(core, { DATABASE_URL: 'postgres://studio@127.0.0.1:9/none', EDGE_WORKERS: '1' }).start();
  hasDatabase = false;
}

test('a deleted service is no longer served, even after a restart', async () => {
  const readSnapshot = () => readFileSync(join(core.folder, 'edge', 'snapshot.json'), 'utf8');
  const { _id: serviceId } = await core.create('/gateway/admin/services', { name: 'brief', host: echo.url });
  const { _id: routeId } = await createRouteToRoot(serviceId, '/brief/*', ['GET']);
  await waitFor('the snapshot has the route', async () => readSnapshot().includes(routeId));
  await waitFor('the route is served', async () => (await requestWithKey('/brief/')).status === 200);
  await core.request('DELETE', `/gateway/admin/services/${serviceId}`);
  await waitFor('the route is gone', async () => (await requestWithKey('/brief/')).status === 404);
  await restartWithoutDatabase();
  expect((await requestWithKey('/brief/')).status).toBe(404);
});

test('an edge that starts while the database is away serves its snapshot, and its files contain no key', async () => {
  const folder = join(core.folder, 'edge');
  await waitFor('the snapshot is kept', () => Promise.resolve(existsSync(join(folder, 'snapshot.json'))));
  await restartWithoutDatabase();
  for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), 'utf8')).not.toContain(key.key);
  expect([await requestStatus('loja.localhost'), (await requestWithKey('/echo/')).status]).toEqual([200, 200]);
  expect(await edge.readMetric('edge_snapshot_age_seconds')).toBeGreaterThan(0);
});
