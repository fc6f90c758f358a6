import { waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, parseResponse, type RequestOptions, sendRaw, sendRequest } from '../../../testing/edge';
import { createKey } from '../../../testing/records';

interface EchoedRequest {
  method: string;
  url: string;
  headers: string[]; // Names and values alternate, as in `rawHeaders`.
  body: string;
  name: string;
}

/** Starts a service whose responses describe the request. */
const startEcho = (name: string) =>
  listen((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const echoed: EchoedRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.rawHeaders,
        body: Buffer.concat(pieces).toString(),
        name,
      };
      const body = JSON.stringify(echoed);
      response.writeHead(request.url?.startsWith('/moved') ? 302 : 200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'X-Answered-By': name,
        ...(request.url?.startsWith('/moved') && { Location: 'http://elsewhere.example/' }),
      });
      response.end(body);
    });
  });

const listHeaderValues = ({ headers }: EchoedRequest, name: string): string[] =>
  headers.filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let core: Core;
let edge: Edge;
let firstUpstream: Awaited<ReturnType<typeof startEcho>>;
let secondUpstream: Awaited<ReturnType<typeof startEcho>>;
let key: { _id: string; key: string };

/** Creates a key and waits until all workers accept it, because they then also serve all earlier changes. */
async function waitForRollout(): Promise<void> {
  const revisionBefore = await edge.readMetric('edge_snapshot_revision');
  const markerKey = await createKey(core);
  await waitFor('all workers accept the new key', async () => {
    return (
      (await edge.readMetric('edge_snapshot_revision')) > revisionBefore &&
      (await isAcceptedByAllWorkers(markerKey.key))
    );
  });
}
const isAcceptedByAllWorkers = async (presentedKey: string) => {
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => sendRequest(edge.port, { path: '/exact', headers: [['X-API-Key', presentedKey]] })),
  );
  return responses.every(({ status }) => status !== 401);
};

const sharedKeys = new Map<string, ReturnType<typeof createKey>>();
/** Returns a valid key with these permissions and addresses. Several tests share the key. */
const createSharedKey = (permissions: string[], allowedIps: string[] = []) => {
  const name = JSON.stringify([permissions, allowedIps]);
  const keyPromise =
    sharedKeys.get(name) ??
    createKey(core, { permissions, allowedIps }).then(async (createdKey) => {
      await waitForRollout();
      return createdKey;
    });
  sharedKeys.set(name, keyPromise);
  return keyPromise;
};
const getReaderKey = async () => (await createSharedKey(['users:read', 'a:read'])).key;

beforeAll(async () => {
  core = await new Core().start();
  [firstUpstream, secondUpstream] = [await startEcho('one'), await startEcho('two')];
  const serviceOne = await core.create('/gateway/admin/services', { name: 'one', host: firstUpstream.url });
  const serviceTwo = await core.create('/gateway/admin/services', { name: 'two', host: `${secondUpstream.url}/v1/` });
  const createRouteTo = (
    serviceId: string,
    origin: string,
    destination: string,
    methods: string[],
    permission = 'a:read',
  ) => core.create('/gateway/admin/routes', { serviceId, origin, destination, methods, permission });
  await createRouteTo(serviceOne._id, '/exact', '/exact', ['GET']);
  await createRouteTo(serviceOne._id, '/moved', '/moved', ['GET']);
  await createRouteTo(serviceOne._id, '/all/:id', '/parameter/:id', ['GET']);
  await createRouteTo(serviceOne._id, '/all/*', '/wild/*', ['GET']);
  await createRouteTo(serviceOne._id, '/all/static', '/static', ['GET'], 'a:secret');
  await createRouteTo(serviceOne._id, '/swap/:a/:b', '/swapped/:b/:a', ['GET']);
  await createRouteTo(serviceOne._id, '/a/:x/b', '/found/:x', ['GET']);
  await createRouteTo(serviceOne._id, '/a/c/d', '/other', ['GET']);
  await createRouteTo(serviceOne._id, '/rest/*', '/deep/*', ['GET']);
  await createRouteTo(serviceOne._id, '/methods', '/from-one', ['GET', 'DELETE']);
  await createRouteTo(serviceTwo._id, '/methods', '/from-two', ['POST', 'OPTIONS']);
  await createRouteTo(serviceOne._id, '/users/export', '/users/Export', ['GET'], 'users:export');
  await createRouteTo(serviceOne._id, '/users/:id', '/users/:id', ['GET'], 'users:read');
  await createRouteTo(serviceOne._id, '/admin', '/admin', ['GET'], 'admin:all');
  await createRouteTo(serviceOne._id, '/upload', '/upload', ['POST', 'PUT', 'PATCH']);
  await createRouteTo(serviceOne._id, '/route', '/route', ['GET']);
  const unreachableService = await core.create('/gateway/admin/services', { name: 'gone', host: 'http://127.0.0.1:9' });
  await createRouteTo(unreachableService._id, '/gone', '/', ['GET', 'POST']);
  key = await createKey(core);
  edge = await new Edge(core).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await firstUpstream?.stop();
  await secondUpstream?.stop();
});

