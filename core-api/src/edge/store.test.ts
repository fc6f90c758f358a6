import { readConfig } from '../config';
import { Core } from '../testing/core';
import { Store } from './store';

let core: Core;
let store: Store;

beforeAll(async () => {
  core = await new Core().start();
  store = new Store(readConfig(core.database));
  await store.open();
}, 60_000);
afterAll(async () => {
  await store?.close();
  await core?.stop();
});

test('a batch that is delivered twice counts once; the last use never goes back (98)', async () => {
  const body = { name: 'k', permissions: ['*'], allowedIps: [] };
  const { _id: keyId } = (await core.ask('POST', '/gateway/admin/keys', { body })).body;
  const now = new Date().toISOString();
  const earlier = new Date(Date.now() - 3_600_000).toISOString();
  const used = (count: number, lastUsedAt: string, key = keyId) => ({
    keyId: key,
    count,
    lastUsedAt,
    minutes: [{ minute: `${now.slice(0, 16)}:00.000Z`, requests: count, errors4xx: 0, errors5xx: 0, durationMs: 12.6 }],
  });
  await store.addUsage('edge-a', 1, [used(5, now)]);
  await store.addUsage('edge-a', 1, [used(5, now)]);
  await store.addUsage('edge-b', 1, [used(2, earlier)]);
  await store.addUsage('edge-a', 2, [used(9, now, 'a key that is gone'), used(1, earlier)]);
  expect((await core.ask('GET', '/gateway/admin/keys')).body).toMatchObject([{ usageCount: 8, lastUsedAt: now }]);
  const { series } = (await core.ask('GET', '/gateway/admin/usage?range=day')).body;
  const requests = series.flatMap(({ points }: { points: { requests: number }[] }) => points);
  expect(requests.reduce((sum: number, point: { requests: number }) => sum + point.requests, 0)).toBe(8);
});
