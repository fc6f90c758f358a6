import { connect, createServer, type Socket } from 'node:net';
import { until } from '../../../scripts/testing/program';
import { Core, createPostgresDatabase } from '../testing/core';

/** Leads to the suite's PostgreSQL, and can stop to pass anything on, as a network that lost its packets. */
async function startLine(server: string) {
  const sockets = new Set<Socket>();
  let cut = false;
  const line = createServer((client) => {
    const upstream = connect(Number(new URL(server).port), '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void (cut || to.write(chunk)));
      from.on('close', () => to.destroy());
      from.on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const address = line.address();
  if (typeof address !== 'object' || address === null) throw new Error('the line has no port');
  const url = new URL(server);
  url.port = String(address.port);
  return {
    url: url.href,
    cut: () => {
      cut = true;
    },
    restore: () => {
      cut = false;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      line.close();
    },
  };
}

// SQLite is a file: nothing stands between it and the core.
(process.env.TEST_ON_POSTGRES ? describe : describe.skip)('PostgreSQL behind a network that drops everything', () => {
  let core: Core;
  let line: Awaited<ReturnType<typeof startLine>>;

  beforeAll(async () => {
    line = await startLine((await createPostgresDatabase('outage')) ?? '');
    core = await new Core({ DATABASE_URL: line.url }).start();
  });
  afterAll(async () => {
    line?.restore();
    await core?.stop();
    line?.stop();
  });

  test('every call is 503 with Retry-After, /readyz too, and all is well when it returns', async () => {
    const body = { telegramChatId: '42' };
    expect((await core.ask('PUT', '/settings', { body })).status).toBe(200);
    line.cut();
    const answers = await Promise.all([
      core.ask('GET', '/projects'),
      core.ask('PUT', '/settings', { body: { telegramChatId: '43' } }),
      core.ask('PUT', '/settings', { body: { telegramChatId: '44' } }),
      core.ask('POST', '/contact', { body: { name: 'a', email: 'a@exemplo.com', message: 'oi' } }),
      core.ask('POST', '/login', { body: { username: 'admin', password: 'x' }, token: null }),
    ]);
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      answers.map(() => [503, '5']),
    );
    expect((await fetch(`${core.url}/readyz`)).status).toBe(503);
    line.restore();
    await until('it is ready', async () => (await fetch(`${core.url}/readyz`)).ok);
    await until('it writes', async () => (await core.ask('PUT', '/settings', { body })).status === 200);
    expect((await core.ask('GET', '/settings')).body.telegramChatId).toBe('42');
  });
});
