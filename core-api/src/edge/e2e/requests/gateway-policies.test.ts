import { connect } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, sendRaw } from '../../../testing/edge';
import { createKey, createRoute, createService } from '../../../testing/records';
import { GatewayClient } from './testing/gateway-client';

let core: Core;
let edge: Edge;
let gateway: GatewayClient;
let upstream: Awaited<ReturnType<typeof listen>>;
let webSocketServer: WebSocketServer;
/** Accepts an upgrade immediately. A test may replace this function to delay the acceptance. */
let acceptWebSocket = (accept: () => void): void => accept();
let chatService: { _id: string };
let key: { _id: string; key: string };
const receivedRequests: string[] = [];

const updateEntity = async (path: string, body: object) => {
  const response = await core.request('PUT', `/gateway/admin/${path}`, { body });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
};

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
      response.writeHead(200, { 'X-Seen-Key': request.headers['x-gateway-key-id'] ?? 'none' });
      response.end('done');
    });
  });
  webSocketServer = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_request: unknown, done: (isAccepted: boolean) => void) => acceptWebSocket(() => done(true)),
  });
  webSocketServer.on('connection', (socket) => socket.send('hello'));
  const plainService = await createService(core, { host: upstream.url, maxBodyMb: 1 });
  await createRoute(core, plainService._id, '/plain');
  const slowService = await createService(core, { host: upstream.url, timeoutSeconds: 1 });
  await createRoute(core, slowService._id, '/slow');
  await createRoute(core, plainService._id, '/stream', { methods: ['GET'] });
  await createRoute(core, plainService._id, '/public', { methods: ['GET'], public: true, permission: '' });
  const { port } = webSocketServer.address() as { port: number };
  chatService = await createService(core, { host: `http://127.0.0.1:${port}` });
  await createRoute(core, chatService._id, '/chat', { methods: ['GET'] });
  key = await createKey(core);
  edge = await new Edge(core).start();
  gateway = new GatewayClient(edge, key.key);
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
  webSocketServer?.close();
});

