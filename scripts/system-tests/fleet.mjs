/**
 * Measures twenty edges and one core on one PostgreSQL. Each edge has its own snapshot. The figures are the duration of
 * starts, the time until changes and revocations are in force on all edges, and processor time. Then the core restarts,
 * and the database is frozen. Options: `--edges 20 --subdomains 50000 --tenants 50000 --keys 100000 --routes 10000
 * --changes 100`; the changes are made within a minute.
 */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatTable, measureProcessorTime, measureResidentMemory } from '../bench/measure.mjs';
import { Stack, waitFor } from '../testing/harness.mjs';
import { amountOptions, selectAmounts, toSeedArguments } from './support/amounts.mjs';
import { createCaller } from './support/caller.mjs';
import { createGateway } from './support/gateway.mjs';
import { Postgres } from './support/postgres.mjs';
import { finish, ok } from './support/results.mjs';

const { values: options } = parseArgs({
  options: {
    edges: { type: 'string', default: '20' },
    ...amountOptions,
    changes: { type: 'string', default: '100' },
  },
});
const EDGES = Number(options.edges);
const CHANGES = Number(options.changes);
const REVOCATIONS = 20;
const IDLE_S = 10;
/** Time limit for a start of an edge, also on a busy machine. */
const START_S = 300;
const amounts = selectAmounts(options);

const rows = [];
const printFigure = (description, figure) => {
  rows.push({ description, figure });
  process.stdout.write(`${description}: ${figure}\n`);
};
const formatMs = (value) => `${Math.round(value)} ms`;
const formatMegabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
const formatCores = (share) => `${share.toFixed(2)} of a core`;
const computeQuantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const formatMedianAndMax = (values) => `${formatMs(computeQuantile(values, 0.5))} / ${formatMs(Math.max(...values))}`;

const server = (await new Postgres().create()).start();
process.on('exit', () => server.remove());
const environment = {
  DATABASE_URL: await server.createDatabase('studio'),
  JWT_SECRET: 'f'.repeat(64),
  SETTINGS_KEY: 'e'.repeat(64),
  // The default of an installation. `Stack` switches health checks off.
  HEALTH_INTERVAL_S: '60',
  ACCESS_LOG: 'off',
};
const core = await Stack.start({ processes: ['core'], environment, seed: toSeedArguments(amounts) });
printFigure('rows', `${JSON.stringify(amounts)}, PostgreSQL, ${EDGES} edges with one worker each`);

/** Starts the edge of a machine. @returns ms until it serves */
async function startEdge(machine) {
  const startedAt = performance.now();
  await machine.start('edge', START_S);
  return performance.now() - startedAt;
}

// The edges start one after another, as machines are added.
const machines = [];
const [firstStartsMs, laterStartsMs] = [[], []];
for (let index = 0; index < EDGES; index += 1) {
  const machine = await Stack.start({ processes: [], environment });
  machines.push(machine);
  firstStartsMs.push(await startEdge(machine));
}
const ports = machines.map(({ port }) => port);
const sumOverEdges = (measure) => machines.reduce((sum, machine) => sum + measure(machine.process('edge').pid), 0);
printFigure('an edge ready without a snapshot, p50 / max', formatMedianAndMax(firstStartsMs));

const caller = createCaller(core, 120);
await caller.logIn();
const gateway = await createGateway(caller);

/** Waits until the response of every edge passes `isExpected`. @returns ms until the last response passes */
async function waitForEveryEdge(description, read, isExpected) {
  const startedAt = performance.now();
  await Promise.all(ports.map((port) => waitFor(description, async () => isExpected(await read(port)), 120)));
  return performance.now() - startedAt;
}
const requestWithKey = (key) => async (port) => (await gateway.request(port, key)).status;
/** Requests a site at the edge with this port. @returns the status, 0 without a response */
const requestSite = (label) => (port) =>
  new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/', headers: { Host: `${label}.localhost` } }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    })
      .once('error', () => resolve(0))
      .end();
  });
/** Creates a subdomain. @returns ms from its 201 until every edge serves it */
async function createAndWait(label) {
  await caller.create('/subdomains', { subdomain: label, description: 'x', type: 'proxy', port: 9 });
  return waitForEveryEdge('the new site', requestSite(label), (status) => status !== 404);
}

await waitForEveryEdge('the key', requestWithKey(), (status) => status === 200);
// An edge writes its snapshot after its start.
await sleep(5_000);
for (const machine of machines) {
  await machine.kill('edge', 'SIGTERM');
  laterStartsMs.push(await startEdge(machine));
}
await waitForEveryEdge('the key', requestWithKey(), (status) => status === 200);
printFigure('an edge ready with a snapshot, p50 / max', formatMedianAndMax(laterStartsMs));
printFigure('memory of an edge and its worker, mean', formatMegabytes(sumOverEdges(measureResidentMemory) / EDGES));

