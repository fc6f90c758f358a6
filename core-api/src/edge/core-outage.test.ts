import { until } from '../../../scripts/testing/program';
import { Core } from '../testing/core';
import { call, Edge, header } from '../testing/edge';

test('while the core is down, the edge answers the REST API with JSON and other paths with a page', async () => {
  const core = await new Core().start();
  const edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  try {
    await core.end('SIGTERM');
    const { status, headers, text } = await call(edge.port, { host: 'localhost', path: '/api/subdomains?page=1' });
    expect([status, header({ headers }, 'content-type')]).toEqual([502, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toEqual({ error: 'O serviço não respondeu. Tente novamente em instantes.' });
    // The BFF is not running either.
    for (const path of ['/', '/apis', '/console/api'])
      expect(header(await call(edge.port, { host: 'localhost', path }), 'content-type')).toBe(
        'text/html; charset=utf-8',
      );
  } finally {
    await edge.stop();
    await core.stop();
  }
});

test('an edge that starts before the database exists waits for it', async () => {
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
});
