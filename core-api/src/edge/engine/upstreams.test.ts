import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { findFreePort, waitFor } from '../../../../scripts/testing/program';
import { sendRaw } from '../../testing/edge';
import { formatResponse, forwardTo, GET, LAST_GET, Peers, parseStatus, RawClient } from './testing/peers';
import { startUpstreamThread } from './testing/upstream-thread';

const peers = new Peers();
const { startUpstream, startEngine } = peers;
afterEach(() => peers.stop());

const createUpstream = (port: number) => ({ host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` });

describe('instances', () => {
  test('after a refused connect, even a request that cannot be retried moves to the next instance', async () => {
    const upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
    const closedUpstreams = [createUpstream(await findFreePort()), createUpstream(await findFreePort())];
    const server = await startEngine(forwardTo([...closedUpstreams, upstream.upstream]));
    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    for (let turn = 0; turn < 20; turn += 1) expect(parseStatus(await sendRaw(server.port, post))).toBe('200');
    expect(upstream.requests.every((text) => text.endsWith('\r\n\r\nabc'))).toBe(true);
    expect(upstream.requests).toHaveLength(20);
  });

  test('if no instance accepts a connection, the response is 502', async () => {
    const server = await startEngine(
      forwardTo([createUpstream(await findFreePort()), createUpstream(await findFreePort())]),
    );
    expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('502');
    expect(server.endedExchanges[0]).toMatchObject({ status: 502, reason: 'connect_failed' });
  });

  test('two distinct instances are compared, so a hung instance gets no further requests', async () => {
    const hungUpstream = await startUpstream(() => undefined);
    const upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
    const server = await startEngine(forwardTo([hungUpstream.upstream, upstream.upstream]));
    const clients: RawClient[] = [];
    for (let turn = 1; turn <= 20; turn += 1) {
      clients.push(new RawClient(server.port).send(GET));
      await waitFor(
        'the request arrived',
        async () => hungUpstream.requests.length + upstream.requests.length === turn,
      );
      await waitFor('the request was answered', async () => server.endedExchanges.length === upstream.requests.length);
    }
    expect(hungUpstream.requests.length).toBeLessThan(2);
    for (const client of clients) client.destroy();
  });

  test.each([
    ['are busy', 2],
    ['are busy and have full queues', 4],
  ])('a third instance with room answers all requests while two instances %s', async (_state, requestCount) => {
    const hungUpstreams = await Promise.all([1, 2].map(() => startUpstream(() => undefined)));
    const freeUpstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
    const busyUpstreams = hungUpstreams.map(({ upstream }) => upstream);
    const [forwardToBusy, forwardToAll] = [
      forwardTo(busyUpstreams),
      forwardTo([...busyUpstreams, freeUpstream.upstream]),
    ];
    const server = await startEngine(
      (exchange) => (exchange.target === '/busy' ? forwardToBusy : forwardToAll)(exchange),
      {
        limits: { upstreamConnections: 1, queueLength: 1, queueMs: 3_600_000 },
      },
    );
    const waitingClients = Array.from({ length: requestCount }, () =>
      new RawClient(server.port).send('GET /busy HTTP/1.1\r\nHost: a\r\n\r\n'),
    );
    await waitFor('both instances are busy and the other requests are queued', async () => {
      const { upstreamBusy, queued } = server.engine.getGauges();
      return upstreamBusy === 2 && queued === requestCount - 2;
    });
    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    for (let turn = 0; turn < 20; turn += 1) {
      for (const request of [LAST_GET, post]) expect(parseStatus(await sendRaw(server.port, request, 5))).toBe('200');
    }
    for (const client of waitingClients) client.destroy();
  });

  test('a request in the queue of a hung instance moves to another instance with room', async () => {
    const hungUpstream = await startUpstream(() => undefined);
    const heldSockets: Socket[] = [];
    const otherUpstream = await startUpstream((socket, request) => {
      if (request.startsWith('GET /held')) heldSockets.push(socket);
      else socket.write(formatResponse('ok'));
    });
    const server = await startEngine(
      (exchange) => {
        const instances = { '/hung': [hungUpstream.upstream], '/held': [otherUpstream.upstream] }[exchange.target];
        return forwardTo(instances ?? [hungUpstream.upstream, otherUpstream.upstream])(exchange);
      },
      { limits: { upstreamConnections: 1, queueMs: 3_600_000 } },
    );
    const busyClients = ['hung', 'held'].map((target) =>
      new RawClient(server.port).send(`GET /${target} HTTP/1.1\r\nHost: a\r\n\r\n`),
    );
    await waitFor('both instances are busy', () => hungUpstream.requests.length === 1 && heldSockets.length === 1);
    const queuedResponses = Array.from({ length: 10 }, () => sendRaw(server.port, LAST_GET));
    await waitFor('all requests are queued', () => server.engine.getGauges().queued === queuedResponses.length);
    heldSockets[0]?.write(formatResponse('ok'));
    expect((await Promise.all(queuedResponses)).map(parseStatus)).toEqual(queuedResponses.map(() => '200'));
    for (const client of busyClients) client.destroy();
  });

  test('a request for a full healthy instance gets 503 while the other instance is ejected', async () => {
    const hungUpstream = await startUpstream(() => undefined);
    const ejectedUpstream = await startUpstream((socket) => socket.write(formatResponse('unhealthy')));
    const server = await startEngine(forwardTo([hungUpstream.upstream, ejectedUpstream.upstream]), {
      limits: { upstreamConnections: 1, queueLength: 1, queueMs: 3_600_000 },
    });
    server.engine.setHealth(ejectedUpstream.upstream, false);
    const waitingClients = Array.from({ length: 2 }, () => new RawClient(server.port).send(GET));
    await waitFor('one request is queued', () => server.engine.getGauges().queued === 1);
    expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('503');
    expect(ejectedUpstream.requests).toEqual([]);
    for (const client of waitingClients) client.destroy();
  });

  test('if all queues are full, the response is 503', async () => {
    const hungUpstreams = await Promise.all([1, 2, 3].map(() => startUpstream(() => undefined)));
    const server = await startEngine(forwardTo(hungUpstreams.map(({ upstream }) => upstream)), {
      limits: { upstreamConnections: 1, queueLength: 1, queueMs: 3_600_000 },
    });
    const waitingClients = Array.from({ length: 6 }, () => new RawClient(server.port).send(GET));
    await waitFor('all requests are queued', async () => server.engine.getGauges().queued === 3);
    expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('503');
    expect(server.endedExchanges[0]).toMatchObject({ status: 503, reason: 'queue_full' });
    for (const client of waitingClients) client.destroy();
  });

  test('a request that cannot be retried goes to the instance that has an idle keep-alive connection', async () => {
    const heldSockets: Socket[][] = [[], []];
    const [closingUpstream, keepingUpstream] = await Promise.all(
      heldSockets.map((sockets) =>
        startUpstream((socket, request) => {
          if (request.includes('/waits')) sockets.push(socket);
          else socket.write(formatResponse('ok'));
        }),
      ),
    );
    if (!closingUpstream || !keepingUpstream) throw new Error('no upstreams');
    const server = await startEngine(forwardTo([closingUpstream.upstream, keepingUpstream.upstream]), {
      limits: { reuseDelayMs: 0 },
    });
    const post = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi`;
    const clients: RawClient[] = [];
    for (let turn = 1; turn <= 4; turn += 1) {
      clients.push(new RawClient(server.port).send(post('/waits')));
      await waitFor('the request waits for its response', async () => heldSockets.flat().length === turn);
    }
    expect(heldSockets.map((sockets) => sockets.length)).toEqual([2, 2]);
    // Both instances have one request left. Only the second instance keeps its connection open.
    heldSockets[0]?.[0]?.write(formatResponse('ok', 'Connection: close\r\n'));
    heldSockets[1]?.[0]?.write(formatResponse('ok'));
    await waitFor('one request of each instance has ended', async () => server.endedExchanges.length === 2);
    for (let turn = 0; turn < 20; turn += 1) expect(parseStatus(await sendRaw(server.port, post('/')))).toBe('200');
    expect([closingUpstream.requests.length, keepingUpstream.requests.length]).toEqual([2, 22]);
    for (const client of clients) client.destroy();
  });

  test.each(['reset', 'closed'])(
    'a retryable request on a new connection that is %s moves to the next instance',
    async (ending) => {
      const startClosingUpstream = () =>
        startUpstream((socket) => {
          if (ending === 'reset') socket.resetAndDestroy();
          else socket.destroy();
        });
      const upstream = await startUpstream((socket) => socket.write(formatResponse('')));
      const failingUpstreams = [await startClosingUpstream(), await startClosingUpstream()];
      const server = await startEngine(forwardTo([...failingUpstreams, upstream].map((instance) => instance.upstream)));
      for (const method of ['GET', 'HEAD', 'OPTIONS'])
        for (let turn = 0; turn < 6; turn += 1) {
          for (const { requests } of [...failingUpstreams, upstream]) requests.length = 0;
          const response = await sendRaw(server.port, `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
          expect([method, parseStatus(response), upstream.requests.length]).toEqual([method, '200', 1]);
          for (const { requests } of failingUpstreams) expect(requests.length).toBeLessThan(2);
        }
    },
  );

  test('if every instance resets the connection, the response is 502 and each instance was tried once', async () => {
    const failingUpstreams = [1, 2, 3].map(() => startUpstream((socket) => socket.resetAndDestroy()));
    const upstreams = await Promise.all(failingUpstreams);
    const server = await startEngine(forwardTo(upstreams.map(({ upstream }) => upstream)));
    expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('502');
    expect(server.endedExchanges[0]).toMatchObject({ status: 502, reason: 'upstream_closed' });
    expect(upstreams.map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
  });

  test('an instance is not tried twice even if the pool has forgotten its state between the attempts', async () => {
    // The delay is longer than the time for which the state of an unused instance is kept.
    const slowUpstreams = [1, 2].map(() => startUpstream((socket) => setTimeout(() => socket.destroy(), 150)));
    const upstreams = await Promise.all(slowUpstreams);
    const server = await startEngine(forwardTo(upstreams.map(({ upstream }) => upstream)));
    expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('502');
    expect(upstreams.map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  test('a request is sent once if it cannot be retried or a part of its response has arrived', async () => {
    const upstreams = await Promise.all(
      [1, 2].map(() =>
        startUpstream((socket, request) => {
          if (request.startsWith('GET')) socket.end('HTTP/1.1 200 OK\r\nContent-Le');
          else socket.resetAndDestroy();
        }),
      ),
    );
    const server = await startEngine(forwardTo(upstreams.map(({ upstream }) => upstream)));
    const requests = [
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
      'DELETE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      LAST_GET,
    ];
    for (const request of requests) expect(parseStatus(await sendRaw(server.port, request))).toBe('502');
    expect(upstreams.flatMap((upstream) => upstream.requests)).toHaveLength(requests.length);
  });

  test('a retryable request survives an instance that resets its backlog', async () => {
    const thread = await startUpstreamThread(60_000);
    const upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
    const server = await startEngine(forwardTo([thread.upstream, upstream.upstream]));
    // All requests go to the hung instance.
    server.engine.setHealth(upstream.upstream, false);
    const closePort = thread.hang();
    const clients = [1, 2, 3].map(() => new RawClient(server.port).send(LAST_GET));
    await waitFor('the requests wait for their responses', async () => server.engine.getGauges().upstreamBusy === 3);
    // The backlog keeps the order of arrival, so when it contains this connection, it contains those of the requests.
    const queuedConnection = connect(thread.upstream.port, thread.upstream.host);
    await once(queuedConnection, 'connect');
    queuedConnection.destroy();
    closePort();
    await Promise.all(clients.map(({ whenClosed }) => whenClosed));
    expect(clients.map(({ received }) => parseStatus(received))).toEqual(['200', '200', '200']);
    expect([thread.answeredCount, upstream.requests.length]).toEqual([0, 3]);
    await thread.stop();
  });

  test('after a restart of all instances, a request is retried on a new connection of each instance', async () => {
    const upstreams = await Promise.all(
      [1, 2].map(() =>
        startUpstream((socket, request, turn) => {
          if (request.includes('/reset') || turn > 1) socket.resetAndDestroy();
          else socket.write(formatResponse('ok'));
        }),
      ),
    );
    const server = await startEngine(forwardTo(upstreams.map(({ upstream }) => upstream)), {
      limits: { reuseDelayMs: 0 },
    });
    await waitFor('each instance has an idle connection', async () => {
      await sendRaw(server.port, LAST_GET);
      return server.engine.getGauges().upstreamFree === 2;
    });
    for (const { requests } of upstreams) requests.length = 0;
    expect(parseStatus(await sendRaw(server.port, LAST_GET.replace('/', '/reset')))).toBe('502');
    expect(upstreams.map(({ requests }) => requests.length)).toEqual([2, 2]);
  });

  test('an instance with a failed health check gets no requests', async () => {
    const upstreamA = await startUpstream((socket) => socket.write(formatResponse('a')));
    const upstreamB = await startUpstream((socket) => socket.write(formatResponse('b')));
    const server = await startEngine(forwardTo([upstreamA.upstream, upstreamB.upstream]));
    server.engine.setHealth(upstreamA.upstream, false);
    for (let turn = 0; turn < 10; turn += 1) await sendRaw(server.port, LAST_GET);
    expect([upstreamA.requests.length, upstreamB.requests.length]).toEqual([0, 10]);
  });
});

test('if the only instance resets a new connection, the response is 502 and the request was sent once', async () => {
  const upstream = await startUpstream((socket) => socket.resetAndDestroy());
  const server = await startEngine(forwardTo(upstream.upstream));
  expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('502');
  expect(server.endedExchanges[0]).toMatchObject({ status: 502, reason: 'upstream_closed' });
  expect(upstream.requests).toHaveLength(1);
});

describe('a kept-alive upstream connection', () => {
  test('does not lead to a second attempt when its response times out', async () => {
    const upstream = await startUpstream((socket, _request, turn) => {
      if (turn === 1) socket.write(formatResponse('ok'));
    });
    const server = await startEngine(forwardTo(upstream.upstream, { timeoutMs: 100 }), { limits: { reuseDelayMs: 0 } });
    expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('200');
    expect(parseStatus(await sendRaw(server.port, LAST_GET))).toBe('504');
    expect(upstream.requests).toHaveLength(2);
  });

  test('that is closed leads to a second attempt of a retryable request', async () => {
    const upstream = await startUpstream((socket, _request, turn) => {
      if (turn > 1) socket.resetAndDestroy();
      else socket.write(formatResponse('fresh'));
    });
    const server = await startEngine(forwardTo(upstream.upstream));
    for (let turn = 0; turn < 6; turn += 1)
      expect((await sendRaw(server.port, LAST_GET)).toString()).toMatch(/ 200 [\s\S]*fresh$/);
  });

  test('that is closed leads to no second attempt of a request with a body', async () => {
    const upstream = await startUpstream((socket, request, turn) => {
      if (turn > 1) socket.resetAndDestroy();
      else if (request.startsWith('GET')) socket.write(formatResponse('fresh'));
    });
    const server = await startEngine(forwardTo(upstream.upstream), { limits: { reuseDelayMs: 0 } });
    await sendRaw(server.port, LAST_GET);
    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    expect(parseStatus(await sendRaw(server.port, post))).toBe('502');
    expect(upstream.requests).toHaveLength(2);
  });

  test('is reused, and closed when unrequested bytes arrive', async () => {
    const upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
    const server = await startEngine(forwardTo(upstream.upstream), { limits: { reuseDelayMs: 0 } });
    for (let turn = 0; turn < 3; turn += 1) await sendRaw(server.port, LAST_GET);
    expect(upstream.sockets.size).toBe(1);
    for (const socket of upstream.sockets) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
    await waitFor('the connection was closed', async () => upstream.sockets.size === 0);
    expect((await sendRaw(server.port, LAST_GET)).toString().endsWith('ok')).toBe(true);
  });

  test('is reused with a delay after its first response, and without a delay after later responses', async () => {
    const upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
    const server = await startEngine(forwardTo(upstream.upstream));
    await sendRaw(server.port, LAST_GET);
    await waitFor('the delay has passed', async () => {
      const socketCount = upstream.sockets.size;
      await sendRaw(server.port, LAST_GET);
      return upstream.sockets.size === socketCount;
    });
    const socketCount = upstream.sockets.size;
    for (let turn = 0; turn < 20; turn += 1) await sendRaw(server.port, LAST_GET);
    expect(upstream.sockets.size).toBe(socketCount);
  });
});
