import { Socket } from 'node:net';
import { waitFor } from '../../../../scripts/testing/program';
import { sendRaw } from '../../testing/edge';
import {
  createLocalReply,
  formatResponse,
  forwardTo,
  GET,
  LAST_GET,
  Peers,
  parseStatus,
  RawClient,
} from './testing/peers';
import { ALL_CLIENTS } from './types';

const peers = new Peers();
const { startUpstream, startEngine } = peers;
afterEach(() => peers.stop());

test('an incomplete head is refused with 408 at its time-out, and an empty or idle connection is closed', async () => {
  const server = await startEngine(() => createLocalReply(404), { limits: { headMs: 600, idleMs: 150 } });
  const halfHeadClient = new RawClient(server.port).send('GET / HTTP/1.1\r\nHo');
  const emptyClient = new RawClient(server.port);
  const idleClient = new RawClient(server.port).send(GET);
  await Promise.all([halfHeadClient.whenClosed, emptyClient.whenClosed, idleClient.whenClosed]);
  expect([parseStatus(halfHeadClient.received), emptyClient.received, parseStatus(idleClient.received)]).toEqual([
    '408',
    '',
    '404',
  ]);
  expect(server.endedExchanges.map(({ reason }) => reason).sort()).toEqual(['head_timeout', undefined]);
});

test('an empty line after a request does not begin a request, so the connection stays idle', async () => {
  const server = await startEngine(() => createLocalReply(404), { limits: { headMs: 60, idleMs: 400 } });
  const client = new RawClient(server.port).send(GET);
  await client.waitFor((text) => text.endsWith('404'));
  client.send('\r\n');
  await client.whenClosed;
  expect(server.endedExchanges.map(({ reason }) => reason)).toEqual([undefined]);
  const otherClient = new RawClient(server.port).send('\r\n').send(`\r\n${LAST_GET}`);
  await otherClient.whenClosed;
  expect(parseStatus(otherClient.received)).toBe('404');
});

test('the CR of an empty line after a request does not begin a request', async () => {
  const server = await startEngine(() => createLocalReply(404), { limits: { headMs: 60, idleMs: 400 } });
  const client = new RawClient(server.port).send(GET);
  await client.waitFor((text) => text.endsWith('404'));
  client.send('\r');
  // The response shows that the bytes sent before this request have been read.
  await sendRaw(server.port, LAST_GET);
  client.send('\n');
  await client.whenClosed;
  expect(server.endedExchanges.map(({ reason }) => reason)).toEqual([undefined, undefined]);
});

