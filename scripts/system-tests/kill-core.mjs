/**
 * Kills the core with SIGKILL during parallel writes and during its first start, on SQLite and PostgreSQL. No acknowledged
 * write is lost, and the next start continues the migrations. Arguments: the number of kills on each database (200), and
 * `sqlite` or `postgres` for one database only. Four installations run in parallel, for at most 8 minutes. The test prints
 * the number of kills. A slow machine reaches fewer kills in that time: repeat the test, and add up the kills.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stack, waitFor } from '../testing/harness.mjs';
import { createCaller, formatStatusCounts, startWriters } from './support/caller.mjs';
import { Postgres } from './support/postgres.mjs';
import { finish, ok } from './support/results.mjs';
import { findMissingSubdomains, queryPostgres, querySqlite } from './support/rows.mjs';

const KILLS = Number(process.argv[2] ?? 200);
const ONLY_DATABASE = process.argv[3];
const INSTALLATIONS = 4;
const KILLS_PER_INSTALLATION = Math.ceil(KILLS / INSTALLATIONS);
const FIRST_STARTS = 12;
const LIMIT_MS = 8 * 60_000;
const SUBDOMAINS_SQL = 'SELECT subdomain FROM subdomains';
const ORPHANED_CLAIMS_SQL =
  'SELECT COUNT(*) AS count FROM host_claims WHERE "subdomainId" NOT IN (SELECT _id FROM subdomains)';
const UNCLAIMED_HOSTS_SQL =
  'SELECT COUNT(*) AS count FROM subdomains WHERE subdomain NOT IN (SELECT host FROM host_claims)';

const runInParallel = (work) => Promise.all(Array.from({ length: INSTALLATIONS }, (_, index) => work(index)));

/**
 * Kills and restarts one installation.
 * @param readRows runs a query on the database without the product
 * @returns acknowledged and lost rows, and traces of incomplete writes
 */
async function killRepeatedly(environment, readRows) {
  const stack = await Stack.start({ processes: ['core'], environment });
  const caller = createCaller(stack);
  const acknowledged = [];
  const responses = [];
  let slowestStartMs = 0;
  let killCount = 0;
  const endsAt = Date.now() + LIMIT_MS;
  for (let run = 0; run < KILLS_PER_INSTALLATION && Date.now() < endsAt; run += 1) {
    const startedAt = Date.now();
    if (run > 0) await stack.start('core');
    slowestStartMs = Math.max(slowestStartMs, Date.now() - startedAt);
    if (run === 0) await caller.logIn();
    const writers = startWriters(caller, `r${run}`);
    const minWrites = 1 + Math.random() * 30;
    await waitFor('some writes', () => writers.acknowledged.length >= minWrites);
    // The kill comes at a random moment: within a statement, within a COMMIT, or between two statements.
    await sleep(Math.random() * 10);
    await stack.kill('core');
    killCount += 1;
    await writers.stop();
    acknowledged.push(...writers.acknowledged);
    responses.push(...writers.responses);
  }
  await stack.start('core');
  const query = (sql) => readRows(stack.folder, sql);
  const lost = findMissingSubdomains(acknowledged, await query(SUBDOMAINS_SQL));
  const [{ count: orphaned }] = await query(ORPHANED_CLAIMS_SQL);
  const [{ count: unclaimed }] = await query(UNCLAIMED_HOSTS_SQL);
  const integrity = environment.DATABASE_URL ? undefined : (await query('PRAGMA integrity_check'))[0].integrity_check;
  await stack.stop();
  return {
    killCount,
    acknowledged,
    responses,
    slowestStartMs,
    lost,
    incompleteWrites: Number(orphaned) + Number(unclaimed),
    integrity,
  };
}

/** Reports the results of all installations. @param results one result of `killRepeatedly` for each installation */
function reportResults(name, results) {
  const collect = (field) => results.flatMap((result) => result[field]);
  const killCount = results.reduce((sum, result) => sum + result.killCount, 0);
  ok(
    collect('lost').length === 0,
    `${name}: ${killCount} kills lose no acknowledged write`,
    `${collect('lost').length} of ${collect('acknowledged').length} acknowledged lost (${formatStatusCounts(collect('responses'))})`,
  );
  const incompleteWrites = results.reduce((sum, result) => sum + result.incompleteWrites, 0);
  ok(incompleteWrites === 0, `${name}: every stored write is complete`, `${incompleteWrites} incomplete`);
  const integrity = [...new Set(collect('integrity'))].join(', ');
  // PostgreSQL has no such check.
  if (integrity !== '') ok(integrity === 'ok', `${name}: the integrity check passes`, integrity);
  process.stdout.write(`     slowest start ${Math.max(...collect('slowestStartMs'))} ms\n`);
}

/** Kills the first start of an installation twice, at a random moment of its migrations. The third start must work. */
async function killFirstStarts(name, createEnvironment) {
  let successfulStartCount = 0;
  await runInParallel(async (installation) => {
    for (let run = installation; run < FIRST_STARTS; run += INSTALLATIONS) {
      const stack = await Stack.start({ processes: [], environment: await createEnvironment(run) });
      for (let kill = 0; kill < 2; kill += 1) {
        const interruptedStart = stack.start('core').catch(() => undefined);
        await sleep(300 + Math.random() * 2_000);
        await stack.kill('core');
        await interruptedStart;
      }
      await stack.start('core');
      const caller = createCaller(stack);
      await caller.logIn();
      await caller.create('/subdomains', { subdomain: 'depois', description: 'x', type: 'proxy', port: 4000 });
      successfulStartCount += 1;
      await stack.stop();
    }
  });
  ok(
    successfulStartCount === FIRST_STARTS,
    `${name}: an installation works after its first start was killed twice`,
    `${successfulStartCount} of ${FIRST_STARTS}`,
  );
}

if (ONLY_DATABASE !== 'postgres') {
  const queryFile = (folder, sql) => querySqlite(join(folder, 'studio.sqlite'), sql);
  reportResults('SQLite', await runInParallel(() => killRepeatedly({}, queryFile)));
  await killFirstStarts('SQLite', async () => ({}));
}

if (ONLY_DATABASE !== 'sqlite') {
  const server = (await new Postgres().create()).start();
  const results = await runInParallel(async (installation) => {
    const url = await server.createDatabase(`kill${installation}`);
    return killRepeatedly({ DATABASE_URL: url }, (_folder, sql) => queryPostgres(url, sql));
  });
  reportResults('PostgreSQL', results);
  await killFirstStarts('PostgreSQL', async (run) => ({ DATABASE_URL: await server.createDatabase(`first${run}`) }));
  server.remove();
}
finish();
