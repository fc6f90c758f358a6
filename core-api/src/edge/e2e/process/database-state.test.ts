import { waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, sendRequest } from '../../../testing/edge';
import { createKey, createRoute, createService } from '../../../testing/records';

test('an edge that starts before the database exists waits for the database', async () => {
  const core = new Core();
  const edge = await new Edge(core, { EDGE_WORKERS: '1' }).start({ waitForReadiness: false });
  try {
    await waitFor('the edge responds', async () => (await edge.fetchAdmin('/healthz').catch(() => undefined))?.ok);
    expect((await edge.fetchAdmin('/readyz')).status).toBe(503);
    await core.start();
    await waitFor('the edge is ready', () => edge.isReady());
    expect((await sendRequest(edge.port, { path: '/any' })).status).toBe(404);
    expect((await edge.fetchAdmin('/ask?domain=api.localhost')).status).toBe(200);
    expect((await edge.fetchAdmin('/ask?domain=evil.example')).status).toBe(404);
  } finally {
    await edge.stop();
    await core.stop();
  }
});

test('an edge whose build is older than the schema of the database continues with its snapshot, and logs the reason', async () => {
  const core = await new Core().start();
  const edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  const upstream = await listen((_request, response) => response.end());
  try {
    const service = await createService(core, { host: upstream.url });
    await createRoute(core, service._id, '/dados');
    const { key } = await createKey(core);
    const requestStatus = async () =>
      (await sendRequest(edge.port, { path: '/dados', headers: [['X-API-Key', key]] })).status;
    await waitFor('the key is served', async () => (await requestStatus()) === 200);
    await edge.stop();
    await core.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
    await edge.start();
    expect(await requestStatus()).toBe(200);
    await waitFor('the reason is logged', () => edge.output.includes('Later9999999999999'));
    expect(await requestStatus()).toBe(200);
  } finally {
    await edge.stop();
    await upstream.stop();
    await core.stop();
  }
});
