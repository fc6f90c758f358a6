import { Core, until } from '../testing/core';
import { call, Edge } from '../testing/edge';

test('an edge that starts before the database exists waits, and comes up by itself', async () => {
  const core = new Core();
  const edge = await new Edge(core, { EDGE_WORKERS: '1' }).start(false);
  try {
    await until('the edge answers', async () => (await edge.admin('/healthz').catch(() => undefined))?.ok);
    expect((await edge.admin('/readyz')).status).toBe(503);
    await core.start();
    await until('the edge is ready', () => edge.isReady());
    expect((await call(edge.port, { path: '/any' })).status).toBe(404);
    expect((await edge.admin('/ask?domain=api.localhost')).status).toBe(200);
    expect((await edge.admin('/ask?domain=evil.example')).status).toBe(404);
  } finally {
    await edge.stop();
    await core.stop();
  }
}, 40_000);
