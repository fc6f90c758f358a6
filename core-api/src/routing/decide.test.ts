import type { KeyRow, RouteRow, RowChange, ServiceRow, SubdomainRow } from './config-snapshot';
import { decide, type RequestAttributes, type RoutableRequest } from './decide';
import { digestSecret } from './keys/key-table';
import { type RoutingSettings, RoutingTable } from './routing-table';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const settings: RoutingSettings = {
  BASE_DOMAIN: 'example.com',
  SITES_DOMAIN: 'example.com',
  CORE_URL: 'http://127.0.0.1:3002',
  BFF_HOST: '127.0.0.1',
  BFF_PORT: 3001,
  OWN_PORTS: [3000],
};
const table = new RoutingTable(settings, () => undefined);

const createSubdomain = (id: string, overrides: Partial<SubdomainRow>): RowChange => ({
  entity: 'subdomain',
  id,
  row: {
    id,
    subdomain: id,
    type: 'proxy',
    port: 4000,
    staticPath: null,
    apiPort: null,
    targetHost: null,
    targetPort: null,
    paused: false,
    ...overrides,
  },
});
const createService = (id: string, host: string, overrides: Partial<ServiceRow> = {}): RowChange => ({
  entity: 'service',
  id,
  row: { id, host, ...overrides },
});
const createRoute = (id: string, origin: string, overrides: Partial<RouteRow> = {}): RowChange => ({
  entity: 'route',
  id,
  row: { id, serviceId: 's', origin, destination: origin, permission: 'a:read', methods: ['GET'], ...overrides },
});
const createKey = (id: string, overrides: Partial<KeyRow> = {}): RowChange => ({
  entity: 'key',
  id,
  row: { id, digest: digestSecret(id), permissions: ['a:*'], allowedIps: [], ...overrides },
});

table.apply({
  revision: 1,
  isComplete: true,
  changes: [
    createSubdomain('shop', {}),
    createSubdomain('files', { type: 'static', port: null, staticPath: '/srv/files', apiPort: 4001 }),
    createSubdomain('itself', { port: 3000 }),
    createSubdomain('paused', { paused: true }),
    createSubdomain('broken', { port: null }),
    { entity: 'project', id: 'p', row: { id: 'p', type: 'proxy', apiPort: 4002, staticPath: null } },
    {
      entity: 'tenant',
      id: 'baker',
      row: {
        id: 'baker',
        projectId: 'p',
        subdomain: 'ze',
        dbName: 'ze',
        name: 'Zé',
        paused: false,
        domains: [
          { host: 'baker.example', role: 'primary', to: null, wwwMode: 'to-apex' },
          { host: '*.baker.example', role: 'alias', to: null, wwwMode: 'serve' },
          { host: 'old.example', role: 'redirect', to: null, wwwMode: 'serve' },
          { host: '*.loop.example', role: 'redirect', to: 'a.loop.example', wwwMode: 'serve' },
        ],
      },
    },
    createService('s', 'http://10.0.0.5:4003/v1', { timeoutSeconds: 7, maxBodyMb: 1 }),
    createService('own', 'http://127.0.0.1:3000'),
    createService('pages', 'http://10.0.0.5:4003', {
      cors: { origins: ['https://app.example'], headers: [], credentials: false, maxAgeSeconds: 60 },
    }),
    createRoute('list', '/list'),
    createRoute('one', '/list/:id', { destination: '/items/:id', methods: ['GET', 'DELETE'] }),
    createRoute('export', '/list/export', { permission: 'a:export' }),
    createRoute('rest', '/rest/*', { destination: '/*', permission: 'b:read' }),
    createRoute('open', '/open', { public: true }),
    createRoute('loop', '/loop', { serviceId: 'own' }),
    createRoute('page', '/page', { serviceId: 'pages', methods: ['GET', 'POST'] }),
    createKey('reader', { permissions: ['a:read'] }),
    createKey('all', { permissions: ['*'] }),
    createKey('home', { allowedIps: ['10.1.0.0/16'] }),
    createKey('off', { disabled: true }),
    createKey('expired', { expiresAt: '2026-06-01T12:00:00Z' }),
    createKey('expiring', { expiresAt: '2026-06-01T12:00:01Z' }),
    createKey('rotated', { previousDigest: digestSecret('rotated before'), previousExpiresAt: '2026-06-01T11:59:59Z' }),
    createKey('limited', { rateLimit: { requests: 1, seconds: 60 } }),
  ],
});

