import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import {
  Edge,
  getHeader,
  parseResponse,
  type RequestOptions,
  sendRaw,
  sendRequest,
  type WireResponse,
} from '../../../testing/edge';
import { createMutator } from '../../../testing/mutator';
import { createKey } from '../../../testing/records';
import { RawClient } from '../../engine/testing/peers';

type Script = (socket: Socket, head: string, requestCount: number) => void;

const okResponse = (body: string, extra = '') =>
  `HTTP/1.1 200 OK\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`;
const MEGABYTE = Buffer.alloc(1024 * 1024, 'm');
/** Size of a large body, below the limit of a service. */
const TRANSFER_MB = 95;

/** Number of ended requests to `/silent`. */
let closedCount = 0;
/** The upstream's socket of the request to `/events`, to which the test writes the events. */
let eventStream: Socket | undefined;

const scripts: Record<string, Script> = {
  '/cookies': (socket) =>
    socket.write(
      okResponse(
        'x',
        'Set-Cookie: a=1\r\nX-Bytes: \xe9\r\nSet-Cookie: b=2\r\nConnection: x-hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\n',
      ),
      'latin1',
    ),
  '/huge-head': (socket) => socket.write(okResponse('x', `X-Huge: ${'h'.repeat(64 * 1024)}\r\n`)),
  '/early-hints': (socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n${okResponse('final')}`),
  '/no-content': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  '/not-modified': (socket) => socket.write('HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 50\r\n\r\n'),
  '/compressed': (socket) => socket.write(okResponse('\x1f\x8b\x00\xff', 'Content-Encoding: gzip\r\n'), 'latin1'),
  '/trailers': (socket) =>
    socket.write(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 42\r\n\r\n',
    ),
  '/chunked': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'),
  '/until-close': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'),
  '/old': (socket) => socket.end('HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold'),
  '/reset-before': (socket) => socket.resetAndDestroy(),
  '/close-before': (socket) => socket.end(),
  '/reset-in-length': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort');
    setTimeout(() => socket.resetAndDestroy(), 30);
  },
  '/reset-in-chunks': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n');
    setTimeout(() => socket.resetAndDestroy(), 30);
  },
  '/close-in-chunks': (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n'),
  '/close-in-length': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'),
  '/bad-chunk': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nshort\r\n0\r\n\r\n'),
  '/too-much': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmore than four'),
  '/status-888': (socket) => socket.write('HTTP/1.1 888 Odd\r\nContent-Length: 0\r\n\r\n'),
  '/garbage': (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  '/two-lengths': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
  '/both-framings': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  '/unasked-upgrade': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  '/silent': (socket) => {
    socket.once('close', () => {
      closedCount += 1;
    });
  },
  '/early-response': (socket) => socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig'),
  '/download': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${TRANSFER_MB * MEGABYTE.length}\r\n\r\n`);
    let remaining = TRANSFER_MB;
    const writeMore = () => {
      while (remaining > 0) {
        remaining -= 1;
        if (!socket.write(MEGABYTE)) {
          socket.once('drain', writeMore);
          return;
        }
      }
    };
    writeMore();
  },
  '/upload': (socket, head) => {
    let remaining = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const countBytes = (bytes: number) => {
      remaining -= bytes;
      if (remaining === 0) socket.write(okResponse('done'));
    };
    countBytes(0);
    socket.on('data', (piece) => countBytes(piece.length));
    socket.emit('data', Buffer.from(head.slice(head.indexOf('\r\n\r\n') + 4), 'latin1'));
  },
  '/events': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
    eventStream = socket;
  },
  '/stale': (socket, _head, requestCount) => {
    // The second request on a connection gets a reset, as if an idle time-out expired at that moment.
    if (requestCount > 1) socket.resetAndDestroy();
    else socket.write(okResponse('fresh'));
  },
  '/brief': (socket) => {
    socket.write(okResponse('brief'));
    if (socket.listenerCount('timeout') === 0) socket.once('timeout', () => socket.end());
    socket.setTimeout(10);
  },
  '/number': (socket, head) => socket.write(okResponse(/number\?(\d+)/.exec(head)?.[1] ?? '')),
};