/** Measures processor time and transactions per second while `work` runs. */
async function measureCost(work) {
  const countTransactions = async () => {
    const [row] = await server.query(
      'studio',
      'SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row?.n);
  };
  const sample = async () => ({
    at: performance.now(),
    postgres: measureProcessorTime(server.pids[0]),
    core: measureProcessorTime(core.process('core').pid),
    edges: sumOverEdges(measureProcessorTime),
    transactions: await countTransactions(),
  });
  const before = await sample();
  await work();
  const after = await sample();
  const seconds = (after.at - before.at) / 1_000;
  const countCores = (name) => (after[name] - before[name]) / 1e6 / seconds;
  return {
    postgres: countCores('postgres'),
    text: `PostgreSQL ${formatCores(countCores('postgres'))}, core ${formatCores(countCores('core'))}, all edges ${formatCores(countCores('edges'))}; ${Math.round((after.transactions - before.transactions) / seconds)} transactions/s`,
  };
}

printFigure('cost without changes', (await measureCost(() => sleep(IDLE_S * 1_000))).text);
const inForceMs = [];
const costOfChanges = await measureCost(async () => {
  for (let index = 0; index < CHANGES; index += 1) {
    const pause = sleep(60_000 / CHANGES);
    inForceMs.push(await createAndWait(`frota-${index}`));
    await pause;
  }
});
printFigure(`cost of ${CHANGES} changes in a minute`, costOfChanges.text);
printFigure('time from the 201 until every edge serves a change, p50 / max', formatMedianAndMax(inForceMs));

const revocationMs = [];
for (let index = 0; index < REVOCATIONS; index += 1) {
  const key = await caller.create('/gateway/admin/keys', {
    name: `frota ${index}`,
    permissions: ['*'],
    allowedIps: [],
  });
  await waitForEveryEdge('the new key', requestWithKey(key.key), (status) => status === 200);
  await caller.request('DELETE', `/gateway/admin/keys/${key._id}`);
  revocationMs.push(await waitForEveryEdge('the revocation', requestWithKey(key.key), (status) => status === 401));
}
printFigure('time from the 204 until every edge refuses a revoked key, p50 / max', formatMedianAndMax(revocationMs));

/**
 * Sends requests to the edges at these ports in turn until `work` ends.
 * @returns the numbers of requests and of failed requests
 */
async function runUnderTraffic(edgePorts, work) {
  let isOver = false;
  const counts = { requests: 0, failed: 0 };
  const client = (async () => {
    for (let index = 0; !isOver; index += 1) {
      counts.requests += 1;
      if ((await requestWithKey()(edgePorts[index % edgePorts.length])) !== 200) counts.failed += 1;
      await sleep(5);
    }
  })();
  await work();
  isOver = true;
  await client;
  return counts;
}

const requestsDuringRestart = await runUnderTraffic(ports, async () => {
  await core.kill('core');
  await core.start('core', START_S);
  printFigure(
    'after a restart of the core: time until every edge serves a change',
    formatMs(await createAndWait('frota-depois')),
  );
});
ok(
  requestsDuringRestart.failed === 0,
  'no request fails while the core restarts',
  `${requestsDuringRestart.failed} of ${requestsDuringRestart.requests}`,
);

server.signal('SIGSTOP');
const [machine] = machines;
// The first edge restarts and cannot answer meanwhile, so only the other edges get requests.
const requestsToOthers = await runUnderTraffic(ports.slice(1), async () => {
  const startedAt = performance.now();
  await machine.kill('edge', 'SIGTERM');
  printFigure('time in which an edge ends while the database is frozen', formatMs(performance.now() - startedAt));
  printFigure('time until a restarted edge serves, still without the database', formatMs(await startEdge(machine)));
});
const requestsToAll = await runUnderTraffic(ports, async () => {
  await sleep(2_000);
  server.signal('SIGCONT');
  printFigure(
    'after the database is back: time until every edge serves a change',
    formatMs(await createAndWait('frota-fim')),
  );
});
for (const [edges, { requests, failed }] of Object.entries({
  'other edges while the database is frozen': requestsToOthers,
  'all edges until a change is served again': requestsToAll,
})) {
  printFigure(`requests, of them failed: ${edges}`, `${requests}, ${failed}`);
  ok(failed === 0, `no request fails: ${edges}`, `${failed} of ${requests}`);
}

const endedWorkers = await Promise.all(
  machines.map(async ({ adminUrl }) =>
    Number(/^edge_workers_ended_total (\S+)$/m.exec(await (await fetch(`${adminUrl}/metrics`)).text())?.[1]),
  ),
);
process.stdout.write(`\n${formatTable(rows)}\n\n`);
ok(Math.max(...inForceMs) <= 1_000, 'a change is in force on every edge within 1 s', formatMs(Math.max(...inForceMs)));
ok(
  Math.max(...revocationMs) <= 1_000,
  'a revoked key is refused by every edge within 1 s',
  formatMs(Math.max(...revocationMs)),
);
ok(costOfChanges.postgres < 1, 'PostgreSQL takes less than a core', formatCores(costOfChanges.postgres));
ok(
  endedWorkers.every((count) => count === 0),
  'no worker was ended',
  endedWorkers.join(' '),
);
gateway.close();
for (const machine of machines) await machine.stop();
await core.stop();
finish();
