import { formatResponse, startUpstream } from '../engine/testing/peers';
import { HealthChecks } from './health-checks';

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

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
  const reportedHealth = await new Promise((resolve) => {
    const checks = new HealthChecks({
      listServices: () => [{ upstreams: [instance.upstream], healthPath: '/' }],
      setHealth: (_upstream, isHealthy) => {
        checks.stop();
        resolve(isHealthy);
      },
      mayConnect: () => true,
    });
    checks.start();
  });
  expect(reportedHealth).toBe(health === 'healthy');
  await instance.stop();
});
