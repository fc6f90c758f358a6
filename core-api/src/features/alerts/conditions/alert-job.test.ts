import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { entities } from '../../../app/entities';
import { createDatabase, type Database } from '../../../platform/database/database';
import { createPostgresDatabase } from '../../../testing/core';
import { Alert } from '../alert.entity';
import { AlertEngine } from './alert-engine';
import { AlertJob } from './alert-job';
import type { AlertSources } from './detectors';

const folder = mkdtempSync(join(tmpdir(), 'alert-job-'));
let database: Database;
beforeAll(async () => {
  database = createDatabase({ DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase('alert_job') }, entities);
  await database.open({ migrate: true });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await database.close();
  rmSync(folder, { recursive: true });
});

test('an outage of the database is reported at the next tick, even in the pause after a long tick', async () => {
  let now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const planner = {
    plan: async () => {
      now += 90_000;
      return false;
    },
  };
  const job = new AlertJob({
    database,
    machineId: 'esta',
    engine: new AlertEngine(database),
    planner,
    sources: {} as AlertSources,
    log: pino({ level: 'silent' }),
    onMessage: () => undefined,
  });
  await job.tick();
  // During the tick, the database did not answer for 90 s, which is longer than the default threshold.
  job.recordDatabaseAnswer([]);
  now += 2_000;
  await job.tick();
  expect(await database.read.findBy(Alert, { kind: 'database' })).toMatchObject([{ resolvedAt: expect.any(String) }]);
});
