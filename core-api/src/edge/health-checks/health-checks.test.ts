import { formatResponse, startUpstream } from '../engine/testing/peers';
import { type HealthCheckOptions, HealthChecks } from './health-checks';

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Returns the first reported health of an instance. */
const checkHealth = (services: ReturnType<HealthCheckOptions['listServices']>) =>
  new Promise((resolve) => {
    const checks = new HealthChecks({
      listServices: () => services,
      setHealth: (_upstream, isHealthy) => {
        checks.stop();
        resolve(isHealthy);
      },
      mayConnect: () => true,
    });
    checks.start();
  });

test.each([
  ['200', 'healthy', formatResponse('')],
  ['a response whose body never comes', 'healthy', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
  ['200 after interim responses', 'healthy', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50) + formatResponse('')],
  ['a redirect', 'healthy', formatResponse('', 'Location: /\r\n', '302 Found')],
  ['404', 'unhealthy', formatResponse('', '', '404 Not Found')],
  ['101', 'unhealthy', UPGRADE],
  ['another protocol', 'unhealthy', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['two values of `Content-Length`', 'unhealthy', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ['64 kB of fields', 'unhealthy', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`],
])('an instance that answers a health check with %s is %s', async (_case, health, response) => {
  const instance = await startUpstream((socket) => socket.write(response));
  expect(await checkHealth([{ upstreams: [instance.upstream], healthPath: '/' }])).toBe(health === 'healthy');
  await instance.stop();
});

test.each([
  ['/ok', '/ok', true],
  ['/ok', '/broken', false],
  ['/broken', '/ok', false],
])('an instance of two services with the paths %s and %s is healthy: %s', async (firstPath, secondPath, isHealthy) => {
  const instance = await startUpstream((socket, head) =>
    socket.write(formatResponse('', '', head.startsWith('GET /ok ') ? '200 OK' : '503 Service Unavailable')),
  );
  const services = [firstPath, secondPath].map((healthPath) => ({ upstreams: [instance.upstream], healthPath }));
  expect(await checkHealth(services)).toBe(isHealthy);
  await instance.stop();
});
