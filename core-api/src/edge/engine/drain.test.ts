import { waitFor } from '../../../../scripts/testing/program';
import { createLocalReply, type EngineServer, formatResponse, forwardTo, Peers, RawClient } from './testing/peers';
import { blockThread } from './testing/upstream-thread';

const peers = new Peers();
const { startUpstream, startEngine } = peers;
afterEach(async () => {
  expect(await peers.stop()).toEqual([]);
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const HOUR_MS = 3_600_000;
const longDrain = { drainTunnelsMs: HOUR_MS, drainMs: HOUR_MS };
/** Blocks the event loop until sent bytes have arrived, so that the engine cannot have read them. */
const waitForArrival = () => blockThread(20);

interface ParsedResponse {
  body: string;
  closesConnection: boolean;
}
/** Parses complete responses in their order. @throws Error for an incomplete response */
function parseResponses(text: string): ParsedResponse[] {
  const responses: ParsedResponse[] = [];
  for (let unparsed = text; unparsed !== ''; ) {
    const end = unparsed.indexOf('\r\n\r\n') + 4;
    const head = unparsed.slice(0, end);
    const length = Number(/\r\nContent-Length: (\d+)\r\n/i.exec(head)?.[1]);
    if (end < 4 || !(unparsed.length >= end + length))
      throw new Error(`incomplete response: ${unparsed.slice(0, 200)}`);
    responses.push({
      body: unparsed.slice(end, end + length),
      closesConnection: /\r\nConnection: close\r\n/i.test(head),
    });
    unparsed = unparsed.slice(end + length);
  }
  return responses;
}
/** Expects exactly these responses. Only the last response contains `Connection: close`. */
function expectResponses({ received, isEnded }: RawClient, bodies: readonly string[]): void {
  expect(parseResponses(received)).toEqual(
    bodies.map((body, index) => ({ body, closesConnection: index === bodies.length - 1 })),
  );
  expect(isEnded).toBe(true);
}

test('a drain closes idle connections soon and busy connections after their response', async () => {
  const sendHeldResponses: (() => void)[] = [];
  const upstream = await startUpstream((socket, request) => {
    if (request.includes('/busy')) sendHeldResponses.push(() => socket.write(formatResponse('ok')));
    else socket.write(formatResponse('ok'));
  });
  const server = await startEngine(forwardTo(upstream.upstream), { limits: longDrain });
  const idleClient = new RawClient(server.port).send(get('/'));
  const busyClient = new RawClient(server.port).send(get('/busy'));
  const [silentClient, halfHeadClient] = [new RawClient(server.port), new RawClient(server.port).send('GET / HT')];
  await idleClient.waitFor((text) => text.endsWith('ok'));
  await waitFor(
    'all clients are connected',
    async () => sendHeldResponses.length === 1 && server.engine.getGauges().clients === 4,
  );
  const whenDrained = server.engine.drain();
  await Promise.all([idleClient, silentClient, halfHeadClient].map(({ whenClosed }) => whenClosed));
  expect([idleClient.isEnded, silentClient.received]).toEqual([true, '']);
  expect(halfHeadClient.received).toMatch(/^HTTP\/1\.1 408 [\s\S]*\r\nConnection: close\r\n/);
  sendHeldResponses.shift()?.();
  await Promise.all([busyClient.whenClosed, whenDrained]);
  expectResponses(busyClient, ['ok']);
  await waitFor('no upstream connection is kept', async () => upstream.sockets.size === 0);
});

test('a drain destroys connections that do not end in time', async () => {
  const upstream = await startUpstream(() => undefined);
  const server = await startEngine(forwardTo(upstream.upstream), { limits: { drainMs: 200 } });
  const client = new RawClient(server.port).send(get('/silent'));
  await waitFor('the request is under way', async () => upstream.requests.length === 1);
  await server.engine.drain();
  await client.whenClosed;
  expect(server.endedExchanges[0]).toMatchObject({ status: 499 });
});

test('a connection that opened before a drain still gets a response to its first request', async () => {
  const server = await startEngine(() => createLocalReply(404), { limits: longDrain });
  const client = new RawClient(server.port);
  await waitFor('the client is connected', async () => server.engine.getGauges().clients === 1);
  const whenDrained = server.engine.drain();
  client.send(get('/'));
  await Promise.all([client.whenClosed, whenDrained]);
  expectResponses(client, ['404']);
});

test('a request that arrived on an idle connection before a drain gets a response, even if it is still unread', async () => {
  const server = await startEngine(({ target }) => ({ ...createLocalReply(200), body: target }), {
    limits: longDrain,
  });
  const client = new RawClient(server.port).send(get('/first'));
  await client.waitFor((text) => text.endsWith('/first'));
  client.send(get('/second') + get('/third'));
  waitForArrival();
  await Promise.all([server.engine.drain(), client.whenClosed]);
  expectResponses(client, ['/first', '/second']);
});

test('after a response whose head was sent before the drain, the next request is answered too', async () => {
  const upstream = await startUpstream((socket, request) => {
    if (request.includes('/long')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello');
    else socket.write(formatResponse('second'));
  });
  const server = await startEngine(forwardTo(upstream.upstream), { limits: longDrain });
  const [eagerClient, laterClient, silentClient] = [
    get('/long') + get('/b') + get('/c'),
    get('/long'),
    get('/long'),
  ].map((text) => new RawClient(server.port).send(text));
  if (!eagerClient || !laterClient || !silentClient) throw new Error('a client is missing');
  for (const client of [eagerClient, laterClient, silentClient]) await client.waitFor((text) => text.endsWith('hello'));
  const whenDrained = server.engine.drain();
  for (const socket of upstream.sockets) socket.write('world');
  await laterClient.waitFor((text) => text.endsWith('world'));
  laterClient.send(get('/b'));
  await Promise.all([whenDrained, eagerClient.whenClosed, laterClient.whenClosed, silentClient.whenClosed]);
  expectResponses(eagerClient, ['helloworld', 'second']);
  expectResponses(laterClient, ['helloworld', 'second']);
  // The client sent no request within half a second.
  expect([parseResponses(silentClient.received), silentClient.isEnded]).toEqual([
    [{ body: 'helloworld', closesConnection: false }],
    true,
  ]);
});

test('during a drain, a client that reads slowly gets the responses to its pipelined requests', async () => {
  const body = 'x'.repeat(6_000_000);
  const server = await startEngine(
    ({ target }) => ({ ...createLocalReply(200), body: target === '/large' ? body : target }),
    {
      limits: longDrain,
    },
  );
  const client = new RawClient(server.port);
  client.socket.pause();
  client.send(get('/large') + get('/second'));
  await waitFor('the request was answered', async () => server.endedExchanges.length === 1);
  const whenDrained = server.engine.drain();
  // The closed idle connection shows that the drain has begun.
  const idleClient = new RawClient(server.port);
  await idleClient.whenClosed;
  client.socket.resume();
  await Promise.all([whenDrained, client.whenClosed]);
  expectResponses(client, [body, '/second']);
});

test.each([
  ['immediately', () => undefined],
  ['after a while', () => new Promise<void>((resolve) => setTimeout(resolve, 5))],
])(
  'pipelined requests are answered up to and including the request that begins the drain, if its decision comes %s',
  async (_when, pause) => {
    const server = await startEngine(
      async ({ target }) => {
        if (target === '/30') {
          void server.engine.drain();
          await pause();
        }
        return { ...createLocalReply(200), body: target };
      },
      { limits: longDrain },
    );
    const paths = Array.from({ length: 1_000 }, (_, index) => `/${index}`);
    const client = new RawClient(server.port).send(paths.map(get).join(''));
    // The client sends further requests while the last response arrives.
    const writing = setInterval(() => client.send(get('/more').repeat(10)), 1);
    await client.whenClosed;
    clearInterval(writing);
    expectResponses(client, paths.slice(0, 31));
    expect(server.endedExchanges).toHaveLength(31);
  },
);

test('wherever a drain interrupts a pipeline, all responses are complete and the last response closes the connection', async () => {
  const upstream = await startUpstream((socket, request) => {
    for (const [, path = ''] of request.matchAll(/(?:GET|POST) (\S+)/g)) {
      if (path === '/cut') {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n/c');
        setTimeout(() => socket.write('ut'), 3);
      } else setTimeout(() => socket.write(formatResponse(path)), 2);
    }
  });
  const forward = forwardTo(upstream.upstream);
  for (let turn = 0; turn < 40; turn += 1) {
    const server = await startEngine(
      (exchange) => (exchange.target === '/own' ? { ...createLocalReply(200), body: '/own' } : forward(exchange)),
      { limits: longDrain },
    );
    const paths = ['/a', '/own', '/cut', '/b', '/cut', '/own', '/own', '/c'];
    const bytes = paths.map(get).join('');
    const client = new RawClient(server.port);
    await waitFor('the client is connected', async () => server.engine.getGauges().clients === 1);
    const splitAt = (turn * 7) % bytes.length; // Each turn splits the requests elsewhere.
    client.send(bytes.slice(0, splitAt));
    await new Promise((resolve) => setTimeout(resolve, turn % 13)); // The drain begins after 0 to 12 ms.
    const whenDrained = server.engine.drain();
    client.send(bytes.slice(splitAt));
    await Promise.all([whenDrained, client.whenClosed]);
    const responses = parseResponses(client.received);
    expect(responses.length).toBeGreaterThan(0);
    expectResponses(client, paths.slice(0, responses.length));
  }
});

/** Opens connections, and waits until the first request of each connection is answered. */
async function openClients(server: EngineServer, count: number): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  for (let index = 0; index < count; index += 1)
    clients.push(await requestOnClient(new RawClient(server.port), '/first'));
  return clients;
}
async function requestOnClient(client: RawClient, path: string): Promise<RawClient> {
  const countBefore = parseResponses(client.received).length;
  client.send(get(path));
  await client.waitFor((text) => text.endsWith(path) && parseResponses(text).length > countBefore);
  return client;
}

test('shedding closes the chosen connections after their next response, and keeps the other connections', async () => {
  const server = await startEngine(({ target }) => ({ ...createLocalReply(200), body: target }), {
    limits: longDrain,
  });
  const clients = await openClients(server, 8);
  const whenShed = server.engine.shed(0.5);
  for (const client of clients) await requestOnClient(client, '/second');
  await whenShed;
  for (const client of clients) client.send(get('/third') + get('/fourth'));
  await waitFor('the chosen clients are disconnected', async () => server.engine.getGauges().clients === 4);
  const stayingClients = clients.filter(({ isEnded }) => !isEnded);
  for (const client of stayingClients) await client.waitFor((text) => text.endsWith('/fourth'));
  for (const client of clients.filter(({ isEnded }) => isEnded))
    expectResponses(client, ['/first', '/second', '/third']);
  expect(
    stayingClients.map(({ received }) => parseResponses(received).some(({ closesConnection }) => closesConnection)),
  ).toEqual(Array(4).fill(false));
  for (const client of stayingClients) client.destroy();
});

test('shedding keeps connections that wait for an upstream, because waiting is not work', async () => {
  const sendHeldResponses: (() => void)[] = [];
  const upstream = await startUpstream((socket, request) => {
    if (request.includes('/held')) sendHeldResponses.push(() => socket.write(formatResponse('held')));
    else socket.write(formatResponse('/any'));
  });
  const server = await startEngine(forwardTo(upstream.upstream), { limits: longDrain });
  const waitingClients = Array.from({ length: 12 }, () => new RawClient(server.port).send(get('/held')));
  await waitFor(
    'the requests wait for their responses',
    async () => sendHeldResponses.length === waitingClients.length,
  );
  const workingClients = await Promise.all([1, 2, 3, 4].map(() => requestOnClient(new RawClient(server.port), '/any')));
  const whenShed = server.engine.shed(0.5);
  for (let turn = 0; turn < 5; turn += 1) for (const client of workingClients) await requestOnClient(client, '/any');
  await whenShed;
  for (const client of workingClients) await requestOnClient(client, '/any');
  await waitFor('half of the working clients are disconnected', async () => server.engine.getGauges().clients === 14);
  for (const sendResponse of sendHeldResponses) sendResponse();
  await Promise.all(waitingClients.map((client) => client.waitFor((text) => text.endsWith('held'))));
  expect(
    waitingClients.filter(({ received }) => parseResponses(received).some(({ closesConnection }) => closesConnection)),
  ).toEqual([]);
  for (const client of [...waitingClients, ...workingClients]) client.destroy();
});

test('shedding keeps a connection that has nearly all the work', async () => {
  const server = await startEngine(({ target }) => ({ ...createLocalReply(200), body: target }), {
    limits: longDrain,
  });
  const [client = new RawClient(server.port)] = await openClients(server, 1);
  const whenShed = server.engine.shed(0.95);
  await requestOnClient(client, '/second');
  await whenShed;
  await requestOnClient(client, '/third');
  expect(parseResponses(client.received).some(({ closesConnection }) => closesConnection)).toBe(false);
  client.destroy();
});

test('tunnels and connections that are already closing are not shed', async () => {
  const upstream = await startUpstream((socket, request) => {
    if (request.includes('/tunnel'))
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  const server = await startEngine(
    (exchange) =>
      exchange.isUpgrade ? forwardTo(upstream.upstream)(exchange) : { ...createLocalReply(200), body: exchange.target },
    { limits: { drainMs: 1 } },
  );
  const tunnel = new RawClient(server.port).send(
    'GET /tunnel HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n',
  );
  await tunnel.waitFor((text) => text.endsWith('\r\n\r\n'));
  const clients = await openClients(server, 4);
  for (let turn = 0; turn < 2; turn += 1) {
    const whenShed = server.engine.shed(0.5);
    for (const client of clients.filter(({ isEnded }) => !isEnded)) await requestOnClient(client, '/again');
    await whenShed;
  }
  for (const client of clients) if (!client.isEnded) await requestOnClient(client, '/last');
  await waitFor('most clients are disconnected', async () => server.engine.getGauges().clients === 2);
  expect([tunnel.isEnded, clients.filter(({ isEnded }) => !isEnded).length]).toEqual([false, 1]);
  for (const client of clients) client.destroy();
});

test('every call of drain resolves when the last connection is closed', async () => {
  const server = await startEngine(() => createLocalReply(404), { limits: longDrain });
  const client = new RawClient(server.port).send(get('/'));
  await client.waitFor((text) => text.endsWith('404'));
  await Promise.all([server.engine.drain(), server.engine.drain()]);
  expect(client.isEnded).toBe(true);
});
