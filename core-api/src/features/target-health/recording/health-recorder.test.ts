import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '../../../app/entities';
import { createCommandContext, createDatabase, type Database } from '../../../platform/database/database';
import { HOUR_MS } from '../../../platform/time/relative-time';
import { createPostgresDatabase } from '../../../testing/core';
import { HealthRecorder } from './health-recorder';

const folder = mkdtempSync(join(tmpdir(), 'health-recorder-'));
let database: Database;
beforeAll(async () => {
  database = createDatabase({ DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase('recorder') }, entities);
  await database.open({ migrate: true });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const createRecorder = () =>
  new HealthRecorder({ database, machineId: 'm', timeZone: 'UTC', flushIntervalMs: HOUR_MS, maxGapMs: HOUR_MS });

test('an outage that is confirmed while earlier results are written becomes an incident', async () => {
  const recorder = createRecorder();
  const record = (state: 'up' | 'down', second: number) => {
    const checkedAt = `2026-01-15T12:00:0${second}.000Z`;
    recorder.record('port', { state, status: null, ms: 1, checkedAt, reason: null });
  };
  const write = database.concurrentWrite;
  jest.spyOn(database, 'concurrentWrite').mockImplementationOnce(async (work) => {
    const result = await write(work);
    for (const second of [1, 2, 3]) record('down', second);
    return result;
  });
  record('up', 0);
  await recorder.flush();
  await recorder.flush();
  expect(await database.read.query(`SELECT "startedAt" AS at FROM target_incidents WHERE target = 'port'`)).toEqual([
    { at: '2026-01-15T12:00:01.000Z' },
  ]);
});

test('the uptime seconds of a target that no host has any more are written once, with the next flush', async () => {
  const recorder = createRecorder();
  const start = Date.parse('2026-01-15T12:00:00.000Z');
  const recordUp = (seconds: number) => {
    const checkedAt = new Date(start + seconds * 1_000).toISOString();
    recorder.record('kept', { state: 'up', status: 200, ms: 1, checkedAt, reason: null });
    recorder.record('removed', { state: 'up', status: 200, ms: 1, checkedAt, reason: null });
  };
  const listWrittenSeconds = () =>
    database.read.query(`SELECT target, "upSeconds" AS up FROM target_days WHERE target <> 'port' ORDER BY target`);
  recordUp(0);
  await recorder.flush();
  recordUp(60);
  recorder.keepOnly(new Set(['kept']));
  for (let turn = 0; turn < 2; turn += 1) {
    await recorder.flush();
    expect(await listWrittenSeconds()).toEqual([{ target: 'removed', up: 60 }]);
  }
  // The row proves that a later process does not count this minute a second time.
  const [row] = await database.read.query(`SELECT "countedUntil" AS until FROM target_health WHERE target = 'removed'`);
  expect(row.until).toBe('2026-01-15T12:01:00.000Z');
  await recorder.flush({ isForced: true });
  expect(await listWrittenSeconds()).toEqual([
    { target: 'kept', up: 60 },
    { target: 'removed', up: 60 },
  ]);
});

function recordAll(recorder: HealthRecorder, targets: readonly string[]): void {
  const result = { state: 'up' as const, status: 200, ms: 1, checkedAt: '2026-01-15T12:00:00.000Z', reason: null };
  for (const target of targets) recorder.record(target, result);
}

test('a write of an administrator does not wait until the results of many targets are stored', async () => {
  const recorder = createRecorder();
  const count = async (manager: Database['read']) =>
    Number((await manager.query(`SELECT COUNT(*) AS count FROM target_health WHERE target LIKE 'many-%'`))[0].count);
  recordAll(
    recorder,
    Array.from({ length: 1_200 }, (_, index) => `many-${index}`),
  );
  const write = database.concurrentWrite;
  let rowsSeenByEdit: Promise<number> | undefined;
  jest.spyOn(database, 'concurrentWrite').mockImplementationOnce((work) => {
    const writePromise = write(work);
    rowsSeenByEdit = database.serializedWrite(createCommandContext('test'), count);
    return writePromise;
  });
  await recorder.flush();
  expect(await rowsSeenByEdit).toBeLessThan(1_200);
  expect(await count(database.read)).toBe(1_200);
});

test('a new process continues from the stored results of 1,200 targets', async () => {
  const targets = Array.from({ length: 1_200 }, (_, index) => `stored-${index}`);
  const earlierRecorder = createRecorder();
  recordAll(earlierRecorder, targets);
  await earlierRecorder.flush();
  const recorder = createRecorder();
  await recorder.load();
  expect(targets.filter((target) => recorder.findResult(target)?.state !== 'up')).toEqual([]);
});

// PostgreSQL is skipped, because the test measures the file of SQLite.
(process.env.TEST_ON_POSTGRES ? test.skip : test)(
  'a write of 1,000 unchanged results changes few pages of the database file',
  async () => {
    const recorder = createRecorder();
    const targets = Array.from({ length: 1_000 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'));
    recordAll(recorder, targets);
    await recorder.flush({ isForced: true });
    recordAll(recorder, targets);
    await database.read.query('PRAGMA wal_checkpoint(TRUNCATE)');
    await recorder.flush({ isForced: true });
    // A page and its header take 4,120 bytes.
    expect(statSync(join(folder, 'studio.sqlite-wal')).size).toBeLessThan(80 * 4_120);
  },
);
