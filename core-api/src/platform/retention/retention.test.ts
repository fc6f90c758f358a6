import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { entities } from '../../app/entities';
import { createRetentionRules } from '../../app/retention-rules';
import { recordUsage } from '../../features/gateway/usage/record-usage';
import { withRunner } from '../../operations/backup/connections';
import { openInstallation } from '../../operations/backup/installation';
import { listTables } from '../../operations/backup/tables';
import { createPostgresDatabase } from '../../testing/core';
import { readConfig } from '../config/config';
import { createDatabase, type Database } from '../database/database';
import { createLog } from '../log/log';
import { DAY_MS, HOUR_MS } from '../time/relative-time';
import { applyRetention, createRetentionJob } from './retention';
import { RetentionClock } from './retention-clock.entity';

const folder = mkdtempSync(join(tmpdir(), 'retention-'));
const now = Date.now();
const toIsoDaysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString();
let installation: { DATA_DIR: string; DATABASE_URL: string | undefined };
let database: Database;
beforeAll(async () => {
  installation = { DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase('retention') };
  database = createDatabase(installation, entities);
  await database.open({ migrate: true });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const rules = createRetentionRules(readConfig({ CONTACT_RETENTION_DAYS: '365' }));
const countRows = async (table: string) =>
  Number((await database.read.query(`SELECT COUNT(*) AS n FROM ${table}`))[0].n);

/** The bound of the number of rows, for each table without a retention rule. */
const boundByTable: Record<string, string> = {
  accounts: 'people',
  recovery_codes: 'ten for each account',
  api_tokens: 'people',
  subdomains: 'administrators',
  projects: 'administrators',
  tenants: 'administrators',
  host_claims: 'subdomains, tenants and previews',
  host_policies: 'one for each site and project',
  site_versions: 'garbage collection: 20 for each site, and pinned ones',
  site_activations: 'site_versions',
  content: 'garbage collection: the content of versions',
  content_parts: 'content',
  content_holders: 'versions and machines',
  gateway_services: 'administrators',
  gateway_routes: 'administrators',
  gateway_route_methods: 'seven for each route',
  api_keys: 'administrators',
  rate_windows: 'one for each key',
  site_domains: 'administrators',
  domain_status: 'two for each domain',
  leases: 'one for each job',
  retention_clock: 'one row',
  settings: 'one row',
  backup_plan: 'one row',
  alert_channels: 'administrators',
  alert_rules: 'administrators',
  maintenance_windows: 'administrators',
  alert_notifications: 'three for each alert and channel',
  alert_flaps: 'one for each subject, until it is quiet',
  secret_fingerprints: 'two rows',
  installation: 'one row',
  configuration_revision: 'one row',
  configuration_changes: 'the last 10,000',
  contact_deliveries: 'two for each message',
  request_log: 'the last 10,000',
};

test('every table has a retention rule or another bound', async () => {
  const source = await openInstallation({ ...installation, JWT_SECRET: undefined, SETTINGS_KEY: undefined });
  const names = (await withRunner(source, listTables)).map(({ name }) => name);
  await source.destroy();
  const coveredTables = [...Object.keys(boundByTable), ...rules.map(({ table }) => table)];
  expect(names.filter((name) => !coveredTables.includes(name))).toEqual([]);
});

test('rows are removed when their retention time is over, and not before', async () => {
  const createMinute = (days: number) => ({
    minute: toIsoDaysAgo(days),
    requests: 1,
    errors4xx: 0,
    errors5xx: 0,
    refused: 0,
    durationMs: 5,
    latency: [0, 0, 0, 1],
  });
  const formatMessageRow = (id: string, days: number, spam: boolean) =>
    `('${id}', 'n', 'e@x', 'm', ${spam}, '192.0.2.1', '${toIsoDaysAgo(days)}')`;
  await database.concurrentWrite(async (manager) => {
    await recordUsage(manager, [
      { dimension: 'key', entityId: 'used', minutes: [0, 1, 3, 80, 100, 399, 401].map(createMinute) },
      { dimension: 'route', entityId: 'forgotten', minutes: [createMinute(500)] },
    ]);
    await manager.query(`INSERT INTO usage_batches ("edgeId", sequence, "deliveredAt") VALUES
      ('gone', 1, '${toIsoDaysAgo(31)}'), ('here', 1, '${toIsoDaysAgo(1)}')`);
    await manager.query(
      `INSERT INTO login_failures (key, failures, "endsAt") VALUES ('a', 1, '${toIsoDaysAgo(1)}'), ('b', 1, '${toIsoDaysAgo(-1)}')`,
    );
    await manager.query(
      `INSERT INTO ended_sessions (id, "endsAt") VALUES ('a', '${toIsoDaysAgo(1)}'), ('b', '${toIsoDaysAgo(-1)}')`,
    );
    await manager.query(`INSERT INTO contact_messages (_id, name, email, message, spam, address, "createdAt") VALUES
      ${formatMessageRow('old', 366, false)}, ${formatMessageRow('new', 364, false)}, ${formatMessageRow('spam', 31, true)}, ${formatMessageRow('new spam', 29, true)}`);
    await manager.query(`INSERT INTO contact_deliveries ("messageId", channel, state, attempts, "nextAttemptAt")
      VALUES ('old', 'email', 'sent', 1, '${toIsoDaysAgo(366)}')`);
  });
  expect(await countRows('usage_days')).toBe(8);
  await applyRetention(database, rules, now);
  const expectedCounts = {
    usage_minutes: 2, // Kept for 2 days.
    usage_hours: 4, // Kept for 90 days.
    usage_days: 6, // Kept for 400 days.
    usage_subjects: 1,
    usage_batches: 1,
    login_failures: 1,
    ended_sessions: 1,
    contact_messages: 2,
    contact_deliveries: 0,
  };
  for (const [table, count] of Object.entries(expectedCounts))
    expect([table, await countRows(table)]).toEqual([table, count]);
});

test('health results of a removed machine are removed, and results of other machines stay', async () => {
  const formatHealthRow = (machine: string, days: number) =>
    `('127.0.0.1:4000', '${machine}', 'up', '${toIsoDaysAgo(days)}')`;
  await database.concurrentWrite((manager) =>
    manager.query(
      `INSERT INTO target_health (target, "machineId", state, "checkedAt") VALUES ${formatHealthRow('gone', 2)}, ${formatHealthRow('here', 0)}`,
    ),
  );
  await applyRetention(database, rules, now);
  expect(await database.read.query('SELECT "machineId" FROM target_health')).toEqual([{ machineId: 'here' }]);
});

test('days of availability are kept for 400 days, and known networks of an account for 30 days', async () => {
  const formatDayRow = (days: number) => `('127.0.0.1:4000', 'here', '${toIsoDaysAgo(days).slice(0, 10)}')`;
  const formatNetworkRow = (name: string, days: number) => `('person', '${name}', '${toIsoDaysAgo(days)}')`;
  await database.concurrentWrite(async (manager) => {
    await manager.query(
      `INSERT INTO target_days (target, "machineId", day) VALUES ${formatDayRow(402)}, ${formatDayRow(401)}, ${formatDayRow(400)}`,
    );
    await manager.query(`INSERT INTO accounts (_id, username, "passwordHash", "tokenVersion", "createdAt")
      VALUES ('person', 'ana', '', 1, '${toIsoDaysAgo(500)}')`);
    await manager.query(`INSERT INTO login_addresses ("accountId", network, "lastLoginAt")
      VALUES ${formatNetworkRow('192.0.2.1', 31)}, ${formatNetworkRow('192.0.2.2', 29)}`);
  });
  await applyRetention(database, rules, now);
  expect(await database.read.query('SELECT day FROM target_days')).toEqual([{ day: toIsoDaysAgo(400).slice(0, 10) }]);
  expect(await database.read.query('SELECT network FROM login_addresses')).toEqual([{ network: '192.0.2.2' }]);
});

test('old rows are removed in batches, so that other writes do not wait', async () => {
  await database.concurrentWrite((manager) =>
    recordUsage(
      manager,
      Array.from({ length: 350 }, (_, index) => ({
        dimension: 'key' as const,
        entityId: `k${index}`,
        minutes: [
          {
            minute: toIsoDaysAgo(500),
            requests: 1,
            errors4xx: 0,
            errors5xx: 0,
            refused: 0,
            durationMs: 1,
            latency: [],
          },
        ],
      })),
    ),
  );
  let writeCount = 0;
  const countingDatabase: Pick<Database, 'concurrentWrite'> = {
    concurrentWrite(work) {
      writeCount += 1;
      return database.concurrentWrite(work);
    },
  };
  await applyRetention(countingDatabase, rules, now);
  expect(await countRows('usage_subjects')).toBe(1);
  // The 350 subjects are removed from each of the three tables of usage in four batches of at most 100.
  expect(writeCount).toBeGreaterThan(4 * 3);
});

test('after the clock jumps ahead, nothing is removed until the clock has stayed ahead for a day', async () => {
  await database.concurrentWrite((manager) =>
    manager.query(
      `INSERT INTO ended_sessions (id, "endsAt") VALUES ('leap', '${new Date(now + 30 * DAY_MS).toISOString()}')`,
    ),
  );
  const applyAt = async (clock: number) => {
    const isApplied = await applyRetention(database, rules, clock);
    return [isApplied, await countRows('ended_sessions')];
  };
  const wrongTime = now + 400 * DAY_MS;
  // A jump is measured from the clock of the last run.
  const [, earlierCount] = await applyAt(now);
  // The clock jumps ahead twice, and each time it is corrected after 20 hours.
  for (let jump = 0; jump < 2; jump += 1) {
    for (let run = 0; run < 20; run += 1)
      expect(await applyAt(wrongTime + run * HOUR_MS)).toEqual([false, earlierCount]);
    expect(await applyAt(now + jump * HOUR_MS)).toEqual([true, earlierCount]);
  }
  // A clock that stays ahead for a day counts as plausible, because the product may have been stopped for long.
  for (let run = 0; run < 23; run += 1) expect(await applyAt(wrongTime + run * HOUR_MS)).toEqual([false, earlierCount]);
  expect(await applyAt(wrongTime + 23 * HOUR_MS)).toEqual([true, 0]);
  // A clock that is set back, or is two days ahead of the last run, counts as plausible immediately.
  expect(await applyAt(now)).toEqual([true, 0]);
  expect(await applyAt(now + 2 * DAY_MS)).toEqual([true, 0]);
});

// SQLite is skipped, because an installation on SQLite has one core.
(process.env.TEST_ON_POSTGRES ? test : test.skip)('two cores count a clock that is ahead once an hour', async () => {
  const earlierClock = { id: 0, plausibleAt: toIsoDaysAgo(400), implausibleRuns: 0 };
  await database.concurrentWrite((manager) => manager.upsert(RetentionClock, earlierClock, ['id']));
  let elapsedMs = 0;
  const readClock = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => readClock() + elapsedMs);
  const readRuns = async () => (await database.read.findOneByOrFail(RetentionClock, { id: 0 })).implausibleRuns;
  const startJob = () => {
    const job = createRetentionJob(database, [], createLog('silent', 'test'));
    job.start();
    elapsedMs += 61_000; // The first run is a minute after the start.
    return job;
  };
  const jobs = [startJob()];
  await waitFor('a run of the first core', async () => (await readRuns()) === 1);
  jobs.push(startJob());
  // A job looks for due work about once a second.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await readRuns()).toBe(1);
  elapsedMs += HOUR_MS;
  await waitFor('a run an hour later', async () => (await readRuns()) === 2);
  for (const job of jobs) await job.stop();
  clock.mockRestore();
});
