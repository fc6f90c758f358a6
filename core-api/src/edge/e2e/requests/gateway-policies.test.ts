import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';
import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, type RequestOptions, sendRaw, sendRequest, type WireResponse } from '../../../testing/edge';
import { createKey, createRoute } from '../../../testing/records';

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let webSocketServer: WebSocketServer;
/** Accepts an upgrade at once; a test may replace it to delay the acceptance. */
let acceptWebSocket = (accept: () => void): void => accept();
let chatService: { _id: string };
let key: { _id: string; key: string };
const receivedRequests: string[] = [];

const updateEntity = async (path: string, body: object) => {
  const response = await core.request('PUT', `/gateway/admin/${path}`, { body });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
};
const createServiceNamed = async (name: string, fields: object = {}): Promise<string> =>
  (await core.create('/gateway/admin/services', { name, host: upstream.url, ...fields }))._id;

const requestWithKey = (
  path: string,
  presentedKey: string | null = key.key,
  requestOptions: RequestOptions = {},
): Promise<WireResponse> => {
  const keyHeaders = presentedKey === null ? [] : ([['X-API-Key', presentedKey]] as const);
  return sendRequest(edge.port, {
    path,
    ...requestOptions,
    headers: [...keyHeaders, ...(requestOptions.headers ?? [])],
  });
};
/** Sends requests over several connections, so that all workers answer. Returns their statuses. */
const readStatuses = async (path: string, presentedKey: string | null = key.key): Promise<number[]> => {
  const responses = await Promise.all(Array.from({ length: 6 }, () => requestWithKey(path, presentedKey)));
  return [...new Set(responses.map(({ status }) => status))];
};
const waitForStatusAtEveryWorker = (status: number, path: string, presentedKey: string | null = key.key) =>
  waitFor(`${path} is ${status} at every worker`, async () => {
    const statuses = await readStatuses(path, presentedKey);
    return statuses.length === 1 && statuses[0] === status;
  });
const selectHeaders = ({ headers }: WireResponse, prefix: string) =>
  Object.fromEntries(
    headers.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => name.startsWith(prefix)),
  );

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => {
    receivedRequests.push(`${request.method} ${request.url}`);
    if (request.url === '/slow') return;
    if (request.url === '/stream') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: hello\n\n');
      return;
    }
    request.resume();
    request.on('end', () => {
      response.writeHead(200, {
        'Access-Control-Allow-Origin': 'https://the-service.example',
        'Access-Control-Allow-Methods': 'PURGE',
        'X-Total-Count': '7',
        'X-Seen-Key': request.headers['x-gateway-key-id'] ?? 'none',
      });
      response.end('done');
    });
  });
  webSocketServer = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_request: unknown, done: (isAccepted: boolean) => void) => acceptWebSocket(() => done(true)),
  });
  webSocketServer.on('connection', (socket) => socket.send('hello'));
  const plainService = await core.create('/gateway/admin/services', {
    name: 'plain',
    host: upstream.url,
    maxBodyMb: 1,
  });
  await createRoute(core, plainService._id, '/plain');
  await createRoute(core, await createServiceNamed('slow', { timeoutSeconds: 1 }), '/slow');
  await createRoute(core, plainService._id, '/stream', { methods: ['GET'] });
  await createRoute(core, plainService._id, '/public', { methods: ['GET'], public: true, permission: '' });
  chatService = await core.create('/gateway/admin/services', {
    name: 'chat',
    host: `http://127.0.0.1:${(webSocketServer.address() as { port: number }).port}`,
  });
  await createRoute(core, chatService._id, '/chat', { methods: ['GET'] });
  key = await createKey(core);
  edge = await new Edge(core).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
  webSocketServer?.close();
});