let webSocketServer: WebSocketServer;
let upstream: Server;
let core: Core;
let edge: Edge;
let key: string;
/** Time until the edge closed a connection with half a head, ms. The time-out runs during the other tests. */
let slowHeadMs: Promise<number>;

beforeAll(async () => {
  upstream = createServer((socket) => {
    let requestCount = 0;
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const head = bytes.toString('latin1');
      const path = /^[A-Z]+ (\/[^ ?]*)/.exec(head)?.[1];
      if (path === undefined) return;
      requestCount += 1;
      scripts[path]?.(socket, head, requestCount);
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const address = upstream.address();
  const port = typeof address === 'object' ? address?.port : 0;
  core = await new Core().start();
  const service = await core.create('/gateway/admin/services', { name: 'raw', host: `http://127.0.0.1:${port}` });
  await core.create('/gateway/admin/routes', {
    serviceId: service._id,
    origin: '/raw/*',
    destination: '/*',
    methods: ['GET', 'POST', 'PUT'],
    permission: 'raw:all',
  });
  webSocketServer = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: ({ req }: { req: IncomingMessage }) => req.url !== '/closed',
  });
  webSocketServer.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  await once(webSocketServer, 'listening');
  const webSocketAddress = webSocketServer.address();
  const chat = await core.create('/gateway/admin/services', {
    name: 'ws',
    host: `http://127.0.0.1:${typeof webSocketAddress === 'object' ? webSocketAddress?.port : 0}`,
  });
  await core.create('/gateway/admin/routes', {
    serviceId: chat._id,
    origin: '/ws/*',
    destination: '/*',
    methods: ['GET'],
    permission: 'raw:all',
  });
  key = (await createKey(core)).key;
  edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  const startedAt = Date.now();
  slowHeadMs = sendRaw(edge.port, 'GET /raw/number?1 HTTP/1.1\r\nHost: api.loc').then(() => Date.now() - startedAt);
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  upstream?.close();
  for (const socket of webSocketServer?.clients ?? []) socket.terminate();
  webSocketServer?.close();
});

const formatRequestHead = (path: string, extra = '', method = 'GET', presentedKey = key) =>
  `${method} /raw${path} HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${presentedKey}\r\n${extra}\r\n`;

