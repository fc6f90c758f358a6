import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { getPort } from '../../testing/harness.mjs';

/** Starts an upstream, and creates its service with a route and a key. @param caller calls the core that stores them */
export async function createGateway(caller) {
  const upstream = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const host = `http://127.0.0.1:${getPort(upstream)}`;
  const { _id: serviceId } = await caller.create('/gateway/admin/services', { name: 'loja', host });
  const route = { serviceId, origin: '/loja', destination: '/', methods: ['GET'], permission: 'loja:ler' };
  await caller.create('/gateway/admin/routes', route);
  const { key, _id: keyId } = await caller.create('/gateway/admin/keys', {
    name: 'k',
    permissions: ['*'],
    allowedIps: [],
  });
  return {
    /** Sends one request through the edge at `port`. @returns status (0 without a response) and duration */
    request(port, usedKey = key, agent = undefined) {
      const startedAt = performance.now();
      return new Promise((resolve) => {
        const resolveWith = (status) => resolve({ status, ms: Math.round(performance.now() - startedAt) });
        const headers = { Host: 'api.localhost', 'X-API-Key': usedKey };
        get({ host: '127.0.0.1', port, path: '/loja', headers, agent, timeout: 30_000 }, (response) => {
          response.resume();
          response.once('end', () => resolveWith(response.statusCode));
        })
          .once('error', () => resolveWith(0))
          .once('timeout', () => resolveWith(0));
      });
    },
    /** Reads the number of requests of the key in the database. */
    async readStoredRequests() {
      const keys = (await caller.request('GET', '/gateway/admin/keys')).body;
      return keys.find(({ _id }) => _id === keyId)?.usageCount;
    },
    close: () => upstream.close(),
  };
}
