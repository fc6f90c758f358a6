/**
 * Tests two machines on one PostgreSQL. The test covers simultaneous first starts, simultaneous edits of every entity, changes
 * in force on both edges, counts of both edges, contact messages that are delivered once, and a machine with another secret.
 * Argument: the number of pairs of edits of each entity (1,000, which takes about 10 minutes).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getPort, Stack, waitFor } from '../testing/harness.mjs';
import { createCaller } from './support/caller.mjs';
import { createGateway } from './support/gateway.mjs';
import { Postgres } from './support/postgres.mjs';
import { finish, ok } from './support/results.mjs';

const PAIRS = Number(process.argv[2] ?? 1_000);
const SECRETS = { JWT_SECRET: 'f'.repeat(64), SETTINGS_KEY: 'e'.repeat(64) };

const server = (await new Postgres().create()).start();

/** Number of deliveries of each contact message, counted by the server that replaces Telegram. */
const deliveries = new Map();
const telegram = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const name = /remetente-\d+/.exec(body)?.[0];
    if (name) deliveries.set(name, (deliveries.get(name) ?? 0) + 1);
    response.setHeader('Content-Type', 'application/json');
    response.end('{"ok":true,"result":{}}');
  });
}).listen(0, '127.0.0.1');
await once(telegram, 'listening');
const TELEGRAM_API_URL = `http://127.0.0.1:${getPort(telegram)}`;

/** @param {string} url @param {readonly import('../testing/stack.js').ProcessName[]} processes */
const startOn = (url, processes = ['core'], secrets = SECRETS) =>
  Stack.start({ processes, environment: { DATABASE_URL: url, TELEGRAM_API_URL, EDGE_WORKERS: '1', ...secrets } });

let successfulStarts = 0;
for (let turn = 0; turn < 5; turn += 1) {
  const url = await server.createDatabase(`first${turn}`);
  const starts = await Promise.allSettled([startOn(url), startOn(url)]);
  if (starts.every(({ status }) => status === 'fulfilled')) successfulStarts += 1;
  for (const start of starts) if (start.status === 'fulfilled') await start.value.stop();
}
ok(successfulStarts === 5, 'two first starts at the same moment succeed', `${successfulStarts} of 5`);

const url = await server.createDatabase('studio');
const machines = [await startOn(url, ['core', 'edge']), await startOn(url, ['core', 'edge'])];
const callers = machines.map((machine) => createCaller(machine));
for (const caller of callers) await caller.logIn();
const [caller] = callers;

/** Repeatedly saves different fields of one row on both machines together. The row must then have both changes. */
async function expectMergedEdits(name, path, listPath, createChanges) {
  let lost = 0;
  /** The responses other than 200. */
  const refusals = [];
  for (let turn = 0; turn < PAIRS; turn += 1) {
    const changes = createChanges(turn);
    const responses = await Promise.all(
      callers.map((machineCaller, index) => machineCaller.request('PUT', path, changes[index])),
    );
    refusals.push(
      ...responses.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body?.error}`),
    );
    const { body } = await caller.request('GET', listPath);
    const rows = Array.isArray(body) ? body : (body.subdomains ?? [body]);
    const row = rows.find(({ _id, subdomain }) => rows.length === 1 || path.endsWith(_id) || path.endsWith(subdomain));
    const expectedFields = Object.entries({ ...changes[0], ...changes[1] });
    if (!expectedFields.every(([field, value]) => JSON.stringify(row?.[field]) === JSON.stringify(value))) lost += 1;
  }
  ok(
    lost === 0 && refusals.length === 0,
    `${PAIRS} pairs of simultaneous edits of a ${name} lose no change`,
    `${lost} lost, ${refusals.length} refused ${[...new Set(refusals)].join('; ')}`,
  );
}

const gateway = await createGateway(caller);
const project = (await caller.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 }))._id;
const tenant = (await caller.create('/tenants', { name: 'Padaria', project, subdomain: 'padaria' }))._id;
await caller.create('/subdomains', { subdomain: 'site', description: 'x', type: 'proxy', port: 4000 });
const service = (await caller.create('/gateway/admin/services', { name: 's', host: 'http://127.0.0.1:4000' }))._id;
const route = await caller.create('/gateway/admin/routes', {
  serviceId: service,
  origin: '/a',
  destination: '/a',
  methods: ['GET'],
  permission: 'a:b',
});
const key = await caller.create('/gateway/admin/keys', { name: 'chave', permissions: ['a:b'], allowedIps: [] });
// The entities are edited in parallel, as several people would edit them.
await Promise.all([
  expectMergedEdits('key', `/gateway/admin/keys/${key._id}`, '/gateway/admin/keys', (turn) => [
    { name: `nome ${turn}` },
    { permissions: [`a:b${turn}`] },
  ]),
  expectMergedEdits('subdomain', '/subdomains/site', '/subdomains', (turn) => [
    { description: `d ${turn}` },
    { port: 5000 + turn },
  ]),
  expectMergedEdits('service', `/gateway/admin/services/${service}`, '/gateway/admin/services', (turn) => [
    { name: `s-${turn}` },
    { host: `http://127.0.0.1:${5000 + turn}` },
  ]),
  expectMergedEdits('route', `/gateway/admin/routes/${route._id}`, '/gateway/admin/routes', (turn) => [
    { methods: turn % 2 ? ['GET', 'POST'] : ['GET', 'PUT'] },
    { permission: `a:b${turn}` },
  ]),
  expectMergedEdits('project', `/projects/${project}`, '/projects', (turn) => [
    { name: `p ${turn}` },
    { apiPort: 5000 + turn },
  ]),
  expectMergedEdits('tenant', `/tenants/${tenant}`, '/tenants', (turn) => [
    { name: `t ${turn}` },
    { responsibleName: `r ${turn}` },
  ]),
  expectMergedEdits('setting', '/settings', '/settings', (turn) => [
    { telegramBotToken: `${100_000 + turn}:abcdefghijklmnopqrstuvwxyz123456789` },
    { telegramChatId: String(turn + 1) },
  ]),
]);

