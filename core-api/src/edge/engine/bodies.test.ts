import { once } from 'node:events';
import { connect } from 'node:net';
import { waitFor } from '../../../../scripts/testing/program';
import { parseResponse, sendRaw } from '../../testing/edge';
import { MAX_CHUNKS_PER_READ } from './message/chunked-decoder';
import { createLocalReply, formatResponse, forwardTo, Peers, RawClient } from './testing/peers';

const peers = new Peers();
const { startUpstream, startEngine } = peers;
afterEach(async () => expect(await peers.stop()).toEqual([]));

const POST = 'POST /up HTTP/1.1\r\nHost: a\r\n';

test('a request body is forwarded with its length or in chunks, without chunk extensions and trailers', async () => {
  const upstream = await startUpstream((socket, request) => {
    if (/\r\n\r\nabc$|0\r\n\r\n$/.test(request)) socket.write(formatResponse('ok'));
  });
  const server = await startEngine(forwardTo(upstream.upstream));
  await sendRaw(
    server.port,
    `${POST}Content-Length: 3\r\n\r\nabc${POST}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n1;x="y z"\r\na\r\n2\r\nbc\r\n0\r\nX-T: 1\r\n\r\n`,
  );
  expect(upstream.requests.map((text) => text.slice(text.indexOf('\r\n') + 2))).toEqual([
    'Host: a\r\nContent-Length: 3\r\n\r\nabc',
    'Host: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  ]);
});

test('a malformed chunk ends the exchange on both sides', async () => {
  const upstream = await startUpstream(() => undefined);
  const server = await startEngine(forwardTo(upstream.upstream));
  const client = new RawClient(server.port).send(`${POST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`);
  await waitFor('the upstream has the request', async () => upstream.requests.length === 1);
  client.send('zz\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.whenClosed;
  expect(client.received).toMatch(/^HTTP\/1\.1 400 [\s\S]*Connection: close\r\n/);
  expect(upstream.requests).toHaveLength(1);
  await waitFor('the upstream connection has ended', async () => upstream.sockets.size === 0);
});

test('a body of 100,000 chunks of one byte is forwarded completely', async () => {
  const upstream = await startUpstream((socket) => {
    let received = '';
    socket.on('data', (bytes) => {
      received = (received + bytes.toString('latin1')).slice(-8);
      if (received.endsWith('0\r\n\r\n')) socket.write(formatResponse('all'));
    });
  });
  const server = await startEngine(forwardTo(upstream.upstream));
  const body = `${'1;extension=of-some-length\r\nx\r\n'.repeat(100_000)}0\r\n\r\n`;
  const request = `${POST}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
  const response = parseResponse(await sendRaw(server.port, request));
  expect(response).toMatchObject({ status: 200, text: 'all' });
  expect(server.endedExchanges[0]?.bytesIn).toBe(request.length);
});

test('many small chunks that arrive together are forwarded in parts of a limited size', async () => {
  let received = '';
  const upstream = await startUpstream((socket, request) => {
    received = request;
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (received.endsWith('0\r\n\r\n')) socket.write(formatResponse('all'));
    });
  });
  const server = await startEngine(forwardTo(upstream.upstream));
  const chunkCount = 10_000;
  await sendRaw(
    server.port,
    `${POST}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(chunkCount)}0\r\n\r\n`,
  );
  const sizes = [...received.matchAll(/\r\n([0-9a-f]+)\r\nx/g)].map(([, size = '']) => Number.parseInt(size, 16));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(chunkCount);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_CHUNKS_PER_READ);
});

test('a forwarded request with Expect: 100-continue gets 100, and the upstream receives no Expect', async () => {
  const upstream = await startUpstream((socket, request) => {
    const respond = () => socket.write(formatResponse('ok'));
    // The body may arrive together with the head.
    if (request.endsWith('abc')) respond();
    else socket.once('data', respond);
  });
  const server = await startEngine(({ target, ...rest }) =>
    target === '/no' ? createLocalReply(401) : forwardTo(upstream.upstream)({ target, ...rest }),
  );
  const client = new RawClient(server.port).send(
    `${POST}Expect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n`,
  );
  await client.waitFor((text) => text === 'HTTP/1.1 100 Continue\r\n\r\n');
  client.send('abc');
  await client.whenClosed;
  expect(client.received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(upstream.requests[0]).not.toMatch(/expect/i);
  const response = await sendRaw(
    server.port,
    'POST /no HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
  );
  expect(response.toString()).toMatch(/^HTTP\/1\.1 401 /);
});

test.each(['Content-Length: 11\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n'])(
  'a body that is too long is refused with 413: %j',
  async (framing) => {
    const upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
    const server = await startEngine(forwardTo(upstream.upstream, { maxBodyBytes: 10 }));
    const response = await sendRaw(server.port, `${POST}${framing}`);
    expect(response.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(server.endedExchanges[0]).toMatchObject({ status: 413, reason: 'body_too_large' });
    expect(upstream.requests).toEqual([]);
  },
);

test('an early response of the upstream always arrives, however much the client still sends', async () => {
  const upstream = await startUpstream((socket) =>
    socket.write(formatResponse('too big', '', '413 Content Too Large')),
  );
  // A busy machine may take longer than the default `lingerMs` for the bodies.
  const server = await startEngine(forwardTo(upstream.upstream), { limits: { lingerMs: 60_000 } });
  const arrivals = await Promise.all(
    Array.from({ length: 10 }, async () => {
      // The declared length exceeds the sum of the pieces: a complete body would keep the connection alive.
      const client = new RawClient(server.port).send(`${POST}Content-Length: 800000\r\n\r\n`);
      for (let turn = 0; turn < 10 && !client.socket.destroyed; turn += 1) {
        client.send(Buffer.alloc(70_000, 'x'));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await client.whenClosed;
      return /^HTTP\/1\.1 413 [\s\S]*Connection: close\r\n[\s\S]*too big$/.test(client.received);
    }),
  );
  expect(arrivals).toEqual(Array(10).fill(true));
});

test('an early response of the upstream always arrives, even if the upstream then resets the connection', async () => {
  const upstream = await startUpstream((socket) => {
    socket.pause();
    socket.write(formatResponse('early', 'Connection: close\r\n', '413 Content Too Large'), () => socket.destroy());
  });
  const server = await startEngine(forwardTo(upstream.upstream));
  const clients = Array.from({ length: 100 }, () =>
    new RawClient(server.port).send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${1e6}\r\n\r\n${'x'.repeat(1e6)}`),
  );
  const responses = await Promise.all(clients.map((client) => client.waitFor((text) => text.includes('\r\n\r\n'))));
  expect(responses.filter((text) => !text.startsWith('HTTP/1.1 413'))).toEqual([]);
  for (const client of clients) client.destroy();
});

