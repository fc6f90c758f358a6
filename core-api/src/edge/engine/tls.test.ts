import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { listenOnLoopback } from '../../../../scripts/testing/server';
import { createCertificateAuthority } from '../../testing/certificates';
import { EngineServer, formatResponse, forwardTo, GET, RawClient } from './testing/peers';
import { blockThread } from './testing/upstream-thread';

let server: Server;
/** Certificate of the authority that issued the certificate of the server, as PEM. */
let ca = '';
let port = 0;
let serverNames: unknown[] = [];

beforeAll(async () => {
  const authority = await createCertificateAuthority();
  ca = authority.certificate;
  server = createServer(await authority.issue(['localhost']), (socket) => {
    serverNames.push(socket.servername);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (text.startsWith('GET /large')) socket.write(formatResponse('x'.repeat(300_000)));
      else if (text.startsWith('GET /cut')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort');
      else if (text.startsWith('POST /early')) {
        socket.pause();
        socket.write(formatResponse('ok', 'Connection: close\r\n', '413 Content Too Large'), () => socket.destroy());
      } else if (text.startsWith('GET /ws')) {
        socket.write('HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      } else if (/^[A-Z]+ \//.test(text)) socket.write(formatResponse('ok'));
      else socket.write(bytes);
    });
  });
  server.on('tlsClientError', () => undefined);
  port = await listenOnLoopback(server);
});
beforeEach(() => {
  serverNames = [];
});
afterAll(() => {
  server.close();
});

const createUpstream = (host: string, tlsPort = port) => ({ host, port: tlsPort, tls: true, authority: 'localhost' });
async function requestAll(engineServer: EngineServer, ...requests: string[]): Promise<string> {
  const client = new RawClient(engineServer.port);
  for (const request of requests) {
    const lengthBefore = client.received.length;
    client.send(request);
    await client.waitFor((text) => /\r\n\r\n[\s\S]*(?:ok|x{10}|50\d)$/.test(text.slice(lengthBefore)));
  }
  client.destroy();
  return client.received;
}

test('requests share a verified connection, whose handshake contains the server name', async () => {
  const engineServer = await new EngineServer(forwardTo(createUpstream('localhost')), {
    tls: { ca },
    limits: { reuseDelayMs: 0 },
  }).start();
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi';
  const text = await requestAll(engineServer, GET, post, GET.replace('/', '/large'), GET);
  expect([text.match(/HTTP\/1.1 200/g)?.length, text.includes('x'.repeat(300_000)), serverNames]).toEqual([
    4,
    true,
    ['localhost'],
  ]);
  await engineServer.stop();
});

test('an early response of a TLS upstream always arrives, even if the upstream then resets the connection', async () => {
  const engineServer = await new EngineServer(forwardTo(createUpstream('localhost')), { tls: { ca } }).start();
  const post = `POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: ${1e6}\r\n\r\n${'x'.repeat(1e6)}`;
  const responses = await Promise.all(Array.from({ length: 50 }, () => requestAll(engineServer, post)));
  expect(responses.filter((text) => !text.startsWith('HTTP/1.1 413'))).toEqual([]);
  await engineServer.stop();
});

test.each([
  ['signed by an untrusted authority', 'localhost', false],
  ['issued for another host name', '127.0.0.1', true],
])(
  'an upstream certificate that is %s makes the connect fail, and the client gets 502',
  async (_case, host, isTrusted) => {
    const engineServer = await new EngineServer(
      forwardTo(createUpstream(host)),
      isTrusted ? { tls: { ca } } : {},
    ).start();
    expect(await requestAll(engineServer, GET)).toContain('HTTP/1.1 502');
    expect(engineServer.endedExchanges[0]).toMatchObject({ reason: 'connect_failed' });
    await engineServer.stop();
  },
);

test('a refused TLS connection gives a 502, and no connection is made to a forbidden target', async () => {
  const engineServer = await new EngineServer(forwardTo(createUpstream('localhost', 9))).start();
  expect(await requestAll(engineServer, GET)).toContain('HTTP/1.1 502');
  await engineServer.stop();
  const strictServer = await new EngineServer(
    forwardTo(createUpstream('localhost')),
    { tls: { ca } },
    { mayConnect: () => false },
  ).start();
  expect(await requestAll(strictServer, GET)).toContain('HTTP/1.1 502');
  expect([strictServer.endedExchanges[0]?.reason, serverNames]).toEqual(['target_forbidden', []]);
  await strictServer.stop();
});

test('after a reused connection turns out to be closed, the new connect has a time-out of its own', async () => {
  let connectCount = 0;
  // Only the first connection gets a handshake. Every later connect waits for its time-out.
  const plainServer = createPlainServer((socket) => {
    connectCount += 1;
    if (connectCount === 1) server.emit('connection', socket);
  });
  const plainPort = await listenOnLoopback(plainServer);
  const whenVerified = once(server, 'secureConnection');
  const upstream = createUpstream('localhost', plainPort);
  const limits = { reuseDelayMs: 0, connectMs: 1_000 };
  const engineServer = await new EngineServer(forwardTo(upstream, { timeoutMs: 60_000 }), {
    tls: { ca },
    limits,
  }).start();
  const client = new RawClient(engineServer.port).send(GET);
  await client.waitFor((text) => text.endsWith('ok'));
  const [firstSocket] = await whenVerified;
  client.send(GET);
  firstSocket.destroy();
  // The pause lets the request and the end of the connection arrive, so that one turn of the event loop reads both.
  blockThread(20);
  await client.waitFor((text) => text.includes(' 504 '));
  expect(engineServer.endedExchanges.at(-1)).toMatchObject({ reason: 'connect_timeout' });
  client.destroy();
  await engineServer.stop();
  plainServer.close();
});

test('over TLS, an incomplete response breaks the client connection, and a WebSocket is forwarded', async () => {
  const engineServer = await new EngineServer(forwardTo(createUpstream('localhost')), { tls: { ca } }).start();
  const cutClient = new RawClient(engineServer.port).send(GET.replace('/', '/cut'));
  await cutClient.whenClosed;
  expect(cutClient.received).toMatch(/Content-Length: 9\r\n[\s\S]*short$/);
  const socket = new RawClient(engineServer.port).send(
    GET.replace('/', '/ws').replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  );
  await socket.waitFor((text) => text.includes(' 101 '));
  socket.send('\x81\x02hi');
  await socket.waitFor((text) => text.endsWith('\x81\x02hi'));
  socket.destroy();
  await engineServer.stop();
});
