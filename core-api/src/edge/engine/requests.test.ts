import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../../../../scripts/testing/server';
import { parseResponse, sendRaw } from '../../testing/edge';
import {
  createLocalReply,
  EngineServer,
  formatResponse,
  forwardTo,
  GET,
  RawClient,
  type ScriptedUpstream,
  startUpstream,
} from './testing/peers';

let upstream: ScriptedUpstream;
let server: EngineServer;

beforeAll(async () => {
  upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
  server = await new EngineServer(forwardTo(upstream.upstream)).start();
});
beforeEach(() => {
  upstream.requests.length = 0;
  server.endedExchanges.length = 0;
});
afterEach(() => expect(server.faults).toEqual([]));
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const NEXT = 'GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const parseStatuses = (bytes: Buffer): number[] =>
  [...bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

test.each([
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['two equal lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na', 400],
  ['a list of lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\na', 400],
  ['a length with a sign', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na', 400],
  ['a length with a tab', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\t\r\n\r\na', 400],
  ['an unknown coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n', 400],
  ['two codings', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 400],
  [
    'identity after chunked',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ['a space before the colon', 'GET / HTTP/1.1\r\nHost: a\r\nX-A : 1\r\n\r\n', 400],
  ['a folded line', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n 2\r\n\r\n', 400],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: a\n\n', 400],
  ['one bare line feed', 'GET / HTTP/1.1\r\nHost: a\nX-A: 1\r\n\r\n', 400],
  ['a NUL in a value', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: \0\r\n\r\n', 400],
  ['a NUL at the start', '\0\0\0\0', 400],
  ['the start of TLS', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['HTTP/0.9', 'GET /\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400],
  ['a host with a port beyond 65535', 'GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n', 400],
  ['an invalid host', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
  ['a fragment', 'GET /#a HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['user information', 'GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['the target * for GET', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['HTTP/1.2', 'GET / HTTP/1.2\r\nHost: a\r\n\r\n', 505],
  ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', 505],
  ['another expectation', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nContent-Length: 1\r\n\r\n', 417],
  ['101 fields', `GET / HTTP/1.1\r\nHost: a\r\n${'X-A: 1\r\n'.repeat(100)}\r\n`, 431],
  ['a head over 16 kB', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(16_384)}\r\n\r\n`, 431],
  ['a request line over 16 kB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
])('a request with %s is refused, and nothing after it is read', async (_case, bytes, status) => {
  const received = await sendRaw(server.port, bytes + NEXT);
  expect(parseStatuses(received)).toEqual([status]);
  expect(received.toString()).toContain('Connection: close\r\n');
  expect(upstream.requests).toEqual([]);
});

test('the connection preface of HTTP/2 gets no response', async () => {
  expect((await sendRaw(server.port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).length).toBe(0);
});

test.each([
  'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
])(
  'a pipelined request that is refused or asks for an upgrade affects no other connection: %j',
  async (pipelinedRequest) => {
    const received = await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: x.invalid\r\n\r\n${pipelinedRequest}${NEXT}`);
    expect(parseStatuses(received)[0]).toBe(200);
    expect(parseStatuses(await sendRaw(server.port, NEXT))).toEqual([200]);
  },
);

test('an absolute-form target replaces the Host field', async () => {
  await sendRaw(server.port, 'GET http://real:80?q HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n');
  expect(upstream.requests[0]).toMatch(/^GET \/\?q HTTP\/1\.1\r\nHost: real:80\r\n/);
  expect(server.parsedBlocks.at(-1)?.find(({ name }) => name === 'host')?.value).toBe('real:80');
});

test('a head may arrive byte by byte', async () => {
  const client = new RawClient(server.port);
  for (const byte of NEXT) {
    client.send(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await client.whenClosed;
  expect(parseResponse(Buffer.from(client.received))).toMatchObject({ status: 200, text: 'ok' });
});

test('an HTTP/1.0 connection ends with its response unless the request asks for keep-alive', async () => {
  const http10Response = await sendRaw(server.port, 'GET / HTTP/1.0\r\n\r\n');
  expect(http10Response.toString()).toContain('Connection: close\r\n');
  const client = new RawClient(server.port).send('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
  await client.waitFor((text) => text.endsWith('ok'));
  expect(client.received).toContain('Connection: keep-alive\r\n');
  client.send(NEXT);
  await client.whenClosed;
  expect(parseStatuses(Buffer.from(client.received))).toEqual([200, 200]);
  const response = await sendRaw(server.port, 'GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n');
  expect(response.toString()).toContain('Connection: close\r\n');
});

test('hop-by-hop fields are not forwarded, but Host and Content-Length are forwarded even if Connection names them', async () => {
  const hopByHopLines =
    'Connection: x-hop, host, content-length\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nProxy-Authorization: b\r\nTE: gzip\r\nTrailer: x\r\n';
  await sendRaw(
    server.port,
    `POST / HTTP/1.1\r\nHost: a\r\n${hopByHopLines}X-End: 1\r\nHTTP2-Settings: AA\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nhi${NEXT}`,
  );
  expect(upstream.requests[0]).toBe('POST / HTTP/1.1\r\nHost: a\r\nX-End: 1\r\nContent-Length: 2\r\n\r\nhi');
});

test('repeated fields keep their order, and bytes are unchanged', async () => {
  await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: a\r\nX-B: 1\r\nx-b: \xe9\xff\r\n\r\n${NEXT}`);
  expect(upstream.requests[0]).toContain('X-B: 1\r\nx-b: \xe9\xff\r\n');
});

test('pipelined requests are answered in their order, one at a time', async () => {
  const pipelined = Array.from({ length: 20 }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
  await sendRaw(server.port, pipelined + NEXT);
  expect(server.endedExchanges.map(({ target }) => target)).toEqual([
    ...Array.from({ length: 20 }, (_, index) => `/${index}`),
    '/next',
  ]);
});

test('pipelined requests that are answered locally are spread over turns of the event loop', async () => {
  let repliesInTurn = 0;
  let maxRepliesInTurn = 0;
  const localServer = await new EngineServer(() => {
    repliesInTurn += 1;
    maxRepliesInTurn = Math.max(maxRepliesInTurn, repliesInTurn);
    setImmediate(() => {
      repliesInTurn = 0;
    });
    return createLocalReply(404);
  }).start();
  await sendRaw(localServer.port, GET.repeat(200) + NEXT);
  await localServer.stop();
  expect(localServer.endedExchanges).toHaveLength(201);
  // A second `data` event of a turn may continue the pipeline, although the turn has already answered one request.
  expect(maxRepliesInTurn).toBeLessThanOrEqual(2);
});

test('a long pipeline that is answered locally is buffered up to a limit only', async () => {
  let acceptedSocket: Socket | undefined;
  let answeredCount = 0;
  let maxBufferedBytes = 0;
  const localServer = await new EngineServer(() => {
    answeredCount += 1;
    maxBufferedBytes = Math.max(maxBufferedBytes, (acceptedSocket?.bytesRead ?? 0) - answeredCount * GET.length);
    return createLocalReply(404);
  }).start();
  const listener = createServer((socket) => {
    acceptedSocket = socket;
    localServer.engine.accept(socket);
  });
  const port = await listenOnLoopback(listener);
  const requestCount = 40_000;
  await sendRaw(port, GET.repeat(requestCount) + NEXT);
  listener.close();
  await localServer.stop();
  expect(answeredCount).toBe(requestCount + 1);
  // A socket delivers some blocks beyond the limit of 64 kB before it pauses.
  expect(maxBufferedBytes).toBeLessThan(256 * 1024);
});

describe('an ended exchange', () => {
  test('is reported with its sizes and durations', async () => {
    const request = 'POST /p?q HTTP/1.1\r\nHost: a:1\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    const received = await sendRaw(server.port, request);
    expect(server.endedExchanges).toHaveLength(1);
    expect(server.endedExchanges[0]).toMatchObject({
      method: 'POST',
      target: '/p?q',
      host: 'a:1',
      minorVersion: 1,
      bodyLength: 3,
      peer: '127.0.0.1',
      status: 200,
      reason: undefined,
      bytesIn: request.length,
      bytesOut: received.length,
      upstream: upstream.upstream,
    });
    const [{ durationMs = 0, upstreamMs = 0 } = {}] = server.endedExchanges;
    expect(upstreamMs > 0 && durationMs >= upstreamMs).toBe(true);
  });

  test('is reported with method, target and host of a rejected head if they could be read', async () => {
    await sendRaw(server.port, 'POST /x HTTP/1.1\r\nHost: known.example\r\nContent-Length: x\r\n\r\n');
    expect(server.endedExchanges).toEqual([
      expect.objectContaining({
        method: 'POST',
        target: '/x',
        host: 'known.example',
        status: 400,
        reason: 'malformed',
      }),
    ]);
    expect(server.endedExchanges[0]?.parsedHeaders).toBeUndefined();
  });
});

test('a repeated header block is parsed only once, unless it is large', async () => {
  const largeRequest = `GET /a HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(5_000)}\r\n\r\n`;
  const countBefore = server.parsedBlocks.length;
  await sendRaw(server.port, largeRequest + largeRequest + NEXT);
  expect(server.parsedBlocks.length - countBefore).toBe(3);
  server.endedExchanges.length = 0;
  const blocksBefore = server.parsedBlocks.length;
  await sendRaw(
    server.port,
    'GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\nHEAD /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  expect([server.endedExchanges.length, server.parsedBlocks.length - blocksBefore]).toEqual([3, 2]);
});

test('repeated header lines are forwarded like the lines of the first request', async () => {
  const formatRequestHead = (path: string, lines: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
  const requests: [string, string][] = [
    ['X-Longer-Name: some value\r\nX-B: 1\r\nCookie: 1\r\n', 'X-Longer-Name: some value\r\nX-B: 1\r\nCookie: 1\r\n'],
    ['X-Longer-Name: some value\r\nX-B: 1\r\nCookie: 2\r\n', 'X-Longer-Name: some value\r\nX-B: 1\r\nCookie: 2\r\n'],
    // `Connection` removes a repeated line from this request only.
    ['X-Longer-Name: some value\r\nX-B: 1\r\nConnection: x-b, x-longer-name\r\n', ''],
    ['X-Longer-Name: some value\r\nX-B: 1\r\nCookie: 3\r\n', 'X-Longer-Name: some value\r\nX-B: 1\r\nCookie: 3\r\n'],
    // The next four requests have the lines in another order, a repeated line, a longer value and a missing line.
    ['X-B: 1\r\nX-Longer-Name: some value\r\n', 'X-B: 1\r\nX-Longer-Name: some value\r\n'],
    ['X-B: 1\r\nX-B: 1\r\nX-Longer-Name: some value\r\n', 'X-B: 1\r\nX-B: 1\r\nX-Longer-Name: some value\r\n'],
    ['X-B: 12\r\nX-B: 1\r\n', 'X-B: 12\r\nX-B: 1\r\n'],
    ['X-B: 1\r\n', 'X-B: 1\r\n'],
  ];
  const client = new RawClient(server.port);
  for (const [index, [lines]] of requests.entries()) {
    client.send(formatRequestHead(`/${index}`, lines));
    await client.waitFor((text) => text.split('ok').length === index + 2);
  }
  client.destroy();
  expect(upstream.requests).toEqual(
    requests.map(([, passedLines], index) => formatRequestHead(`/${index}`, passedLines)),
  );
});

test('an absolute-form target replaces the Host of a repeated block only for its own request', async () => {
  const client = new RawClient(server.port);
  const block = 'Host: a.b\r\nX-Longer-Name: some value\r\n\r\n';
  for (const [index, target] of ['/1', '/2', 'http://c.d/3', '/4'].entries()) {
    client.send(`GET ${target} HTTP/1.1\r\n${block}`);
    await client.waitFor((text) => text.split('ok').length === index + 2);
  }
  client.destroy();
  expect(server.endedExchanges.map(({ host }) => host)).toEqual(['a.b', 'a.b', 'c.d', 'a.b']);
  expect(server.endedExchanges.map(({ fields }) => fields[0]?.value)).toEqual(['a.b', 'a.b', 'c.d', 'a.b']);
});