describe('keys', () => {
  const readRefusalMessage = async (presentedKey: string) =>
    JSON.parse((await gateway.request('/plain', presentedKey)).text).error;
  /** Sets the expiry of a key to one second from now. @returns the expiry, ms since the epoch */
  const expireInOneSecond = async ({ _id }: { _id: string }): Promise<number> => {
    const expiresAt = Date.now() + 1_000;
    await updateEntity(`keys/${_id}`, { expiresAt: new Date(expiresAt).toISOString() });
    return expiresAt;
  };

  test('every worker refuses a disabled key with 401 and the reason, until the key is enabled again', async () => {
    const createdKey = await createKey(core);
    await gateway.waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
    await updateEntity(`keys/${createdKey._id}`, { disabled: true });
    await gateway.waitForStatusAtEveryWorker(401, '/plain', createdKey.key);
    const response = await gateway.request('/plain', createdKey.key);
    expect([getHeader(response, 'www-authenticate'), JSON.parse(response.text)]).toEqual([
      'ApiKey',
      { error: 'Esta chave de API está desativada.' },
    ]);
    await updateEntity(`keys/${createdKey._id}`, { disabled: false });
    await gateway.waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
  });

  test('a stream ends when its own key is disabled or expires', async () => {
    const [expiringKey, disabledKey] = [await createKey(core), await createKey(core)];
    await gateway.waitForStatusAtEveryWorker(200, '/plain', expiringKey.key);
    await gateway.waitForStatusAtEveryWorker(200, '/plain', disabledKey.key);
    const openStream = async ({ key: presentedKey }: { key: string }) => {
      const socket = connect(edge.port, '127.0.0.1');
      socket.write(`GET /stream HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${presentedKey}\r\n\r\n`);
      const whenEnded = new Promise<number>((resolve) => {
        socket.on('error', () => undefined).once('close', () => resolve(Date.now()));
      });
      await new Promise((resolve) => socket.once('data', resolve));
      return { socket, whenEnded };
    };
    const [continuingStream, expiringStream, disabledStream] = [
      await openStream(key),
      await openStream(expiringKey),
      await openStream(disabledKey),
    ];
    const endsAt = await expireInOneSecond(expiringKey);
    await updateEntity(`keys/${disabledKey._id}`, { disabled: true });
    await disabledStream.whenEnded;
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
    await gateway.waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
    const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/chat`, {
      headers: { Host: 'api.localhost', 'X-API-Key': createdKey.key },
    });
    const whenClosed = new Promise<[number, number]>((resolve) => {
      socket.once('close', (code) => resolve([code, Date.now()]));
    });
    await new Promise((resolve) => socket.once('message', resolve));
    const endsAt = await expireInOneSecond(createdKey);
    const [revisionRow] = await core.query('SELECT value FROM configuration_revision');
    await gateway.waitForStatusAtEveryWorker(401, '/plain', createdKey.key);
    expect(Date.now()).toBeGreaterThanOrEqual(endsAt);
    expect(await readRefusalMessage(createdKey.key)).toBe('Esta chave de API expirou.');
    const [code, closedAt] = await whenClosed;
    expect(code).toBe(1001);
    expect(closedAt).toBeGreaterThanOrEqual(endsAt);
    // The expiry needed no change of the configuration.
    expect(await edge.readMetric('edge_snapshot_revision')).toBe(Number(revisionRow?.value));
  });

  test('a WebSocket closes right after it opens if its key was disabled before the upgrade was accepted', async () => {
    const createdKey = await createKey(core);
    await gateway.waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
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
    await gateway.waitForStatusAtEveryWorker(401, '/plain', createdKey.key);
    acceptUpgrade();
    expect(await whenClosed).toBe(1001);
  });

  test('a WebSocket ends when its route gets another destination at the same service', async () => {
    const route = await createRoute(core, chatService._id, '/room', { methods: ['GET'] });
    await gateway.waitForStatusAtEveryWorker(426, '/room'); // The service refuses a request without an upgrade.
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
    await gateway.waitForStatusAtEveryWorker(200, '/plain', createdKey.key);
    const rotate = async (graceSeconds: number) =>
      (await core.request('POST', `/gateway/admin/keys/${createdKey._id}/rotate`, { body: { graceSeconds } })).body;
    const rotatedKey = await rotate(3_600);
    await gateway.waitForStatusAtEveryWorker(200, '/plain', rotatedKey.key);
    const responses = await Promise.all([
      gateway.request('/plain', createdKey.key),
      gateway.request('/plain', rotatedKey.key),
    ]);
    expect(responses.map((response) => getHeader(response, 'x-seen-key'))).toEqual([createdKey._id, createdKey._id]);
    const twiceRotatedKey = await rotate(1);
    await gateway.waitForStatusAtEveryWorker(401, '/plain', rotatedKey.key);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(twiceRotatedKey.previousExpiresAt));
    expect(await readRefusalMessage(rotatedKey.key)).toBe('Esta chave de API foi trocada: use a nova.');
    expect(await gateway.readStatuses('/plain', twiceRotatedKey.key)).toEqual([200]);
  });
});

describe('routes and services', () => {
  test('a public route needs no key, and its service does not receive the id of a key', async () => {
    expect(await gateway.readStatuses('/public', null)).toEqual([200]);
    expect(getHeader(await gateway.request('/public', key.key), 'x-seen-key')).toBe('none');
    expect((await gateway.request('/public', null, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  test('a Content-Length over the limit is refused before the body is read, and a chunked body once it exceeds the limit', async () => {
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
    expect((await gateway.request('/plain', key.key, { method: 'POST', body: 'x'.repeat(megabyte) })).status).toBe(200);
  });

  test('the gateway answers with 504 if a service does not respond within its time-out', async () => {
    const response = await gateway.request('/slow');
    expect([response.status, JSON.parse(response.text)]).toEqual([504, { error: 'O serviço não respondeu a tempo.' }]);
  });
});