test.each([
  ['a malformed body', 'z\r\n', 'body_malformed'],
  ['a body that is too long', `fff\r\n${'x'.repeat(0xfff)}\r\n`, 'body_too_large'],
])('after the response has begun, %s destroys the connection', async (_case, bodyRest, reason) => {
  const upstream = await startUpstream((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nhello'));
  const server = await startEngine(forwardTo(upstream.upstream, { maxBodyBytes: 100 }));
  const client = new RawClient(server.port);
  client.send('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
  await client.waitFor((text) => text.endsWith('hello'));
  client.send(bodyRest);
  await client.whenClosed;
  expect(client.received).toMatch(/hello$/);
  await waitFor('the exchange has ended', async () => server.endedExchanges.length === 1);
  expect(server.endedExchanges[0]).toMatchObject({ status: 200, reason });
});

test('a client receives a refusal before it has sent its body, and the body is dropped up to a limit', async () => {
  const server = await startEngine(() => createLocalReply(401), { limits: { lingerBytes: 100_000, lingerMs: 200 } });
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  socket.write(`${POST}Content-Length: 100000000\r\n\r\n`);
  const pump = setInterval(() => socket.write(Buffer.alloc(16_000)), 1);
  await once(socket, 'close');
  clearInterval(pump);
  expect(received).toMatch(/^HTTP\/1\.1 401 [\s\S]*Connection: close/);
});

describe('with a minimum rate of 100 bytes in 100 ms', () => {
  const TICK_MS = 20;
  const PIECE = 'x'.repeat(100);
  // The test moves the timer and the clock of the engine. Sockets use neither of them.
  beforeEach(() => {
    const doNotFake = ['Date', 'nextTick', 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const;
    jest.useFakeTimers({ doNotFake: [...doNotFake, 'queueMicrotask', 'hrtime'] });
  });
  afterEach(() => jest.useRealTimers());

  /** Sends pieces of a body at the minimum rate: one per 100 ms, each after the previous piece was forwarded. */
  async function sendAtMinimumRate(pieceCount: number) {
    let forwardedBytes = 0;
    const upstream = await startUpstream((socket) => {
      socket.on('data', (bytes) => {
        forwardedBytes += bytes.length;
        if (forwardedBytes === 10 * PIECE.length) socket.write(formatResponse('ok'));
      });
    });
    const limits = { tickMs: TICK_MS, bodyGraceMs: 100, minBodyRate: 1_000 };
    const server = await startEngine(forwardTo(upstream.upstream), { limits });
    const client = new RawClient(server.port).send(`${POST}Connection: close\r\nContent-Length: 1000\r\n\r\n`);
    await waitFor('the upstream has the head', () => upstream.requests.length === 1);
    for (let count = 1; count <= pieceCount; count += 1) {
      client.send(PIECE);
      await waitFor('the upstream has the piece', () => forwardedBytes === count * PIECE.length);
      jest.advanceTimersByTime(100);
    }
    return { client, server };
  }

  test('a body at this rate is forwarded completely', async () => {
    const { client } = await sendAtMinimumRate(10);
    await client.whenClosed;
    expect(client.received).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a body that falls below this rate is refused with 408', async () => {
    const { client, server } = await sendAtMinimumRate(3);
    expect(client.received).toBe('');
    jest.advanceTimersByTime(TICK_MS);
    await client.whenClosed;
    expect(client.received).toMatch(/^HTTP\/1\.1 408 /);
    expect(server.endedExchanges).toMatchObject([{ status: 408, reason: 'body_timeout' }]);
  });
});

test('the time-out of a response starts at the last byte of the request', async () => {
  const upstream = await startUpstream(() => undefined);
  const server = await startEngine(forwardTo(upstream.upstream, { timeoutMs: 150 }));
  const client = new RawClient(server.port).send(`${POST}Content-Length: 6\r\n\r\n`);
  for (let piece = 0; piece < 6; piece += 1) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    client.send('x');
  }
  expect(client.received).toBe('');
  await client.waitFor((text) => text.startsWith('HTTP/1.1 504 '));
  client.destroy();
  await client.whenClosed;
});

test('a request to an upstream that does not read the body times out with 504', async () => {
  const upstream = await startUpstream((socket) => socket.pause());
  const server = await startEngine(forwardTo(upstream.upstream, { timeoutMs: 300 }));
  const client = new RawClient(server.port).send(`${POST}Content-Length: 500000000\r\n\r\n`);
  const writeMore = () => {
    while (client.socket.writable && client.socket.write(Buffer.alloc(65_536)));
  };
  client.socket.on('drain', writeMore);
  writeMore();
  await client.whenClosed;
  expect(server.endedExchanges[0]).toMatchObject({ status: 504, reason: 'upstream_timeout' });
});

test('a slow reader gets a large response completely', async () => {
  const size = 30_000_000;
  const upstream = await startUpstream((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
    socket.write(Buffer.alloc(size, 'x'));
  });
  const server = await startEngine(forwardTo(upstream.upstream));
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let byteCount = 0;
  let [isPaused, pieceCount] = [false, 0];
  socket.on('data', (piece) => {
    byteCount += piece.length;
    pieceCount += 1;
    if (pieceCount % 100 !== 0 || isPaused) return;
    isPaused = true;
    socket.pause();
    setTimeout(() => {
      isPaused = false;
      socket.resume();
    }, 5);
  });
  await once(socket, 'close');
  expect(byteCount).toBeGreaterThan(size);
  expect(server.endedExchanges[0]).toMatchObject({ status: 200, reason: undefined });
});

test('responses that wait for slow readers are not overwritten by other responses', async () => {
  const size = 3 * 1024 * 1024;
  const parseFillByte = (request: string) => Number(/^GET \/(\d+) /.exec(request)?.[1] ?? 0) + 65; // A, B, …
  const upstream = await startUpstream((socket, request) => {
    const fillByte = parseFillByte(request);
    const body = Buffer.alloc(size, fillByte);
    const isChunked = fillByte % 2 === 0;
    const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${size}`;
    socket.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n${isChunked ? `${size.toString(16)}\r\n` : ''}`);
    socket.write(body);
    if (isChunked) socket.write('\r\n0\r\n\r\n');
  });
  const server = await startEngine(forwardTo(upstream.upstream));
  const openRequest = (number: number) => {
    const socket = connect(server.port, '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (bytes) => received.push(bytes));
    socket.write(`GET /${number} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const whenEnded = once(socket, 'close').then(() => parseResponse(Buffer.concat(received)));
    return { socket, whenEnded };
  };
  const slowClients = Array.from({ length: 8 }, (_, number) => openRequest(number));
  for (const { socket } of slowClients) socket.pause();
  await waitFor('the upstream has all requests', async () => upstream.requests.length === slowClients.length);
  await Promise.all([8, 9, 10, 11].map((number) => openRequest(number).whenEnded));
  for (const [number, { socket, whenEnded }] of slowClients.entries()) {
    socket.resume();
    const { status, isComplete, body } = await whenEnded;
    expect([number, status, isComplete, body.equals(Buffer.alloc(size, number + 65))]).toEqual([
      number,
      200,
      true,
      true,
    ]);
  }
});

test('a client that reads nothing is disconnected', async () => {
  const upstream = await startUpstream((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 90000000\r\n\r\n');
    socket.write(Buffer.alloc(90_000_000, 'x'));
  });
  const server = await startEngine(forwardTo(upstream.upstream), { limits: { stalledMs: 200 } });
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitFor('the client was disconnected', async () => server.endedExchanges.length === 1);
  expect(server.endedExchanges[0]).toMatchObject({ status: 200, reason: 'client_stalled' });
  socket.destroy();
  await waitFor('the upstream connection has ended', async () => upstream.sockets.size === 0);
});

test('when a client disconnects, its request to the upstream ends', async () => {
  const upstream = await startUpstream(() => undefined);
  const server = await startEngine(forwardTo(upstream.upstream));
  const client = new RawClient(server.port).send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitFor('the upstream has the request', async () => upstream.requests.length === 1);
  client.destroy();
  await waitFor(
    'exchange and upstream connection have ended',
    async () => upstream.sockets.size === 0 && server.endedExchanges.length === 1,
  );
  expect(server.endedExchanges[0]).toMatchObject({ status: 499, reason: 'client_gone' });
  expect(server.engine.getGauges()).toMatchObject({ clients: 0, upstreamBusy: 0 });
});

describe('a body from the handler', () => {
  const createBody = (pieces: (string | Error | undefined)[], length: number) => {
    const closeCalls = { count: 0 };
    return {
      closeCalls,
      body: {
        length,
        next: () => {
          const piece = pieces.shift();
          if (piece instanceof Error) throw piece;
          const bytes = piece === undefined ? undefined : Buffer.from(piece);
          // Pieces alternate between synchronous and asynchronous.
          return pieces.length % 2 === 0 ? Promise.resolve(bytes) : bytes;
        },
        close: () => {
          closeCalls.count += 1;
        },
      } as const,
    };
  };
  const replyWith = (body: ReturnType<typeof createBody>['body']) => () =>
    ({ action: 'reply', status: 200, headerLines: '', body }) as const;

  test('is sent piece by piece, and for a HEAD request only its length is sent and no piece is read', async () => {
    const getBody = createBody(['ab', 'cd', 'e'], 5);
    const server = await startEngine(({ method }) => replyWith(method === 'HEAD' ? headBody.body : getBody.body)());
    const headBody = createBody([], 7);
    const client = new RawClient(server.port).send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.waitFor((text) => text.endsWith('\r\n\r\nabcde'));
    client.send('HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await client.whenClosed;
    expect(client.received).toContain('Content-Length: 7\r\n');
    expect([getBody.closeCalls.count, headBody.closeCalls.count]).toEqual([1, 1]);
  });

  test('that is shorter than its declared length breaks the connection', async () => {
    const shortBody = createBody(['ab', 'c'], 5);
    const server = await startEngine(replyWith(shortBody.body));
    expect(parseResponse(await sendRaw(server.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'))).toMatchObject({
      isComplete: false,
    });
    expect([shortBody.closeCalls.count, server.endedExchanges[0]?.reason]).toEqual([1, 'source_ended']);
  });
});
