import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, type RequestOptions, sendRequest } from '../../../testing/edge';
import { createKey, findKey } from '../../../testing/records';

/** A window that is longer than a test. */
const DAY_S = 86_400;

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let receivedCount = 0;

/** Creates a key and waits until every worker knows it, without using a request of its limit. */
async function createLimitedKey(requests: number): Promise<{ _id: string; key: string }> {
  const rateLimit = { requests, seconds: DAY_S };
  const createdKey = await createKey(core, { permissions: ['a:read'], rateLimit });
  await waitUntilKnown(createdKey.key);
  return createdKey;
}
const waitUntilKnown = (key: string, targetEdge = edge) =>
  waitFor('every worker knows the key', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => requestWithKey(key, { path: '/forbidden' }, targetEdge)),
    );
    return responses.every(({ status }) => status === 403);
  });
const setLimit = async (id: string, requests: number | null) => {
  const rateLimit = requests === null ? null : { requests, seconds: DAY_S };
  const { status } = await core.request('PUT', `/gateway/admin/keys/${id}`, { body: { rateLimit } });
  expect(status).toBe(200);
};
const readUsageCount = async (id: string): Promise<number> => (await findKey(core, id)).usageCount;
const requestWithKey = (key: string, requestOptions: RequestOptions = {}, targetEdge = edge) =>
  sendRequest(targetEdge.port, {
    path: '/x',
    ...requestOptions,
    headers: [['X-API-Key', key], ...(requestOptions.headers ?? [])],
  });

/**
 * Sends requests, each on a new connection and 30 at a time, so that every worker gets requests. Returns the number of
 * requests that passed.
 */
async function sendRequests(key: string, count: number, targetEdge = edge): Promise<number> {
  const statuses: number[] = [];
  for (let remaining = count; remaining > 0; remaining -= 30) {
    const responses = await Promise.all(
      Array.from({ length: Math.min(30, remaining) }, () => requestWithKey(key, {}, targetEdge)),
    );
    for (const { status } of responses) statuses.push(status);
  }
  const countStatus = (expectedStatus: number) => statuses.filter((status) => status === expectedStatus).length;
  expect(countStatus(200) + countStatus(429)).toBe(count);
  return countStatus(200);
}

/** Repeats requests until `expectedCount` have passed, because workers return unused leases only after a while. */
async function sendUntilPassed(key: string, expectedCount: number, passedBefore: number): Promise<number> {
  let passedCount = passedBefore;
  await waitFor(`${expectedCount} have passed`, async () => {
    passedCount += await sendRequests(key, 20);
    return passedCount >= expectedCount;
  });
  return passedCount;
}

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => {
    receivedCount += 1;
    request.resume();
    request.on('end', () => response.end('done'));
  });
  const { _id: serviceId } = await core.create('/gateway/admin/services', {
    name: 'one',
    host: upstream.url,
    maxBodyMb: 1,
  });
  const route = { serviceId, destination: '/', methods: ['GET', 'POST'] };
  await core.create('/gateway/admin/routes', { ...route, origin: '/x', permission: 'a:read' });
  await core.create('/gateway/admin/routes', { ...route, origin: '/forbidden', permission: 'b:read' });
  edge = await new Edge(core, { ACCESS_LOG: join(core.folder, 'access.log') }).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

test('two workers together allow exactly the limit, and further requests get 429 and are not counted', async () => {
  const { _id, key } = await createLimitedKey(100);
  const receivedBefore = receivedCount;
  const passedCount = await sendUntilPassed(key, 100, await sendRequests(key, 300));
  expect([passedCount, await sendRequests(key, 60), receivedCount - receivedBefore]).toEqual([100, 0, 100]);
  await waitFor('all requests are counted', async () => (await readUsageCount(_id)) >= 100);

  const response = await requestWithKey(key, {
    method: 'POST',
    headers: [['Content-Length', String(2 * 1024 * 1024)]],
  });
  const retryAfterS = Number(getHeader(response, 'retry-after'));
  expect(retryAfterS).toBeGreaterThan(0);
  expect([response.status, JSON.parse(response.text)]).toEqual([
    429,
    { error: 'Esta chave de API passou do limite de requisições. Tente novamente mais tarde.' },
  ]);
  expect(getHeader(response, 'ratelimit-policy')).toBe(`"key";q=100;w=${DAY_S}`);
  expect(getHeader(response, 'ratelimit')).toBe(`"key";r=0;t=${retryAfterS}`);

  const readRefusals = async () =>
    (await core.request('GET', `/gateway/admin/requests?key=${_id}&status=429&limit=1`)).body.requests;
  await waitFor('the refusals are in the log of requests', async () => (await readRefusals()).length > 0);
  expect((await readRefusals())[0]).toMatchObject({ status: 429, reason: 'rate_limited', keyId: _id });
  await waitFor('the refusals are in the access log', async () =>
    readFileSync(join(core.folder, 'access.log'), 'utf8').includes('"reason":"rate_limited"'),
  );
  expect(await readUsageCount(_id)).toBe(100);
});

