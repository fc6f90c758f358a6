/** Measures metrics over a year of 1,000 busy keys: duration of each call, delay of other reads, and size of each table. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Stack } from '../testing/harness.mjs';

const KEYS = Number(process.argv[2] ?? 1_000);
const MAX_CALL_MS = 300;
const MAX_OTHER_READ_MS = 50;
const ROUNDS = 5;
const sqlite3 = createRequire(new URL('../../core-api/package.json', import.meta.url))('sqlite3');
const print = (line) => process.stdout.write(`${line}\n`);
const failures = [];

const runSql = (database, sql) =>
  new Promise((resolve, reject) => database.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))));

/**
 * Creates usage of every key, route, service and refusal, and of the gateway, in every minute, hour and day of the
 * retention.
 */
async function seedUsage(database) {
  const keys = await runSql(database, 'SELECT _id FROM api_keys');
  await runSql(database, 'PRAGMA synchronous = OFF');
  await runSql(database, 'BEGIN');
  await runSql(
    database,
    `INSERT OR IGNORE INTO usage_subjects (dimension, "entityId", reason)
     SELECT 'key', _id, '' FROM api_keys UNION ALL SELECT 'route', _id, '' FROM gateway_routes
     UNION ALL SELECT 'service', _id, '' FROM gateway_services UNION ALL SELECT 'gateway', 'gateway', column1
     FROM (VALUES (''), ('path'), ('no_route'), ('method'), ('no_key'), ('unknown_key'), ('permission'), ('rate_limited'))`,
  );
  const buckets = Array.from({ length: 16 }, (_, index) => `b${index}`);
  for (const { table, unitMs, units } of [
    { table: 'usage_minutes', unitMs: 60_000, units: 2_880 },
    { table: 'usage_hours', unitMs: 3_600_000, units: 2_160 },
    { table: 'usage_days', unitMs: 86_400_000, units: 400 },
  ]) {
    const now = Math.floor(Date.now() / unitMs);
    await runSql(database, `DELETE FROM ${table}`);
    await runSql(
      database,
      `WITH RECURSIVE unit(n) AS (SELECT ${now - units + 1} UNION ALL SELECT n + 1 FROM unit WHERE n < ${now})
       INSERT INTO ${table} (subject, "at", requests, "errors4xx", "errors5xx", "durationMs", ${buckets.join(', ')})
       SELECT s.id, n, 1000 + (n + s.id) % 900, n % 7, n % 3, 20000 + n % 999, ${buckets.map((_, index) => `(n + s.id) % ${index * 9 + 2}`).join(', ')}
       FROM usage_subjects s CROSS JOIN unit ORDER BY 1, 2`,
    );
  }
  await runSql(database, 'COMMIT');
  await runSql(database, 'PRAGMA wal_checkpoint(TRUNCATE)');
  return keys.length;
}

async function measureMs(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const stack = await Stack.start({ processes: ['core'], seed: ['--keys', String(KEYS)] });
try {
  const database = new sqlite3.Database(join(stack.folder, 'studio.sqlite'));
  const seedMs = await measureMs(() => seedUsage(database));
  print(`${KEYS} keys, usage seeded in ${(seedMs / 1000).toFixed(0)} s`);
  const measureList = () => measureMs(() => stack.request('GET', '/projects'));
  for (let turn = 0; turn < 50; turn += 1) await measureList();
  const quietTimes = [];
  for (let turn = 0; turn < 100; turn += 1) quietTimes.push(await measureList());
  print(`other reads, nothing else running: at most ${Math.max(...quietTimes).toFixed(0)} ms`);
  const token = await stack.logIn();
  const get = async (path) => {
    const response = await fetch(`${stack.coreUrl}/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await response.arrayBuffer();
  };
  const calls = [
    ...['day', 'week', 'month', 'year'].map((range) => `usage?range=${range}`),
    ...['1h', '24h', '7d', '30d'].map((range) => `metrics?range=${range}&by=key`),
    'metrics/keys',
    'metrics/csv?range=30d&by=key',
  ];
  for (const call of calls) {
    const path = `/gateway/admin/${call}`;
    const times = [];
    const waits = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      let isDone = false;
      const pendingCall = measureMs(() => get(path)).finally(() => (isDone = true));
      while (!isDone) waits.push(await measureList());
      times.push(await pendingCall);
    }
    const [longest, longestWait] = [Math.max(...times), Math.max(...waits)];
    if (longest > MAX_CALL_MS) failures.push(`${call}: ${longest.toFixed(0)} ms`);
    if (longestWait > MAX_OTHER_READ_MS) failures.push(`${call}: another read waited ${longestWait.toFixed(0)} ms`);
    const median = times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    print(
      `  ${call.padEnd(28)} median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms; ${waits.length} other reads, longest ${longestWait.toFixed(0)} ms`,
    );
  }
  const tables = await runSql(
    database,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  const sizes = await runSql(database, 'SELECT name, SUM(pgsize) AS bytes FROM dbstat GROUP BY name').catch(() => []);
  for (const { name } of tables) {
    const [{ n }] = await runSql(database, `SELECT COUNT(*) AS n FROM "${name}"`);
    const bytes = sizes.find((size) => size.name === name)?.bytes;
    print(`  ${name.padEnd(24)} ${String(n).padStart(9)} rows${bytes ? `  ${(bytes / 1e6).toFixed(1)} MB` : ''}`);
  }
  const [{ bytes }] = await runSql(
    database,
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  print(`  the whole file: ${(bytes / 1e6).toFixed(0)} MB`);
  await new Promise((resolve) => database.close(resolve));
} finally {
  await stack.stop();
}
print(failures.length === 0 ? 'Within its limits.' : `FAILED: ${failures.join('; ')}`);
process.exit(failures.length === 0 ? 0 : 1);
