import { formatResponse, startUpstream } from '../engine/testing/peers';
import { HealthChecks } from './health-checks';

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

test.each([
  ['200', formatResponse(''), true],
  ['a response whose body never comes', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', true],
  ['200 after interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50) + formatResponse(''), true],
  ['a redirect', formatResponse('', 'Location: /\r\n', '302 Found'), true],
  ['404', formatResponse('', '', '404 Not Found'), false],
  ['101', UPGRADE, false],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', false],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', false],
  ['64 kB of fields', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`, false],
])('the response of an instance to a check decides its health: %s', async (_case, response, isHealthy) => {
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
  expect(reportedHealth).toBe(isHealthy);
  await instance.stop();
});