describe('keys', () => {
  const readRefusalMessage = async (presentedKey: string) =>
    JSON.parse((await requestWithKey('/plain', presentedKey)).text).error;
  /** Sets the expiry of a key to one second from now. @returns that time, ms since the epoch */
  const expireInOneSecond = async ({ _id }: { _id: string }): Promise<number> => {
    const expiresAt = Date.now() + 1_000;
    await updateEntity(`keys/${_id}`, { expiresAt: new Date(expiresAt).toISOString() });
    return expiresAt;
  };

  test('every worker refuses a disabled key with 401 and the reason, until the key is enabled again', async () => {
    const createdKey = await createKey(core);
    await waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
    await updateEntity(`keys/${createdKey._id}`, { disabled: true });
    await waitForStatusAtEveryWorker(401, '/plain', createdKey.key);
    const response = await requestWithKey('/plain', createdKey.key);
    expect([getHeader(response, 'www-authenticate'), JSON.parse(response.text)]).toEqual([
      'ApiKey',
      { error: 'Esta chave de API está desativada.' },
    ]);
    await updateEntity(`keys/${createdKey._id}`, { disabled: false });
    await waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
  });

  test('a stream ends when its own key is disabled or expires', async () => {
    const [expiringKey, disabledKey] = [await createKey(core), await createKey(core)];
    await waitForStatusAtEveryWorker(200, '/plain', expiringKey.key);
    await waitForStatusAtEveryWorker(200, '/plain', disabledKey.key);
    const openStream = async ({ key: presentedKey }: { key: string }) => {
      const socket = connect(edge.port, '127.0.0.1');
      socket.write(`GET /stream HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${presentedKey}\r\n\r\n`);
      const whenEnded = new Promise<number>((resolve) => {
        socket.on('error', () => undefined).once('close', () => resolve(Date.now()));
      });
      await new Promise((resolve) => socket.once('data', resolve));
      return { socket, whenEnded };
    };
    const [continuingStream, expiringStream, revokedStream] = [
      await openStream(key),
      await openStream(expiringKey),
      await openStream(disabledKey),
    ];
    const endsAt = await expireInOneSecond(expiringKey);
    await updateEntity(`keys/${disabledKey._id}`, { disabled: true });
    await revokedStream.whenEnded;
    expect(await expiringStream.whenEnded).toBeGreaterThanOrEqual(endsAt);
    expect(continuingStream.socket.destroyed).toBe(false);
    continuingStream.socket.destroy();
    const readReasons = async () =>
      (await core.request('GET', `/gateway/admin/requests?key=${disabledKey._id}`)).body.requests.map(
        ({ reason }: { reason: string | null }) => reason,
      );
    await waitFor('the request log has the reason', async () => (await readReasons()).includes('revoked'));
  });

  test('a key expires without a change of the configuration, and its WebSocket closes', async () => {
    const createdKey = await createKey(core);
    await waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
    const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/chat`, {
      headers: { Host: 'api.localhost', 'X-API-Key': createdKey.key },
    });
    const whenClosed = new Promise<[number, number]>((resolve) => {
      socket.once('close', (code) => resolve([code, Date.now()]));
    });
    await new Promise((resolve) => socket.once('message', resolve));
    const endsAt = await expireInOneSecond(createdKey);
    const [stored] = await core.query('SELECT value FROM configuration_revision');
    await waitForStatusAtEveryWorker(401, '/plain', createdKey.key);
    expect(Date.now()).toBeGreaterThanOrEqual(endsAt);
    expect(await readRefusalMessage(createdKey.key)).toBe('Esta chave de API expirou.');
    const [code, closedAt] = await whenClosed;
    expect(code).toBe(1001);
    expect(closedAt).toBeGreaterThanOrEqual(endsAt);
    // The expiry needed no change of the configuration.
    expect(await edge.readMetric('edge_snapshot_revision')).toBe(Number(stored?.value));
  });

  test('a WebSocket closes at once if its key was disabled before the service accepted the upgrade', async () => {
    const createdKey = await createKey(core);
    await waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
    const whenUpgradeArrives = new Promise<() => void>((resolve) => {
      acceptWebSocket = resolve;
    });
    const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/chat`, {
      headers: { Host: 'api.localhost', 'X-API-Key': createdKey.key },
    });
    const whenClosed = new Promise<number>((resolve) => socket.once('close', resolve));
    const acceptUpgrade = await whenUpgradeArrives;
    acceptWebSocket = (accept) => accept();
    await updateEntity(`keys/${createdKey._id}`, { disabled: true });
    await waitForStatusAtEveryWorker(401, '/plain', createdKey.key);
    acceptUpgrade();
    expect(await whenClosed).toBe(1001);
  });

  test('a WebSocket ends when its route gets another destination at the same service', async () => {
    const route = await createRoute(core, chatService._id, '/room', { methods: ['GET'] });
    await waitForStatusAtEveryWorker(426, '/room');
    const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/room`, {
      headers: { Host: 'api.localhost', 'X-API-Key': key.key },
    });
    const whenClosed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('message', resolve));
    await updateEntity(`routes/${route._id}`, { destination: '/other' });
    expect(await whenClosed).toBe(1001);
  });

  test('after a rotation both secrets are valid until the grace period ends', async () => {
    const createdKey = await createKey(core);
    await waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
    const rotate = async (graceSeconds: number) =>
      (await core.request('POST', `/gateway/admin/keys/${createdKey._id}/rotate`, { body: { graceSeconds } })).body;
    const rotatedKey = await rotate(3_600);
    await waitForStatusAtEveryWorker(200, '/plain', rotatedKey.key);
    const responses = await Promise.all([
      requestWithKey('/plain', createdKey.key),
      requestWithKey('/plain', rotatedKey.key),
    ]);
    expect(responses.map((response) => getHeader(response, 'x-seen-key'))).toEqual([createdKey._id, createdKey._id]);
    const twiceRotatedKey = await rotate(1);
    await waitForStatusAtEveryWorker(401, '/plain', rotatedKey.key);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(twiceRotatedKey.previousExpiresAt));
    expect(await readRefusalMessage(rotatedKey.key)).toBe('Esta chave de API foi trocada: use a nova.');
    expect(await readStatuses('/plain', twiceRotatedKey.key)).toEqual([200]);
  });
});

describe('routes and services', () => {
  test('a public route needs no key and does not send a key to the service', async () => {
    expect(await readStatuses('/public', null)).toEqual([200]);
    expect(getHeader(await requestWithKey('/public', key.key), 'x-seen-key')).toBe('none');
    expect((await requestWithKey('/public', null, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  test('a too large Content-Length is refused before the body, and a chunked body once it exceeds the limit', async () => {
    const megabyte = 1024 * 1024;
    const countBefore = receivedRequests.length;
    const declaredResponse = await sendRaw(
      edge.port,
      `POST /plain HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${key.key}\r\nExpect: 100-continue\r\nContent-Length: ${megabyte + 1}\r\nConnection: close\r\n\r\n`,
    );
    expect(declaredResponse.toString()).toMatch(/^HTTP\/1\.1 413 [\s\S]*passa do limite/);
    expect(receivedRequests.length).toBe(countBefore);
    const piece = Buffer.concat([Buffer.from('80000\r\n'), Buffer.alloc(megabyte / 2, 'x'), Buffer.from('\r\n')]);
    const sendChunked = async (pieces: number) => {
      const head = `POST /plain HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${key.key}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
      const body = [...Array.from({ length: pieces }, () => piece), Buffer.from('0\r\n\r\n')];
      return (await sendRaw(edge.port, Buffer.concat([Buffer.from(head), ...body]))).toString().slice(0, 12);
    };
    expect(await sendChunked(3)).toBe('HTTP/1.1 413');
    expect(await sendChunked(2)).toBe('HTTP/1.1 200');
    expect((await requestWithKey('/plain', key.key, { method: 'POST', body: 'x'.repeat(megabyte) })).status).toBe(200);
  });

  test('a request is answered with 504 if its service does not respond within its time-out', async () => {
    const response = await requestWithKey('/slow');
    expect([response.status, JSON.parse(response.text)]).toEqual([504, { error: 'O serviço não respondeu a tempo.' }]);
  });
});

