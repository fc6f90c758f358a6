import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, sendRequest } from '../../../testing/edge';
import { createKey, createSubdomain } from '../../../testing/records';

/** Script that sets the edge's clock a day ahead while a file exists. `CLOCK_FILE` has the path of the file. */
const CLOCK_SCRIPT = `const { existsSync } = require('node:fs');
const now = Date.now;
Date.now = () => now() + (existsSync(process.env.CLOCK_FILE) ? 86_400_000 : 0);`;
const getClockPath = () => join(core.folder, 'clock-is-set');

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let service: { _id: string };
let route: { _id: string };
let subdomain: { _id: string };
let key: { _id: string; key: string; name: string };

interface LoggedRequest {
  at: string;
  path: string;
  status: number;
  requestId: string;
}

const requestWithKey = (path: string, presentedKey?: string) =>
  sendRequest(edge.port, { path, headers: presentedKey === undefined ? [] : [['X-API-Key', presentedKey]] });
const listRequests = async (query: string): Promise<LoggedRequest[]> =>
  (await core.request('GET', `/gateway/admin/requests?limit=500&${query}`)).body.requests;
const waitForLogEntry = (requestId: string | undefined) =>
  waitFor('the request is in the log', async () =>
    (await listRequests('')).find((row) => requestId !== undefined && row.requestId === requestId),
  );

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => response.writeHead(request.url === '/broken' ? 500 : 200).end('ok'));
  service = await core.create('/gateway/admin/services', { name: 'log', host: upstream.url });
  const common = { serviceId: service._id, methods: ['GET'], permission: 'a:read' };
  route = await core.create('/gateway/admin/routes', { ...common, origin: '/ok', destination: '/ok' });
  await core.create('/gateway/admin/routes', { ...common, origin: '/broken', destination: '/broken' });
  subdomain = await createSubdomain(core, 'loja', { port: upstream.port });
  key = await createKey(core, { permissions: ['a:read'] });
  writeFileSync(join(core.folder, 'clock.cjs'), CLOCK_SCRIPT);
  await startEdgeUnlessRunning();
});
async function startEdgeUnlessRunning(): Promise<void> {
  if (edge?.isRunning) return;
  // One worker stores the requests in the order in which they were sent.
  edge = await new Edge(core, {
    EDGE_WORKERS: '1',
    NODE_OPTIONS: `--require=${join(core.folder, 'clock.cjs')}`,
    CLOCK_FILE: getClockPath(),
  }).start();
}
/** Starts the edge again after the test that stops it. */
beforeEach(startEdgeUnlessRunning);
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

test('the request log has the path without its query, the key, the route and the reason of a refusal', async () => {
  const allowedResponse = await requestWithKey('/ok?secret=1', key.key);
  expect(await waitForLogEntry(getHeader(allowedResponse, 'x-request-id'))).toEqual({
    at: expect.any(String),
    kind: 'gateway',
    method: 'GET',
    path: '/ok',
    status: 200,
    reason: null,
    ms: expect.any(Number),
    clientIp: '127.0.0.1',
    requestId: getHeader(allowedResponse, 'x-request-id'),
    keyId: key._id,
    keyName: key.name,
    routeId: route._id,
    weight: 1,
  });
  const refusedResponse = await requestWithKey('/ok');
  expect(await waitForLogEntry(getHeader(refusedResponse, 'x-request-id'))).toMatchObject({
    status: 401,
    reason: 'no_key',
    keyId: null,
  });
  const failedResponse = await requestWithKey('/broken', key.key);
  expect(await waitForLogEntry(getHeader(failedResponse, 'x-request-id'))).toMatchObject({
    status: 500,
    reason: null,
    keyId: key._id,
  });
  const siteResponse = await sendRequest(edge.port, { host: 'loja.localhost', path: '/pagina' });
  expect(await waitForLogEntry(getHeader(siteResponse, 'x-request-id'))).toMatchObject({
    kind: 'subdomain',
    path: '/pagina',
    status: 200,
  });
  expect((await listRequests(`subdomain=${subdomain._id}`)).map(({ path }) => path)).toEqual(['/pagina']);
});

