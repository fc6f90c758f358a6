import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { entities } from '../../app/entities';
import { createPostgresDatabase } from '../../testing/core';
import { createDatabase, type Database } from '../database/database';
import { createLog } from '../log/log';
import { Lease } from './lease.entity';
import { LeasedJob } from './leased-job';

const folder = mkdtempSync(join(tmpdir(), 'leased-job-'));
let database: Database;
beforeAll(async () => {
  const DATABASE_URL = await createPostgresDatabase('leased_job');
  database = createDatabase({ DATA_DIR: folder, DATABASE_URL }, entities);
  await database.open({ migrate: true });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

test('a lease that ends implausibly far in the future is taken over', async () => {
  const abandonedLease = { name: 'ahead', holder: 'a core that died', expiresAt: '2099-01-01T00:00:00.000Z' };
  await database.concurrentWrite((manager) => manager.insert(Lease, abandonedLease));
  let runCount = 0;
  const run = async () => {
    runCount += 1;
  };
  const job = new LeasedJob({ database, log: createLog('silent', 'test'), name: 'ahead', run });
  job.start();
  await waitFor('a run', () => runCount > 0);
  await job.stop();
});

// SQLite is skipped, because an installation on SQLite has one core and no leases.
(process.env.TEST_ON_POSTGRES ? test : test.skip)('a core that stops releases its lease', async () => {
  let runCount = 0;
  const run = async () => {
    runCount += 1;
  };
  const job = new LeasedJob({ database, log: createLog('silent', 'test'), name: 'handover', run });
  const startedAt = Date.now();
  const readLeaseEnd = async () => (await database.read.findOneByOrFail(Lease, { name: 'handover' })).expiresAt;
  job.start();
  await waitFor('a run', () => runCount > 0);
  expect(Date.parse(await readLeaseEnd())).toBeGreaterThan(startedAt);
  await job.stop();
  expect(Date.parse(await readLeaseEnd())).toBe(0);
});
