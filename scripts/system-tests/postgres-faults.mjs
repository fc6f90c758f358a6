/**
 * Causes faults of PostgreSQL: a frozen, stopped or killed server, closed connections, another password, no network,
 * and a core that hangs in the middle of a write. Calls respond with 503 within 6 s and work again within 2 s after the
 * fault. The edge serves all the time. No acknowledged write or count is lost. Needs root, because the database has a
 * network namespace.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stack, waitFor } from '../testing/harness.mjs';
import { createCaller, formatStatusCounts, startWriters } from './support/caller.mjs';
import { createGateway } from './support/gateway.mjs';
import { Postgres } from './support/postgres.mjs';
import { finish, ok } from './support/results.mjs';
import { findMissingSubdomains, queryPostgres } from './support/rows.mjs';

const FAULT_SECONDS = 12;
const MAX_MS = 6_000;
const RECOVERY_MS = 2_000;

/** Names of two network namespaces. The database is in the first; the second is a router that can lose every packet. */
const DATABASE_NETNS = `studio-db-${process.pid}`;
const ROUTER_NETNS = `studio-rt-${process.pid}`;
const NETWORK = [
  `ip netns add ${DATABASE_NETNS}`,
  `ip netns add ${ROUTER_NETNS}`,
  `ip link add studio-veth0 type veth peer name studio-veth1 netns ${ROUTER_NETNS}`,
  `ip link add studio-veth2 netns ${ROUTER_NETNS} type veth peer name studio-veth3 netns ${DATABASE_NETNS}`,
  `ip addr add 10.211.1.1/24 dev studio-veth0`,
  `ip link set studio-veth0 up`,
  `ip -n ${ROUTER_NETNS} addr add 10.211.1.2/24 dev studio-veth1`,
  `ip -n ${ROUTER_NETNS} addr add 10.211.2.1/24 dev studio-veth2`,
  `ip -n ${ROUTER_NETNS} link set studio-veth1 up`,
  `ip -n ${ROUTER_NETNS} link set studio-veth2 up`,
  `ip -n ${DATABASE_NETNS} addr add 10.211.2.2/24 dev studio-veth3`,
  `ip -n ${DATABASE_NETNS} link set studio-veth3 up`,
  `ip -n ${DATABASE_NETNS} link set lo up`,
  `ip -n ${DATABASE_NETNS} route add default via 10.211.2.1`,
  `ip route add 10.211.2.0/24 via 10.211.1.2`,
];
const HOST = '10.211.2.2';

function run(line) {
  const [program, ...args] = line.split(' ');
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line}: ${stderr}`);
}
const setForwarding = (isOn) => run(`ip netns exec ${ROUTER_NETNS} sysctl -qw net.ipv4.ip_forward=${isOn ? 1 : 0}`);

for (const line of NETWORK) run(line);
const removeNetwork = () => {
  for (const name of [DATABASE_NETNS, ROUTER_NETNS]) spawnSync('ip', ['netns', 'delete', name]);
  spawnSync('ip', ['link', 'delete', 'studio-veth0']);
};
process.once('exit', removeNetwork);
setForwarding(true);

const server = await new Postgres({ host: HOST, commandPrefix: ['ip', 'netns', 'exec', DATABASE_NETNS] }).create();
server.start();
const url = await server.createDatabase('faults');
/** Both cores of this test need the same secrets. */
const environment = { DATABASE_URL: url, JWT_SECRET: 'f'.repeat(64), SETTINGS_KEY: 'e'.repeat(64) };
const stack = await Stack.start({ processes: ['core', 'edge'], environment });
const caller = createCaller(stack);
await caller.logIn();

const gateway = await createGateway(caller);
await waitFor('the gateway', async () => (await gateway.request(stack.port)).status === 200);
let expectedCount = await waitFor('the first count', gateway.readStoredRequests);
const acknowledged = [];
const END_CONNECTIONS_SQL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'faults'`;

/**
 * Causes a fault during writes and requests, and checks responses and recovery.
 * @param begin starts the fault
 * @param end ends the fault
 * @param mustFail whether /readyz must report the fault
 */
