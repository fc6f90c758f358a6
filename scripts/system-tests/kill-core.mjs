/**
 * kill -9 of the core during parallel writes and during its first start, repeatedly, on SQLite and on PostgreSQL. No
 * acknowledged write is lost, and the next start continues the migrations. Options: the number of runs on each database
 * (200), and `sqlite` or `postgres` for one database only. Four installations run in parallel. Each ends after 8
 * minutes at the latest and prints its number of runs, so that a slow machine can repeat the test and add up the runs.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stack, waitFor } from '../testing/harness.mjs';
import { countByStatus, createCaller, startWriters } from './support/caller.mjs';
import { Postgres } from './support/postgres.mjs';
import { finish, ok } from './support/results.mjs';
import { missingSubdomains, postgresRows, sqliteRows } from './support/rows.mjs';

const RUNS = Number(process.argv[2] ?? 200);
const ONLY = process.argv[3];
const LANES = 4;
const RUNS_OF_LANE = Math.ceil(RUNS / LANES);
const FIRST_STARTS = 12;
const LIMIT_MS = 8 * 60_000;
const SUBDOMAINS = 'SELECT subdomain FROM subdomains';
const orphans = 'SELECT COUNT(*) AS count FROM host_claims WHERE "subdomainId" NOT IN (SELECT _id FROM subdomains)';
const unclaimedHosts = 'SELECT COUNT(*) AS count FROM subdomains WHERE subdomain NOT IN (SELECT host FROM host_claims)';

const inParallel = (work) => Promise.all(Array.from({ length: LANES }, (_, lane) => work(lane)));

/**
 * Kills and restarts one installation.
 * @param readRows reads its database directly
 * @returns its acknowledged and lost rows
 */
async function killRepeatedly(environment, readRows) {
  const stack = await Stack.start({ processes: ['core'], environment });
  const caller = createCaller(stack);
  const acknowledged = [];
  const responses = [];
  let slowestStart = 0;
  let kills = 0;
  const endsAt = Date.now() + LIMIT_MS;
  for (let run = 0; run < RUNS_OF_LANE && Date.now() < endsAt; run += 1) {
    const startedAt = Date.now();
    if (run > 0) await stack.start('core');
    slowestStart = Math.max(slowestStart, Date.now() - startedAt);
    if (run === 0) await caller.logIn();
    const writers = startWriters(caller, `r${run}`);
    const writesWanted = 1 + Math.random() * 30;
    await waitFor('some writes', () => writers.acknowledged.length >= writesWanted);
    // The kill comes at a random moment: within a statement, within a COMMIT, or between two statements.
    await sleep(Math.random() * 10);
    await stack.kill('core');
    kills += 1;
    await writers.stop();
    acknowledged.push(...writers.acknowledged);
    responses.push(...writers.responses);
  }
  await stack.start('core');
  const query = (sql) => readRows(stack.folder, sql);
  const lost = missingSubdomains(acknowledged, await query(SUBDOMAINS));
  const [{ count: orphaned }] = await query(orphans);
  const [{ count: unclaimed }] = await query(unclaimedHosts);
  const integrity = environment.DATABASE_URL ? 'ok' : (await query('PRAGMA integrity_check'))[0].integrity_check;
  await stack.stop();
  return {
    kills,
    acknowledged,
    responses,
    slowestStart,
    lost,
    halves: Number(orphaned) + Number(unclaimed),
    integrity,
  };
}

/** @param lanes acknowledged and lost rows of each installation */
function reportResults(name, lanes) {
  const collect = (field) => lanes.flatMap((lane) => lane[field]);
  const kills = lanes.reduce((sum, lane) => sum + lane.kills, 0);
  ok(
    collect('lost').length === 0,
    `${name}: ${kills} kills`,
    `${collect('lost').length} of ${collect('acknowledged').length} acknowledged lost (${countByStatus(collect('responses'))})`,
  );
  const halves = lanes.reduce((sum, lane) => sum + lane.halves, 0);
  ok(halves === 0, `${name}: no half of a write`, String(halves));
  const integrity = [...new Set(collect('integrity'))].join(', ');
  ok(integrity === 'ok', `${name}: integrity`, integrity);
  process.stdout.write(`     slowest start ${Math.max(...collect('slowestStart'))} ms\n`);
}

/** An empty data folder: its first core is killed at a random moment until the tables exist, then it starts again. */
async function killFirstStarts(name, createEnvironment) {
  let successfulStarts = 0;
  await inParallel(async (lane) => {
    for (let run = lane; run < FIRST_STARTS; run += LANES) {
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
      successfulStarts += 1;
      await stack.stop();
    }
  });
  ok(
    successfulStarts === FIRST_STARTS,
    `${name}: first starts that were killed twice`,
    `${successfulStarts} of ${FIRST_STARTS} work`,
  );
}

if (ONLY !== 'postgres') {
  const queryFile = (folder, sql) => sqliteRows(join(folder, 'studio.sqlite'), sql);
  reportResults('SQLite', await inParallel(() => killRepeatedly({}, queryFile)));
  await killFirstStarts('SQLite', async () => ({}));
}

if (ONLY !== 'sqlite') {
  const server = (await new Postgres().create()).start();
  const lanes = await inParallel(async (lane) => {
    const url = await server.createDatabase(`kill${lane}`);
    return killRepeatedly({ DATABASE_URL: url }, (_folder, sql) => postgresRows(url, sql));
  });
  reportResults('PostgreSQL', lanes);
  await killFirstStarts('PostgreSQL', async (run) => ({ DATABASE_URL: await server.createDatabase(`first${run}`) }));
  server.remove();
}
finish();
