import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { fastClock, getFastTime } from '../../../../../scripts/testing/stack';
import { createCertificateAuthority } from '../../../testing/certificates';
import { Core, listen } from '../../../testing/core';
import { createSubdomain } from '../../../testing/records';

const clock = fastClock(10);
let core: Core;
let tlsPort: number;
let tlsServer: Server;
let heartbeatCount = 0;
let heartbeatServer: Server;

beforeAll(async () => {
  const authority = await createCertificateAuthority();
  const { key, cert } = await authority.issue(['outro.example.com']);
  tlsPort = await findFreePort();
  tlsServer = createTlsServer({ key, cert }, (_request, response) => void response.end());
  await new Promise<void>((resolve) => tlsServer.listen(tlsPort, '127.0.0.1', resolve));
  const heartbeatPort = await findFreePort();
  heartbeatServer = createServer((_request, response) => {
    heartbeatCount += 1;
    response.end();
  });
  await new Promise<void>((resolve) => heartbeatServer.listen(heartbeatPort, '127.0.0.1', resolve));
  core = await new Core({
    ...clock,
    HEALTH_INTERVAL_S: '1',
    TLS_CHECK_ADDRESS: `127.0.0.1:${tlsPort}`,
    HEARTBEAT_URL: `http://127.0.0.1:${heartbeatPort}/batida`,
  }).start();
});
afterAll(async () => {
  await core?.stop();
  for (const server of [tlsServer, heartbeatServer]) {
    server.close();
    server.closeAllConnections();
  }
});

const listAlerts = async (kind: string) => (await core.request('GET', `/alerts?kind=${kind}&limit=100`)).body.alerts;
const waitForAlerts = (kind: string) =>
  waitFor('an alert', async () => {
    const alerts = await listAlerts(kind);
    return alerts.length > 0 && alerts;
  });
const setThresholds = async (kind: string, thresholds: Record<string, number>) => {
  const rules = (await core.request('GET', '/alert-rules')).body;
  const rule = rules.find((row: { kind: string; subject: unknown }) => row.kind === kind && row.subject === null);
  const response = await core.request('PUT', `/alert-rules/${rule._id}`, { body: { thresholds } });
  expect(response.status).toBe(200);
};
const isoAgo = (ms: number) => new Date(getFastTime(clock) - ms).toISOString();

test('a certificate for another host name at the studio’s own address raises an alert', async () => {
  const [alert] = await waitForAlerts('own_certificate');
  expect(alert).toMatchObject({ severity: 'critical', subject: { type: 'machine' }, state: 'open' });
});

test('a working installation sends heartbeats', async () => {
  await waitFor('a heartbeat', () => heartbeatCount > 0);
});

test('a target that often goes down and up causes one message about flapping, while each alert is listed', async () => {
  const messages: string[] = [];
  const hook = await listen(async (request, response) => {
    const { type, data } = JSON.parse(await text(request));
    for (const { kind, subject, event } of data.alerts ?? [{ event: type.replace('alert.', ''), ...data }])
      if (kind === 'target_down') messages.push(`${subject.name} ${event}`);
    response.writeHead(204).end();
  });
  const channel = await core.create('/alert-channels', { name: 'Pisca', type: 'webhook', url: hook.url });
  const steadyServer = await listen((_request, response) => response.end());
  await createSubdomain(core, 'fixo', { port: steadyServer.port });
  const port = await findFreePort();
  let server: Server | undefined;
  const start = () =>
    new Promise<void>((resolve) => {
      server = createServer((_request, response) => void response.end()).listen(port, '127.0.0.1', resolve);
    });
  const stop = async () => {
    server?.closeAllConnections();
    await new Promise<void>((resolve) => server?.close(() => resolve()));
  };
  await start();
  await core.request('POST', '/subdomains', { body: { subdomain: 'pisca', description: 'x', type: 'proxy', port } });
  for (const label of ['pisca', 'fixo'])
    await waitFor('a healthy target', async () => {
      const { percent } = (await core.request('GET', `/uptime?subdomain=${label}&days=1`)).body;
      return percent > 0;
    });
  for (let turn = 1; turn <= 3; turn += 1) {
    await stop();
    await waitFor('an outage', async () => (await listAlerts('target_down')).length === turn);
    await start();
    await waitFor('the end of the alert', async () => (await listAlerts('target_down'))[0].state === 'resolved');
  }
  const alerts = await listAlerts('target_down');
  expect(alerts.map(({ state, flapping }: { state: string; flapping: boolean }) => [state, flapping])).toEqual([
    ['resolved', true],
    ['resolved', true],
    ['resolved', true],
  ]);
  // Messages are sent in order, so the message about `fixo` shows that no other message about `pisca` follows.
  await steadyServer.stop();
  await waitFor('a message about another target', () => messages.includes('fixo firing'));
  expect(messages.slice(messages.indexOf('pisca flapping'))).toEqual(['pisca flapping', 'fixo firing']);
  await core.request('DELETE', `/alert-channels/${channel._id}`);
  await hook.stop();
  await stop();
});

