import { EngineServer, formatResponse, forwardTo, Peers, RawClient } from './testing/peers';
import { blockThread, startUpstreamThread } from './testing/upstream-thread';

// These tests block the event loop. Bytes that arrive and connections that end meanwhile are noticed only later.

const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi';
const BLOCK = 'GET /block HTTP/1.1\r\nHost: a\r\n\r\n';
/** Runs turns of the event loop, without timers, until `condition` returns true. */
async function runTurnsUntil(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition was not met within a minute');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const countResponses = (text: string) => text.split('HTTP/1.1 ').length - 1;

async function startWithUpstreamThread(closesAfterMs: number, blockMs: number, limits = {}) {
  const thread = await startUpstreamThread(closesAfterMs);
  const forward = forwardTo(thread.upstream);
  const server = await new EngineServer(
    (exchange) => {
      if (exchange.target === '/block') blockThread(blockMs);
      return forward(exchange);
    },
    { limits },
  ).start();
  const client = new RawClient(server.port).send(POST);
  await client.waitFor((text) => countResponses(text) === 1);
  const blockingClient = new RawClient(server.port).send('GET /first HTTP/1.1\r\nHost: a\r\n\r\n');
  await blockingClient.waitFor((text) => countResponses(text) === 1);
  return {
    thread,
    server,
    client,
    blockingClient,
    async stop() {
      client.destroy();
      blockingClient.destroy();
      await server.stop();
      await thread.stop();
    },
  };
}

describe('a request that cannot be retried uses no connection that its upstream has closed', () => {
  test('after the event loop was blocked for longer than the idle time-out of the upstream', async () => {
    const { client, blockingClient, stop } = await startWithUpstreamThread(1_000, 1_300);
    for (let expectedCount = 2; expectedCount < 4; expectedCount += 1) {
      // Both requests are read in one turn: the first blocks the loop, and the second is handled right after the block.
      blockingClient.send(BLOCK);
      client.send(POST);
      await client.waitFor((text) => countResponses(text) === expectedCount);
    }
    expect(client.received).not.toContain('HTTP/1.1 502');
    await stop();
  });

  test('if the end of the connection was not read yet', async () => {
    const { thread, client, stop } = await startWithUpstreamThread(100, 0);
    for (let expectedCount = 2; expectedCount < 5; expectedCount += 1) {
      client.send(POST);
      thread.blockUntilClosed();
      await client.waitFor((text) => countResponses(text) === expectedCount);
    }
    expect(client.received).not.toContain('HTTP/1.1 502');
    await stop();
  });

  test('if a response and the end of the connection after it were not read yet', async () => {
    const { thread, client, stop } = await startWithUpstreamThread(60_000, 0);
    thread.holdAnswers();
    for (let round = 0; round < 3; round += 1) {
      client.send(POST + POST);
      for (let request = 0; request < 2; request += 1) {
        // Two requests were answered during the set-up. The engine sends each request after the previous response.
        await runTurnsUntil(() => thread.receivedCount === 3 + 2 * round + request);
        thread.answerAndClose();
      }
      await client.waitFor((text) => countResponses(text) === 3 + 2 * round);
    }
    expect(client.received).not.toContain('HTTP/1.1 502');
    await stop();
  });

  test.each([0, 5])(
    'if the upstream closed the connection right after a response, as in a drain (reuse delay of %i ms)',
    async (reuseDelayMs) => {
      const { thread, client, stop } = await startWithUpstreamThread(8, 0, { reuseDelayMs });
      for (let expectedCount = 2; expectedCount < 12; expectedCount += 1) {
        client.send(POST);
        thread.blockUntilClosed();
        await client.waitFor((text) => countResponses(text) === expectedCount);
      }
      expect(client.received).not.toContain('HTTP/1.1 502');
      await stop();
    },
  );
});

test('clients that disconnect before a block of the event loop leave no busy upstream connection', async () => {
  const { server, client, stop } = await startWithUpstreamThread(60_000, 0);
  for (let round = 0; round < 20; round += 1) {
    blockThread(25);
    const otherClient = new RawClient(server.port).send(POST);
    await runTurnsUntil(() => server.endedExchanges.length >= 3 + round || otherClient.received !== '');
    otherClient.destroy();
    await otherClient.whenClosed;
  }
  client.send(POST);
  await client.waitFor((text) => countResponses(text) === 2);
  expect(server.engine.getGauges()).toMatchObject({ upstreamBusy: 0, queued: 0, faultsTotal: 0 });
  await stop();
});

describe('a blocked event loop does not count against the time-out', () => {
  const peers = new Peers();
  const { startUpstream, startEngine } = peers;
  afterEach(async () => expect(await peers.stop()).toEqual([]));

  test('of a connect', async () => {
    const upstream = await startUpstream((socket) => socket.write(formatResponse('ok')));
    const forward = forwardTo(upstream.upstream);
    const server = await startEngine(
      (exchange) => {
        if (exchange.target === '/block') blockThread(600);
        return forward(exchange);
      },
      { limits: { connectMs: 300 } },
    );
    const client = new RawClient(server.port).send(BLOCK);
    await client.waitFor((text) => text.endsWith('ok'));
    client.destroy();
  });

  test('of a response that has already arrived', async () => {
    const thread = await startUpstreamThread(60_000);
    const server = await startEngine(forwardTo(thread.upstream, { timeoutMs: 300 }));
    const client = new RawClient(server.port).send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await runTurnsUntil(() => server.engine.getGauges().upstreamBusy === 1);
    await runTurnsUntil(() => {
      blockThread(600);
      return server.endedExchanges.length === 1;
    });
    await client.waitFor((text) => text.endsWith('ok'));
    client.destroy();
    await thread.stop();
  });

  test('of a request body', async () => {
    const upstream = await startUpstream((socket) => {
      socket.on('data', (bytes) => {
        if (bytes.toString().endsWith('i')) socket.write(formatResponse('ok'));
      });
    });
    const limits = { bodyGraceMs: 400, headMs: 400 };
    const server = await startEngine(forwardTo(upstream.upstream), { limits });
    const client = new RawClient(server.port).send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n');
    const silentClient = new RawClient(server.port);
    await runTurnsUntil(() => upstream.requests.length === 1 && server.engine.getGauges().clients === 2);
    client.send('h');
    blockThread(800);
    // The engine checks the time-outs of all clients together, and closes the client that sends no head.
    await silentClient.whenClosed;
    client.send('i');
    await client.waitFor((text) => text.endsWith('ok'));
    client.destroy();
  });
});
