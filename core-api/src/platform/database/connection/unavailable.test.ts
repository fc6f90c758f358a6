import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { entities } from '../../../app/entities';
import { Core, createPostgresDatabase } from '../../../testing/core';
import { startCuttableProxy } from '../../../testing/cuttable-proxy';
import { createDatabase } from '../database';
import { isDatabaseUnavailable } from './unavailable';

describe('PostgreSQL behind a network that drops all packets', () => {
  let core: Core;
  let proxy: Awaited<ReturnType<typeof startCuttableProxy>>;

  beforeAll(async () => {
    proxy = await startCuttableProxy((await createPostgresDatabase('outage')) ?? '');
    core = await new Core({ DATABASE_URL: proxy.url }).start();
  });
  afterAll(async () => {
    proxy?.restore();
    await core?.stop();
    proxy?.stop();
  });

  test('while the database is away, calls and /readyz get 503, and no refused save is stored', async () => {
    const body = { telegramChatId: '42' };
    expect((await core.request('PUT', '/settings', { body })).status).toBe(200);
    proxy.cut();
    const responses = await Promise.all([
      core.request('GET', '/projects'),
      core.request('PUT', '/settings', { body: { telegramChatId: '43' } }),
      core.request('PUT', '/settings', { body: { telegramChatId: '44' } }),
      core.request('POST', '/contact', { body: { name: 'a', email: 'a@exemplo.com', message: 'oi' } }),
      core.request('POST', '/login', { body: { username: 'admin', password: 'x' }, token: null }),
    ]);
    expect(responses.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      responses.map(() => [503, '5']),
    );
    expect((await fetch(`${core.url}/readyz`)).status).toBe(503);
    proxy.restore();
    await waitFor('the core is ready', async () => (await fetch(`${core.url}/readyz`)).ok);
    await waitFor('writes work', async () => (await core.request('PUT', '/settings', { body })).status === 200);
    expect((await core.request('GET', '/settings')).body.telegramChatId).toBe('42');
  });
});

test('the end of a connection between two queries of a transaction counts as an outage of the database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-ended-connection-'));
  const url = await createPostgresDatabase('ended_connection');
  const database = createDatabase({ DATA_DIR: folder, DATABASE_URL: url }, entities);
  await database.open();
  try {
    const write = database.concurrentWrite(async (manager) => {
      const [{ pid }] = await manager.query('SELECT pg_backend_pid() AS pid');
      await database.read.query('SELECT pg_terminate_backend($1)', [pid]);
      await waitFor('TypeORM releases the runner', () => manager.queryRunner?.isReleased === true);
      await manager.query('SELECT 1');
    });
    const failure = await write.catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
});