test('many 5xx responses of a host raise an alert, which ends when they fall below half of the threshold', async () => {
  const { body: subdomain } = await core.request('POST', '/subdomains', {
    body: { subdomain: 'erros', description: 'x', type: 'proxy', port: await findFreePort(), healthCheck: false },
  });
  const insertRequest = (id: number, status: number, weight: number) =>
    core.query(
      `INSERT INTO request_log (_id, "at", kind, method, path, status, ms, "clientIp", "requestId", "subdomainId", weight)
        VALUES ('019a0000-0000-7000-8000-00000000000${id}', '${isoAgo(1000)}', 'proxy', 'GET', '/', ${status}, 1, '1.2.3.4', 'x', '${subdomain._id}', ${weight})`,
    );
  await insertRequest(1, 502, 9);
  await insertRequest(2, 200, 11);
  await insertRequest(3, 500, 3);
  const [alert] = await waitForAlerts('errors');
  expect(alert).toMatchObject({
    subject: { id: subdomain._id, name: 'erros' },
    reason: expect.stringContaining('52 %'),
  });
  await insertRequest(4, 200, 1000);
  await waitFor('the end of the alert', async () => (await listAlerts('errors'))[0].state === 'resolved');
});

test('a key that expires soon raises an alert only if the key is used', async () => {
  for (const name of ['usada', 'parada']) {
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await core.request('POST', '/gateway/admin/keys', { body: { name, permissions: ['*'], expiresAt } });
  }
  await core.query(`UPDATE api_keys SET "lastUsedAt" = '${isoAgo(1000)}' WHERE name = 'usada'`);
  const keyAlerts = await waitForAlerts('key_expiring');
  expect(keyAlerts.map(({ subject }: { subject: { name: string } }) => subject.name)).toEqual(['usada']);
});

test('a machine that no longer reports has an alert until its row is deleted', async () => {
  await setThresholds('machine_gone', { seconds: 5 });
  const id = '019a0000-0000-7000-8000-0000000000aa';
  await core.query(
    `INSERT INTO machines (_id, name, "seenAt", conditions) VALUES ('${id}', 'servidor-2', '${isoAgo(60_000)}', '[]')`,
  );
  const [alert] = await waitForAlerts('machine_gone');
  expect(alert.subject).toEqual({ type: 'machine', id, name: 'servidor-2' });
  await core.query(`DELETE FROM machines WHERE _id = '${id}'`);
  await waitFor('the end of the alert', async () => (await listAlerts('machine_gone'))[0].state === 'resolved');
});

test('a failing channel raises an alert, which ends when the threshold becomes very long', async () => {
  await setThresholds('channel_failing', { minutes: 0 });
  const body = { name: 'Mudo', type: 'webhook', url: `http://127.0.0.1:${await findFreePort()}/` };
  const { body: channel } = await core.request('POST', '/alert-channels', { body });
  await core.query(`UPDATE alert_channels SET "failingSince" = '${isoAgo(60_000)}' WHERE _id = '${channel._id}'`);
  const [alert] = await waitForAlerts('channel_failing');
  expect(alert.subject).toEqual({ type: 'installation', id: channel._id, name: 'Mudo' });
  // An earlier release accepted a threshold that is longer than the range of dates.
  await core.query(`UPDATE alert_rules SET thresholds = '{"minutes":1e12}' WHERE kind = 'channel_failing'`);
  await waitFor('the end of the alert', async () => (await listAlerts('channel_failing'))[0].state === 'resolved');
  await core.request('DELETE', `/alert-channels/${channel._id}`);
});

test('a check that keeps failing is logged once, while other checks run and their messages are sent', async () => {
  const kinds: string[] = [];
  const hook = await listen(async (request, response) => {
    const { kind, alerts = [] } = JSON.parse(await text(request)).data;
    kinds.push(kind, ...alerts.map((alert: { kind: string }) => alert.kind));
    response.writeHead(204).end();
  });
  const body = { name: 'Gancho', type: 'webhook', url: hook.url };
  const { body: channel } = await core.request('POST', '/alert-channels', { body });
  // The checks of certificates and disks read this row, and fail at the invalid JSON.
  await core.query(
    `INSERT INTO machines (_id, name, "seenAt", conditions)
      VALUES ('019a0000-0000-7000-8000-0000000000bb', 'servidor-3', '${isoAgo(0)}', 'no JSON')`,
  );
  const findFailures = (kind: string) =>
    core.output.split('\n').filter((line) => line.includes('alert check failed') && line.includes(`"check":"${kind}"`));
  for (const kind of ['own_certificate', 'disk']) await waitFor('a failure', () => findFailures(kind).length > 0);
  await setThresholds('key_expiring', { days: 300 });
  const expiresAt = new Date(Date.now() + 200 * 86_400_000).toISOString();
  await core.request('POST', '/gateway/admin/keys', { body: { name: 'longa', permissions: ['*'], expiresAt } });
  await core.query(`UPDATE api_keys SET "lastUsedAt" = '${isoAgo(1000)}' WHERE name = 'longa'`);
  await waitFor('a message', () => kinds.includes('key_expiring'));
  expect(findFailures('own_certificate')).toHaveLength(1);
  await core.query(`DELETE FROM machines WHERE name = 'servidor-3'`);
  await core.request('DELETE', `/alert-channels/${channel._id}`);
  await hook.stop();
});
