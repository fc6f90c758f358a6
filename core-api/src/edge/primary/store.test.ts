import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../config';
import { createLog } from '../../log';
import { latencyBucket } from '../../rules/latency';
import { Core } from '../../testing/core';
import type { CountedSubject } from '../counted-usage';
import { StateFolder } from './state-folder';
import { Store } from './store';
import { UsageDelivery } from './usage-delivery';

let core: Core;
let store: Store;

const counts = (minute: string, requests: number) => ({
  minute,
  requests,
  errors4xx: 0,
  errors5xx: 0,
  refused: 0,
  durationMs: 12.6,
  latency: [requests],
});

beforeAll(async () => {
  core = await new Core().start();
  store = new Store(readConfig(core.database));
});
afterAll(async () => {
  await store?.close();
  await core?.stop();
});

test('a batch that is delivered twice counts once; the last use never goes back (98)', async () => {
  const body = { name: 'k', permissions: ['*'], allowedIps: [] };
  const { _id: keyId } = (await core.ask('POST', '/gateway/admin/keys', { body })).body;
  const now = new Date().toISOString();
  const earlier = new Date(Date.now() - 3_600_000).toISOString();
  const used = (requests: number, lastUsedAt: string, entityId = keyId): CountedSubject => ({
    dimension: 'key',
    entityId,
    lastUsedAt,
    minutes: [counts(`${now.slice(0, 16)}:00.000Z`, requests)],
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

test('what gathered in a long outage arrives in parts, each once, though confirmations get lost and the edge dies', async () => {
  const log = createLog('silent', 'edge');
  const files = new StateFolder(core.folder);
  const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const outage = Array.from(
    { length: 25 },
    (_, route): CountedSubject => ({
      dimension: 'route',
      entityId: `route ${route}`,
      minutes: Array.from({ length: 200 }, (_minute, at) => counts(new Date(midnight + at * 60_000).toISOString(), 2)),
    }),
  );
  const unreachable = new UsageDelivery(
    { addUsage: () => Promise.reject(new Error('away')) },
    files,
    'edge-of-outage',
    log,
  );
  unreachable.add([
    { dimension: 'route', entityId: 'route 0', minutes: [counts(new Date(midnight).toISOString(), 1)] },
  ]);
  await unreachable.deliver();
  unreachable.add(outage);
  await unreachable.spill();

  /** The database takes so many batches; the confirmation of the next one is lost, and with it the edge. */
  const takes = (most: number) => {
    let taken = 0;
    return {
      async addUsage(...batch: Parameters<Store['addUsage']>) {
        expect(batch[2].reduce((sum, { minutes }) => sum + minutes.length, 0)).toBeLessThanOrEqual(1_000);
        await store.addUsage(...batch);
        taken += 1;
        if (taken > most) throw new Error('lost');
      },
    };
  };
  for (const most of [2, 1, Number.POSITIVE_INFINITY]) {
    const next = new UsageDelivery(takes(most), files, `edge after ${most}`, log);
    await next.recover();
    await next.deliver();
    await next.spill();
  }
  const stored = await core.query(
    `SELECT SUM(u.requests) AS requests, COUNT(*) AS rows FROM usage_days u JOIN usage_subjects s ON s.id = u.subject
     WHERE s.dimension = 'route'`,
  );
  expect(stored.map((row) => Object.values(row).map(Number))).toEqual([[25 * 200 * 2 + 1, 25]]);
  expect(existsSync(join(core.folder, 'edge', 'usage.json'))).toBe(false);
});

test('days without a database fit into memory: what waits is kept by the hour, and none is lost', async () => {
  const delivery = new UsageDelivery(store, new StateFolder(core.folder), 'edge-of-days', createLog('silent', 'edge'));
  const yesterday = Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000;
  for (let minute = 0; minute < 1_440; minute += 1) {
    const at = new Date(yesterday + minute * 60_000).toISOString();
    delivery.add(
      Array.from({ length: 20 }, (_, service) => ({
        dimension: 'service' as const,
        entityId: `service ${service}`,
        minutes: [counts(at, 1)],
      })),
    );
  }
  await delivery.deliver();
  const stored = await core.query(
    `SELECT SUM(u.requests) AS requests, SUM(u.b0) AS fast FROM usage_hours u JOIN usage_subjects s ON s.id = u.subject
     WHERE s.dimension = 'service'`,
  );
  expect(stored.map((row) => Object.values(row).map(Number))).toEqual([[28_800, 28_800]]);
});

test('counts that an earlier build kept by key alone are delivered', async () => {
  const body = { name: 'before', permissions: ['*'], allowedIps: [] };
  const { _id: keyId } = (await core.ask('POST', '/gateway/admin/keys', { body })).body;
  const lastUsedAt = new Date().toISOString();
  const minute = {
    minute: `${lastUsedAt.slice(0, 16)}:00.000Z`,
    requests: 3,
    errors4xx: 1,
    errors5xx: 0,
    durationMs: 9,
  };
  const files = new StateFolder(core.folder);
  const usage = [{ keyId, count: 3, lastUsedAt, minutes: [minute] }];
  await files.write('usage.json', [{ edgeId: 'edge-before', sequence: 1, usage }]);
  const delivery = new UsageDelivery(store, files, 'edge-now', createLog('silent', 'edge'));
  await delivery.recover();
  await delivery.deliver();
  const keys: { _id: string }[] = (await core.ask('GET', '/gateway/admin/keys')).body;
  expect(keys.find(({ _id }) => _id === keyId)).toMatchObject({ usageCount: 3, lastUsedAt });
});

test.each([
  [0, 0],
  [1, 0],
  [1.1, 1],
  [2, 1],
  [2.5, 2],
  [16_384, 14],
  [16_385, 15],
  [Number.MAX_SAFE_INTEGER, 15],
])('an answer after %d ms is in bucket %d', (ms, bucket) => {
  expect(latencyBucket(ms)).toBe(bucket);
});
