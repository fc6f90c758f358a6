import { randomBytes } from 'node:crypto';
import { waitFor } from '../../../../../scripts/testing/program';
import { fastClock } from '../../../../../scripts/testing/stack';
import { startWebhookReceiver, type WebhookReceiver } from '../../../../../scripts/testing/webhook-receiver';
import { Core, createPostgresDatabase, listen } from '../../../testing/core';
import { startCuttableProxy } from '../../../testing/cuttable-proxy';
import { createSubdomain } from '../../../testing/records';

const SPEED = 10;
const SECRETS = { SETTINGS_KEY: randomBytes(32).toString('base64'), JWT_SECRET: randomBytes(32).toString('base64') };

describe('the kill of one of two machines', () => {
  let machines: [Core, Core];
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    const environment = { ...fastClock(SPEED), ...SECRETS };
    const firstMachine = await new Core(environment).start();
    machines = [firstMachine, await new Core(environment, firstMachine).start()];
  });
  afterAll(async () => {
    for (const machine of machines ?? []) await machine.stop();
    await receiver?.stop();
  });

  test('raises one alert on the remaining machine, until the killed machine restarts', async () => {
    const [killedMachine, remainingMachine] = machines;
    await remainingMachine.create('/alert-channels', { name: 'Gancho', type: 'webhook', url: receiver.url });
    const listAlerts = async () => (await remainingMachine.request('GET', '/alerts')).body.alerts;
    const haveBothReported = async () => (await remainingMachine.query('SELECT 1 FROM machines')).length === 2;
    await waitFor('reports of both machines', haveBothReported);
    await killedMachine.end('SIGKILL');
    await waitFor('a message', () => receiver.messages.length > 0);
    expect(await listAlerts()).toEqual([
      expect.objectContaining({
        kind: 'machine_gone',
        state: 'open',
        subject: expect.objectContaining({ type: 'machine' }),
      }),
    ]);
    await killedMachine.start();
    await waitFor('the message about the resolution', () => receiver.messages.length > 1);
    expect(receiver.messages.map(({ body }) => [body.type, body.data.kind])).toEqual([
      ['alert.firing', 'machine_gone'],
      ['alert.resolved', 'machine_gone'],
    ]);
    expect(await listAlerts()).toHaveLength(1);
  });
});

describe('a database that is away for 90 seconds', () => {
  let core: Core;
  let proxy: Awaited<ReturnType<typeof startCuttableProxy>>;
  let receiver: WebhookReceiver;
  let target: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    target = await listen((_request, response) => response.end());
    proxy = await startCuttableProxy((await createPostgresDatabase('alert_outage')) ?? '');
    core = await new Core({ ...fastClock(SPEED), HEALTH_INTERVAL_S: '5', DATABASE_URL: proxy.url }).start();
  });
  afterAll(async () => {
    proxy?.restore();
    await core?.stop();
    proxy?.stop();
    for (const server of [receiver, target]) await server?.stop();
  });

  test('is reported afterwards in one message as an ended alert, and no target has an alert or downtime', async () => {
    await core.create('/alert-channels', { name: 'Gancho', type: 'webhook', url: receiver.url });
    const labels = ['um', 'dois', 'tres'];
    for (const label of labels) await createSubdomain(core, label, { port: target.port });
    const listUptimes = async () => (await core.request('GET', `/uptimes?subdomains=${labels}`)).body.uptimes;
    const areTargetsUp = async () =>
      (await listUptimes()).every(({ percent }: { percent: number | null }) => percent === 100);
    await waitFor('healthy targets', areTargetsUp);
    proxy.cut();
    const cutAt = Date.now();
    await waitFor('90 seconds of the fast clock', () => (Date.now() - cutAt) * SPEED > 90_000);
    proxy.restore();
    const { body: message } = await waitFor('a message', () => receiver.messages[0]);
    expect([message.type, message.data.kind]).toEqual(['alert.resolved', 'database']);
    const findCheckedAt = async () =>
      (await core.request('GET', '/subdomains?search=um')).body.subdomains[0].health.checkedAt;
    const lastCheckedAt = await findCheckedAt();
    await waitFor('a later check', async () => (await findCheckedAt()) > lastCheckedAt);
    const { alerts } = (await core.request('GET', '/alerts')).body;
    expect(alerts.map(({ kind, state }: { kind: string; state: string }) => [kind, state])).toEqual([
      ['database', 'resolved'],
    ]);
    expect(receiver.messages).toHaveLength(1);
    for (const uptime of await listUptimes())
      expect(uptime).toMatchObject({ percent: 100, downSeconds: 0, incidents: 0 });
  });
});