describe('the gateway', () => {
  const requestWithKey = (options: RequestOptions & { key?: string | null }) => {
    const presentedKey = options.key === undefined ? key.key : options.key;
    const keyHeaders = presentedKey === null ? [] : ([['X-API-Key', presentedKey]] as const);
    return sendRequest(edge.port, { ...options, headers: [...keyHeaders, ...(options.headers ?? [])] });
  };
  const requestEcho = async (options: RequestOptions & { key?: string | null }): Promise<EchoedRequest> => {
    const response = await requestWithKey(options);
    expect([response.status, response.text.slice(0, 200)]).toEqual([200, expect.stringContaining('"method"')]);
    return JSON.parse(response.text);
  };

  test('a request to an exact origin is forwarded to its destination, and the response is returned unchanged', async () => {
    const response = await requestWithKey({ path: '/exact' });
    expect([response.status, getHeader(response, 'x-answered-by'), getHeader(response, 'content-type')]).toEqual([
      200,
      'one',
      'application/json',
    ]);
    expect(JSON.parse(response.text)).toMatchObject({ method: 'GET', url: '/exact', name: 'one' });
  });

  test.each(['?', '?a=1&a=2', '?q=%20+%2F&x=%zz;//..', '?a=b?c'])(
    'the query %s is forwarded byte for byte',
    async (query) => {
      expect((await requestEcho({ path: `/exact${query}` })).url).toBe(`/exact${query}`);
    },
  );

  test.each([
    ['/all/a%20b%C3%A9', '/parameter/a%20b%C3%A9'],
    ['/all/%41', '/parameter/%41'],
    ['/all/x+y:z@', '/parameter/x+y:z@'],
    ['/all/%252e', '/parameter/%252e'],
  ])('the parameter of %s is forwarded unchanged', async (path, url) => {
    expect((await requestEcho({ path })).url).toBe(url);
  });

  test('a destination may have the parameters of its origin in another order', async () => {
    expect((await requestEcho({ path: '/swap/1/2' })).url).toBe('/swapped/2/1');
  });

  test.each([
    ['/rest/x/y', '/deep/x/y'],
    ['/rest/x/', '/deep/x/'],
    ['/rest/', '/deep/'],
    ['/rest', '/deep'],
  ])('the wildcard of a route forwards the rest of the path %s', async (path, url) => {
    expect((await requestEcho({ path })).url).toBe(url);
  });

  test.each([
    ['/all/static', '/static'],
    ['/all/other', '/parameter/other'],
    ['/all/two/levels', '/wild/two/levels'],
    ['/a/c/b', '/found/c'],
    ['/a/c/d', '/other'],
  ])('for %s, a literal segment has precedence over parameters and wildcards, with backtracking', async (path, url) => {
    expect((await requestEcho({ path })).url).toBe(url);
  });

  test('methods of one origin may lead to several services, whose own paths precede the destination', async () => {
    expect(await requestEcho({ path: '/methods', method: 'DELETE' })).toMatchObject({ url: '/from-one', name: 'one' });
    expect(await requestEcho({ path: '/methods', method: 'POST', body: 'x' })).toMatchObject({
      url: '/v1/from-two',
      name: 'two',
      body: 'x',
    });
  });

  test('a route for GET also answers HEAD, with a Content-Length and without a body', async () => {
    const response = await requestWithKey({ path: '/exact', method: 'HEAD' });
    expect([response.status, response.body.length]).toEqual([200, 0]);
    const { body } = await requestWithKey({ path: '/exact' });
    // The echoed body contains the method, and `HEAD` is one byte longer than `GET`.
    expect(getHeader(response, 'content-length')).toBe(String(body.length + 1));
  });

  test('an unknown path is answered with 404', async () => {
    expect((await requestWithKey({ path: '/unknown' })).status).toBe(404);
  });

  test('an unknown method of a path is answered with 405 and the allowed methods of all services', async () => {
    const response = await requestWithKey({ path: '/methods', method: 'PATCH', body: '' });
    expect(response.status).toBe(405);
    expect((getHeader(response, 'allow') ?? '').split(', ').sort()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'POST',
    ]);
    expect(JSON.parse(response.text)).toEqual({ error: expect.any(String) });
  });

  test('OPTIONS without a key is answered with 405, or with 401 if the path has a route for OPTIONS', async () => {
    const response = await requestWithKey({ path: '/exact', method: 'OPTIONS', key: null });
    expect([response.status, getHeader(response, 'allow')]).toEqual([405, 'GET, HEAD']);
    expect((await requestWithKey({ path: '/methods', method: 'OPTIONS', key: null })).status).toBe(401);
  });

  test.each(['/users/EXPORT', '/users/export/', '/users/%65xport'])(
    'the path %s needs the permission of the route /users/export',
    async (path) => {
      const readerKey = await getReaderKey();
      expect((await requestWithKey({ path, key: readerKey })).status).toBe(403);
      expect((await requestEcho({ path })).url).toBe('/users/Export');
      expect((await requestWithKey({ path: '/users/exported', key: readerKey })).status).toBe(200);
    },
  );

  test.each([
    '/exact/../admin',
    '/all/%2e%2e/x',
    '/all/.%2e/x',
    '/..',
    '/all/./x',
    '/all//x',
    '//exact',
    '/all/a%2fb',
    '/all/a%5Cb',
    '/all/..%3B/b',
    '/all/a%3b',
    '/all/a\\b',
    '/all/a%00',
    '/all/a%0a',
    '/all/%zz',
    '/all/%4',
    '/all/%c0%ae',
    '/exact;x=1',
    '/all/é',
  ])('the path %s is refused', async (path) => {
    const response = await requestWithKey({ path });
    expect([response.status, getHeader(response, 'content-type')]).toEqual([
      400,
      expect.stringContaining('application/json'),
    ]);
  });

  test('an encoded letter in a path does not bypass the permission of a route', async () => {
    expect((await requestWithKey({ path: '/%61dmin', key: await getReaderKey() })).status).toBe(403);
  });

  test('the host of an absolute-form request target replaces the Host field', async () => {
    const echoed = await requestEcho({ path: 'http://api.localhost/exact', host: 'elsewhere.example' });
    expect([echoed.url, listHeaderValues(echoed, 'x-forwarded-host')]).toEqual(['/exact', ['api.localhost']]);
    const bytes = await sendRaw(edge.port, `GET http://api.localhost/exact HTTP/1.0\r\nX-API-Key: ${key.key}\r\n\r\n`);
    const echoedWithoutHost = JSON.parse(parseResponse(bytes).text);
    expect([echoedWithoutHost.url, listHeaderValues(echoedWithoutHost, 'x-forwarded-host')]).toEqual([
      '/exact',
      ['api.localhost'],
    ]);
  });

  test.each([
    ['missing', null],
    ['blank', ' '],
    ['unknown', `sk7_${'x'.repeat(43)}`],
    ['long', 'x'.repeat(5_000)],
  ])('a request with a %s key is answered with 401', async (_kind, presentedKey) => {
    const response = await requestWithKey({ path: '/exact', key: presentedKey });
    expect([response.status, getHeader(response, 'www-authenticate')]).toEqual([401, 'ApiKey']);
    expect(JSON.parse(response.text)).toEqual({ error: expect.any(String) });
  });

  test('a request with a key that is too long or has a wrong last character is answered with 401', async () => {
    expect((await requestWithKey({ path: '/exact', key: `${key.key}abc` })).status).toBe(401);
    expect(
      (await requestWithKey({ path: '/exact', key: `${key.key.slice(0, -1)}${key.key.endsWith('A') ? 'B' : 'A'}` }))
        .status,
    ).toBe(401);
  });

  test('a request with two keys, in one header field or in two, is answered with 401', async () => {
    expect((await requestWithKey({ path: '/exact', headers: [['x-api-key', key.key]] })).status).toBe(401);
    expect((await requestWithKey({ path: '/exact', key: `${key.key}, ${key.key}` })).status).toBe(401);
  });

  test('a key in another header field or in the query is not accepted', async () => {
    const headers = [
      ['Authorization', `Bearer ${key.key}`],
      ['Cookie', `X-API-Key=${key.key}`],
      ['x_api_key', key.key],
    ] as const;
    expect((await requestWithKey({ path: `/exact?X-API-Key=${key.key}`, key: null, headers })).status).toBe(401);
  });

  test('a route with a:read accepts keys with a:* or a:read, but no similar permission', async () => {
    const requestStatus = async (permissions: string[]) =>
      (await requestWithKey({ path: '/exact', key: (await createSharedKey(permissions)).key })).status;
    expect(await requestStatus(['a:*'])).toBe(200);
    expect(await requestStatus(['a:read'])).toBe(200);
    expect(await requestStatus(['a:rea', 'a:reader', 'ab:*', 'b:read'])).toBe(403);
  });

  test('the address list of a key is checked after path and method, and before its permissions', async () => {
    const requestStatus = async (ips: string[], options: RequestOptions = {}) =>
      (await requestWithKey({ path: '/exact', ...options, key: (await createSharedKey(['a:read'], ips)).key })).status;
    expect(await requestStatus(['127.0.0.1'])).toBe(200);
    expect(await requestStatus(['127.0.0.0/8', '::1'])).toBe(200);
    expect(await requestStatus(['10.0.0.0/8'])).toBe(403);
    expect(await requestStatus(['10.0.0.0/8'], { path: '/unknown' })).toBe(404);
    expect(await requestStatus(['10.0.0.0/8'], { path: '/exact', method: 'POST', body: '' })).toBe(405);
    const response = await requestWithKey({
      path: '/users/export',
      key: (await createSharedKey(['a:read'], ['10.0.0.0/8'])).key,
    });
    expect(JSON.parse(response.text)).toEqual({
      error: expect.any(String),
      details: expect.stringContaining('endereço'),
    });
  });

  test('a client cannot claim another address', async () => {
    const limitedKey = await createSharedKey(['a:read'], ['10.1.2.3']);
    const names = [
      'X-Real-IP',
      'CF-Connecting-IP',
      'True-Client-IP',
      'X-Client-IP',
      'Client-IP',
      'X-Cluster-Client-IP',
    ];
    const headers = ['X-Forwarded-For', 'X-Forwarded', 'client_ip', ...names].map(
      (name) => [name, '10.1.2.3'] as const,
    );
    const response = await requestWithKey({
      path: '/exact',
      key: limitedKey.key,
      headers: [...headers, ['Forwarded', 'for=10.1.2.3']],
    });
    expect(response.status).toBe(403);
    const echoed = await requestEcho({ path: '/exact', headers });
    expect(listHeaderValues(echoed, 'x-forwarded-for')).toEqual(['127.0.0.1']);
    expect(JSON.stringify(echoed)).not.toContain('10.1.2.3');
  });

  test('an unreachable upstream is answered with 502 and a message without the upstream address', async () => {
    for (const method of ['GET', 'POST']) {
      const response = await requestWithKey({ path: '/gone', method, ...(method === 'POST' && { body: 'x' }) });
      expect([response.status, JSON.parse(response.text)]).toEqual([502, { error: expect.any(String) }]);
      expect(response.text).not.toMatch(/127\.0\.0\.1|ECONN/);
    }
  });

  test('the upstream receives the header fields of the edge, and no fields that a client must not set', async () => {
    const echoed = await requestEcho({
      path: '/exact',
      headers: [
        ['Proxy-Authorization', 'x'],
        ['Keep-Alive', 'timeout=1'],
        ['X-Tenant-Id', 'mine'],
        ['X-Gateway-Key-Id', 'mine'],
        ['X-Forwarded-Host', 'evil'],
        ['X-HTTP-Method-Override', 'DELETE'],
        ['x_gateway_key_id', 'mine'],
        ['traceparent', '00-11111111111111111111111111111111-2222222222222222-01'],
        ['tracestate', 'vendor=1'],
        ['True-Client-IP', '10.1.2.3'],
        ['X-Original-URL', '/admin'],
        ['X-Rewrite-URL', '/admin'],
        ['Proxy', 'http://evil'],
        ['HTTP2-Settings', 'AAMAAABk'],
        ['X-Request-Id', 'given-1'],
        ['X-Twice', 'a'],
        ['X-Twice', 'b'],
        ['X-Bytes', Buffer.from('é').toString('latin1')],
      ],
    });
    const listValues = (name: string) => listHeaderValues(echoed, name);
    expect([listValues('host'), listValues('x-forwarded-host'), listValues('x-forwarded-proto')]).toEqual([
      [new URL(firstUpstream.url).host],
      ['api.localhost'],
      ['http'],
    ]);
    expect([listValues('x-gateway-key-id'), listValues('x-request-id'), listValues('traceparent')]).toEqual([
      [key._id],
      [expect.stringMatching(UUID)],
      [expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)],
    ]);
    expect([listValues('x-twice'), listValues('x-bytes')]).toEqual([['a', 'b'], [Buffer.from('é').toString('latin1')]]);
    for (const name of [
      'x-api-key',
      'x-tenant-id',
      'proxy-authorization',
      'keep-alive',
      'x_gateway_key_id',
      'x-http-method-override',
      'tracestate',
      'true-client-ip',
      'x-original-url',
      'x-rewrite-url',
      'proxy',
      'http2-settings',
    ])
      expect([name, listValues(name)]).toEqual([name, []]);
    expect(JSON.stringify(echoed)).not.toContain(key.key);
  });

  test('a Connection header of the client cannot remove header fields that the edge sets', async () => {
    const echoed = await requestEcho({
      path: '/upload',
      method: 'POST',
      body: 'body',
      headers: [
        ['Connection', 'x-forwarded-for, x-request-id, host, content-length, x-gateway-key-id, x-secret'],
        ['X-Secret', 'hop'],
      ],
    });
    expect(echoed.body).toBe('body');
    expect(listHeaderValues(echoed, 'x-secret')).toEqual([]);
    expect(listHeaderValues(echoed, 'x-forwarded-for')).toEqual(['127.0.0.1']);
    expect(listHeaderValues(echoed, 'x-gateway-key-id')).toEqual([key._id]);
  });

  test('the request id of an untrusted client is replaced, and response and upstream get the same id', async () => {
    for (const requestId of ['abc', 'a b<']) {
      const response = await requestWithKey({ path: '/exact', headers: [['X-Request-Id', requestId]] });
      const id = getHeader(response, 'x-request-id');
      expect(id).toMatch(UUID);
      expect(listHeaderValues(JSON.parse(response.text), 'x-request-id')).toEqual([id]);
    }
  });

  test.each([
    ['POST', 0],
    ['PUT', 5],
    ['PATCH', 200_000],
  ])('a %s with a body of %i bytes is forwarded', async (method, size) => {
    expect((await requestEcho({ path: '/upload', method, body: 'x'.repeat(size) })).body.length).toBe(size);
  });

  test('a parameter matches exactly one segment that is not empty, and a literal matches only the whole segment', async () => {
    for (const path of ['/swap/1', '/swap/1/', '/routereq', '/exact/more'])
      expect([path, (await requestWithKey({ path })).status]).toEqual([path, 404]);
  });

  test('a redirect is forwarded, not followed', async () => {
    const response = await requestWithKey({ path: '/moved' });
    expect([response.status, getHeader(response, 'location')]).toEqual([302, 'http://elsewhere.example/']);
  });
});

