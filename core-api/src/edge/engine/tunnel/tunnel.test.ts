import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { waitFor } from '../../../../../scripts/testing/program';
import {
  EngineServer,
  formatResponse,
  forwardTo,
  RawClient,
  type ScriptedUpstream,
  startUpstream,
} from '../testing/peers';
import { WebSocketFrameTracker } from './websocket-frame-tracker';

let echo: WebSocketServer;
let server: EngineServer;
const getEchoUpstream = () => {
  const address = echo.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` };
};

beforeAll(async () => {
  echo = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: ({ req }: { req: IncomingMessage }) => req.url !== '/closed',
  });
  echo.on('connection', (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })));
  await once(echo, 'listening');
});
beforeEach(async () => {
  // A number in the path is the time at which the tunnel expires.
  server = await new EngineServer(
    (exchange) =>
      forwardTo(getEchoUpstream(), { expiresAt: Number(/\d+/.exec(exchange.target)?.[0] ?? Number.NaN) || undefined })(
        exchange,
      ),
    {
      limits: { drainTunnelsMs: 1_000, drainMs: 3_000 },
    },
  ).start();
});
afterEach(async () => {
  await server.stop();
  expect(server.faults).toEqual([]);
});
afterAll(() => {
  for (const socket of echo.clients) socket.terminate();
  echo.close();
});

const openWebSocket = async (path = '/') => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`);
  await once(socket, 'open');
  return socket;
};

test('a large frame passes both ways, the client gets the close code, and the exchange counts the bytes', async () => {
  const socket = await openWebSocket();
  const megabyte = Buffer.alloc(1_048_576, 'm');
  socket.send(megabyte);
  expect(megabyte.equals((await once(socket, 'message'))[0])).toBe(true);
  expect([server.engine.tunnels.size, server.endedExchanges.length]).toEqual([1, 0]);
  for (const client of echo.clients) client.close(4321, 'bye');
  expect((await once(socket, 'close'))[0]).toBe(4321);
  await waitFor('the tunnel has ended', async () => server.endedExchanges.length === 1);
  expect(server.endedExchanges[0]).toMatchObject({ status: 101, reason: undefined });
  expect(Math.min(server.endedExchanges[0]?.bytesIn ?? 0, server.endedExchanges[0]?.bytesOut ?? 0)).toBeGreaterThan(
    megabyte.length,
  );
  expect(server.engine.tunnels.size).toBe(0);
});