describe('CORS', () => {
  const withOrigin = (origin: string, headerFields: [string, string][] = []): RequestOptions => ({
    headers: [['Origin', origin], ...headerFields],
  });
  const sendPreflight = (path: string, origin: string, method = 'POST') =>
    requestWithKey(path, null, {
      method: 'OPTIONS',
      ...withOrigin(origin, [
        ['Access-Control-Request-Method', method],
        ['Access-Control-Request-Headers', 'x-api-key'],
      ]),
    });

  beforeAll(async () => {
    const cors = { headers: ['X-Pedido'], maxAgeSeconds: 300 };
    const anyOriginService = await core.create('/gateway/admin/services', {
      name: 'any',
      host: upstream.url,
      cors: { ...cors, origins: '*' },
    });
    await createRoute(core, anyOriginService._id, '/any', { methods: ['GET', 'PUT'] });
    const listedOriginService = await core.create('/gateway/admin/services', {
      name: 'listed',
      host: upstream.url,
      cors: { ...cors, origins: ['https://app.example'], credentials: true },
    });
    await createRoute(core, listedOriginService._id, '/listed');
    const unreachable = await core.create('/gateway/admin/services', {
      name: 'gone',
      host: 'http://127.0.0.1:9',
      cors: { ...cors, origins: '*' },
    });
    await createRoute(core, unreachable._id, '/gone');
    await waitForStatusAtEveryWorker(502, '/gone');
  });

  test('the gateway answers a preflight without a key and lists the methods that the service has at this path', async () => {
    const countBefore = receivedRequests.length;
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
    expect(receivedRequests.length).toBe(countBefore);
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
      const unlisted = await sendPreflight('/listed', origin);
      expect([
        origin,
        unlisted.status,
        getHeader(unlisted, 'vary'),
        selectHeaders(unlisted, 'access-control-'),
      ]).toEqual([origin, 204, 'Origin', {}]);
    }
  });

  test('with a CORS policy, every response has the CORS headers of the gateway instead of those of the service', async () => {
    const anyOriginFields = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
    const passedResponse = await requestWithKey('/any', key.key, withOrigin('https://whoever.example'));
    expect([
      passedResponse.status,
      selectHeaders(passedResponse, 'access-control-'),
      getHeader(passedResponse, 'x-total-count'),
    ]).toEqual([200, anyOriginFields, '7']);
    expect(selectHeaders(await requestWithKey('/any'), 'access-control-')).toEqual(anyOriginFields);
    const response = await requestWithKey('/any', null, withOrigin('https://whoever.example'));
    expect([response.status, selectHeaders(response, 'access-control-')]).toEqual([401, anyOriginFields]);
    const wrongMethod = await requestWithKey('/any', key.key, {
      method: 'DELETE',
      ...withOrigin('https://whoever.example'),
    });
    expect([wrongMethod.status, selectHeaders(wrongMethod, 'access-control-')]).toEqual([405, anyOriginFields]);
    const unreachable = await requestWithKey('/gone', key.key, withOrigin('https://whoever.example'));
    expect([unreachable.status, selectHeaders(unreachable, 'access-control-')]).toEqual([502, anyOriginFields]);
    const otherOrigin = await requestWithKey('/listed', key.key, withOrigin('https://other.example'));
    expect([otherOrigin.status, getHeader(otherOrigin, 'vary'), selectHeaders(otherOrigin, 'access-control-')]).toEqual(
      [200, 'Origin', {}],
    );
  });

  test('without a CORS policy, the CORS headers of the service are forwarded, and every origin may read refusals', async () => {
    const response = await requestWithKey('/plain', key.key, withOrigin('https://whoever.example'));
    expect(getHeader(response, 'access-control-allow-origin')).toBe('https://the-service.example');
    const refusal = await requestWithKey('/plain', null, withOrigin('https://whoever.example'));
    expect([refusal.status, getHeader(refusal, 'access-control-allow-origin')]).toEqual([401, '*']);
  });
});