async function testFault(name, { begin, end, seconds = FAULT_SECONDS, mustFail = true }) {
  const writers = startWriters(caller, name.replace(/\W/g, ''), { writers: 4, pauseMs: 20 });
  await waitFor('the first writes', () => writers.acknowledged.length >= 8);
  let isStopped = false;
  const gatewayResponses = [];
  const readiness = [];
  const traffic = (async () => {
    while (!isStopped) {
      gatewayResponses.push(await gateway.request(stack.port));
      await sleep(50);
    }
  })();
  const probes = (async () => {
    while (!isStopped) {
      const at = Date.now();
      readiness.push({ at, ...(await caller.fetchReadiness()) });
      await sleep(200);
    }
  })();
  const startedAt = Date.now();
  await begin();
  await sleep(seconds * 1000);
  await end();
  const endedAt = Date.now();
  const firstWrite = await waitFor('a write after the fault', () =>
    writers.responses.find(({ at, ms, status }) => at + ms >= endedAt && status === 201),
  );
  // The first write may have been sent during the fault, so wait also for a write that is sent after the fault.
  const firstNewWrite = await waitFor('a write that was sent after the fault', () =>
    writers.responses.find(({ at, status }) => at >= endedAt && status === 201),
  );
  await sleep(1_000);
  isStopped = true;
  await Promise.all([writers.stop(), traffic, probes]);
  acknowledged.push(...writers.acknowledged);
  const responsesDuringFault = writers.responses.filter(({ at, ms }) => at >= startedAt && at + ms < endedAt);
  const slowest = Math.max(...writers.responses.map(({ ms }) => ms), ...readiness.map(({ ms }) => ms));
  const wasUnready = readiness.some(({ at, ms, status }) => at > startedAt && at + ms < endedAt && status === 503);
  const recoveryMs = Math.min(firstWrite.at + firstWrite.ms, firstNewWrite.at + firstNewWrite.ms) - endedAt;
  const unexpected = writers.responses.filter(
    ({ status, retryAfter }) => status !== 201 && !(status === 503 && retryAfter),
  );
  ok(
    unexpected.length === 0,
    `${name}: every write is 201, or 503 with Retry-After`,
    `${formatStatusCounts(responsesDuringFault)} during the fault${unexpected.length ? `; wrong ${formatStatusCounts(unexpected)}` : ''}`,
  );
  ok(slowest <= MAX_MS, `${name}: no call takes more than 6 s`, `slowest ${slowest} ms`);
  if (mustFail) ok(wasUnready, `${name}: /readyz is 503`);
  ok(recoveryMs <= RECOVERY_MS, `${name}: writes work again within 2 s after the fault`, `${recoveryMs} ms`);
  const failed = gatewayResponses.filter(({ status }) => status !== 200);
  ok(
    failed.length === 0,
    `${name}: the edge serves throughout`,
    `${gatewayResponses.length} requests, slowest ${Math.max(...gatewayResponses.map(({ ms }) => ms))} ms${failed.length ? `, ${formatStatusCounts(failed)}` : ''}`,
  );
  expectedCount += gatewayResponses.length;
}

/** Values of path parameters. Every other parameter is an id. */
const PARAMETERS = { upload: 'u'.repeat(43), sha256: 'a'.repeat(64) };
/** This call returns a constant text. */
const WITHOUT_DATABASE = '/deploy.mjs';

