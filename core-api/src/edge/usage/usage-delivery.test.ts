import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../platform/config/config';
import { createLog } from '../../platform/log/log';
import { DAY_MS, HOUR_MS } from '../../platform/time/relative-time';
import type { CountedSubject } from '../../platform/usage/counted-subject';
import { Core } from '../../testing/core';
import { createKey, findKey } from '../../testing/records';
import { EdgeStore } from '../config-sync/edge-store';
import { StateFolder } from '../config-sync/state-folder';
import { UsageDelivery } from './usage-delivery';

const log = createLog('silent', 'edge');
let core: Core;
let store: EdgeStore;
let files: StateFolder;

const createCounts = (minute: string, requests: number) => ({
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
  store = new EdgeStore(readConfig(core.database));
  files = new StateFolder(core.folder, log);
});
afterAll(async () => {
  await store?.close();
  await core?.stop();
});

test('a batch that is delivered twice counts once, and lastUsedAt never decreases', async () => {
  const { _id: keyId } = await createKey(core);
  const now = new Date().toISOString();
  const hourAgo = new Date(Date.now() - HOUR_MS).toISOString();
  const createUsage = (requests: number, lastUsedAt: string, entityId = keyId): CountedSubject => ({
    dimension: 'key',
    entityId,
    lastUsedAt,
    minutes: [createCounts(`${now.slice(0, 16)}:00.000Z`, requests)],
  });
  await store.addUsage('edge-a', 1, [createUsage(5, now)]);
  await store.addUsage('edge-a', 1, [createUsage(5, now)]);
  await store.addUsage('edge-b', 1, [createUsage(2, hourAgo)]);
  await store.addUsage('edge-a', 2, [createUsage(9, now, 'a key that is gone'), createUsage(1, hourAgo)]);
  expect(await findKey(core, keyId)).toMatchObject({ usageCount: 8, lastUsedAt: now });
  const { series } = (await core.request('GET', '/gateway/admin/usage?range=day')).body;
  const pointsByKey = new Map<string, { requests: number }[]>(
    series.map((entry: { keyId: string; points: { requests: number }[] }) => [entry.keyId, entry.points]),
  );
  expect(pointsByKey.get(keyId)?.reduce((sum, { requests }) => sum + requests, 0)).toBe(8);
  expect(pointsByKey.has('a key that is gone')).toBe(false);
});

test('counts of a long outage are stored in batches exactly once, despite lost confirmations and a crash', async () => {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const outageUsage = Array.from(
    { length: 25 },
    (_, route): CountedSubject => ({
      dimension: 'route',
      entityId: `route ${route}`,
      minutes: Array.from({ length: 200 }, (_minute, index) =>
        createCounts(new Date(midnight + index * 60_000).toISOString(), 2),
      ),
    }),
  );
  const unreachableDelivery = new UsageDelivery(
    { addUsage: () => Promise.reject(new Error('away')) },
    files,
    'edge-of-outage',
    log,
  );
  unreachableDelivery.add([
    { dimension: 'route', entityId: 'route 0', minutes: [createCounts(new Date(midnight).toISOString(), 1)] },
  ]);
  await unreachableDelivery.deliver();
  unreachableDelivery.add(outageUsage);
  await unreachableDelivery.persist();

  /** Creates a database that confirms `confirmedCount` batches and stores the next one, whose confirmation is lost. */
  const loseConfirmationAfter = (confirmedCount: number) => {
    let batchCount = 0;
    return {
      async addUsage(edgeId: string, sequence: number, usage: CountedSubject[]) {
        expect(usage.reduce((sum, { minutes }) => sum + minutes.length, 0)).toBeLessThanOrEqual(1_000);
        await store.addUsage(edgeId, sequence, usage);
        batchCount += 1;
        if (batchCount > confirmedCount) throw new Error('lost');
      },
    };
  };
  for (const confirmedCount of [2, 1, Number.POSITIVE_INFINITY]) {
    const delivery = new UsageDelivery(
      loseConfirmationAfter(confirmedCount),
      files,
      `edge after ${confirmedCount}`,
      log,
    );
    await delivery.recover();
    await delivery.deliver();
    await delivery.persist();
  }
  const storedSums = await core.query(
    `SELECT SUM(u.requests) AS requests, COUNT(*) AS rows FROM usage_days u JOIN usage_subjects s ON s.id = u.subject
     WHERE s.dimension = 'route'`,
  );
  expect(storedSums.map((row) => Object.values(row).map(Number))).toEqual([[25 * 200 * 2 + 1, 25]]);
  expect(existsSync(join(core.folder, 'edge', 'usage.json'))).toBe(false);
});

test('counts wait while the database is locked, and are stored once afterwards', async () => {
  const delivery = new UsageDelivery(store, files, 'edge-of-lock', log);
  const { _id: keyId } = await createKey(core);
  const lastUsedAt = new Date().toISOString();
  const minutes = [createCounts(`${lastUsedAt.slice(0, 16)}:00.000Z`, 3)];
  const readUsageCount = async () => (await findKey(core, keyId)).usageCount;
  const unlock = await core.lockUsage();
  let whenDelivered = Promise.resolve();
  try {
    delivery.add([
      { dimension: 'gateway', entityId: '', minutes },
      { dimension: 'key', entityId: keyId, lastUsedAt, minutes },
    ]);
    whenDelivered = delivery.deliver();
    expect(await readUsageCount()).toBe(0);
    expect(delivery.pending).toBe(3);
  } finally {
    await unlock();
  }
  await whenDelivered;
  await delivery.deliver();
  expect([await readUsageCount(), delivery.pending]).toEqual([3, 0]);
});

test('counts of a day without a database are merged by hour, without a loss', async () => {
  const delivery = new UsageDelivery(store, files, 'edge-of-days', log);
  const yesterday = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS;
  for (let minute = 0; minute < 1_440; minute += 1) {
    const at = new Date(yesterday + minute * 60_000).toISOString();
    delivery.add(
      Array.from({ length: 20 }, (_, service) => ({
        dimension: 'service' as const,
        entityId: `service ${service}`,
        minutes: [createCounts(at, 1)],
      })),
    );
  }
  await delivery.deliver();
  const storedSums = await core.query(
    `SELECT SUM(u.requests) AS requests, SUM(u.b0) AS fast FROM usage_hours u JOIN usage_subjects s ON s.id = u.subject
     WHERE s.dimension = 'service'`,
  );
  expect(storedSums.map((row) => Object.values(row).map(Number))).toEqual([[28_800, 28_800]]);
});

test('a state file of another version is renamed and not used', async () => {
  const folder = join(core.folder, 'edge');
  await files.write('usage.json', { version: 0, batches: [] });
  const delivery = new UsageDelivery(store, files, 'edge-now', log);
  await delivery.recover();
  expect([existsSync(join(folder, 'usage.json')), existsSync(join(folder, 'usage.json.invalid'))]).toEqual([
    false,
    true,
  ]);
  expect(delivery.pending).toBe(0);
});