test('requests to the console or to unknown hosts are not logged', async () => {
  await sendRequest(edge.port, { host: 'localhost', path: '/api/session' });
  await sendRequest(edge.port, { host: 'ninguem.localhost', path: '/nada' });
  const lastResponse = await requestWithKey('/ok', key.key);
  await waitForLogEntry(getHeader(lastResponse, 'x-request-id'));
  expect((await listRequests('')).filter(({ path }) => path === '/api/session' || path === '/nada')).toEqual([]);
});

describe('counted requests', () => {
  const FORMULA = '=SUM("A1")';
  let countedService: { _id: string };
  let openRoute: { _id: string };
  let failingRoute: { _id: string };
  let permittedKey: { _id: string; key: string };
  let unpermittedKey: { _id: string; key: string };
  /**
   * The counts that usage must reach. The set-up repeats requests until the new rows are served, so every expected
   * count is relative to the count before.
   */
  let expectedCounts: {
    failed: number;
    refused: number;
    refusedByPermission: number;
    gatewayCounts: { requests: number; errors5xx: number; refused: number };
    refusedWithoutRoute: number;
  };

  const readUsage = async (entityId: string, reason = '') => {
    const columns = [
      'requests',
      'errors4xx',
      'errors5xx',
      'refused',
      ...Array.from({ length: 16 }, (_, index) => `b${index}`), // Responses per latency bucket.
    ];
    const [row] = await core.query(
      `SELECT ${columns.map((name) => `SUM(u."${name}") AS "${name}"`).join(', ')} FROM usage_days u
       JOIN usage_subjects s ON s.id = u.subject WHERE s."entityId" = '${entityId}' AND s.reason = '${reason}'`,
    );
    const [requests = 0, errors4xx = 0, errors5xx = 0, refused = 0, ...latency] = columns.map((name) =>
      Number(row?.[name]),
    );
    return { requests, errors4xx, errors5xx, refused, responses: latency.reduce((sum, count) => sum + count, 0) };
  };

  beforeAll(async () => {
    // This function runs before `beforeEach`.
    await startEdgeUnlessRunning();
    countedService = await core.create('/gateway/admin/services', { name: 'counted', host: upstream.url });
    const common = { serviceId: countedService._id, methods: ['GET'], permission: 'c:read' };
    openRoute = await core.create('/gateway/admin/routes', {
      ...common,
      origin: '/counted/open',
      destination: '/ok',
      public: true,
    });
    failingRoute = await core.create('/gateway/admin/routes', {
      ...common,
      origin: '/counted/fails',
      destination: '/broken',
    });
    permittedKey = await createKey(core, { permissions: ['c:read'] });
    unpermittedKey = await createKey(core, { permissions: ['x:read'] });
    const requestUntilStatus = (status: number, path: string, presentedKey?: string) =>
      waitFor(`${path} is ${status}`, async () => (await requestWithKey(path, presentedKey)).status === status);
    await requestUntilStatus(500, '/counted/fails', permittedKey.key);
    await requestUntilStatus(403, '/counted/fails', unpermittedKey.key);
    await requestUntilStatus(200, '/counted/open');
    await waitFor('the earlier requests are stored', async () => (await readUsage(openRoute._id)).requests === 1);
    const routeCounts = await readUsage(failingRoute._id);
    const keyCounts = await readUsage(unpermittedKey._id);
    const gatewayCounts = await readUsage('gateway');
    const refusedWithoutRoute = (await readUsage('gateway', 'no_route')).refused + 1;

    for (let count = 0; count < 3; count += 1) await requestWithKey('/counted/fails', permittedKey.key);
    for (let count = 0; count < 2; count += 1) await requestWithKey('/counted/fails', unpermittedKey.key);
    await requestWithKey('/counted/fails');
    await requestWithKey('/counted/open');
    await requestWithKey('/nowhere');

    expectedCounts = {
      failed: routeCounts.requests + 3,
      refused: routeCounts.refused + 3,
      refusedByPermission: keyCounts.refused + 2,
      gatewayCounts: {
        requests: gatewayCounts.requests + 4,
        errors5xx: gatewayCounts.errors5xx + 3,
        refused: gatewayCounts.refused + 4,
      },
      refusedWithoutRoute,
    };
    // The worker counts requests in their order, so the last request is stored with or after the others.
    await waitFor('the last request is stored', async () => {
      const { refused } = await readUsage('gateway', 'no_route');
      return refused === refusedWithoutRoute;
    });
    await core.request('PUT', `/gateway/admin/keys/${permittedKey._id}`, { body: { name: FORMULA } });
  });

  test('usage is counted by key, route, service and gateway, with latencies, and refusals by reason', async () => {
    const { failed, refused, refusedByPermission, gatewayCounts, refusedWithoutRoute } = expectedCounts;
    const failures = { requests: failed, errors5xx: failed, responses: failed };
    expect(await readUsage(failingRoute._id)).toMatchObject({ ...failures, refused });
    expect(await readUsage(failingRoute._id, 'no_key')).toMatchObject({ requests: 0, refused: 1 });
    expect(await readUsage(permittedKey._id)).toMatchObject({ ...failures, errors4xx: 0 });
    expect(await readUsage(unpermittedKey._id)).toMatchObject({ requests: 0, refused: refusedByPermission });
    expect(await readUsage(unpermittedKey._id, 'permission')).toMatchObject({ refused: refusedByPermission });
    expect(await readUsage(openRoute._id)).toMatchObject({ requests: 2, errors5xx: 0, responses: 2, refused: 0 });
    const serviceCounts = { requests: failed + 2, errors5xx: failed, responses: failed + 2, refused };
    expect(await readUsage(countedService._id)).toMatchObject(serviceCounts);
    expect(await readUsage('gateway')).toMatchObject(gatewayCounts);
    expect(await readUsage('gateway', 'no_route')).toMatchObject({ refused: refusedWithoutRoute });
    const { series } = (await core.request('GET', '/gateway/admin/usage?range=day')).body;
    const keySeries = series.find(({ keyId }: { keyId: string }) => keyId === permittedKey._id);
    const errors = keySeries.points.reduce((sum: number, point: { errors: number }) => sum + point.errors, 0);
    expect(errors).toBe(failed);
  });

  const readMetrics = async (query: string) => {
    const { status, body } = await core.request('GET', `/gateway/admin/metrics?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const sumCounts = (points: { counts: Record<string, number> }[], name: string) =>
    points.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);

  test.each([
    ['1h', 60, 60],
    ['24h', 900, 96],
    ['7d', 7_200, 84],
    ['30d', 28_800, 90],
  ])(
    'the metrics of one service over %s have status classes, refusals by reason and percentiles',
    async (range, bucketSeconds, minPoints) => {
      const { failed, refused } = expectedCounts;
      const requestedAt = Date.now();
      const history = await readMetrics(`range=${range}&service=${countedService._id}`);
      expect(history).toMatchObject({ range, by: 'key', bucketSeconds });
      const classes = { requests: failed + 2, successes: 2, errors4xx: 0, errors5xx: failed, refused };
      expect(history.totals).toMatchObject(classes);
      for (const [name, count] of Object.entries(classes)) expect(sumCounts(history.points, name)).toBe(count);
      const { averageMs, p50Ms, p95Ms, p99Ms } = history.totals;
      expect(averageMs).toBeGreaterThan(0);
      expect(p50Ms).toBeGreaterThan(0);
      expect(p95Ms).toBeGreaterThanOrEqual(p50Ms);
      expect(p99Ms).toBeGreaterThanOrEqual(p95Ms);
      const reasons: { reason: string; count: number }[] = history.refusals;
      expect(reasons.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['no_key', 'permission']));
      expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(refused);
      expect(history.points.length).toBeGreaterThanOrEqual(minPoints);
      expect(requestedAt - Date.parse(history.points.at(-1).at)).toBeLessThan(bucketSeconds * 1000);
      expect(history.points[0].at).toBe(history.from);
    },
  );

  test('the totals of the gateway include refused requests without a service, and subjects have their current names', async () => {
    const metricsByService = await readMetrics('by=service');
    const [countedSubject] = metricsByService.subjects.filter(({ id }: { id: string }) => id === countedService._id);
    expect(countedSubject).toMatchObject({
      name: 'counted',
      counts: { errors5xx: expectedCounts.failed, refused: expectedCounts.refused },
    });
    expect(metricsByService.totals.refused).toBeGreaterThan(sumCounts(metricsByService.subjects, 'refused'));
    expect(metricsByService.totals.requests).toBe(sumCounts(metricsByService.subjects, 'requests'));
    expect(metricsByService.refusals.map(({ reason }: { reason: string }) => reason)).toContain('no_route');
    const readName = async (dimension: string, id: string) =>
      (await readMetrics(`by=${dimension}`)).subjects.find((subject: { id: string }) => subject.id === id)?.name;
    expect(await readName('route', failingRoute._id)).toBe('GET /counted/fails');
    expect(await readName('key', permittedKey._id)).toBe(FORMULA);
  });

  test('the CSV export quotes a name that a spreadsheet would read as a formula', async () => {
    const { status, headers, body } = await core.request('GET', '/gateway/admin/metrics/csv?range=1h&by=key');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const [heading, ...lines] = String(body).trimEnd().split('\r\n');
    expect(heading).toBe('at,id,name,requests,successes,errors4xx,errors5xx,refused,averageMs,p50Ms,p95Ms,p99Ms');
    const keyLines = lines.filter((line) => line.includes(permittedKey._id));
    expect(keyLines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z,[\w-]{36},"'=SUM\(""A1""\)",\d+,/);
    expect(keyLines.reduce((sum, line) => sum + Number(line.replace(/".*"/, '').split(',')[3]), 0)).toBe(
      expectedCounts.failed,
    );
  });

  test('the metrics of keys cover the last 24 hours, and a filter by both key and service is refused', async () => {
    const requestedAt = Date.now();
    const { from, keys } = (await core.request('GET', '/gateway/admin/metrics/keys')).body;
    const usedKey = keys.find(({ keyId }: { keyId: string }) => keyId === permittedKey._id);
    expect(usedKey.requests).toHaveLength(24); // One count per hour. The set-up may belong to the previous hour.
    expect(usedKey.requests.slice(-2).reduce((sum: number, count: number) => sum + count, 0)).toBe(
      expectedCounts.failed,
    );
    expect(requestedAt - Date.parse(from)).toBeLessThan(24 * 3_600_000);
    const query = `key=${permittedKey._id}&service=${countedService._id}`;
    const { status, body } = await core.request('GET', `/gateway/admin/metrics?${query}`);
    expect([status, Object.keys(body.fields)]).toEqual([400, ['key']]);
  });
});

test('the request log and the time of the last use of a key follow a change of the system clock', async () => {
  const { _id, key: presentedKey } = await createKey(core, { permissions: ['a:read'] });
  await waitFor('the key is known', async () => (await requestWithKey('/ok', presentedKey)).status === 200);
  writeFileSync(getClockPath(), '');
  const response = await requestWithKey('/ok', presentedKey);
  const { at } = await waitForLogEntry(getHeader(response, 'x-request-id'));
  expect(Date.parse(at) - Date.now()).toBeGreaterThan(86_000_000);
  const isDayAhead = async () => {
    const keys: { _id: string; lastUsedAt: string }[] = (await core.request('GET', '/gateway/admin/keys')).body;
    return Date.parse(keys.find((row) => row._id === _id)?.lastUsedAt ?? '') - Date.now() > 86_000_000;
  };
  await waitFor('the last use of the key is a day ahead', isDayAhead);
  rmSync(getClockPath());
});

test('a graceful shutdown stores the last requests', async () => {
  const lastResponse = await requestWithKey('/ok', key.key);
  await edge.stop();
  const requestId = getHeader(lastResponse, 'x-request-id');
  expect((await listRequests('')).some((row) => row.requestId === requestId)).toBe(true);
});
