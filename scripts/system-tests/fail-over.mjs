/**
 * Fails over three times to a synchronous standby of PostgreSQL behind one address. The primary is killed, the standby is
 * promoted, and the address moves. No acknowledged write is lost, writes work again within 10 s, and the edge serves all
 * the time.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getPort, Stack, waitFor } from '../testing/harness.mjs';
import { createCaller, formatStatusCounts, startWriters } from './support/caller.mjs';
import { createGateway } from './support/gateway.mjs';
import { Postgres } from './support/postgres.mjs';
import { finish, ok } from './support/results.mjs';
import { findMissingSubdomains } from './support/rows.mjs';

const ROUNDS = 3;
const RECOVERY_MS = 10_000;

let primary = (await new Postgres().create()).start();
await primary.createDatabase('studio');

/** Creates a synchronous standby: a COMMIT of the primary waits for it. */
async function createStandby(name) {
  const standby = (await new Postgres().createStandby(primary, name)).start();
  await primary.query('postgres', `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await primary.query('postgres', 'SELECT pg_reload_conf()');
  await waitFor('the standby', async () => {
    const [row] = await primary.query('postgres', 'SELECT sync_state FROM pg_stat_replication');
    return row?.sync_state === 'sync';
  });
  return standby;
}

let databasePort = primary.port;
/** A TCP proxy forwards to the current primary. The product knows only the proxy's address. */
const proxy = createServer((client) => {
  const server = connect(databasePort, '127.0.0.1');
  client.pipe(server).pipe(client);
  for (const [from, to] of [
    [client, server],
    [server, client],
  ]) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');

const DATABASE_URL = primary.url('studio', { port: getPort(proxy) });
const stack = await Stack.start({ processes: ['core', 'edge'], environment: { DATABASE_URL } });
const caller = createCaller(stack);
await caller.logIn();
const gateway = await createGateway(caller);
await waitFor('the gateway', async () => (await gateway.request(stack.port)).status === 200);
let requestCount = await waitFor('the first count', gateway.readStoredRequests);

const acknowledged = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const standby = await createStandby(`standby${round}`);
  const writers = startWriters(caller, `round${round}`, { writers: 4 });
  const gatewayResponses = [];
  let isStopped = false;
  const traffic = (async () => {
    for (; !isStopped; await sleep(50)) gatewayResponses.push(await gateway.request(stack.port));
  })();
  await waitFor('the first writes', () => writers.acknowledged.length >= 40);
  primary.signal('SIGKILL');
  const killedAt = Date.now();
  standby.promote();
  databasePort = standby.port;
  const movedAt = Date.now();
  const firstWrite = await waitFor('a write after the address moved', () =>
    writers.responses.find(({ at, ms, status }) => at + ms > movedAt && status === 201),
  );
  await sleep(1_000);
  isStopped = true;
  await Promise.all([writers.stop(), traffic]);
  acknowledged.push(...writers.acknowledged);
  const recoveryMs = firstWrite.at + firstWrite.ms - movedAt;
  const lostNames = findMissingSubdomains(
    acknowledged,
    await standby.query('studio', 'SELECT subdomain FROM subdomains'),
  );
  ok(
    lostNames.length === 0,
    `round ${round}: nothing acknowledged is lost`,
    `${lostNames.length} of ${acknowledged.length}; address moved ${movedAt - killedAt} ms after the kill`,
  );
  ok(
    recoveryMs <= RECOVERY_MS,
    `round ${round}: writes work again within 10 s`,
    `${recoveryMs} ms after the address moved`,
  );
  const unexpected = writers.responses.filter(
    ({ status, retryAfter }) => status !== 201 && !(status === 503 && retryAfter),
  );
  ok(
    unexpected.length === 0,
    `round ${round}: every write is 201, or 503 with Retry-After`,
    formatStatusCounts(writers.responses),
  );
  const failed = gatewayResponses.filter(({ status }) => status !== 200);
  ok(failed.length === 0, `round ${round}: the edge serves throughout`, `${gatewayResponses.length} requests`);
  requestCount += gatewayResponses.length;
  primary.remove();
  primary = standby;
}
await waitFor('all counts', async () => (await gateway.readStoredRequests()) >= requestCount).catch(() => undefined);
const countedRequests = await gateway.readStoredRequests();
ok(countedRequests === requestCount, 'every request is counted once', `${countedRequests} of ${requestCount}`);

await stack.stop();
gateway.close();
proxy.close();
primary.remove();
finish();