describe('requests and responses on the wire', () => {
  const requestRaw = (path: string, options: RequestOptions = {}): Promise<WireResponse> =>
    sendRequest(edge.port, {
      ...options,
      path: `/raw${path}`,
      headers: [['X-API-Key', key], ...(options.headers ?? [])],
    });

  test('a response keeps repeated header fields and their bytes, and loses hop-by-hop fields', async () => {
    const { headers } = await requestRaw('/cookies');
    expect(headers.filter(([name]) => name === 'Set-Cookie')).toEqual([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ]);
    expect(headers).toContainEqual(['X-Bytes', '\xe9']);
    expect(headers.map(([name]) => name.toLowerCase())).not.toContain('x-hop');
    expect(getHeader({ headers }, 'keep-alive') ?? '').not.toContain('9');
  });

  test.each([
    '/huge-head',
    '/status-888',
    '/garbage',
    '/two-lengths',
    '/both-framings',
    '/unasked-upgrade',
    '/reset-before',
    '/close-before',
  ])('the missing or malformed response of the upstream at %s is replaced by 502', async (path) => {
    const response = await requestRaw(path);
    expect([response.status, JSON.parse(response.text)]).toEqual([502, { error: expect.any(String) }]);
  });

  test('an interim response is not mistaken for the final response', async () => {
    expect(await requestRaw('/early-hints')).toMatchObject({ status: 200, text: 'final' });
  });

  test('a response without a body does not delay the next response on the connection', async () => {
    const bytes = await sendRaw(
      edge.port,
      `${formatRequestHead('/no-content')}${formatRequestHead('/not-modified')}${formatRequestHead('/cookies')}${formatRequestHead('/number?7', 'Connection: close\r\n')}`,
    );
    const statuses = [...bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['204', '304', '200', '200']);
    expect(bytes.toString().endsWith('\r\n\r\n7')).toBe(true);
  });

  test('compressed bodies are forwarded unchanged', async () => {
    expect((await requestRaw('/compressed')).body).toEqual(Buffer.from([0x1f, 0x8b, 0x00, 0xff]));
  });

  test('chunked bodies, and bodies that end with their connection, arrive completely', async () => {
    expect(await requestRaw('/chunked')).toMatchObject({ status: 200, text: 'hello world', complete: true });
    expect(await requestRaw('/until-close')).toMatchObject({ status: 200, text: 'until the end', complete: true });
    expect(await requestRaw('/old')).toMatchObject({ status: 200, text: 'old', complete: true });
    expect(await requestRaw('/trailers')).toMatchObject({ status: 200, text: 'hello', complete: true });
  });

  test.each([
    '/reset-in-length',
    '/reset-in-chunks',
    '/close-in-chunks',
    '/close-in-length',
    '/bad-chunk',
    '/too-much',
  ])('the interrupted or malformed response of the upstream at %s never looks complete', async (path) => {
    const response = await requestRaw(path);
    // The fault may arrive with the head, which makes the response a 502, or after the edge has sent the head.
    expect([response.status, response.status === 502 || !response.complete]).toEqual([expect.any(Number), true]);
  });

  test('each server-sent event is forwarded at once', async () => {
    const client = new RawClient(edge.port).send(formatRequestHead('/events'));
    const response = await waitFor('the upstream has the request', () => eventStream);
    // The next event is sent after the client received this event.
    for (const event of ['data: one\n\n', 'data: two\n\n', 'data: three\n\n']) {
      response.write(`${event.length.toString(16)}\r\n${event}\r\n`);
      await client.waitFor((text) => text.includes(event), event);
    }
    client.destroy();
  });

  test('when the client disconnects, the upstream request ends and is counted, but not as an error of the service', async () => {
    const closedBefore = closedCount;
    const ownKey = (
      await core.request('POST', '/gateway/admin/keys', { body: { name: 'k', permissions: ['*'], allowedIps: [] } })
    ).body;
    await waitFor('the key works', async () => {
      const bytes = await sendRaw(
        edge.port,
        formatRequestHead('/number?1', 'Connection: close\r\n', 'GET', ownKey.key),
      );
      return parseResponse(bytes).status === 200;
    });
    const clientSockets = Array.from({ length: 5 }, () => {
      const socket = connect(edge.port, '127.0.0.1', () =>
        socket.write(formatRequestHead('/silent', '', 'GET', ownKey.key)),
      );
      socket.on('error', () => socket.destroy());
      return socket;
    });
    await waitFor('requests are open', async () => (await edge.readMetric('edge_upstream_sockets_busy')) >= 5);
    for (const socket of clientSockets) socket.destroy();
    await waitFor('the requests have ended', async () => closedCount === closedBefore + 5);
    await waitFor(
      'no upstream request is open',
      async () => (await edge.readMetric('edge_upstream_sockets_busy')) === 0,
    );
    interface Point {
      requests: number;
      errors: number;
    }
    const sums = await waitFor('the usage is stored', async () => {
      const { series } = (await core.request('GET', '/gateway/admin/usage?range=day')).body;
      const points: Point[] = series.find(({ keyId }: { keyId: string }) => keyId === ownKey._id)?.points ?? [];
      const sum = (name: keyof Point) => points.reduce((total, point) => total + point[name], 0);
      return sum('requests') >= 6 && [sum('requests'), sum('errors')];
    });
    expect(sums).toEqual([6, 0]);
  });

  test('a retryable request is sent once more if its reused connection was reset', async () => {
    for (let turn = 0; turn < 10; turn += 1)
      expect(await requestRaw('/stale')).toMatchObject({ status: 200, text: 'fresh' });
  });

  test('pipelined requests are answered in their order', async () => {
    const requests = Array.from({ length: 20 }, (_, index) =>
      formatRequestHead(`/number?${index}`, index === 19 ? 'Connection: close\r\n' : ''),
    );
    const bytes = await sendRaw(edge.port, requests.join(''));
    const numbers = bytes
      .toString()
      .split('HTTP/1.1 200')
      .slice(1)
      .map((response) => Number(response.slice(response.indexOf('\r\n\r\n') + 4)));
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('a response that arrives before the body was read is forwarded, then the connection closes', async () => {
    const bytes = await sendRaw(
      edge.port,
      `${formatRequestHead('/early-response', 'Content-Length: 1000000\r\n', 'POST')}start`,
    );
    const response = parseResponse(bytes);
    expect([response.status, response.text, getHeader(response, 'connection')]).toEqual([413, 'big', 'close']);
  });

  test('large bodies are forwarded in both directions with bounded memory, also to a slow reader', async () => {
    const readResidentBytes = () => {
      const pids = readFileSync(`/proc/${edge.pid}/task/${edge.pid}/children`, 'utf8').trim().split(' ');
      return pids.reduce(
        (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
        0,
      );
    };
    const bytesBefore = readResidentBytes();
    let maxBytes = 0;
    const received = await new Promise<number>((resolve, reject) => {
      let bytes = 0;
      const socket = connect(edge.port, '127.0.0.1', () =>
        socket.write(formatRequestHead('/download', 'Connection: close\r\n')),
      );
      socket.on('data', (piece) => {
        bytes += piece.length;
        if (bytes % 7 !== 0) return;
        maxBytes = Math.max(maxBytes, readResidentBytes());
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(bytes));
    });
    expect(received).toBeGreaterThan(TRANSFER_MB * MEGABYTE.length);
    const body = Buffer.alloc(TRANSFER_MB * MEGABYTE.length, 'u');
    expect(await requestRaw('/upload', { method: 'PUT', body })).toMatchObject({ status: 200, text: 'done' });
    maxBytes = Math.max(maxBytes, readResidentBytes());
    expect(maxBytes - bytesBefore).toBeLessThan(80 * MEGABYTE.length);
  });
});

test('the trailers of a response are forwarded', async () => {
  const bytes = await sendRaw(edge.port, formatRequestHead('/trailers', 'Connection: close\r\n'));
  expect(bytes.toString()).toMatch(/0\r\nX-Sum: 42\r\n\r\n$/i);
});

test('a slow head ends its connection, and idle connections block no other client', async () => {
  const idleSockets = Array.from({ length: 1_000 }, () => connect(edge.port, '127.0.0.1').on('error', () => undefined));
  expect(await sendRequest(edge.port, { path: '/raw/number?5', headers: [['X-API-Key', key]] })).toMatchObject({
    text: '5',
  });
  expect(await slowHeadMs).toBeGreaterThan(14_000);
  for (const socket of idleSockets) socket.destroy();
});

test('an upstream that closes idle connections causes no error', async () => {
  const agent = new Agent({ keepAlive: true });
  const sendOnce = () =>
    new Promise<number>((resolve) => {
      const headers = { Host: 'api.localhost', 'X-API-Key': key };
      const clientRequest = request({ port: edge.port, path: '/raw/brief', agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      });
      clientRequest.once('error', () => resolve(0)).end();
    });
  const statusCounts = new Map<number, number>();
  const sendRepeatedly = async (pause: number) => {
    for (let turn = 0; turn < 100; turn += 1) {
      const status = await sendOnce();
      statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
      // The pause ends close to the moment at which the upstream closes.
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => sendRepeatedly(6 + (index % 8))));
  agent.destroy();
  expect([...statusCounts]).toEqual([[200, 2_000]]);
});

test('a forwarded request with Expect: 100-continue gets 100, and any other expectation is refused with 417', async () => {
  const requestExpecting = (expectation: string) =>
    sendRaw(
      edge.port,
      formatRequestHead(
        '/early-response',
        `Expect: ${expectation}\r\nContent-Length: 5\r\nConnection: close\r\n`,
        'POST',
      ),
    );
  expect((await requestExpecting('100-continue')).toString()).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 413 /,
  );
  expect((await requestExpecting('200-maybe')).toString()).toMatch(/^HTTP\/1\.1 417 /);
});

test('damaged requests of a fuzzer cause no crash, no hang and no leak', async () => {
  const { random, mutate } = createMutator();
  const base = Buffer.from(formatRequestHead('/number?1', 'Connection: close\r\nContent-Length: 0\r\n'), 'latin1');
  const sendOnce = () =>
    new Promise<void>((resolve) => {
      const bytes = mutate([base]);
      const sentBytes = random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      const socket = connect(edge.port, '127.0.0.1', () => socket.end(sentBytes));
      socket.on('data', () => undefined);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
      socket.setTimeout(3_000, () => socket.destroy());
    });
  for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 25 }, sendOnce));
  expect(await sendRequest(edge.port, { path: '/raw/number?5', headers: [['X-API-Key', key]] })).toMatchObject({
    text: '5',
  });
  expect(edge.output).not.toMatch(/a worker ended|uncaught/i);
  await waitFor('no upstream request is open', async () => (await edge.readMetric('edge_upstream_sockets_busy')) === 0);
});

