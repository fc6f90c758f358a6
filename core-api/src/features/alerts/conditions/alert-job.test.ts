import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { entities } from '../../../app/entities';
import { createDatabase, type Database } from '../../../platform/database/database';
import { createPostgresDatabase } from '../../../testing/core';
import { Alert, Machine } from '../alert.entity';
import { AlertEngine } from './alert-engine';
import { AlertJob } from './alert-job';
import type { AlertSources } from './detectors';

const folder = mkdtempSync(join(tmpdir(), 'alert-job-'));
let database: Database;
beforeAll(async () => {
  database = createDatabase({ DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase('alert_job') }, entities);
  await database.open({ migrate: true });
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const createJob = (plan: () => Promise<boolean>) =>
  new AlertJob({
    database,
    machineId: 'esta',
    engine: new AlertEngine(database),
    planner: { plan },
    sources: {} as AlertSources,
    log: pino({ level: 'silent' }),
    onMessage: () => undefined,
  });

test('an outage of the database is reported at the next tick, even in the pause after a long tick', async () => {
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const job = createJob(async () => {
    now += 90_000;
    return false;
  });
  await job.tick();
  // During the tick, the database did not answer for 90 s, which is longer than the default threshold.
  job.recordDatabaseAnswer([]);
  now += 2_000;
  await job.tick();
  expect(await database.read.findBy(Alert, { kind: 'database' })).toMatchObject([{ resolvedAt: expect.any(String) }]);
});

/** Stores a machine that has not reported for an hour. @returns the condition of its alert */
async function createSilentMachine(id: string) {
  const seenAt = new Date(Date.now() - 3_600_000).toISOString();
  await database.concurrentWrite((manager) => manager.insert(Machine, { _id: id, name: id, seenAt, conditions: [] }));
  const subject = { type: 'machine', id, name: id } as const;
  return { kind: 'machine_gone', subject, machineId: '', since: seenAt, reason: '' } as const;
}

test('after an outage of the database, alerts about gone machines continue, and new ones wait for reports', async () => {
  const condition = await createSilentMachine('sumida');
  await createSilentMachine('outra');
  await new AlertEngine(database).reconcile('machine_gone', [], [condition], []);
  // A new job does not know whether the database was away a moment ago.
  await createJob(async () => false).tick();
  expect(await database.read.findBy(Alert, { kind: 'machine_gone' })).toMatchObject([
    { subjectId: 'sumida', resolvedAt: null },
  ]);
});

test('the alert about a gone machine ends when this machine runs the job, even before its first report', async () => {
  await new AlertEngine(database).reconcile('machine_gone', [], [await createSilentMachine('esta')], []);
  await createJob(async () => false).tick();
  expect(await database.read.findBy(Alert, { kind: 'machine_gone', subjectId: 'esta' })).toMatchObject([
    { resolvedAt: expect.any(String) },
  ]);
});
