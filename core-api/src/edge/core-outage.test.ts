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