type RequestOverrides = Partial<RoutableRequest> & Partial<RequestAttributes>;
const defaultRequest = {
  host: 'api.example.com',
  method: 'GET',
  target: '/list',
  bodyLength: 0,
  secrets: [],
  address: '10.1.2.3',
  origin: undefined,
  preflightMethod: undefined,
  isLoop: false,
};
const decideFor = (overrides: RequestOverrides) =>
  decide(table, { ...defaultRequest, ...overrides }, { ...defaultRequest, ...overrides }, NOW);

describe('routing by host (contract §1)', () => {
  const decideOutcome = (overrides: RequestOverrides) => {
    const decision = decideFor(overrides);
    if (decision.action === 'forward') return [decision.kind, decision.upstreams[0]?.port];
    return [decision.kind, decision.action === 'refuse' ? decision.reason : decision.action];
  };
  test.each([
    ['example.com', 'studio', 3001],
    ['EXAMPLE.com:3000', 'studio', 3001],
    ['www.example.com.', 'studio', 3001],
    ['127.0.0.1:3000', 'studio', 3001],
    ['[::1]:3000', 'studio', 3001],
    ['api.example.com.:443', 'gateway', 'no_key'],
    ['shop.example.com', 'site', 4000],
    ['SHOP.example.com.:80', 'site', 4000],
    ['ze.example.com', 'site', 4002],
    ['baker.example', 'site', 4002],
    ['www.baker.example', 'site', 'redirect'],
    ['any.baker.example', 'site', 4002],
    ['any.any.baker.example', 'unknown', 'unknown_host'],
    ['old.example', 'site', 'redirect'],
    ['www.old.example', 'site', 'redirect'],
    ['b.loop.example', 'site', 'redirect'],
    ['a.loop.example', 'site', 'loop'],
    ['loop.example', 'unknown', 'unknown_host'],
    ['files.example.com', 'site', 'file'],
    ['itself.example.com', 'site', 'loop'],
    ['paused.example.com', 'site', 'paused'],
    ['broken.example.com', 'site', 'site_unusable'],
    ['none.example.com', 'unknown', 'unknown_host'],
    ['a.shop.example.com', 'unknown', 'unknown_host'],
    ['baker.example.example.com', 'unknown', 'unknown_host'],
    ['badexample.com', 'unknown', 'unknown_host'],
    ['example.com.evil.example', 'unknown', 'unknown_host'],
    ['shop', 'unknown', 'unknown_host'],
    ['shop.example.com..', 'unknown', 'unknown_host'],
    ['0x7f000001', 'unknown', 'unknown_host'],
    ['', 'unknown', 'unknown_host'],
  ])('%s has the kind %s and the port or outcome %s', (host, kind, outcome) =>
    expect(decideOutcome({ host })).toEqual([kind, outcome]),
  );

  test.each([
    ['/api', 3002],
    ['/api/me', 3002],
    ['/api?x', 3002],
    ['/apis', 3001],
    ['/API/me', 3001],
    ['*', 3001],
  ])('at the studio’s host, %s is forwarded to port %i', (target, port) =>
    expect(decideOutcome({ host: 'example.com', target })).toEqual(['studio', port]),
  );

  test('at a static site, /api is forwarded to the API port, and other paths are served from files', () => {
    expect(decideOutcome({ host: 'files.example.com', target: '/api/x' })).toEqual(['site', 4001]);
    expect(decideOutcome({ host: 'files.example.com', target: '/apis', method: 'POST' })).toEqual(['site', 'file']);
  });

  test('a site receives path and host unchanged, and a redirect from a www host keeps the port', () => {
    const request = { host: 'SHOP.example.com:8080', target: '//a/../b;c?d' };
    expect(decideFor(request)).toMatchObject({ path: request.target, host: request.host });
    expect(decideFor({ host: 'www.baker.example:8080', target: '/a?b' })).toMatchObject({
      action: 'redirect',
      by: 'domain',
      status: 308,
      location: '//baker.example:8080/a?b',
    });
  });

  test.each(['example.com', 'api.example.com', 'shop.example.com', 'none.example.com'])(
    'a request that comes back to %s is refused as a loop',
    (host) =>
      expect(decideFor({ host, isLoop: true })).toMatchObject({ action: 'refuse', status: 508, reason: 'loop' }),
  );
});

