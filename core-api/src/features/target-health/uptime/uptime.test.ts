import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { fastClock, getFastTime } from '../../../../../scripts/testing/stack';
import { hashProbeTarget } from '../../../platform/net/probe-target';
import { Core, type RestResponse } from '../../../testing/core';
import { createSubdomain } from '../../../testing/records';

const PASSWORD = 'uma senha bem longa';
// The clock starts at noon, so that no test reaches the next day and no short outage begins on the day before.
const clock = fastClock(10, new Date().setUTCHours(12, 0, 0, 0));
const getToday = () => new Date(getFastTime(clock)).toISOString().slice(0, 10);
let core: Core;
beforeAll(async () => {
  core = await new Core({ ...clock, HEALTH_INTERVAL_S: '1', TIME_ZONE: 'UTC' }).start();
});
afterAll(() => core?.stop());

/** An upstream that can be stopped and started on the same port. `start` returns a function that stops the server. */
async function startUpstream() {
  const port = await findFreePort();
  const start = () =>
    new Promise<() => Promise<void>>((resolve) => {
      const server = createServer((_request, response) => void response.end());
      server.listen(port, '127.0.0.1', () =>
        resolve(
          () =>
            new Promise<void>((stopped) => {
              server.close(() => stopped());
              server.closeAllConnections();
            }),
        ),
      );
    });
  return { port, start };
}

const requestUptime = async (query: string) => core.request('GET', `/uptime?${query}`);
const findUptime = async (label: string) => (await requestUptime(`subdomain=${label}&days=1`)).body;

test('an outage is an incident from its first failure to the first success after the outage', async () => {
  const { port, start } = await startUpstream();
  const stop = await start();
  await createSubdomain(core, 'loja', { port });
  await waitFor('known uptime', async () => (await findUptime('loja')).percent === 100);
  await stop();
  const uptimeDuringOutage = await waitFor('an incident', async () => {
    const body = await findUptime('loja');
    return body.incidents.length > 0 && body;
  });
  expect(uptimeDuringOutage.incidents).toEqual([
    { startedAt: expect.any(String), endedAt: null, reason: `Ninguém atende na porta ${port}.` },
  ]);
  const stopAgain = await start();
  const uptimeAfterOutage = await waitFor('the end of the incident', async () => {
    const body = await findUptime('loja');
    return body.incidents[0]?.endedAt !== null && body;
  });
  const [incident] = uptimeAfterOutage.incidents;
  const incidentSeconds = (Date.parse(incident.endedAt) - Date.parse(incident.startedAt)) / 1000;
  expect(uptimeAfterOutage.incidents).toHaveLength(1);
  expect(Math.abs(uptimeAfterOutage.downSeconds - incidentSeconds)).toBeLessThanOrEqual(1);
  expect(uptimeAfterOutage.percent).toBeLessThan(100);
  expect(uptimeAfterOutage.days).toEqual([
    {
      day: getToday(),
      percent: uptimeAfterOutage.percent,
      downSeconds: uptimeAfterOutage.downSeconds,
      unknownSeconds: 0,
    },
  ]);
  await createSubdomain(core, 'vizinha', { port });
  const neighbour = await findUptime('vizinha');
  expect(neighbour.incidents).toEqual([]);
  expect(neighbour.downSeconds).toBeLessThanOrEqual(1);
  await stopAgain();
});