test('an unusual request target is answered with 400, and an unusual method with 405', async () => {
  const requestStatus = async (line: string) =>
    parseResponse(await sendRaw(edge.port, `${line}\r\nHost: api.localhost\r\nConnection: close\r\n\r\n`)).status;
  expect(await requestStatus('GET * HTTP/1.1')).toBe(400);
  expect(await requestStatus('GET /exact#part HTTP/1.1')).toBe(400);
  expect(await requestStatus('TRACE /exact HTTP/1.1')).toBe(405);
  expect(await requestStatus('CONNECT api.localhost:80 HTTP/1.1')).toBe(405);
  expect(await requestStatus('FOO /exact HTTP/1.1')).toBe(405);
});

test('the message of a refusal names its reason: the path, the method, or the request head', async () => {
  const readMessage = async (line: string, headerLines = '') => {
    const head = `${line} HTTP/1.1\r\nHost: api.localhost\r\nConnection: close\r\n${headerLines}\r\n`;
    return JSON.parse(parseResponse(await sendRaw(edge.port, head)).text).error;
  };
  expect(await readMessage('GET /exact//x')).toMatch('caminho');
  expect(await readMessage('GET /exact', 'Content-Length: 1\r\nContent-Length: 1\r\n')).toBe(
    'A requisição não pôde ser lida.',
  );
  expect(await readMessage('PROPFIND /exact')).toMatch('A rota existe');
  expect(await readMessage('FOO /none')).toBe('Este método não é atendido.');
});

test('a request with Expect and without a key is answered with 401, without a 100 before it', async () => {
  const bytes = await sendRaw(
    edge.port,
    'POST /upload HTTP/1.1\r\nHost: api.localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n',
  );
  expect(bytes.toString()).toMatch(/^HTTP\/1\.1 401 /);
});