test("studio and gateway answer at a separate base domain only, and sites below the sites' domain only", () => {
  const domains = { BASE_DOMAIN: 'estudio.example', SITES_DOMAIN: 'clientes.example' };
  const separateTable = new RoutingTable({ ...settings, ...domains }, () => undefined);
  separateTable.apply({ revision: 1, isComplete: true, changes: [createSubdomain('loja', {})] });
  const resolveKind = (host: string) => separateTable.resolveHost(host).kind;
  expect(
    ['loja.clientes.example', 'estudio.example', 'www.estudio.example', 'api.estudio.example'].map(resolveKind),
  ).toEqual(['site', 'studio', 'studio', 'gateway']);
  for (const host of ['loja.estudio.example', 'clientes.example', 'www.clientes.example', 'api.clientes.example'])
    expect([host, resolveKind(host)]).toEqual([host, 'unknown']);
});

describe('the gateway (contract §5, §7)', () => {
  test.each<[string, RequestOverrides, number, string]>([
    ['dot segments', { target: '/list/../rest', secrets: ['all'] }, 400, 'path'],
    ['encoded dot segments', { target: '/list/%2e%2E/rest', secrets: ['all'] }, 400, 'path'],
    ['an encoded slash', { target: '/list/a%2Fb', secrets: ['all'] }, 400, 'path'],
    ['an empty segment', { target: '//list', secrets: ['all'] }, 400, 'path'],
    ['a parameter of a segment', { target: '/list;v=1', secrets: ['all'] }, 400, 'path'],
    ['the target *', { target: '*', method: 'OPTIONS', secrets: ['all'] }, 400, 'path'],
    ['a path without a route, before the key is checked', { target: '/none' }, 404, 'no_route'],
    ['a method without a route, before the key is checked', { method: 'POST' }, 405, 'method'],
    [
      'a preflight for a service without a CORS policy',
      { method: 'OPTIONS', origin: 'x', preflightMethod: 'GET' },
      405,
      'method',
    ],
    ['a request without a key', {}, 401, 'no_key'],
    ['a blank key', { secrets: [''] }, 401, 'no_key'],
    ['an unknown key', { secrets: ['nobody'] }, 401, 'unknown_key'],
    ['two keys', { secrets: ['all', 'all'] }, 401, 'unknown_key'],
    ['a disabled key', { secrets: ['off'] }, 401, 'disabled'],
    ['a key at the instant of its expiry', { secrets: ['expired'] }, 401, 'expired'],
    ['the expired previous secret of a rotated key', { secrets: ['rotated before'] }, 401, 'rotated'],
    [
      'an address outside of the key’s list, before the permission is checked',
      { secrets: ['home'], address: '10.2.0.1', target: '/rest' },
      403,
      'address',
    ],
    ['a client address that is not an address', { secrets: ['home'], address: 'garbage' }, 403, 'address'],
    ['a key without the permission', { secrets: ['reader'], target: '/list/export' }, 403, 'permission'],
    [
      'a key without the permission of the route, for a path in capitals',
      { secrets: ['reader'], target: '/LIST/Export/' },
      403,
      'permission',
    ],
    [
      'a key without the permission of the route, for an encoded path',
      { secrets: ['reader'], target: '/list/%65xport' },
      403,
      'permission',
    ],
    ['a route to this installation itself', { secrets: ['all'], target: '/loop' }, 508, 'loop'],
    ['a body that is too long', { secrets: ['all'], bodyLength: 2 ** 20 + 1 }, 413, 'body_too_large'],
  ])('refuses %s', (_case, overrides, status, reason) =>
    expect(decideFor(overrides)).toMatchObject({ kind: 'gateway', action: 'refuse', status, reason }),
  );

  test.each<[string, RequestOverrides, object]>([
    [
      'the key, the path and the host',
      { secrets: ['reader'] },
      { path: '/v1/list', host: '10.0.0.5:4003', keyId: 'reader' },
    ],
    [
      'the time and size limits of the service',
      { secrets: ['all'], bodyLength: 2 ** 20 },
      { timeoutMs: 7_000, maxBodyBytes: 2 ** 20, routeId: 'list' },
    ],
    ['the query unchanged', { secrets: ['all'], target: '/list?a=%2F&a&=' }, { path: '/v1/list?a=%2F&a&=' }],
    [
      'the value of a parameter unchanged',
      { secrets: ['all'], target: '/List/a%20B' },
      { path: '/v1/items/a%20B', routeId: 'one' },
    ],
    ['the literal segments of the destination', { secrets: ['all'], target: '/LIST/' }, { path: '/v1/list' }],
    [
      'the part of the path that the wildcard matched',
      { secrets: ['all'], target: '/rest/x/Y/' },
      { path: '/v1/x/Y/' },
    ],
    ['the route of GET for HEAD', { secrets: ['all'], method: 'HEAD' }, { routeId: 'list' }],
    ['no key if the route is public', { target: '/open' }, { keyId: undefined, routeId: 'open' }],
    ['the expiry of the key', { secrets: ['expiring'] }, { expiresAt: NOW + 1_000 }],
    [
      'the rate limit that the caller must check',
      { secrets: ['limited'] },
      { limit: { counterId: 'limited', requests: 1, seconds: 60 } },
    ],
    ['the size limit for a chunked body', { secrets: ['all'], bodyLength: 'chunked' }, { maxBodyBytes: 2 ** 20 }],
  ])('a forward decision has %s', (_case, overrides, decision) =>
    expect(decideFor(overrides)).toMatchObject({ kind: 'gateway', action: 'forward', ...decision }),
  );

  test('a 405 lists the allowed methods of the path', () =>
    expect(decideFor({ target: '/list/7', method: 'PUT' })).toMatchObject({ allow: 'GET, DELETE, HEAD' }));

  test('a preflight for a method with a route needs no key, but any other OPTIONS request is refused', () => {
    const request = { target: '/page', method: 'OPTIONS', origin: 'https://app.example', preflightMethod: 'POST' };
    expect(decideFor(request)).toMatchObject({
      action: 'preflight',
      corsLines: expect.stringContaining('Access-Control-Allow-Methods: GET, POST\r\n'),
    });
    expect(decideFor({ ...request, origin: 'https://evil.example' })).toMatchObject({ corsLines: 'Vary: Origin\r\n' });
    expect(decideFor({ ...request, preflightMethod: 'DELETE' })).toMatchObject({ reason: 'method' });
    expect(decideFor({ ...request, origin: undefined })).toMatchObject({ reason: 'method' });
  });
});

test('repeated calls of decide with one request return equal decisions', () => {
  const request = { secrets: ['limited'], target: '/list/7' };
  const firstDecision = decideFor(request);
  for (let turn = 0; turn < 5; turn += 1) expect(decideFor(request)).toEqual(firstDecision);
});
