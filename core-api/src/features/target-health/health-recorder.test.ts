import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '../../app/entities';
import { createDatabase, type Database } from '../../platform/database/database';
import { createPostgresDatabase } from '../../testing/core';
import { HealthRecorder } from './health-recorder';

const HOUR_MS = 3_600_000;
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

test('the seconds of a target without hosts are written with the next flush, and once', async () => {
  const recorder = new HealthRecorder({
    database,
    machineId: 'm',
    timeZone: 'UTC',
    flushIntervalMs: HOUR_MS,
    maxGapMs: HOUR_MS,
  });
  const start = Date.parse('2026-01-15T12:00:00.000Z');
  const recordUp = (seconds: number) => {
    const checkedAt = new Date(start + seconds * 1_000).toISOString();
    recorder.record('kept', { state: 'up', status: 200, ms: 1, checkedAt, reason: null });
    recorder.record('removed', { state: 'up', status: 200, ms: 1, checkedAt, reason: null });
  };
  const written = () => database.read.query('SELECT target, "upSeconds" AS up FROM target_days ORDER BY target');
  recordUp(0);
  await recorder.flush();
  recordUp(60);
  recorder.keepOnly(new Set(['kept']));
  for (let turn = 0; turn < 2; turn += 1) {
    await recorder.flush();
    expect(await written()).toEqual([{ target: 'removed', up: 60 }]);
  }
  // Otherwise a later process would count this minute again.
  const [row] = await database.read.query(`SELECT "countedUntil" AS until FROM target_health WHERE target = 'removed'`);
  expect(row.until).toBe('2026-01-15T12:01:00.000Z');
  await recorder.flush(true);
  expect(await written()).toEqual([
    { target: 'kept', up: 60 },
    { target: 'removed', up: 60 },
  ]);
});