describe('instances', () => {
  /** An instance that can be stopped and started on the same port. */
  class Instance {
    readonly hosts = new Set<string>();
    responseCount = 0;
    healthStatus = 200;
    private server: Server | undefined;
    /** Servers of all starts. A stopped server keeps each connection until its next response. */
    private readonly servers: Server[] = [];

    port = 0;

    constructor(private readonly name: string) {}

    get url(): string {
      return `http://127.0.0.1:${this.port}`;
    }

    async start(): Promise<this> {
      const server = createServer((request, response) => this.respond(request, response));
      // Every start uses the port of the first start.
      this.port ||= await findFreePort();
      await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
      this.server = server;
      this.servers.push(server);
      return this;
    }

    private isListening({ socket }: IncomingMessage): boolean {
      return 'server' in socket && socket.server === this.server && this.server?.listening === true;
    }

    private respond(request: IncomingMessage, response: ServerResponse): void {
      request.resume();
      if (request.url === '/v1/health?deep') {
        response.writeHead(this.healthStatus).end();
        return;
      }
      this.responseCount += 1;
      this.hosts.add(request.headers.host ?? '');
      // A stopping instance announces the close on its last responses.
      if (!this.isListening(request)) response.setHeader('Connection', 'close');
      response.end(this.name);
    }

    /** Stops accepting. Each keep-alive connection ends with its next response, because a POST may be on its way. */
    drain(): void {
      const { server } = this;
      if (!server) return;
      server.closeIdleConnections = () => undefined;
      server.close();
    }

    stop(): void {
      this.drain();
      for (const server of this.servers) server.closeAllConnections();
    }
  }

  test('a rolling deployment of two instances loses no request, and each instance gets its own Host', async () => {
    const [instanceOne, instanceTwo] = [await new Instance('one').start(), await new Instance('two').start()];
    const pair = await core.create('/gateway/admin/services', {
      name: 'pair',
      host: instanceOne.url,
      extraHosts: [instanceTwo.url],
    });
    await createRoute(core, pair._id, '/pair');
    await waitForStatusAtEveryWorker(200, '/pair');
    let isRunning = true;
    const failures: unknown[] = [];
    const senders = Array.from({ length: 4 }, async (_, index) => {
      while (isRunning) {
        const response = await requestWithKey('/pair', key.key, index % 2 ? { method: 'POST', body: 'x' } : {});
        if (response.status !== 200) failures.push([response.status, response.text]);
      }
    });
    const waitForMoreResponses = (instance: Instance) => {
      const countBefore = instance.responseCount;
      return waitFor('both instances answer', async () => instance.responseCount > countBefore + 20);
    };
    await Promise.all([waitForMoreResponses(instanceOne), waitForMoreResponses(instanceTwo)]);
    for (const [leaving, staying] of [
      [instanceOne, instanceTwo],
      [instanceTwo, instanceOne],
    ] as const) {
      leaving.drain();
      await waitForMoreResponses(staying);
      await leaving.start();
      await waitForMoreResponses(leaving);
    }
    isRunning = false;
    await Promise.all(senders);
    expect(failures).toEqual([]);
    expect([[...instanceOne.hosts], [...instanceTwo.hosts]]).toEqual([
      [`127.0.0.1:${instanceOne.port}`],
      [`127.0.0.1:${instanceTwo.port}`],
    ]);
    instanceOne.stop();
    instanceTwo.stop();
    expect((await requestWithKey('/pair')).status).toBe(502);
  });

  test('an instance with a failed health check gets no requests while another instance is healthy', async () => {
    const [healthy, unhealthy] = [await new Instance('healthy').start(), await new Instance('unhealthy').start()];
    const checked = await core.create('/gateway/admin/services', {
      name: 'checked',
      host: `${healthy.url}/v1`,
      extraHosts: [`${unhealthy.url}/v1`],
      healthPath: '/health?deep',
    });
    await createRoute(core, checked._id, '/checked');
    await waitForStatusAtEveryWorker(200, '/checked');
    const readNames = async () => {
      const responses = await Promise.all(Array.from({ length: 12 }, () => requestWithKey('/checked')));
      return [...new Set(responses.map(({ text }) => text))].sort().join();
    };
    await waitFor('both instances answer', async () => (await readNames()) === 'healthy,unhealthy');
    unhealthy.healthStatus = 503;
    await waitFor('only the healthy instance answers', async () => (await readNames()) === 'healthy');
    unhealthy.healthStatus = 200;
    await waitFor('both instances answer again', async () => (await readNames()) === 'healthy,unhealthy');
    healthy.stop();
    unhealthy.stop();
  });
});
