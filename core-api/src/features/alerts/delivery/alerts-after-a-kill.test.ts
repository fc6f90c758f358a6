import { createServer, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { fastClock } from '../../../../../scripts/testing/stack';
import { Core } from '../../../testing/core';
import { createSubdomain } from '../../../testing/records';

/** A server that can be stopped and started on the same port. */
async function createRestartableServer(listener: RequestListener) {
  const port = await findFreePort();
  let server: Server | undefined;
  const start = () =>
    new Promise<void>((resolve) => {
      server = createServer(listener).listen(port, '127.0.0.1', resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      if (!server?.listening) return resolve();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await start();
  servers.push({ stop });
  return { port, start, stop };
}
const servers: { stop(): Promise<void> }[] = [];

let core: Core;
beforeAll(async () => {
  // The clock is fast, because confirmations and the grouping of messages take half a minute.
  core = await new Core({ ...fastClock(10), HEALTH_INTERVAL_S: '1' }).start();
});
afterAll(async () => {
  await core?.stop();
  for (const server of servers) await server.stop();
});

/** Creates a channel and its receiver. Between `hold` and `release` the receiver answers no request. */
async function createReceiver(name: string) {
  const requests: { id: string; events: string[] }[] = [];
  let isHolding = false;
  const server = await createRestartableServer(async (request, response) => {
    const { type, data } = JSON.parse(await text(request));
    const entries: { event: string; kind: string; subject: { name: string } }[] = data.alerts ?? [
      { event: type.replace('alert.', ''), ...data },
    ];
    // On a busy machine, a core with a fast clock also reports outages of the database.
    const outages = entries.filter(({ kind }) => kind === 'target_down');
    const events = outages.map(({ event, subject }) => `${subject.name} ${event}`).sort();
    if (events.length > 0) requests.push({ id: String(request.headers['webhook-id']), events });
    if (!isHolding) response.writeHead(204).end();
  });
  const { _id } = await core.create('/alert-channels', {
    name,
    type: 'webhook',
    url: `http://127.0.0.1:${server.port}/`,
  });
  return {
    ...server,
    requests,
    hold: () => {
      isHolding = true;
    },
    release: () => {
      isHolding = false;
    },
    /** The events that a receiver keeps if it ignores a repeated `webhook-id`. */
    findDistinctEvents: () =>
      requests
        .filter(({ id }, index) => requests.findIndex((request) => request.id === id) === index)
        .map(({ events }) => events),
    remove: () => core.request('DELETE', `/alert-channels/${_id}`),
  };
}

/** Creates a subdomain, and waits until its target is healthy. */
async function createTarget(label: string) {
  const target = await createRestartableServer((_request, response) => void response.end());
  await createSubdomain(core, label, { port: target.port });
  const isUp = async () => (await core.request('GET', `/uptime?subdomain=${label}&days=1`)).body.percent === 100;
  await waitFor('a healthy target', isUp);
  return target;
}

const findAlert = async (label: string) => {
  const { alerts } = (await core.request('GET', '/alerts?kind=target_down&limit=100')).body;
  return alerts.find(({ subject }: { subject: { name: string } }) => subject.name === label);
};
const findDelivery = async (label: string, event: string): Promise<{ state: string } | undefined> =>
  (await findAlert(label))?.deliveries.find((delivery: { event: string }) => delivery.event === event);
const waitForDelivery = (state: string, label: string, event: string) =>
  waitFor(`${event} of ${label} to be ${state}`, async () => (await findDelivery(label, event))?.state === state);

test('a notification that no message contains yet is sent once after a kill of the core', async () => {
  const receiver = await createReceiver('Plano');
  const groupedTargets = [await createTarget('um'), await createTarget('dois')];
  const laterTarget = await createTarget('tres');
  await Promise.all(groupedTargets.map((target) => target.stop()));
  // After a message about two alerts, the next message waits for five minutes.
  await waitForDelivery('sent', 'um', 'firing');
  await laterTarget.stop();
  await waitForDelivery('waiting', 'tres', 'firing');
  await core.end('SIGKILL');
  expect(await core.query(`SELECT event FROM alert_notifications WHERE "messageId" IS NULL`)).toEqual([
    { event: 'firing' },
  ]);
  await core.start();
  await waitForDelivery('sent', 'tres', 'firing');
  expect(receiver.requests.map(({ events }) => events)).toEqual([['dois firing', 'um firing'], ['tres firing']]);
  // The test ends its alerts, because the channel of the next test would be notified of open alerts.
  for (const target of [...groupedTargets, laterTarget]) await target.start();
  for (const label of ['um', 'dois', 'tres'])
    await waitFor('the end of the outage', async () => (await findAlert(label)).state === 'resolved');
  await receiver.remove();
});

test('a message that was stored but not sent is sent once after a kill of the core', async () => {
  const receiver = await createReceiver('Fila');
  const target = await createTarget('fila');
  await receiver.stop();
  await target.stop();
  await waitForDelivery('pending', 'fila', 'firing');
  await core.end('SIGKILL');
  await receiver.start();
  await core.start();
  await waitForDelivery('sent', 'fila', 'firing');
  await target.start();
  await waitForDelivery('sent', 'fila', 'resolved');
  expect(receiver.requests.map(({ events }) => events)).toEqual([['fila firing'], ['fila resolved']]);
  await receiver.remove();
});

test('a message that arrived just before a kill is repeated unchanged, before the resolution is reported', async () => {
  const receiver = await createReceiver('Lento');
  const target = await createTarget('lento');
  receiver.hold();
  await target.stop();
  await waitFor('the message', () => receiver.requests.length > 0);
  await target.start();
  await waitFor('the end of the outage', async () => (await findDelivery('lento', 'resolved')) !== undefined);
  await core.end('SIGKILL');
  receiver.release();
  await core.start();
  await waitForDelivery('sent', 'lento', 'resolved');
  expect(receiver.findDistinctEvents()).toEqual([['lento firing'], ['lento resolved']]);
  expect(receiver.requests.map(({ events }) => events)).toEqual([
    ['lento firing'],
    ['lento firing'],
    ['lento resolved'],
  ]);
  await receiver.remove();
});
