import { waitFor } from '../../../../../scripts/testing/program';
import { Core, createPostgresDatabase, listen } from '../../../testing/core';
import { startCuttableProxy } from '../../../testing/cuttable-proxy';
import { Edge, sendRequest } from '../../../testing/edge';
import { createKey, createRoute, createService } from '../../../testing/records';

describe('an edge whose packets to PostgreSQL are dropped', () => {
  let core: Core;
  let edge: Edge;
  let proxy: Awaited<ReturnType<typeof startCuttableProxy>>;
  let upstream: Awaited<ReturnType<typeof listen>>;

  beforeAll(async () => {
    const database = (await createPostgresDatabase('silent')) ?? '';
    proxy = await startCuttableProxy(database);
    core = await new Core({ DATABASE_URL: database }).start();
    upstream = await listen((_request, response) => response.end('ok'));
    edge = await new Edge(core, { DATABASE_URL: proxy.url, EDGE_WORKERS: '1' }).start();
  });
  afterAll(async () => {
    proxy?.restore();
    await edge?.stop();
    proxy?.stop();
    await core?.stop();
    await upstream?.stop();
  });

  test('accepts its keys, even after a restart', async () => {
    const service = await createService(core, { host: upstream.url });
    await createRoute(core, service._id, '/dados', { methods: ['GET'] });
    const { key } = await createKey(core);
    const requestStatus = async () =>
      (await sendRequest(edge.port, { path: '/dados', headers: [['X-API-Key', key]] })).status;
    await waitFor('the key is accepted', async () => (await requestStatus()) === 200);
    proxy.cut();
    expect(await requestStatus()).toBe(200);
    await edge.stop();
    await edge.start();
    expect(await requestStatus()).toBe(200);
  });
});