test('a limit of three requests can be used completely, whichever workers receive the requests', async () => {
  const { key } = await createLimitedKey(3);
  const passedCount = await sendUntilPassed(key, 3, await sendRequests(key, 6));
  expect([passedCount, await sendRequests(key, 12)]).toEqual([3, 0]);
});

test('a changed limit keeps the counts, and without a limit all requests are allowed', async () => {
  const { _id, key } = await createLimitedKey(40);
  expect(await sendUntilPassed(key, 40, await sendRequests(key, 40))).toBe(40);
  await setLimit(_id, 60);
  expect(await sendUntilPassed(key, 60, 40)).toBe(60);
  await setLimit(_id, 10);
  expect(await sendRequests(key, 20)).toBe(0);
  await setLimit(_id, null);
  await waitFor('all requests pass', async () => (await sendRequests(key, 20)) === 20);
  expect(await sendRequests(key, 60)).toBe(60);
});

test('after a worker was killed, only its lease is lost', async () => {
  const { key } = await createLimitedKey(100);
  const passedBefore = await sendRequests(key, 40);
  const endedBefore = await edge.readMetric('edge_workers_ended_total');
  const [pid] = readFileSync(`/proc/${edge.pid}/task/${edge.pid}/children`, 'utf8').trim().split(' ').map(Number);
  process.kill(pid ?? Number.NaN, 'SIGKILL');
  await waitFor('another worker has taken its place', async () => {
    const [endedCount, serving] = [
      await edge.readMetric('edge_workers_ended_total'),
      await edge.readMetric('edge_workers'),
    ];
    return endedCount === endedBefore + 1 && serving === 2;
  });
  // A worker leases at most seven of a hundred requests.
  const passedCount = await sendUntilPassed(key, 93, passedBefore);
  expect(passedCount + (await sendRequests(key, 60))).toBeLessThanOrEqual(100);
});

test('a restart or a kill of the edge keeps the rate windows', async () => {
  const { _id, key } = await createLimitedKey(40);
  expect(await sendUntilPassed(key, 40, await sendRequests(key, 40))).toBe(40);
  await edge.stop();
  await edge.start();
  await waitUntilKnown(key);
  expect(await sendRequests(key, 30)).toBe(0);
  await setLimit(_id, 50);
  await sendUntilPassed(key, 10, await sendRequests(key, 20));
  const file = join(core.folder, 'edge/rates.json');
  const readCount = (): number => {
    if (!existsSync(file)) return 0;
    const { windows }: { windows: { keyId: string; state: { counts: number[] } }[] } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    return windows.find(({ keyId }) => keyId === _id)?.state.counts.reduce((sum, count) => sum + count, 0) ?? 0;
  };
  // With PostgreSQL the database has the counts. With SQLite the file `rates.json` has them after a second.
  if (!process.env.TEST_ON_POSTGRES) await waitFor('the counts are written', async () => readCount() === 50);
  await edge.stop('SIGKILL');
  await edge.start();
  await waitUntilKnown(key);
  expect(await sendRequests(key, 30)).toBe(0);
});

/** Skips a test on SQLite, because a SQLite file belongs to one machine. */
const testOnPostgres = process.env.TEST_ON_POSTGRES ? test : test.skip;

testOnPostgres('two machines together allow exactly the limit, even after a kill and a restart', async () => {
  const otherEdge = await new Edge(core).start();
  try {
    const { _id, key } = await createLimitedKey(200);
    await waitUntilKnown(key, otherEdge);
    const [passedHere, passedThere] = await Promise.all([sendRequests(key, 150), sendRequests(key, 150, otherEdge)]);
    const sum = await sendUntilPassed(key, 200, passedHere + passedThere);
    expect([sum, await sendRequests(key, 30), await sendRequests(key, 30, otherEdge)]).toEqual([200, 0, 0]);
    expect(Math.min(passedHere, passedThere)).toBeGreaterThan(0);

    await setLimit(_id, 300);
    let passedAfterChange = await sendUntilPassed(key, 40, await sendRequests(key, 40, otherEdge));
    await otherEdge.stop('SIGKILL');
    await edge.stop();
    await edge.start();
    await waitUntilKnown(key);
    await waitFor('the limit is reached', async () => {
      const count = await sendRequests(key, 60);
      passedAfterChange += count;
      return count === 0;
    });
    expect(passedAfterChange).toBeLessThanOrEqual(100);
    // Each of the four workers leases at most 22 of 300 requests.
    expect(passedAfterChange).toBeGreaterThanOrEqual(100 - 4 * 22);
  } finally {
    await otherEdge.stop('SIGKILL');
  }
});
