import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../scripts/testing/program';
import { Core, listen } from '../testing/core';
import { type Call, call, Edge, header } from '../testing/edge';

/** So long that nothing is free again in the middle of a test. */
const DAY_S = 86_400;

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let received = 0;

const create = async (path: string, body: object) => {
  const answer = await core.ask('POST', `/gateway/admin/${path}`, { body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
/** A key that every worker knows, none of whose requests has passed. */
async function createKey(requests: number): Promise<{ _id: string; key: string }> {
  const rateLimit = { requests, seconds: DAY_S };
  const body = { name: `k${Math.random()}`, permissions: ['a:read'], allowedIps: [], rateLimit };
  const created = await create('keys', body);
  await isKnown(created.key);
  return created;
}
const isKnown = (key: string, at = edge) =>
  until('every worker knows the key', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(key, { path: '/forbidden' }, at)));
    return answers.every(({ status }) => status === 403);
  });
const limit = async (id: string, requests: number | null) => {
  const rateLimit = requests === null ? null : { requests, seconds: DAY_S };
  const { status } = await core.ask('PUT', `/gateway/admin/keys/${id}`, { body: { rateLimit } });
  expect(status).toBe(200);
};
const usageCount = async (id: string): Promise<number> =>
  (await core.ask('GET', '/gateway/admin/keys')).body.find(({ _id }: { _id: string }) => _id === id).usageCount;
const ask = (key: string, more: Call = {}, at = edge) =>
  call(at.port, { path: '/x', ...more, headers: [['X-API-Key', key], ...(more.headers ?? [])] });

/** So many requests, each on a connection of its own, 30 at a time: the workers take them in turn. @returns how many passed */
async function send(key: string, count: number, at = edge): Promise<number> {
  const seen: number[] = [];
  for (let left = count; left > 0; left -= 30) {
    const answers = await Promise.all(Array.from({ length: Math.min(30, left) }, () => ask(key, {}, at)));
    for (const { status } of answers) seen.push(status);
  }
  const of = (wanted: number) => seen.filter((status) => status === wanted).length;
  expect(of(200) + of(429)).toBe(count);
  return of(200);
}

/** Sends on until so many have passed since the start: a worker that has something left gives it back in a moment. */
async function sendUntil(key: string, wanted: number, already: number): Promise<number> {
  let passed = already;
  await until(`${wanted} have passed`, async () => {
    passed += await send(key, 20);
    return passed >= wanted;
  });
  return passed;
}

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => {
    received += 1;
    request.resume();
    request.on('end', () => response.end('done'));
  });
  const { _id: serviceId } = await create('services', { name: 'one', host: upstream.url, maxBodyMb: 1 });
  const route = { serviceId, destination: '/', methods: ['GET', 'POST'] };
  await create('routes', { ...route, origin: '/x', permission: 'a:read' });
  await create('routes', { ...route, origin: '/forbidden', permission: 'b:read' });
  edge = await new Edge(core, { ACCESS_LOG: join(core.folder, 'access.log') }).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

test('two workers let through what the limit says and no more; the rest is 429 and not counted', async () => {
  const { _id, key } = await createKey(100);
  const passed = await sendUntil(key, 100, await send(key, 300));
  expect([passed, await send(key, 60), received]).toEqual([100, 0, 100]);
  await until('all are counted', async () => (await usageCount(_id)) >= 100);

  const refused = await ask(key, { method: 'POST', headers: [['Content-Length', String(2 * 1024 * 1024)]] });
  const retryAfterS = Number(header(refused, 'retry-after'));
  expect(retryAfterS).toBeGreaterThan(0);
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    429,
    { error: 'Esta chave de API passou do limite de requisições. Tente novamente mais tarde.' },
  ]);
  expect(header(refused, 'ratelimit-policy')).toBe(`"key";q=100;w=${DAY_S}`);
  expect(header(refused, 'ratelimit')).toBe(`"key";r=0;t=${retryAfterS}`);

  const logged = async () =>
    (await core.ask('GET', `/gateway/admin/requests?key=${_id}&status=429&limit=1`)).body.requests;
  await until('the refusals are in the log of requests', async () => (await logged()).length > 0);
  expect((await logged())[0]).toMatchObject({ status: 429, reason: 'rate_limited', keyId: _id });
  await until('and in the access log', async () =>
    readFileSync(join(core.folder, 'access.log'), 'utf8').includes('"reason":"rate_limited"'),
  );
  expect(await usageCount(_id)).toBe(100);
});