test('a refusal of the upgrade by the upstream is forwarded', async () => {
  const client = new RawClient(server.port).send(
    'GET /closed HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await client.waitFor((text) => text.startsWith('HTTP/1.1 401 '));
  client.destroy();
  await client.whenClosed;
});

test.each([
  ['another protocol', 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
  ['an additional protocol', 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket, h2c\r\n\r\n'],
  ['no protocol', 'HTTP/1.1 101 X\r\nConnection: Upgrade\r\n\r\n'],
  ['no Connection field', 'HTTP/1.1 101 X\r\nUpgrade: websocket\r\n\r\n'],
  ['HTTP/1.0', 'HTTP/1.0 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
])('a 101 with %s is replaced by 502', async (_case, response) => {
  const upstream = await startUpstream((socket) => socket.write(response));
  const plainServer = await new EngineServer(forwardTo(upstream.upstream)).start();
  const client = new RawClient(plainServer.port).send(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  await client.waitFor((text) => text.startsWith('HTTP/1.1 502 '));
  client.destroy();
  await client.whenClosed;
  await plainServer.stop();
  await upstream.stop();
});

test('a tunnel that the handler closes, or that expires, ends with 1001 on both sides', async () => {
  const closeCodes: number[] = [];
  const recordCloseCode = (socket: WebSocket) => socket.on('close', (code) => closeCodes.push(code));
  echo.once('connection', recordCloseCode);
  const closedSocket = await openWebSocket();
  for (const tunnel of server.engine.tunnels) tunnel.close();
  expect((await once(closedSocket, 'close'))[0]).toBe(1001);
  echo.once('connection', recordCloseCode);
  const expiredSocket = await openWebSocket(`/${Date.now() + 200}`);
  expect((await once(expiredSocket, 'close'))[0]).toBe(1001);
  await waitFor('the upstream got both close frames', async () => closeCodes.length === 2);
  expect(closeCodes).toEqual([1001, 1001]);
});

test('a tunnel continues during a drain, and is closed after `drainTunnelsMs`', async () => {
  const socket = await openWebSocket();
  const whenDrained = server.engine.drain();
  socket.send('still here');
  expect(String((await once(socket, 'message'))[0])).toBe('still here');
  expect((await once(socket, 'close'))[0]).toBe(1001);
  await whenDrained;
});

describe('a tunnel that is closed in the middle of a frame', () => {
  let upstream: ScriptedUpstream;
  let rawServer: EngineServer;
  let upstreamSocket: Socket;
  const UPGRADE = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\r\n';
  beforeEach(async () => {
    upstream = await startUpstream((socket) => {
      upstreamSocket = socket;
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    });
    rawServer = await new EngineServer(forwardTo(upstream.upstream)).start();
  });
  afterEach(async () => {
    await rawServer.stop();
    await upstream.stop();
  });

  test('sends the close frame after the end of the frame', async () => {
    const client = new RawClient(rawServer.port).send(UPGRADE);
    await client.waitFor((text) => text.endsWith('\r\n\r\n'));
    upstreamSocket.write(Buffer.from([0x82, 4, 1, 2]));
    await client.waitFor((text) => text.endsWith('\x82\x04\x01\x02'));
    for (const tunnel of rawServer.engine.tunnels) tunnel.close();
    upstreamSocket.write(Buffer.from([3, 4]));
    await client.whenClosed;
    expect(client.received.endsWith('\x82\x04\x01\x02\x03\x04\x88\x02\x03\xe9')).toBe(true);
  });

  test('ends at its time-out if the frame never ends', async () => {
    const client = new RawClient(rawServer.port).send(UPGRADE);
    await client.waitFor((text) => text.endsWith('\r\n\r\n'));
    upstreamSocket.write(Buffer.from([0x82, 4, 1, 2]));
    await client.waitFor((text) => text.endsWith('\x82\x04\x01\x02'));
    for (const tunnel of rawServer.engine.tunnels) tunnel.close();
    await client.whenClosed;
    expect(client.received.endsWith('\x82\x04\x01\x02')).toBe(true);
  });
});

test('a tunnel ends when its upstream stalls', async () => {
  const upstream = await startUpstream((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.pause();
  });
  const stallingServer = await new EngineServer(forwardTo(upstream.upstream), { limits: { stalledMs: 300 } }).start();
  const client = new RawClient(stallingServer.port).send(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  await client.waitFor((text) => text.endsWith('\r\n\r\n'));
  client.send(Buffer.alloc(20_000_000, 1));
  await waitFor('the exchange ends', async () => stallingServer.endedExchanges.length === 1);
  expect(stallingServer.endedExchanges[0]).toMatchObject({ status: 101, reason: 'upstream_timeout' });
  expect(stallingServer.engine.tunnels.size).toBe(0);
  await client.whenClosed;
  await stallingServer.stop();
  await upstream.stop();
});

test.each([
  'POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\nhi',
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 2\r\n\r\nhi',
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket, h2c\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n',
])('a request without a valid WebSocket upgrade is forwarded without its Upgrade field: %j', async (request) => {
  const upstream = await startUpstream((socket) => socket.write(formatResponse('plain')));
  const plainServer = await new EngineServer(forwardTo(upstream.upstream)).start();
  const client = new RawClient(plainServer.port).send(request);
  await client.waitFor((text) => text.endsWith('plain'));
  expect(upstream.requests[0]).not.toMatch(/upgrade|http2/i);
  expect(upstream.requests[0]?.split('\r\n\r\n')[1]).toBe(request.split('\r\n\r\n')[1]);
  client.destroy();
  await client.whenClosed;
  await plainServer.stop();
  await upstream.stop();
});

test('frame boundaries are found if frames arrive byte by byte, and if several frames arrive together', () => {
  const frames = Buffer.concat([
    Buffer.from([0x81, 0x85, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    Buffer.from([0x82, 126, 1, 0]),
    Buffer.alloc(256),
    Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
    Buffer.alloc(65_536),
    Buffer.from([0x89, 0]),
  ]);
  const frameEnds = new Set([11, 271, 65_817, 65_819]);
  const bytewiseTracker = new WebSocketFrameTracker();
  for (const [index, byte] of frames.entries()) {
    bytewiseTracker.track(Buffer.from([byte]));
    if (bytewiseTracker.isAtBoundary !== frameEnds.has(index + 1))
      throw new Error(`after ${index + 1} bytes: ${bytewiseTracker.isAtBoundary}`);
  }
  const wholeTracker = new WebSocketFrameTracker();
  wholeTracker.track(frames);
  expect(wholeTracker.isAtBoundary).toBe(true);
});