test('a response that has begun is authorized repeatedly until authorization fails', async () => {
  const upstream = await startUpstream((socket, request) => {
    if (!request.startsWith('GET /waits ')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello');
  });
  const checkedTargets: string[] = [];
  const isStillAuthorized = ({ target }: { target: string }) => {
    checkedTargets.push(target);
    return target !== '/ends' || checkedTargets.filter((checked) => checked === '/ends').length < 3;
  };
  const server = await startEngine(
    forwardTo(upstream.upstream),
    { limits: { reauthorizeAfterMs: 60 } },
    { isStillAuthorized },
  );
  const send = (path: string) => new RawClient(server.port).send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [continuingClient, waitingClient, revokedClient] = [send('/goes-on'), send('/waits'), send('/ends')];
  await revokedClient.whenClosed;
  expect(server.endedExchanges.map(({ target, status, reason }) => [target, status, reason])).toEqual([
    ['/ends', 200, 'revoked'],
  ]);
  expect([revokedClient.received.endsWith('hello'), checkedTargets.filter((checked) => checked === '/ends')]).toEqual([
    true,
    Array(3).fill('/ends'),
  ]);
  expect([continuingClient.socket.destroyed, checkedTargets.includes('/waits')]).toEqual([false, false]);
  await waitFor('one of three upstream connections has ended', async () => upstream.sockets.size === 2);
  for (const client of [continuingClient, waitingClient]) client.destroy();
});

test('a lower limit for all clients closes an idle connection, and a new connection then evicts another', async () => {
  const server = await startEngine(() => createLocalReply(404), {}, { getClientKey: (peer) => peer });
  const idleClients = [1, 2, 3].map(() => new RawClient(server.port).send(GET));
  await Promise.all(idleClients.map((client) => client.waitFor((text) => text.endsWith('404'))));
  expect(server.engine.countConnections(5, [ALL_CLIENTS])).toEqual([{ client: ALL_CLIENTS, open: 3, idle: 3 }]);
  server.engine.capClients(new Map([[ALL_CLIENTS, 2]]));
  await waitFor(
    'one idle client is disconnected',
    async () => idleClients.filter(({ socket }) => socket.destroyed).length === 1,
  );
  expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('404');
  await waitFor(
    'a second idle client is disconnected',
    async () => idleClients.filter(({ socket }) => socket.destroyed).length === 2,
  );
  for (const client of idleClients) client.destroy();
});

test('at the limit, an idle connection is evicted, and never a busy connection', async () => {
  const upstream = await startUpstream(() => undefined);
  const server = await startEngine(
    (exchange) => (exchange.target === '/' ? createLocalReply(404) : forwardTo(upstream.upstream)(exchange)),
    { limits: { connections: 3 } },
  );
  const busyClient = new RawClient(server.port).send('GET /busy HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitFor('one request is under way', async () => upstream.requests.length === 1);
  const idleClients = [new RawClient(server.port).send(GET), new RawClient(server.port).send(GET)];
  await Promise.all(idleClients.map((client) => client.waitFor((text) => text.endsWith('404'))));
  expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('404');
  await Promise.race(idleClients.map(({ whenClosed }) => whenClosed));
  for (const client of idleClients) client.destroy();
  expect(busyClient.socket.destroyed).toBe(false);
  const otherClients = [1, 2].map(() => new RawClient(server.port).send('GET /busy HTTP/1.1\r\nHost: a\r\n\r\n'));
  await waitFor('all connections are busy', async () => upstream.requests.length === 3);
  expect(await sendRaw(server.port, LAST_GET)).toHaveLength(0);
  expect(server.engine.getGauges().limitedTotal).toBeGreaterThanOrEqual(2);
  for (const client of [busyClient, ...otherClients]) client.destroy();
});

test('at the limit of a client or of all clients, each new connection evicts one idle connection', async () => {
  for (const limits of [{ connections: 64 }, { connectionsPerClient: 64 }]) {
    const server = await startEngine(() => createLocalReply(404), { limits }, { getClientKey: () => 'one' });
    const clients = Array.from({ length: 64 }, () => new RawClient(server.port));
    await waitFor('all clients are connected', async () => server.engine.getGauges().clients === 64);
    for (const count of [1, 2, 3]) {
      const client = new RawClient(server.port).send(GET);
      await client.waitFor((text) => text.endsWith('404'));
      clients.push(client);
      expect([server.engine.getGauges().clients, server.engine.getGauges().limitedTotal]).toEqual([64, count]);
    }
    server.engine.capClients(new Map([['one', 60]]));
    expect([server.engine.getGauges().clients, server.engine.getGauges().limitedTotal]).toEqual([60, 3 + 4]);
    for (const client of clients) client.destroy();
  }
});

test('at the limit of all clients, a client at its own limit evicts only its own connections', async () => {
  const clientKeys = ['other', 'one', 'one', 'one'];
  const limits = { connections: 3, connectionsPerClient: 2 };
  const server = await startEngine(() => createLocalReply(404), { limits }, { getClientKey: () => clientKeys.shift() });
  const clients: RawClient[] = [];
  for (let count = 0; count < 4; count += 1) {
    const client = new RawClient(server.port).send(GET);
    await client.waitFor((text) => text.endsWith('404'));
    clients.push(client);
  }
  expect(server.engine.countConnections(1, [])).toEqual([
    { client: 'other', open: 1, idle: 1 },
    { client: 'one', open: 2, idle: 2 },
  ]);
  for (const client of clients) client.destroy();
});

test('a connection that ended before it was accepted does not count as refused by a limit', async () => {
  const server = await startEngine(() => createLocalReply(404));
  const closedSocket = new Socket();
  server.engine.accept(closedSocket);
  expect([closedSocket.destroyed, server.engine.getGauges().limitedTotal]).toEqual([true, 0]);
});

test('the limit per client applies to each client key, and peers without a client key have no limit', async () => {
  const countingServer = await startEngine(
    () => createLocalReply(404),
    { limits: { connectionsPerClient: 2 } },
    { getClientKey: () => 'one network' },
  );
  const unlimitedServer = await startEngine(() => createLocalReply(404), { limits: { connectionsPerClient: 2 } });
  for (const [server, openCount] of [
    [countingServer, 2],
    [unlimitedServer, 5],
  ] as const) {
    const clients = Array.from({ length: 5 }, () => new RawClient(server.port));
    await waitFor(
      'the clients over the limit were refused',
      async () => clients.filter(({ socket }) => !socket.destroyed).length <= openCount,
    );
    await waitFor('the open clients are counted', async () => server.engine.getGauges().clients === openCount);
    for (const client of clients) client.destroy();
  }
});

test('a capped client loses its idle connections first, then busy connections', async () => {
  const upstream = await startUpstream(() => undefined);
  const server = await startEngine(
    (exchange) => (exchange.target === '/' ? createLocalReply(404) : forwardTo(upstream.upstream)(exchange)),
    {},
    { getClientKey: () => 'one' },
  );
  const busyClient = new RawClient(server.port).send('GET /busy HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitFor('one request is under way', async () => upstream.requests.length === 1);
  const idleClients = [1, 2, 3].map(() => new RawClient(server.port).send(GET));
  await Promise.all(idleClients.map((client) => client.waitFor((text) => text.endsWith('404'))));
  expect(server.engine.countConnections(5, [])).toEqual([]);
  expect(server.engine.countConnections(5, ['one', 'other'])).toEqual([
    { client: 'one', open: 4, idle: 3 },
    { client: 'other', open: 0, idle: 0 },
  ]);
  server.engine.capClients(new Map([['one', 2]]));
  await waitFor(
    'two idle clients are disconnected',
    async () => idleClients.filter(({ socket }) => socket.destroyed).length === 2,
  );
  server.engine.capClients(new Map([['one', 1]]));
  await waitFor('the third idle client is disconnected', async () =>
    idleClients.every(({ socket }) => socket.destroyed),
  );
  expect(busyClient.socket.destroyed).toBe(false);
  server.engine.capClients(new Map([['one', 0]]));
  await waitFor('the busy client is disconnected', async () => busyClient.socket.destroyed);
  expect(await sendRaw(server.port, LAST_GET)).toEqual(Buffer.alloc(0));
  server.engine.capClients(new Map());
  expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('404');
  busyClient.destroy();
});

describe('the number of simultaneous requests to an upstream is limited', () => {
  /** Starts a request that the test answers later, and another request that waits in the queue. */
  async function startWithQueuedRequest(queueMs: number) {
    const sendHeldResponses: (() => void)[] = [];
    const upstream = await startUpstream((socket) => sendHeldResponses.push(() => socket.write(formatResponse('ok'))));
    const limits = { upstreamConnections: 1, queueLength: 1, queueMs };
    const server = await startEngine(forwardTo(upstream.upstream), { limits });
    const sentClient = new RawClient(server.port).send(LAST_GET);
    await waitFor('the upstream has the first request', async () => sendHeldResponses.length === 1);
    const queuedClient = new RawClient(server.port).send(LAST_GET);
    return { server, sendHeldResponses, sentClient, queuedClient };
  }

  test('the next request waits in the queue, and a request beyond the queue is refused', async () => {
    const { server, sendHeldResponses, sentClient, queuedClient } = await startWithQueuedRequest(3_600_000);
    await waitFor('one request is queued', async () => server.engine.getGauges().queued === 1);
    const refusedClient = new RawClient(server.port).send(LAST_GET);
    await refusedClient.whenClosed;
    expect(parseStatus(refusedClient.received)).toBe('503');
    sendHeldResponses.shift()?.();
    await waitFor('the queued request is sent', async () => sendHeldResponses.length === 1);
    sendHeldResponses.shift()?.();
    await Promise.all([sentClient.whenClosed, queuedClient.whenClosed]);
    expect([parseStatus(sentClient.received), parseStatus(queuedClient.received)]).toEqual(['200', '200']);
    expect(server.endedExchanges.map(({ reason }) => reason)).toEqual(['queue_full', undefined, undefined]);
  });

  test('a request that waits in the queue for too long is refused', async () => {
    const { server, sentClient, queuedClient } = await startWithQueuedRequest(150);
    await queuedClient.whenClosed;
    expect(parseStatus(queuedClient.received)).toBe('503');
    expect(server.endedExchanges.map(({ reason }) => reason)).toEqual(['queue_timeout']);
    sentClient.destroy();
  });
});

test.each([
  ['response', 'GET /long HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['request', 'POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx'],
])('a %s with a long body does not block other requests to the same upstream', async (_message, request) => {
  let begunCount = 0;
  const upstream = await startUpstream((socket, received) => {
    if (!received.includes('/long')) socket.write(formatResponse('ok'));
    else begunCount += 1;
    if (received.startsWith('GET /long'))
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
  });
  const server = await startEngine(forwardTo(upstream.upstream), {
    limits: { upstreamConnections: 1, longBodyMs: 100 },
  });
  const longClient = new RawClient(server.port).send(request);
  await waitFor('the long exchange is under way', async () => begunCount > 0);
  expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('200');
  longClient.destroy();
});

test('above the limit of idle upstream connections, the connection with the longest idle time is closed', async () => {
  const upstreamSockets: Socket[] = [];
  const upstream = await startUpstream((socket) => upstreamSockets.push(socket));
  const server = await startEngine(forwardTo(upstream.upstream), {
    limits: { upstreamIdleConnections: 1, reuseDelayMs: 0 },
  });
  const clients = [new RawClient(server.port).send(LAST_GET), new RawClient(server.port).send(LAST_GET)];
  await waitFor('both requests are under way', async () => upstreamSockets.length === 2);
  const [firstSocket, secondSocket] = upstreamSockets;
  firstSocket?.write(formatResponse('ok'));
  await waitFor('one upstream connection is kept', async () => server.engine.getGauges().upstreamFree === 1);
  secondSocket?.write(formatResponse('ok'));
  await waitFor('the first upstream connection is closed', async () => firstSocket?.destroyed);
  expect([secondSocket?.destroyed, server.engine.getGauges().upstreamFree]).toEqual([false, 1]);
  await Promise.all(clients.map(({ whenClosed }) => whenClosed));
});

test('the limit of idle upstream connections also holds for connections whose reuse is delayed', async () => {
  const upstreamSockets: Socket[] = [];
  const upstream = await startUpstream((socket) => upstreamSockets.push(socket));
  const server = await startEngine(forwardTo(upstream.upstream), {
    limits: { upstreamIdleConnections: 1, reuseDelayMs: 60_000 },
  });
  const clients = [new RawClient(server.port).send(LAST_GET), new RawClient(server.port).send(LAST_GET)];
  await waitFor('both requests are under way', async () => upstreamSockets.length === 2);
  for (const socket of upstreamSockets) socket.write(formatResponse('ok'));
  await Promise.all(clients.map(({ whenClosed }) => whenClosed));
  await waitFor('one upstream connection is closed', async () => upstreamSockets.some(({ destroyed }) => destroyed));
  expect(upstreamSockets.filter(({ destroyed }) => destroyed)).toHaveLength(1);
});

test('a request whose response does not come in time is answered with 504', async () => {
  const upstream = await startUpstream(() => undefined);
  const server = await startEngine(forwardTo(upstream.upstream, { timeoutMs: 100 }));
  expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('504');
  expect(server.endedExchanges[0]).toMatchObject({ status: 504, reason: 'upstream_timeout' });
});

test('the engine does not connect to a forbidden target, whether it is an address or a name', async () => {
  const upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
  const checkedAddresses: string[] = [];
  const server = await startEngine(
    (exchange) => {
      const { port } = upstream.upstream;
      return forwardTo({ ...upstream.upstream, host: exchange.target === '/name' ? 'localhost' : '127.0.0.1', port })(
        exchange,
      );
    },
    {},
    {
      mayConnect: (address) => {
        checkedAddresses.push(address);
        return false;
      },
    },
  );
  for (const path of ['/literal', '/name']) {
    const response = await sendRaw(server.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(parseStatus(response)).toBe('502');
  }
  expect(server.endedExchanges.map(({ reason }) => reason)).toEqual(['target_forbidden', 'target_forbidden']);
  expect(checkedAddresses).toContain('127.0.0.1');
  expect(upstream.requests).toEqual([]);
});

test('reading pauses for a client that sends requests without reading responses', async () => {
  const server = await startEngine(() => ({ action: 'reply', status: 200, headerLines: '', body: 'x'.repeat(10_000) }));
  const client = new RawClient(server.port);
  client.socket.pause();
  client.send(GET.repeat(20_000));
  let answeredCount = 0;
  await waitFor('no request is answered between two polls', () => {
    const previousCount = answeredCount;
    answeredCount = server.endedExchanges.length;
    return answeredCount > 0 && answeredCount === previousCount;
  });
  expect(answeredCount).toBeLessThan(20_000);
  client.socket.resume();
  await waitFor('all requests were answered', async () => server.endedExchanges.length === 20_000);
  client.destroy();
});