test('each of a few requests is worth as much as at any other worker', async () => {
  const { key } = await createKey(3);
  const passed = await sendUntil(key, 3, await send(key, 6));
  expect([passed, await send(key, 12)]).toEqual([3, 0]);
});

test('a higher limit adds to what was used, a lower one counts it, none lets all pass', async () => {
  const { _id, key } = await createKey(40);
  expect(await sendUntil(key, 40, await send(key, 40))).toBe(40);
  await limit(_id, 60);
  expect(await sendUntil(key, 60, 40)).toBe(60);
  await limit(_id, 10);
  expect(await send(key, 20)).toBe(0);
  await limit(_id, null);
  await until('all pass', async () => (await send(key, 20)) === 20);
  expect(await send(key, 60)).toBe(60);
});

test('a worker that is killed takes its lease with it, and nothing of what was used', async () => {
  const { key } = await createKey(100);
  const before = await send(key, 40);
  const [pid] = readFileSync(`/proc/${edge.pid}/task/${edge.pid}/children`, 'utf8').trim().split(' ').map(Number);
  process.kill(pid ?? Number.NaN, 'SIGKILL');
  await until('another one has taken its place', async () => {
    const [ended, serving] = [await edge.metric('edge_workers_ended_total'), await edge.metric('edge_workers')];
    return ended === 1 && serving === 2;
  });
  // A worker holds seven of a hundred at most.
  const passed = await sendUntil(key, 93, before);
  expect(passed + (await send(key, 60))).toBeLessThanOrEqual(100);
});

test('no restart begins a new window, nor does the sudden end of the edge', async () => {
  const { _id, key } = await createKey(40);
  expect(await sendUntil(key, 40, await send(key, 40))).toBe(40);
  await edge.stop();
  await edge.start();
  await isKnown(key);
  expect(await send(key, 30)).toBe(0);
  await limit(_id, 50);
  await sendUntil(key, 10, await send(key, 20));
  const file = join(core.folder, 'edge/rates.json');
  const counted = (): number => {
    if (!existsSync(file)) return 0;
    const kept: { keyId: string; state: { counts: number[] } }[] = JSON.parse(readFileSync(file, 'utf8'));
    return kept.find(({ keyId }) => keyId === _id)?.state.counts.reduce((sum, count) => sum + count, 0) ?? 0;
  };
  // The database has it, or else the file in a moment.
  if (!process.env.TEST_ON_POSTGRES) await until('it is written', async () => counted() === 50);
  await edge.stop('SIGKILL');
  await edge.start();
  await isKnown(key);
  expect(await send(key, 30)).toBe(0);
});

/** One machine has a SQLite file to itself. */
const onPostgres = process.env.TEST_ON_POSTGRES ? test : test.skip;

onPostgres(
  'two machines let through what the limit says in all, after one is killed and after a restart too',
  async () => {
    const other = await new Edge(core).start();
    try {
      const { _id, key } = await createKey(200);
      await isKnown(key, other);
      const [here, there] = await Promise.all([send(key, 150), send(key, 150, other)]);
      const sum = await sendUntil(key, 200, here + there);
      expect([sum, await send(key, 30), await send(key, 30, other)]).toEqual([200, 0, 0]);
      expect(Math.min(here, there)).toBeGreaterThan(0);

      await limit(_id, 300);
      let last = await sendUntil(key, 40, await send(key, 40, other));
      await other.stop('SIGKILL');
      await edge.stop();
      await edge.start();
      await isKnown(key);
      await until('the limit is reached', async () => {
        const count = await send(key, 60);
        last += count;
        return count === 0;
      });
      expect(last).toBeLessThanOrEqual(100);
      // Each of the four workers takes twenty-two of three hundred along at most.
      expect(last).toBeGreaterThanOrEqual(100 - 4 * 22);
    } finally {
      await other.stop('SIGKILL');
    }
  },
);