test('a single failed check causes neither an outage nor an alert', async () => {
  const port = await findFreePort();
  let shouldFailNext = false;
  let hasFailed = false;
  const server = createServer((request, response) => {
    // A check sends two requests before it fails: HEAD, then GET.
    if (!shouldFailNext) return void response.end();
    if (request.method === 'GET') {
      shouldFailNext = false;
      hasFailed = true;
    }
    request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await createSubdomain(core, 'soluco', { port });
  await waitFor('known uptime', async () => (await findUptime('soluco')).percent === 100);
  shouldFailNext = true;
  await waitFor('a failed check', () => hasFailed);
  const failedCheckAt = (await core.request('GET', '/subdomains?search=soluco')).body.subdomains[0].health.checkedAt;
  await waitFor('a later check', async () => {
    const { health } = (await core.request('GET', '/subdomains?search=soluco')).body.subdomains[0];
    return health.state === 'up' && health.checkedAt > failedCheckAt;
  });
  expect(await findUptime('soluco')).toMatchObject({ percent: 100, downSeconds: 0, incidents: [] });
  const { alerts } = (await core.request('GET', '/alerts?kind=target_down')).body;
  expect(alerts.map(({ subject }: { subject: { name: string } }) => subject.name)).not.toContain('soluco');
  server.close();
  server.closeAllConnections();
});

test('counted seconds of uptime survive a restart of the core', async () => {
  const { port, start } = await startUpstream();
  const stop = await start();
  await createSubdomain(core, 'firme', { port });
  await waitFor('known uptime', async () => (await findUptime('firme')).percent === 100);
  await core.end('SIGTERM');
  const target = hashProbeTarget({ kind: 'http', host: '127.0.0.1', port, tls: false });
  const [storedSeconds] = await core.query(`SELECT SUM("upSeconds") AS up FROM target_days WHERE target = '${target}'`);
  expect(Number(storedSeconds?.up)).toBeGreaterThan(0);
  await core.start();
  expect((await findUptime('firme')).percent).toBe(100);
  await stop();
});

test('an outage before the creation of a host leaves its availability at exactly 100 %', async () => {
  const { port, start } = await startUpstream();
  const stop = await start();
  const { createdAt } = await createSubdomain(core, 'recente', { port });
  await waitFor('known uptime', async () => (await findUptime('recente')).percent === 100);
  await core.end('SIGTERM');
  const target = hashProbeTarget({ kind: 'http', host: '127.0.0.1', port, tls: false });
  const endedAt = Date.parse(createdAt) - 1;
  const [startIso, endIso] = [endedAt - 446_035, endedAt].map((time) => new Date(time).toISOString());
  await core.query(`INSERT INTO target_incidents (_id, target, "machineId", "startedAt", "endedAt")
    SELECT '${randomUUID()}', target, "machineId", '${startIso}', '${endIso}' FROM target_days WHERE target = '${target}'`);
  // The stored sum exceeds the length of the outage by a rounding error of 1e-13 s.
  await core.query(`UPDATE target_days SET "downSeconds" = 446.0350000000001 WHERE target = '${target}'`);
  await core.start();
  expect(await findUptime('recente')).toMatchObject({ percent: 100, downSeconds: 0, incidents: [] });
  await stop();
});

test('an outage over midnight in a maintenance window causes no downtime on either day', async () => {
  const { port, start } = await startUpstream();
  const stop = await start();
  const { _id: id } = await createSubdomain(core, 'obras', { port });
  await waitFor('known uptime', async () => (await findUptime('obras')).percent === 100);
  const midnight = new Date(getFastTime(clock)).setUTCHours(0, 0, 0, 0) - 24 * 3_600_000;
  const [createdAt, startsAt, startedAt, endedAt, endsAt] = [-24, -2, -1, 1, 2].map((hours) =>
    new Date(midnight + hours * 3_600_000).toISOString(),
  );
  const subjects = [{ type: 'subdomain', id }];
  await core.create('/maintenance-windows', { title: 'Obras', subjects, startsAt, endsAt, weekdays: [] });
  await core.end('SIGTERM');
  const target = hashProbeTarget({ kind: 'http', host: '127.0.0.1', port, tls: false });
  await core.query(`INSERT INTO target_incidents (_id, target, "machineId", "startedAt", "endedAt")
    SELECT '${randomUUID()}', target, "machineId", '${startedAt}', '${endedAt}' FROM target_days WHERE target = '${target}'`);
  for (const time of [startedAt, endedAt])
    await core.query(`INSERT INTO target_days (target, "machineId", day, "upSeconds", "downSeconds")
      SELECT target, "machineId", '${time?.slice(0, 10)}', 82800, 3600 FROM target_days
      WHERE target = '${target}' AND day = '${getToday()}'`);
  await core.query(`UPDATE subdomains SET "createdAt" = '${createdAt}' WHERE _id = '${id}'`);
  await core.start();
  const { days, incidents } = (await requestUptime('subdomain=obras&days=3')).body;
  expect(incidents).toHaveLength(1);
  expect(days.slice(0, 2)).toEqual(
    [startedAt, endedAt].map((time) => ({
      day: time?.slice(0, 10),
      percent: 100,
      downSeconds: 0,
      unknownSeconds: 3600,
    })),
  );
  await stop();
});

test("a tenant has the uptime of its project's target", async () => {
  const { port, start } = await startUpstream();
  const stop = await start();
  const project = (await core.request('POST', '/projects', { body: { name: 'CRM', type: 'proxy', apiPort: port } }))
    .body;
  const tenant = (
    await core.request('POST', '/tenants', { body: { name: 'Cliente', subdomain: 'cliente', project: project._id } })
  ).body;
  await waitFor('known uptime', async () => (await requestUptime(`tenant=${tenant._id}`)).body.percent === 100);
  expect((await requestUptime(`tenant=${tenant._id}`)).body.days).toHaveLength(90);
  await stop();
});

test.each([
  ['', 400],
  ['subdomain=loja&tenant=019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', 400],
  ['subdomain=loja&days=91', 400],
  ['subdomain=loja&days=0', 400],
  ['subdomain=nenhum', 404],
  ['tenant=019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', 404],
])('GET /uptime?%s answers %i', async (query, status) => expect((await requestUptime(query)).status).toBe(status));

test('one call returns the uptimes of several hosts over 90 days, without unknown hosts', async () => {
  const { port, start } = await startUpstream();
  const stop = await start();
  await createSubdomain(core, 'um', { port });
  await createSubdomain(core, 'dois', { port });
  const listUptimes = async () => (await core.request('GET', '/uptimes?subdomains=um,nenhum,DOIS')).body;
  const isKnown = async () =>
    (await listUptimes()).uptimes.every(({ percent }: { percent: number | null }) => percent === 100);
  await waitFor('known uptime', isKnown);
  await stop();
  const list = await waitFor('an incident', async () => {
    const body = await listUptimes();
    return body.uptimes[0].incidents > 0 && body;
  });
  expect(list.uptimes.map(({ id }: { id: string }) => id).sort()).toEqual(['dois', 'um']);
  for (const uptime of list.uptimes) {
    expect(uptime).toMatchObject({ incidents: 1, lastIncident: { startedAt: expect.any(String), endedAt: null } });
    expect(uptime.days).toHaveLength(90);
    expect([uptime.days[0], uptime.days.at(-1)]).toEqual([null, uptime.percent]);
  }
  const oneDayUptime = await findUptime('um');
  expect(list.since < oneDayUptime.days[0].day).toBe(true);
});

test('an account that is limited to a project sees only the uptime of the tenants of this project', async () => {
  const tenantIds: string[] = [];
  for (const name of ['sua', 'alheia']) {
    const project = await core.create('/projects', { name, type: 'proxy', apiPort: 4000 });
    const tenant = await core.create('/tenants', { name, subdomain: name, project: project._id });
    tenantIds.push(tenant._id);
    if (name !== 'sua') continue;
    const { setupToken } = await core.create('/admins', {
      username: 'limitada',
      role: 'viewer',
      projects: [project._id],
    });
    await core.request('POST', '/setup', { body: { token: setupToken, password: PASSWORD }, token: null });
  }
  await createSubdomain(core, 'do-estudio', { port: 4000 });
  const body = { username: 'limitada', password: PASSWORD };
  const { token } = (await core.request('POST', '/login', { body, token: null })).body;
  const requestWithLimitedAccount = (path: string) => core.request('GET', path, { token });
  const [ownTenantId, foreignTenantId] = tenantIds;
  const listIds = ({ body: responseBody }: RestResponse) => responseBody.uptimes.map(({ id }: { id: string }) => id);
  expect(listIds(await requestWithLimitedAccount(`/uptimes?tenants=${tenantIds}`))).toEqual([ownTenantId]);
  expect(listIds(await requestWithLimitedAccount('/uptimes?subdomains=do-estudio'))).toEqual([]);
  const statuses = [`tenant=${ownTenantId}`, `tenant=${foreignTenantId}`, 'subdomain=do-estudio'].map(
    async (query) => (await requestWithLimitedAccount(`/uptime?${query}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 404]);
});

test.each(['', 'subdomains=a&tenants=b', `subdomains=${'a,'.repeat(101)}`])(
  'GET /uptimes?%s is refused',
  async (query) => {
    expect((await core.request('GET', `/uptimes?${query}`)).status).toBe(400);
  },
);

/**
 * Stores maintenance windows, and an outage that takes ten hours of yesterday. Hours are counted from yesterday 00:00.
 * @returns the uptime of yesterday, and the incidents, of a response with three days, because the clock of the core may be
 *   past midnight
 */
async function findUptimeWithWindows(label: string, outageHours: [number, number], windowHours: [number, number][]) {
  const port = await findFreePort();
  const { _id: id } = await createSubdomain(core, label, { port });
  const yesterday = new Date().setUTCHours(0, 0, 0, 0) - 24 * 3_600_000;
  const toTimes = (hours: number[]) => hours.map((hour) => new Date(yesterday + hour * 3_600_000).toISOString());
  for (const hours of windowHours) {
    const [startsAt, endsAt] = toTimes(hours);
    const subjects = [{ type: 'subdomain', id }];
    await core.create('/maintenance-windows', { title: 'Obras', subjects, startsAt, endsAt, weekdays: [] });
  }
  const target = hashProbeTarget({ kind: 'http', host: '127.0.0.1', port, tls: false });
  const [createdAt, startedAt, endedAt, day] = toTimes([-240, ...outageHours, 0]);
  await core.query(`UPDATE subdomains SET "createdAt" = '${createdAt}' WHERE _id = '${id}'`);
  await core.query(`INSERT INTO target_incidents (_id, target, "machineId", "startedAt", "endedAt")
    VALUES ('${randomUUID()}', '${target}', '', '${startedAt}', '${endedAt}')`);
  await core.query(`INSERT INTO target_days (target, "machineId", day, "upSeconds", "downSeconds")
    VALUES ('${target}', '', '${day?.slice(0, 10)}', 50400, 36000)`);
  const { days, incidents } = (await requestUptime(`subdomain=${label}&days=3`)).body;
  return { ...days.find((uptime: { day: string }) => uptime.day === day?.slice(0, 10)), incidents };
}

test('seconds in several overlapping maintenance windows are subtracted from an outage once', async () => {
  const uptime = await findUptimeWithWindows(
    'janelas',
    [10, 20],
    [
      [10, 14],
      [12, 15],
      [13, 14],
    ],
  );
  expect(uptime).toMatchObject({ downSeconds: 5 * 3600, unknownSeconds: 5 * 3600 });
});

test('maintenance is subtracted from an outage that began before the days of the response', async () => {
  const uptime = await findUptimeWithWindows('antiga', [-72, 10], [[4, 6]]);
  expect(uptime).toMatchObject({ downSeconds: 8 * 3600, unknownSeconds: 2 * 3600 });
});

test('an outage that began before the days of the response and lasts into them is one of their incidents', async () => {
  const { incidents } = await findUptimeWithWindows('longa', [-72, 10], []);
  expect(incidents).toHaveLength(1);
});