const delaysMs = [];
for (let turn = 0; turn < 100; turn += 1) {
  const machineCaller = callers[turn % 2];
  const revokedKey = await machineCaller.create('/gateway/admin/keys', {
    name: `r${turn}`,
    permissions: ['*'],
    allowedIps: [],
  });
  for (const { port } of machines) {
    await waitFor('the new key', async () => (await gateway.request(port, revokedKey.key)).status === 200);
  }
  await machineCaller.request('DELETE', `/gateway/admin/keys/${revokedKey._id}`);
  const at = Date.now();
  await Promise.all(
    machines.map(async ({ port }) => {
      await waitFor('the revocation', async () => (await gateway.request(port, revokedKey.key)).status === 401);
      delaysMs.push(Date.now() - at);
    }),
  );
}
delaysMs.sort((a, b) => a - b);
const p99 = delaysMs[Math.floor(delaysMs.length * 0.99) - 1];
ok(p99 <= 500, 'both edges refuse a revoked key within 500 ms', `p99 ${p99} ms, slowest ${delaysMs.at(-1)} ms`);

const countBefore = await gateway.readStoredRequests();
let servedRequests = 0;
const sendRequests = async (port) => {
  for (let index = 0; index < 625; index += 1) if ((await gateway.request(port)).status === 200) servedRequests += 1;
};
await Promise.all(Array.from({ length: 32 }, (_, index) => sendRequests(machines[index % 2].port))); // 20,000
await waitFor('all counts', async () => (await gateway.readStoredRequests()) >= countBefore + servedRequests).catch(
  () => undefined,
);
await sleep(3_000);
const countedRequests = (await gateway.readStoredRequests()) - countBefore;
ok(
  countedRequests === servedRequests && servedRequests === 20_000,
  'counts of both edges are exact',
  `${countedRequests} of ${servedRequests}`,
);

/**
 * Sends a message until it is stored, as a visitor would after a 503. The core may have stored an attempt that got a
 * 503, so each attempt has a name of its own.
 * @returns the name of the attempt that got a 201
 */
async function sendContact(index) {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const name = `remetente-${index * 100 + attempt}`;
    const { status } = await caller.fetchStatus(`${machines[index % 2].coreUrl}/api/contact`, {
      method: 'POST',
      // The limit is 10 messages per address, so each message has its own address. The core trusts this header of a
      // loopback peer.
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${index}` },
      body: JSON.stringify({ name, email: 'a@exemplo.com', message: 'oi' }),
    });
    if (status === 201) return name;
    await sleep(500);
  }
  throw new Error(`message ${index} was never stored`);
}
const names = await Promise.all(Array.from({ length: 200 }, (_, index) => sendContact(index)));
const countMissing = () => names.filter((name) => !deliveries.has(name)).length;
await waitFor('the deliveries', () => countMissing() === 0, 60).catch(() => undefined);
await sleep(6_000);
const deliveredTwice = [...deliveries.values()].filter((count) => count > 1).length;
ok(
  countMissing() === 0 && deliveredTwice === 0,
  '200 contact messages are delivered once',
  `${countMissing()} missing, ${deliveredTwice} more than once`,
);

for (const [name, value] of [
  ['JWT_SECRET', 'a'.repeat(64)],
  ['SETTINGS_KEY', 'b'.repeat(64)],
]) {
  const outcome = await startOn(url, ['core'], { ...SECRETS, [name]: value }).then(
    (machine) => machine.stop().then(() => 'it started'),
    (error) =>
      String(error.message)
        .split('\n')
        .find((line) => line.includes(name)) ?? String(error.message).slice(0, 200),
  );
  ok(
    outcome.startsWith(`${name}:`),
    `a machine with another ${name} is refused with the name of the variable`,
    outcome,
  );
}

for (const machine of machines) await machine.stop();
gateway.close();
telegram.close();
server.remove();
finish();