describe('WebSockets', () => {
  const openWebSocket = (path: string, presentedKey = key) =>
    new WebSocket(`ws://127.0.0.1:${edge.port}${path}`, {
      headers: { Host: 'api.localhost', 'X-API-Key': presentedKey },
    });
  const readRefusalStatus = async (socket: WebSocket): Promise<number> => {
    socket.on('error', () => undefined);
    const [, response] = await once(socket, 'unexpected-response');
    return response.statusCode;
  };

  test('an upgrade that the edge or the upstream refuses gets an ordinary response', async () => {
    expect(await readRefusalStatus(openWebSocket('/ws/echo', 'wrong'))).toBe(401);
    expect(await readRefusalStatus(openWebSocket('/none/echo'))).toBe(404);
    expect(await readRefusalStatus(openWebSocket('/ws/closed'))).toBe(401);
  });

  test('a frame of 1 MB and the close code pass through the edge', async () => {
    const socket = openWebSocket('/ws/echo');
    await once(socket, 'open');
    socket.send(MEGABYTE);
    const [data] = await once(socket, 'message');
    expect(MEGABYTE.equals(data)).toBe(true);
    for (const client of webSocketServer.clients) client.close(4321, 'bye');
    expect((await once(socket, 'close'))[0]).toBe(4321);
    await waitFor('the WebSocket is in the metrics', async () =>
      /edge_requests_total\{kind="gateway",status="1xx"\} [1-9]/.test(await (await edge.fetchAdmin('/metrics')).text()),
    );
  });

  test('a drain gives open WebSockets some time, then closes them with 1001', async () => {
    const socket = openWebSocket('/ws/echo');
    await once(socket, 'open');
    const startedAt = Date.now();
    const whenStopped = edge.stop();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    socket.send('still here');
    expect(String((await once(socket, 'message'))[0])).toBe('still here');
    const [code] = await once(socket, 'close');
    expect([code, Date.now() - startedAt > 5_000]).toEqual([1001, true]);
    await whenStopped;
  });
});
