import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { freePort, until } from '../../../../scripts/testing/program';
import { sendRaw } from '../../testing/edge';
import { answerText, forwardTo, Peers, RawClient, refusal } from './testing/peers';
import { startUpstreamThread } from './testing/upstream-thread';
import { EVERYBODY } from './types';

const peers = new Peers();
const { upstreamThat, serve } = peers;
afterEach(() => peers.stop());

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const status = (bytes: Buffer | string): string => bytes.toString('latin1').slice(9, 12);

const at = (port: number) => ({ host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` });

test('67 half a head is 408 in time, nothing at all is closed, and so is an idle connection', async () => {
  const served = await serve(() => refusal(404), { limits: { headMs: 600, idleMs: 150 } });
  const half = new RawClient(served.port).send('GET / HTTP/1.1\r\nHo');
  const nothing = new RawClient(served.port);
  const idle = new RawClient(served.port).send(GET);
  await Promise.all([half.closed, nothing.closed, idle.closed]);
  expect([status(half.received), nothing.received, status(idle.received)]).toEqual(['408', '', '404']);
  expect(served.ended.map(({ reason }) => reason).sort()).toEqual(['head_timeout', undefined]);
});

test('an answer under way is asked about until it may not go on; one that has not begun is not', async () => {
  const upstream = await upstreamThat((socket, request) => {
    if (!request.startsWith('GET /waits ')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello');
  });
  const asked: string[] = [];
  const mayGoOn = ({ target }: { target: string }) => {
    asked.push(target);
    return target !== '/ends' || asked.filter((one) => one === '/ends').length < 3;
  };
  const served = await serve(forwardTo(upstream.upstream), { limits: { judgedAnewMs: 60 } }, { mayGoOn });
  const send = (path: string) => new RawClient(served.port).send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [goesOn, waits, ends] = [send('/goes-on'), send('/waits'), send('/ends')];
  await ends.closed;
  expect(served.ended.map(({ target, status, reason }) => [target, status, reason])).toEqual([
    ['/ends', 200, 'revoked'],
  ]);
  expect([ends.received.endsWith('hello'), asked.filter((one) => one === '/ends')]).toEqual([
    true,
    Array(3).fill('/ends'),
  ]);
  expect([goesOn.socket.destroyed, asked.includes('/waits')]).toEqual([false, false]);
  await until('its upstream connection has ended', async () => upstream.sockets.size === 2);
  for (const client of [goesOn, waits]) client.destroy();
});

test('of all clients no more are kept than it is told, and new ones make room', async () => {
  const served = await serve(() => refusal(404), {}, { countedAs: (peer) => peer });
  const idle = [1, 2, 3].map(() => new RawClient(served.port).send(GET));
  await Promise.all(idle.map((client) => client.until((text) => text.endsWith('404'))));
  expect(served.engine.clientsWith(5, [EVERYBODY])).toEqual([{ client: EVERYBODY, open: 3, idle: 3 }]);
  served.engine.capClients(new Map([[EVERYBODY, 2]]));
  await until('one has gone', async () => idle.filter(({ socket }) => socket.destroyed).length === 1);
  expect(status(await sendRaw(served.port, LAST))).toBe('404');
  await until('another one has gone', async () => idle.filter(({ socket }) => socket.destroyed).length === 2);
  for (const client of idle) client.destroy();
});

test('too many connections: the longest idle goes first, one under way never', async () => {
  const upstream = await upstreamThat(() => undefined);
  const served = await serve(
    (exchange) => (exchange.target === '/' ? refusal(404) : forwardTo(upstream.upstream)(exchange)),
    { limits: { connections: 3 } },
  );
  const busy = new RawClient(served.port).send('GET /busy HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('one is under way', async () => upstream.requests.length === 1);
  const idle = [new RawClient(served.port).send(GET), new RawClient(served.port).send(GET)];
  await Promise.all(idle.map((client) => client.until((text) => text.endsWith('404'))));
  expect(status(await sendRaw(served.port, LAST))).toBe('404');
  await Promise.race(idle.map(({ closed }) => closed));
  for (const client of idle) client.destroy();
  expect(busy.socket.destroyed).toBe(false);
  const more = [1, 2].map(() => new RawClient(served.port).send('GET /busy HTTP/1.1\r\nHost: a\r\n\r\n'));
  await until('all are busy', async () => upstream.requests.length === 3);
  expect(await sendRaw(served.port, LAST)).toHaveLength(0);
  expect(served.engine.gauges().limited).toBeGreaterThanOrEqual(2);
  for (const client of [busy, ...more]) client.destroy();
});

test('at the limit whoever comes costs one idle connection, of its client or of all', async () => {
  for (const limits of [{ connections: 64 }, { connectionsPerAddress: 64 }]) {
    const served = await serve(() => refusal(404), { limits }, { countedAs: () => 'one' });
    const clients = Array.from({ length: 64 }, () => new RawClient(served.port));
    await until('all are there', async () => served.engine.gauges().clients === 64);
    for (const count of [1, 2, 3]) {
      const one = new RawClient(served.port).send(GET);
      await one.until((text) => text.endsWith('404'));
      clients.push(one);
      expect([served.engine.gauges().clients, served.engine.gauges().limited]).toEqual([64, count]);
    }
    served.engine.capClients(new Map([['one', 60]]));
    expect([served.engine.gauges().clients, served.engine.gauges().limited]).toEqual([60, 7]);
    for (const client of clients) client.destroy();
  }
});

test('where all have too many, a client that has too many itself costs nobody else a connection', async () => {
  const clients = ['other', 'one', 'one', 'one'];
  const limits = { connections: 3, connectionsPerAddress: 2 };
  const served = await serve(() => refusal(404), { limits }, { countedAs: () => clients.shift() });
  const open: RawClient[] = [];
  for (let count = 0; count < 4; count += 1) {
    const client = new RawClient(served.port).send(GET);
    await client.until((text) => text.endsWith('404'));
    open.push(client);
  }
  expect(served.engine.clientsWith(1, [])).toEqual([
    { client: 'other', open: 1, idle: 1 },
    { client: 'one', open: 2, idle: 2 },
  ]);
  for (const client of open) client.destroy();
});

test('a connection that has gone before it was taken is not one too many', async () => {
  const served = await serve(() => refusal(404));
  const gone = new Socket();
  served.engine.accept(gone);
  expect([gone.destroyed, served.engine.gauges().limited]).toEqual([true, 0]);
});

test('one address or network has its own limit, but for those that are not counted', async () => {
  const counted = await serve(
    () => refusal(404),
    { limits: { connectionsPerAddress: 2 } },
    { countedAs: () => 'one network' },
  );
  const free = await serve(() => refusal(404), { limits: { connectionsPerAddress: 2 } });
  for (const [served, open] of [
    [counted, 2],
    [free, 5],
  ] as const) {
    const clients = Array.from({ length: 5 }, () => new RawClient(served.port));
    await until('the rest was refused', async () => clients.filter(({ socket }) => !socket.destroyed).length <= open);
    await until('they are counted', async () => served.engine.gauges().clients === open);
    for (const client of clients) client.destroy();
  }
});

test('of a client that may keep fewer the longest idle ones go, those under way never', async () => {
  const upstream = await upstreamThat(() => undefined);
  const served = await serve(
    (exchange) => (exchange.target === '/' ? refusal(404) : forwardTo(upstream.upstream)(exchange)),
    {},
    { countedAs: () => 'one' },
  );
  const busy = new RawClient(served.port).send('GET /busy HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('one is under way', async () => upstream.requests.length === 1);
  const idle = [1, 2, 3].map(() => new RawClient(served.port).send(GET));
  await Promise.all(idle.map((client) => client.until((text) => text.endsWith('404'))));
  expect(served.engine.clientsWith(5, [])).toEqual([]);
  expect(served.engine.clientsWith(5, ['one', 'other'])).toEqual([
    { client: 'one', open: 4, idle: 3 },
    { client: 'other', open: 0, idle: 0 },
  ]);
  served.engine.capClients(new Map([['one', 2]]));
  await until('two have gone', async () => idle.filter(({ socket }) => socket.destroyed).length === 2);
  served.engine.capClients(new Map([['one', 0]]));
  await until('the third has gone', async () => idle.every(({ socket }) => socket.destroyed));
  expect([await sendRaw(served.port, LAST), busy.socket.destroyed]).toEqual([Buffer.alloc(0), false]);
  served.engine.capClients(new Map());
  expect(status(await sendRaw(served.port, LAST))).toBe('404');
  busy.destroy();
});

describe('an upstream gets so many requests at once', () => {
  /** One is answered when the test says so, one waits. */
  async function queued(queueMs: number) {
    const waiting: (() => void)[] = [];
    const upstream = await upstreamThat((socket) => waiting.push(() => socket.write(answerText('ok'))));
    const limits = { upstreamConnections: 1, queueLength: 1, queueMs };
    const served = await serve(forwardTo(upstream.upstream), { limits });
    const first = new RawClient(served.port).send(LAST);
    await until('the upstream has one', async () => waiting.length === 1);
    const second = new RawClient(served.port).send(LAST);
    return { served, waiting, first, second };
  }

  test('the next one waits for its turn, one more is refused', async () => {
    const { served, waiting, first, second } = await queued(3_600_000);
    await until('one waits', async () => served.engine.gauges().queued === 1);
    const third = new RawClient(served.port).send(LAST);
    await third.closed;
    expect(status(third.received)).toBe('503');
    waiting.shift()?.();
    await until('its turn has come', async () => waiting.length === 1);
    waiting.shift()?.();
    await Promise.all([first.closed, second.closed]);
    expect([status(first.received), status(second.received)]).toEqual(['200', '200']);
    expect(served.ended.map(({ reason }) => reason)).toEqual(['queue_full', undefined, undefined]);
  });

  test('and the next one does not wait for ever', async () => {
    const { served, first, second } = await queued(150);
    await second.closed;
    expect(status(second.received)).toBe('503');
    expect(served.ended.map(({ reason }) => reason)).toEqual(['queue_timeout']);
    first.destroy();
  });
});

test.each([
  ['answer', 'GET /long HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['request', 'POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx'],
])('the long body of one %s leaves its place to others', async (_whose, request) => {
  let begun = 0;
  const upstream = await upstreamThat((socket, received) => {
    if (!received.includes('/long')) socket.write(answerText('ok'));
    else begun += 1;
    if (received.startsWith('GET /long'))
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
  });
  const served = await serve(forwardTo(upstream.upstream), { limits: { upstreamConnections: 1, longBodyMs: 100 } });
  const long = new RawClient(served.port).send(request);
  await until('it has its place', async () => begun > 0);
  expect(status(await sendRaw(served.port, LAST))).toBe('200');
  long.destroy();
});

test('of more connections than are kept the longest idle one goes, not the one used last', async () => {
  const waiting: Socket[] = [];
  const upstream = await upstreamThat((socket) => waiting.push(socket));
  const served = await serve(forwardTo(upstream.upstream), { limits: { upstreamIdleConnections: 1, restMs: 0 } });
  const clients = [new RawClient(served.port).send(LAST), new RawClient(served.port).send(LAST)];
  await until('both are there', async () => waiting.length === 2);
  const [first, second] = waiting;
  first?.write(answerText('ok'));
  await until('one is kept', async () => served.engine.gauges().upstreamFree === 1);
  second?.write(answerText('ok'));
  await until('the first has gone', async () => first?.destroyed);
  expect([second?.destroyed, served.engine.gauges().upstreamFree]).toEqual([false, 1]);
  await Promise.all(clients.map(({ closed }) => closed));
});

test('59 no answer in time is 504', async () => {
  const upstream = await upstreamThat(() => undefined);
  const served = await serve(forwardTo(upstream.upstream, { timeoutMs: 100 }));
  expect(status(await sendRaw(served.port, LAST))).toBe('504');
  expect(served.ended[0]).toMatchObject({ status: 504, reason: 'upstream_timeout' });
});

describe('instances', () => {
  test('60 a refused connect goes on to the next, whatever the method, and its instance rests', async () => {
    const upstream = await upstreamThat((socket) => socket.write(answerText('ok')));
    const dead = [at(await freePort()), at(await freePort())];
    const served = await serve(forwardTo([...dead, upstream.upstream]));
    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    for (let turn = 0; turn < 20; turn += 1) expect(status(await sendRaw(served.port, post))).toBe('200');
    expect(upstream.requests.every((text) => text.endsWith('\r\n\r\nabc'))).toBe(true);
    expect(upstream.requests).toHaveLength(20);
  });

  test('with none left it is 502', async () => {
    const served = await serve(forwardTo([at(await freePort()), at(await freePort())]));
    expect(status(await sendRaw(served.port, LAST))).toBe('502');
    expect(served.ended[0]).toMatchObject({ status: 502, reason: 'connect_failed' });
  });

  test('two different ones are compared: one that stands still gets no more', async () => {
    const still = await upstreamThat(() => undefined);
    const upstream = await upstreamThat((socket) => socket.write(answerText('ok')));
    const served = await serve(forwardTo([still.upstream, upstream.upstream]));
    const clients: RawClient[] = [];
    for (let turn = 1; turn <= 20; turn += 1) {
      clients.push(new RawClient(served.port).send(GET));
      await until('it arrived', async () => still.requests.length + upstream.requests.length === turn);
      await until('it was answered', async () => served.ended.length === upstream.requests.length);
    }
    expect(still.requests.length).toBeLessThan(2);
    for (const client of clients) client.destroy();
  });

  test('what cannot be repeated takes a connection that was used, rather than a fresh one to an instance that has to do', async () => {
    const waiting: Socket[][] = [[], []];
    const [busy, proven] = await Promise.all(
      waiting.map((sockets) =>
        upstreamThat((socket, request) => {
          if (request.includes('/waits')) sockets.push(socket);
          else socket.write(answerText('ok'));
        }),
      ),
    );
    if (!busy || !proven) throw new Error('no upstreams');
    const served = await serve(forwardTo([busy.upstream, proven.upstream]), { limits: { restMs: 0 } });
    const post = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi`;
    const clients: RawClient[] = [];
    for (let turn = 1; turn <= 4; turn += 1) {
      clients.push(new RawClient(served.port).send(post('/waits')));
      await until('it waits', async () => waiting.flat().length === turn);
    }
    expect(waiting.map((sockets) => sockets.length)).toEqual([2, 2]);
    waiting[0]?.[0]?.write(answerText('ok', 'Connection: close\r\n'));
    waiting[1]?.[0]?.write(answerText('ok'));
    await until('each has one under way', async () => served.ended.length === 2);
    for (let turn = 0; turn < 20; turn += 1) expect(status(await sendRaw(served.port, post('/')))).toBe('200');
    expect([busy.requests.length, proven.requests.length]).toEqual([2, 22]);
    for (const client of clients) client.destroy();
  });

  test.each(['reset', 'closed'])(
    'a repeatable request on a fresh connection that is %s goes on to the next',
    async (how) => {
      const falling = () =>
        upstreamThat((socket) => {
          if (how === 'reset') socket.resetAndDestroy();
          else socket.destroy();
        });
      const upstream = await upstreamThat((socket) => socket.write(answerText('')));
      const fallen = [await falling(), await falling()];
      const served = await serve(forwardTo([...fallen, upstream].map((one) => one.upstream)));
      for (const method of ['GET', 'HEAD', 'OPTIONS'])
        for (let turn = 0; turn < 6; turn += 1) {
          for (const { requests } of [...fallen, upstream]) requests.length = 0;
          const answer = await sendRaw(served.port, `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
          expect([method, status(answer), upstream.requests.length]).toEqual([method, '200', 1]);
          for (const { requests } of fallen) expect(requests.length).toBeLessThan(2);
        }
    },
  );

  test('with none left that answers it is 502, each asked once', async () => {
    const falling = [1, 2, 3].map(() => upstreamThat((socket) => socket.resetAndDestroy()));
    const upstreams = await Promise.all(falling);
    const served = await serve(forwardTo(upstreams.map(({ upstream }) => upstream)));
    expect(status(await sendRaw(served.port, LAST))).toBe('502');
    expect(served.ended[0]).toMatchObject({ status: 502, reason: 'upstream_closed' });
    expect(upstreams.map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
  });

  test('one that was asked is not asked anew when it was forgotten meanwhile', async () => {
    // Longer than it takes to forget an instance that nobody uses.
    const slow = [1, 2].map(() => upstreamThat((socket) => setTimeout(() => socket.destroy(), 150)));
    const upstreams = await Promise.all(slow);
    const served = await serve(forwardTo(upstreams.map(({ upstream }) => upstream)));
    expect(status(await sendRaw(served.port, LAST))).toBe('502');
    expect(upstreams.map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  test('what cannot be repeated, or was answered in part, is asked once', async () => {
    const upstreams = await Promise.all(
      [1, 2].map(() =>
        upstreamThat((socket, request) => {
          if (request.startsWith('GET')) socket.end('HTTP/1.1 200 OK\r\nContent-Le');
          else socket.resetAndDestroy();
        }),
      ),
    );
    const served = await serve(forwardTo(upstreams.map(({ upstream }) => upstream)));
    const requests = [
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi',
      'DELETE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      LAST,
    ];
    for (const request of requests) expect(status(await sendRaw(served.port, request))).toBe('502');
    expect(upstreams.flatMap((upstream) => upstream.requests)).toHaveLength(requests.length);
  });

  test('connections that an instance closes unaccepted with its port', async () => {
    const thread = await startUpstreamThread(60_000);
    const upstream = await upstreamThat((socket) => socket.write(answerText('ok')));
    const served = await serve(forwardTo([thread.upstream, upstream.upstream]));
    // All come to the one that stands still.
    served.engine.setHealth(upstream.upstream, false);
    const closePort = thread.standStill();
    const clients = [1, 2, 3].map(() => new RawClient(served.port).send(LAST));
    await until('they wait', async () => served.engine.gauges().upstreamBusy === 3);
    // Whoever comes later is in the port's queue behind it.
    const behind = connect(thread.upstream.port, thread.upstream.host);
    await once(behind, 'connect');
    behind.destroy();
    closePort();
    await Promise.all(clients.map(({ closed }) => closed));
    expect(clients.map(({ received }) => status(received))).toEqual(['200', '200', '200']);
    expect([thread.answered, upstream.requests.length]).toEqual([0, 3]);
    await thread.stop();
  });

  test('after a restart of all no stale connection is one too many', async () => {
    const upstreams = await Promise.all(
      [1, 2].map(() =>
        upstreamThat((socket, request, turn) => {
          if (request.includes('/falls') || turn > 1) socket.resetAndDestroy();
          else socket.write(answerText('ok'));
        }),
      ),
    );
    const served = await serve(forwardTo(upstreams.map(({ upstream }) => upstream)), { limits: { restMs: 0 } });
    await until('each has a connection', async () => {
      await sendRaw(served.port, LAST);
      return served.engine.gauges().upstreamFree === 2;
    });
    for (const { requests } of upstreams) requests.length = 0;
    expect(status(await sendRaw(served.port, LAST.replace('/', '/falls')))).toBe('502');
    expect(upstreams.map(({ requests }) => requests.length)).toEqual([2, 2]);
  });

  test('one that an active check found ill is left out', async () => {
    const upstreamA = await upstreamThat((socket) => socket.write(answerText('a')));
    const upstreamB = await upstreamThat((socket) => socket.write(answerText('b')));
    const served = await serve(forwardTo([upstreamA.upstream, upstreamB.upstream]));
    served.engine.setHealth(upstreamA.upstream, false);
    for (let turn = 0; turn < 10; turn += 1) await sendRaw(served.port, LAST);
    expect([upstreamA.requests.length, upstreamB.requests.length]).toEqual([0, 10]);
  });
});

test('forbidden targets are not connected to, as literals and as names', async () => {
  const upstream = await upstreamThat((socket) => socket.write(answerText('ok')));
  const asked: string[] = [];
  const served = await serve(
    (exchange) => {
      const { port } = upstream.upstream;
      return forwardTo({ ...upstream.upstream, host: exchange.target === '/name' ? 'localhost' : '127.0.0.1', port })(
        exchange,
      );
    },
    {},
    {
      mayConnect: (address) => {
        asked.push(address);
        return false;
      },
    },
  );
  for (const path of ['/literal', '/name']) {
    const answer = await sendRaw(served.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(status(answer)).toBe('502');
  }
  expect(served.ended.map(({ reason }) => reason)).toEqual(['target_forbidden', 'target_forbidden']);
  expect(asked).toContain('127.0.0.1');
  expect(upstream.requests).toEqual([]);
});

test('56 a fresh connection to the only instance that ends unanswered is 502, asked once', async () => {
  const upstream = await upstreamThat((socket) => socket.resetAndDestroy());
  const served = await serve(forwardTo(upstream.upstream));
  expect(status(await sendRaw(served.port, LAST))).toBe('502');
  expect(served.ended[0]).toMatchObject({ status: 502, reason: 'upstream_closed' });
  expect(upstream.requests).toHaveLength(1);
});

describe('an upstream connection that was kept', () => {
  test('59 a time-out is not its end: asked once', async () => {
    const upstream = await upstreamThat((socket, _request, turn) => {
      if (turn === 1) socket.write(answerText('ok'));
    });
    const served = await serve(forwardTo(upstream.upstream, { timeoutMs: 100 }), { limits: { restMs: 0 } });
    expect(status(await sendRaw(served.port, LAST))).toBe('200');
    expect(status(await sendRaw(served.port, LAST))).toBe('504');
    expect(upstream.requests).toHaveLength(2);
  });

  test('56 a repeatable request that meets its end is sent once more', async () => {
    const upstream = await upstreamThat((socket, _request, turn) => {
      if (turn > 1) socket.resetAndDestroy();
      else socket.write(answerText('fresh'));
    });
    const served = await serve(forwardTo(upstream.upstream));
    for (let turn = 0; turn < 6; turn += 1)
      expect((await sendRaw(served.port, LAST)).toString()).toMatch(/ 200 [\s\S]*fresh$/);
  });

  test('a request with a body is not', async () => {
    const upstream = await upstreamThat((socket, request, turn) => {
      if (turn > 1) socket.resetAndDestroy();
      else if (request.startsWith('GET')) socket.write(answerText('fresh'));
    });
    const served = await serve(forwardTo(upstream.upstream), { limits: { restMs: 0 } });
    await sendRaw(served.port, LAST);
    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    expect(status(await sendRaw(served.port, post))).toBe('502');
    expect(upstream.requests).toHaveLength(2);
  });

  test('is used again, and closed when bytes come that nobody asked for', async () => {
    const upstream = await upstreamThat((socket) => socket.write(answerText('ok')));
    const served = await serve(forwardTo(upstream.upstream), { limits: { restMs: 0 } });
    for (let turn = 0; turn < 3; turn += 1) await sendRaw(served.port, LAST);
    expect(upstream.sockets.size).toBe(1);
    for (const socket of upstream.sockets) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil');
    await until('it was closed', async () => upstream.sockets.size === 0);
    expect((await sendRaw(served.port, LAST)).toString().endsWith('ok')).toBe(true);
  });

  test('rests after its first answer alone', async () => {
    const upstream = await upstreamThat((socket) => socket.write(answerText('ok')));
    const served = await serve(forwardTo(upstream.upstream));
    await sendRaw(served.port, LAST);
    await until('it rested', async () => {
      const known = upstream.sockets.size;
      await sendRaw(served.port, LAST);
      return upstream.sockets.size === known;
    });
    const known = upstream.sockets.size;
    for (let turn = 0; turn < 20; turn += 1) await sendRaw(served.port, LAST);
    expect(upstream.sockets.size).toBe(known);
  });
});

test('a client that asks on without reading its answers is not read on', async () => {
  const served = await serve(() => ({ action: 'answer', status: 200, lines: '', body: 'x'.repeat(10_000) }));
  const client = new RawClient(served.port);
  client.socket.pause();
  client.send(GET.repeat(20_000));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = served.ended.length;
  expect(before).toBeLessThan(20_000);
  client.socket.resume();
  await until('all were answered', async () => served.ended.length === 20_000);
  client.destroy();
});
