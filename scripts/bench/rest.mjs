/**
 * `npm run bench -- rest [--subdomains 100000] [--tenants 5000] [--keys 5000] [--seconds 3] [--rounds 3]`
 *
 * Measures requests per second, p99 and processor time per request of the REST core on seeded data. It compares them with a
 * bare express handler that answers the same bytes from memory, interleaved in one run. Exits with 1 if a goal is missed:
 * - The subdomain page costs at most 1.2 times as much on the large table as on 100 rows.
 * - The subdomain page reaches a third of the rate of the bare handler.
 * - A call with an API token costs at most 5 % more than a call with the token of a login.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ADMINISTRATOR, findFreePort, Stack, waitFor } from '../testing/harness.mjs';
import { load } from './load.mjs';
import { acceptsConnections, formatTable, measureProcessorTime, median, start, stop } from './measure.mjs';

const { values: options } = parseArgs({
  options: {
    subdomains: { type: 'string', default: '100000' },
    tenants: { type: 'string', default: '5000' },
    keys: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
  },
});
const seconds = Number(options.seconds);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'rest-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Starts a core with its own data folder. */
async function startCore(seed) {
  const stack = await Stack.start({ processes: ['core'], seed });
  const { pid } = stack.process('core');
  return { url: `${stack.coreUrl}/api`, pid, end: () => stack.stop(), token: await stack.logIn() };
}

/** Starts a server that answers the same bytes from memory, to measure the cost of express alone. */
async function startBareServer(bodyFiles) {
  const port = await findFreePort();
  const program = `
    const { readFileSync } = require('node:fs');
    const app = require(${JSON.stringify(join(root, 'node_modules/express'))})();
    for (const [name, file] of Object.entries(${JSON.stringify(bodyFiles)})) {
      const body = readFileSync(file);
      app.all('/' + name, (_request, response) => response.set('Content-Type', 'application/json; charset=utf-8').send(body));
    }
    app.set('etag', false);
    app.disable('x-powered-by');
    app.listen(${port}, '127.0.0.1');`;
  const bareServer = start('node', ['-e', program], { env: { ...process.env, NODE_ENV: 'production' } });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(url, () => acceptsConnections(port));
  return { url, pid: bareServer.pid, end: () => stop(bareServer) };
}

async function createApiToken({ url, token }) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const post = async (path, body) => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
  };
  await post('/me/sudo', { password: ADMINISTRATOR.password });
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  return (await post('/tokens', { name: 'bench', scopes: ['gateway:read'], expiresAt })).token;
}

console.log(`Seeding ${options.subdomains} subdomains, ${options.tenants} tenants, ${options.keys} keys …`);
const small = await startCore(['--subdomains', '100']);
const { subdomains, tenants, keys } = options;
const large = await startCore(['--subdomains', subdomains, '--tenants', tenants, '--keys', keys]);

const cases = [
  { name: 'login', core: large, path: '/login', method: 'POST', body: JSON.stringify(ADMINISTRATOR) },
  { name: 'subdomains, 15 of 100', core: small, path: '/subdomains?page=1&limit=15' },
  { name: `subdomains, 15 of ${subdomains}`, core: large, path: '/subdomains?page=1&limit=15' },
  { name: `tenants, all ${tenants}`, core: large, path: '/tenants' },
  { name: `keys, all ${keys}, most used first`, core: large, path: '/gateway/admin/keys?sortBy=usageCount&order=desc' },
  { name: 'services', core: large, path: '/gateway/admin/services' },
  {
    name: 'services, with an API token',
    core: large,
    path: '/gateway/admin/services',
    token: await createApiToken(large),
  },
];
/** Positions of the compared calls in `cases`. */
const [SMALL_PAGE, LARGE_PAGE, WITH_SESSION, WITH_API_TOKEN] = [1, 2, 5, 6];
const bodyFiles = {};
for (const [index, call] of cases.entries()) {
  call.headers = {
    Authorization: `Bearer ${call.token ?? call.core.token}`,
    ...(call.body && { 'Content-Type': 'application/json' }),
  };
  const { method = 'GET', headers, body } = call;
  const response = await fetch(`${call.core.url}${call.path}`, { method, headers, body });
  if (!response.ok) throw new Error(`${call.path}: ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  call.bytes = bytes.length;
  bodyFiles[index] = join(folder, `body-${index}.json`);
  writeFileSync(bodyFiles[index], bytes);
}
const bareServer = await startBareServer(bodyFiles);

/** Measures one call. A large list gets few connections, because further requests would only wait for each other. */
async function measure(server, url, call) {
  const { method, headers, body, bytes } = call;
  const timeBefore = measureProcessorTime(server.pid);
  const result = await load(url, { seconds, connections: bytes > 100_000 ? 4 : 16, method, headers, body });
  if (result.failed > 0) throw new Error(`${url}: ${result.failed} failed requests`);
  return { ...result, cost: (measureProcessorTime(server.pid) - timeBefore) / result.requests };
}

/** @type {{ ours: Record<string, number>[], bare: Record<string, number>[] }[]} */
const runs = cases.map(() => ({ ours: [], bare: [] }));
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const [index, call] of cases.entries()) {
    runs[index].ours.push(await measure(call.core, `${call.core.url}${call.path}`, call));
    runs[index].bare.push(await measure(bareServer, `${bareServer.url}/${index}`, call));
  }
}
await Promise.all([small, large, bareServer].map(({ end }) => end()));

const computeMedian = (results, field) => median(results.map((run) => run[field]));
const computeMedianRate = (index, kind) => computeMedian(runs[index][kind], 'requestsPerSecond');
console.log(
  formatTable(
    cases.map(({ name, bytes }, index) => ({
      call: name,
      bytes,
      'req/s': Math.round(computeMedianRate(index, 'ours')),
      'p99 ms': computeMedian(runs[index].ours, 'p99').toFixed(1),
      'CPU us': Math.round(computeMedian(runs[index].ours, 'cost')),
      'bare req/s': Math.round(computeMedianRate(index, 'bare')),
      'bare p99 ms': computeMedian(runs[index].bare, 'p99').toFixed(1),
      'bare CPU us': Math.round(computeMedian(runs[index].bare, 'cost')),
      'ratio to bare': (computeMedianRate(index, 'ours') / computeMedianRate(index, 'bare')).toFixed(2),
    })),
  ),
);

const computeMedianCost = (index) => computeMedian(runs[index].ours, 'cost');
const costRatio = computeMedianCost(LARGE_PAGE) / computeMedianCost(SMALL_PAGE);
const rateRatio = computeMedianRate(LARGE_PAGE, 'ours') / computeMedianRate(LARGE_PAGE, 'bare');
console.log(
  `Subdomain page on ${subdomains} rows costs ${costRatio.toFixed(2)} times the page on 100 rows (goal: 1.2 at most).`,
);
console.log(`It reaches ${rateRatio.toFixed(2)} of the rate of the bare handler (goal: 0.33 at least).`);
const tokenCostRatio = computeMedianCost(WITH_API_TOKEN) / computeMedianCost(WITH_SESSION);
console.log(
  `A call with an API token costs ${tokenCostRatio.toFixed(2)} times a call with a session (goal: 1.05 at most).`,
);
process.exit(costRatio <= 1.2 && rateRatio >= 0.33 && tokenCostRatio <= 1.05 ? 0 : 1);
