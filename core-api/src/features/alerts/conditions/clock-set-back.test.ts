import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { ADMINISTRATOR, AHEAD_CLOCK } from '../../../../../scripts/testing/stack';
import { Core, listen } from '../../../testing/core';
import { createSubdomain } from '../../../testing/records';

const texts: string[] = [];
const receiverState = { status: 500 };
let core: Core;
let receiver: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  receiver = await listen((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      if (receiverState.status === 204) texts.push(text);
      response.writeHead(receiverState.status).end();
    });
  });
  core = await new Core({ NODE_OPTIONS: AHEAD_CLOCK, HEALTH_INTERVAL_S: '1' }).start();
});
afterAll(async () => {
  await core?.stop();
  await receiver?.stop();
});

test('targets are checked and alerts are sent after the clock was set back by a day', async () => {
  const app = await listen((_request, response) => response.end());
  await createSubdomain(core, 'loja', { port: app.port });
  await createSubdomain(core, 'fora', { port: await findFreePort() });
  await core.create('/alert-channels', { name: 'Gancho', type: 'webhook', url: receiver.url });
  const waitForMessage = (name: string) =>
    waitFor(`an alert about ${name}`, () => texts.some((text) => text.includes(name)));
  const isUp = async () => (await core.request('GET', '/uptime?subdomain=loja&days=1')).body.percent === 100;
  await waitFor('a check that succeeds', isUp);
  // The next attempt is scheduled by the clock that is ahead.
  await waitFor('a failed delivery', async () => /"a delivery failed"/.test(core.output));
  // The signal sets the clock back to the real time.
  process.kill(core.pid, 'SIGUSR2');
  receiverState.status = 204;
  await app.stop();
  await waitForMessage('fora');
  core.token = (await core.request('POST', '/login', { body: ADMINISTRATOR, token: null })).body.token;
  await waitFor('an alert about the new outage', async () => {
    const { alerts } = (await core.request('GET', '/alerts?state=open&kind=target_down')).body;
    return alerts.some(({ subject }: { subject: { name: string } }) => subject.name === 'loja');
  });
  await waitForMessage('loja');
});