/** Sends each call of the contract with the example of its body. Each must end within 6 s, with 503 and Retry-After. */
async function testEveryCall() {
  const { paths } = JSON.parse(readFileSync(new URL('../../core-api/openapi.json', import.meta.url), 'utf8'));
  const withDatabase = Object.entries(paths).filter(([path]) => path !== WITHOUT_DATABASE);
  const operations = withDatabase.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, (_, name) => PARAMETERS[name] ?? '0198f1c2-0000-7000-8000-000000000000'),
      body: requestBody?.content['application/json']?.example,
    })),
  );
  server.signal('SIGSTOP');
  // Wait until caches of the core have expired.
  await sleep(3_000);
  const responses = await Promise.all(
    operations.map(async ({ method, path, body }) => ({
      name: `${method} ${path}`,
      ...(await caller.request(method, path, body)),
    })),
  );
  server.signal('SIGCONT');
  const unexpected = responses.filter(({ status, retryAfter }) => status !== 503 || !retryAfter);
  const slowest = responses.reduce((slower, response) => (response.ms > slower.ms ? response : slower));
  ok(
    unexpected.length === 0,
    `frozen: each of ${operations.length} calls is 503 with Retry-After`,
    unexpected.map(({ name, status }) => `${name} ${status}`).join(', '),
  );
  ok(slowest.ms <= MAX_MS, 'frozen: no call takes over 6 s', `${slowest.name} ${slowest.ms} ms`);
  await waitFor('a call after the fault', async () => (await caller.request('GET', '/projects')).status === 200);
}

await testEveryCall();
await testFault('frozen', {
  begin: async () => server.signal('SIGSTOP'),
  end: async () => server.signal('SIGCONT'),
});
await testFault('stopped', {
  begin: async () => server.stop(),
  end: async () => server.start(),
});
await testFault('connections cut', {
  begin: async () => server.query('postgres', END_CONNECTIONS_SQL),
  end: async () => server.query('postgres', END_CONNECTIONS_SQL),
  seconds: 2,
  mustFail: false,
});
await testFault('killed', {
  begin: async () => server.signal('SIGKILL'),
  end: async () => server.start(),
});
await testFault('password changed', {
  begin: async () => server.query('postgres', `ALTER USER studio PASSWORD 'outra'; ${END_CONNECTIONS_SQL}`),
  end: async () => queryPostgres(server.url('postgres', { password: 'outra' }), `ALTER USER studio PASSWORD 'studio'`),
});
await testFault('network gone', {
  begin: async () => setForwarding(false),
  end: async () => setForwarding(true),
});

// Another core on the same database repeatedly hangs in the middle of a write.
const frozenCore = await Stack.start({
  processes: ['core'],
  environment,
});
const callerOfFrozenCore = createCaller(frozenCore);
await callerOfFrozenCore.logIn();
let slowestMs = 0;
let blockedTurns = 0;
for (let turn = 0; turn < 12; turn += 1) {
  const writersOfFrozenCore = startWriters(callerOfFrozenCore, `frozen${turn}`, { writers: 8 });
  const writersOfRunningCore = startWriters(caller, `mine${turn}`, { writers: 1 });
  await waitFor(
    'writes of both cores',
    () => writersOfFrozenCore.acknowledged.length >= 8 && writersOfRunningCore.acknowledged.length >= 2,
  );
  process.kill(frozenCore.process('core').pid, 'SIGSTOP');
  const at = Date.now();
  const firstWrite = await waitFor('a write of the running core', () =>
    writersOfRunningCore.responses.find((response) => response.at > at && response.status === 201),
  );
  const waitMs = firstWrite.at + firstWrite.ms - at;
  slowestMs = Math.max(slowestMs, waitMs);
  if (waitMs > 1_000) blockedTurns += 1;
  process.kill(frozenCore.process('core').pid, 'SIGCONT');
  await Promise.all([writersOfFrozenCore.stop(), writersOfRunningCore.stop()]);
  acknowledged.push(...writersOfFrozenCore.acknowledged, ...writersOfRunningCore.acknowledged);
}
ok(
  slowestMs <= MAX_MS,
  'a core that freezes in the middle of a write does not block the other core',
  `slowest of 12 ${slowestMs} ms, ${blockedTurns} had to wait`,
);

const lost = findMissingSubdomains(acknowledged, await server.query('faults', 'SELECT subdomain FROM subdomains'));
ok(lost.length === 0, 'nothing acknowledged is lost', `${lost.length} of ${acknowledged.length}`);
await waitFor('all counts', async () => (await gateway.readStoredRequests()) >= expectedCount).catch(() => undefined);
const storedCount = await gateway.readStoredRequests();
ok(storedCount === expectedCount, 'every request is counted once', `${storedCount} of ${expectedCount}`);
await frozenCore.stop();
await stack.stop();
gateway.close();
server.remove();
finish();
