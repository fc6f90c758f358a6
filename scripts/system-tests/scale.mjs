/**
 * Measures a large installation: start of the edge, memory, time until a save is in force, long lists, screens, and an
 * import that doubles the keys (up to a million). Options: `--subdomains 50000 --tenants 50000 --projects 20 --keys
 * 100000 --routes 10000 --changes 40 --workers 2`, `--postgres` instead of SQLite, `--no-screens` without a browser.
 */
import { readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { formatTable, measureProcessorTime } from '../bench/measure.mjs';
import { requireChromium } from '../setup/chromium.mjs';
import { Stack, waitFor } from '../testing/harness.mjs';
import { amountOptions, selectAmounts, toSeedArguments } from './support/amounts.mjs';
import { createCaller } from './support/caller.mjs';
import { createGateway } from './support/gateway.mjs';
import { Postgres } from './support/postgres.mjs';
import { finish, ok } from './support/results.mjs';

const { values: options } = parseArgs({
  options: {
    ...amountOptions,
    changes: { type: 'string', default: '40' },
    workers: { type: 'string', default: '2' },
    postgres: { type: 'boolean', default: false },
    'no-screens': { type: 'boolean', default: false },
  },
});
const CHANGES = Number(options.changes);
const { keys } = options;
/** Time limit for the start of the edge. A start without a snapshot on a busy machine took over 60 s. */
const START_S = 300;
/** Rate of requests while one transaction adds many keys, as an import or a restored backup does. */
const LOAD_PER_S = 1_000;
/** Measured visits of each screen, after a first visit that fills the cache of the browser. */
const VISITS = 20;
/** Playwright reports the load state `networkidle` after this time without a request. */
const NETWORK_IDLE_MS = 500;
/** `npm run seed` fills a table up to this number of rows. */
const MAX_SEEDED_ROWS = 1_000_000;
/** Arguments of `npm run seed` that set every amount to zero, except the number of keys. */
const ZERO_AMOUNTS = toSeedArguments({
  subdomains: '0',
  projects: '0',
  tenants: '0',
  services: '0',
  routes: '0',
  messages: '0',
});
const amounts = selectAmounts(options);
const keysAtEnd = Math.min(2 * Number(keys), MAX_SEEDED_ROWS);
const addedKeys = keysAtEnd - Number(keys);

const rows = [];
const printFigure = (description, figure) => {
  rows.push({ description, figure });
  process.stdout.write(`${description}: ${figure}\n`);
};
const formatMs = (value) => `${Math.round(value)} ms`;
const formatMegabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
/** Computes the nearest-rank quantile. */
const computeQuantile = (values, share) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1];

/** Reads the memory of one process (`VmRSS`) and its peak (`VmHWM`), bytes. */
function readMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const readField = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { now: readField('VmRSS'), peak: readField('VmHWM') };
}

const listChildren = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);

const server = options.postgres ? (await new Postgres().create()).start() : undefined;
const environment = {
  // The default of an installation. `Stack` switches health checks off.
  HEALTH_INTERVAL_S: '60',
  EDGE_WORKERS: options.workers,
  ACCESS_LOG: 'off',
  ...(server && { DATABASE_URL: await server.createDatabase('studio') }),
};
const seedingStartedAt = performance.now();
const stack = await Stack.start({ processes: ['core', 'bff'], environment, seed: toSeedArguments(amounts) });
printFigure('rows', `${JSON.stringify(amounts)}, ${server ? 'PostgreSQL' : 'SQLite'}, ${options.workers} workers`);
printFigure('time to seed', formatMs(performance.now() - seedingStartedAt));

/** Starts the edge. @returns ms until it serves */
async function startEdge() {
  const at = performance.now();
  await stack.start('edge', START_S);
  return performance.now() - at;
}
const edgeFolder = join(stack.folder, 'edge');
const measureSnapshot = () =>
  readdirSync(edgeFolder)
    .filter((name) => name.startsWith('snapshot'))
    .reduce((sum, name) => sum + statSync(join(edgeFolder, name)).size, 0);
const readMetric = async (name) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${stack.adminUrl}/metrics`)).text())?.[1]);
const waitUntilWorkersServe = () =>
  waitFor('all workers', async () => (await readMetric('edge_workers')) === Number(options.workers), 300);
/** Waits until the snapshot is on disk and its size no longer changes. */
async function waitUntilSnapshotIsStored() {
  let size = -1;
  await waitFor(
    'the snapshot on disk',
    async () => {
      const before = size;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      try {
        size = measureSnapshot();
      } catch {
        return false; // The folder or a listed file does not exist.
      }
      return size > 0 && size === before;
    },
    300,
  );
}

const startWithoutSnapshotMs = await startEdge();
await waitUntilWorkersServe();
await waitUntilSnapshotIsStored();
const memoryOfFirstStart = readMemory(stack.process('edge').pid);
await stack.kill('edge', 'SIGTERM');
const startWithSnapshotMs = await startEdge();
await waitUntilWorkersServe();
await new Promise((resolve) => setTimeout(resolve, 5_000));
const memoryOfSecondStart = readMemory(stack.process('edge').pid);
await stack.kill('edge', 'SIGTERM');
let startWithoutDatabaseMs = Number.NaN;
if (server) {
  server.signal('SIGSTOP');
  startWithoutDatabaseMs = await startEdge();
  server.signal('SIGCONT');
} else {
  const file = join(stack.folder, 'studio.sqlite');
  await stack.kill('core', 'SIGTERM');
  renameSync(file, `${file}.away`);
  startWithoutDatabaseMs = await startEdge();
  await stack.kill('edge', 'SIGTERM');
  renameSync(`${file}.away`, file);
  await stack.start('core');
  await startEdge();
}
await waitUntilWorkersServe();
printFigure(
  'edge ready without a snapshot / with a snapshot / with a snapshot but no database',
  [startWithoutSnapshotMs, startWithSnapshotMs, startWithoutDatabaseMs].map(formatMs).join(' / '),
);
printFigure('snapshot on disk', formatMegabytes(measureSnapshot()));
printFigure(
  'primary, first start: memory (peak)',
  `${formatMegabytes(memoryOfFirstStart.now)} (${formatMegabytes(memoryOfFirstStart.peak)})`,
);
printFigure(
  'primary, second start: memory (peak)',
  `${formatMegabytes(memoryOfSecondStart.now)} (${formatMegabytes(memoryOfSecondStart.peak)})`,
);
const formatWorkerMemory = () =>
  listChildren(stack.process('edge').pid)
    .map((pid) => readMemory(pid))
    .map(({ now, peak }) => `${formatMegabytes(now)} (${formatMegabytes(peak)})`)
    .join(', ');
await new Promise((resolve) => setTimeout(resolve, 5_000));
printFigure('workers: memory (peak)', formatWorkerMemory());

const caller = createCaller(stack, 120);
await caller.logIn();
const gateway = await createGateway(caller);
await waitFor('the new key', async () => (await gateway.request(stack.port)).status === 200, 60);

/** Results of a client that sends requests to the gateway from here until the import of keys begins. */
const plainClient = { requests: 0, failed: 0, statuses: {}, times: [] };
let isOver = false;
const client = (async () => {
  while (!isOver) {
    const { status, ms: durationMs } = await gateway.request(stack.port);
    plainClient.requests += 1;
    plainClient.times.push(durationMs);
    plainClient.statuses[status] = (plainClient.statuses[status] ?? 0) + 1;
    if (status !== 200) plainClient.failed += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
})();

/** Requests a site at the edge. @returns the status */
const requestSite = (label) =>
  new Promise((resolve) => {
    request({ host: '127.0.0.1', port: stack.port, path: '/', headers: { Host: `${label}.localhost` } }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    })
      .once('error', () => resolve(0))
      .end();
  });

/** Sends requests at a steady rate while `work` runs. @returns counts of all and failed requests, and durations in ms */
async function runUnderLoad(perSecond, work) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const load = { requests: 0, failed: 0, times: [] };
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const dueCount = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    for (; load.requests < dueCount; load.requests += 1) {
      void gateway.request(stack.port, undefined, agent).then(({ status, ms: durationMs }) => {
        load.times.push(durationMs);
        if (status !== 200) load.failed += 1;
      });
    }
  }, 5);
  await work();
  clearInterval(timer);
  await waitFor('all responses', () => load.times.length === load.requests);
  agent.destroy();
  return load;
}

/** Creates subdomains one after the other. @returns for each, the ms of its save and the ms until the edge serves it */
async function measureSaves(prefix) {
  const [posts, inForce, pending] = [[], [], []];
  for (let index = 0; index < CHANGES; index += 1) {
    const subdomain = `${prefix}-${index}`;
    const response = await caller.request('POST', '/subdomains', {
      subdomain,
      description: 'x',
      type: 'proxy',
      port: 9,
    });
    if (response.status !== 201) throw new Error(`POST /subdomains: ${response.status}`);
    posts.push(response.ms);
    if (response.body.live?.state !== 'active') pending.push(subdomain);
    const at = performance.now();
    await waitFor('the new site', async () => (await requestSite(subdomain)) !== 404, 60);
    inForce.push(performance.now() - at);
  }
  return { posts, inForce, pending };
}
const formatSaves = ({ posts }) => `${formatMs(computeQuantile(posts, 0.5))} / ${formatMs(Math.max(...posts))}`;

const firstSaves = await measureSaves('escala');
printFigure('POST of a subdomain in the first seconds, p50 / max', formatSaves(firstSaves));

const revocationMs = [];
for (let index = 0; index < CHANGES; index += 1) {
  const created = await caller.create('/gateway/admin/keys', {
    name: `escala ${index}`,
    permissions: ['*'],
    allowedIps: [],
  });
  await waitFor('the new key', async () => (await gateway.request(stack.port, created.key)).status === 200, 60);
  await caller.request('DELETE', `/gateway/admin/keys/${created._id}`);
  const at = performance.now();
  await waitFor('the revocation', async () => (await gateway.request(stack.port, created.key)).status === 401, 60);
  revocationMs.push(performance.now() - at);
}
printFigure(
  'time from the 204 until the edge refuses a revoked key, p50 / max',
  `${formatMs(computeQuantile(revocationMs, 0.5))} / ${formatMs(Math.max(...revocationMs))}`,
);

/** Waits until each failing host has an open alert. @returns the number of open alerts */
const waitUntilAllAlertsOpen = () =>
  waitFor(
    'the alerts',
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      const { alerts, subdomainsDown, tenantsDown } = (await caller.request('GET', '/overview')).body;
      return alerts >= subdomainsDown.total + tenantsDown.total && alerts;
    },
    600,
  );
const openAlerts = await waitUntilAllAlertsOpen();
printFigure(
  'open alerts; time until all of them were open',
  `${openAlerts}; ${Math.round((performance.now() - seedingStartedAt) / 1000)} s`,
);

for (const path of ['/tenants', '/projects', '/gateway/admin/keys', '/gateway/admin/routes']) {
  let [isRead, slowest] = [false, 0];
  const otherReads = (async () => {
    while (!isRead) {
      slowest = Math.max(slowest, (await caller.request('GET', '/subdomains?limit=1')).ms);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const token = await stack.logIn();
  const at = performance.now();
  const response = await fetch(`${stack.coreUrl}/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
  let size = 0;
  for await (const piece of response.body) size += piece.length;
  const durationMs = performance.now() - at;
  isRead = true;
  await otherReads;
  printFigure(
    `GET ${path}: status, time, size; slowest other read`,
    `${response.status}, ${formatMs(durationMs)}, ${formatMegabytes(size)}; ${formatMs(slowest)}`,
  );
}

const laterSaves = await measureSaves('depois');
printFigure('POST of a subdomain after the lists above, p50 / max', formatSaves(laterSaves));
const [inForce, pending] = ['inForce', 'pending'].map((list) => [...firstSaves[list], ...laterSaves[list]]);
printFigure(
  'time from the 201 until the edge serves the subdomain, max; responses with `live` pending',
  `${formatMs(Math.max(...inForce))}; ${pending.length}`,
);

if (!options['no-screens']) {
  const browser = await chromium.launch({
    executablePath: requireChromium(),
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  const token = await stack.logIn();
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 900 } });
  await context.addInitScript((storedToken) => localStorage.setItem('token', storedToken), token);
  const page = await context.newPage();
  const screens = [
    '/admin',
    '/tenants',
    '/projects',
    '/gateway/keys',
    '/gateway/management?tab=rotas',
    '/gateway/metrics',
    '/alerts',
  ];
  /** Reads when the largest content of the page was painted, ms after the start of the navigation. */
  const readPaintTime = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0));
          observer.observe({ type: 'largest-contentful-paint', buffered: true });
        }),
    );
  for (const path of screens) {
    const [paintTimes, networkTimes] = [[], []];
    const failures = new Set();
    page.on(
      'response',
      (response) => response.url().endsWith('/graphql') && response.status() !== 200 && failures.add(response.status()),
    );
    for (let turn = 0; turn <= VISITS; turn += 1) {
      await page.goto(stack.url + path, { waitUntil: 'domcontentloaded' }).catch(() => failures.add('not opened'));
      const at = performance.now();
      await page.waitForLoadState('networkidle', { timeout: 60_000 }).catch(() => failures.add('time-out'));
      if (turn === 0) continue;
      networkTimes.push(performance.now() - at - NETWORK_IDLE_MS);
      paintTimes.push(await readPaintTime());
    }
    page.removeAllListeners('response');
    printFigure(
      `screen ${path}: painted, p95 / max; no request is open any more, p95`,
      `${formatMs(computeQuantile(paintTimes, 0.95))} / ${formatMs(Math.max(...paintTimes))}; ${formatMs(computeQuantile(networkTimes, 0.95))}${failures.size > 0 ? `, failures ${[...failures]}` : ''}`,
    );
  }
  await page.goto(`${stack.url}/admin`, { waitUntil: 'networkidle' }).catch(() => undefined);
  const at = performance.now();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.waitForLoadState('networkidle', { timeout: 60_000 }).catch(() => undefined);
  printFigure('command palette', formatMs(Math.max(0, performance.now() - at - NETWORK_IDLE_MS)));
  await browser.close();
}

isOver = true;
await client;
const loadDuringImport = await runUnderLoad(LOAD_PER_S, async () => {
  const startedAt = performance.now();
  await stack.runCore('seed', ...ZERO_AMOUNTS, '--keys', String(keysAtEnd));
  const subdomain = 'escala-depois';
  await caller.create('/subdomains', { subdomain, description: 'x', type: 'proxy', port: 9 });
  await waitFor('the new site', async () => (await requestSite(subdomain)) !== 404, 120);
  printFigure(
    `${addedKeys} more keys by one transaction: time until all work`,
    formatMs(performance.now() - startedAt),
  );
});
printFigure(
  `requests meanwhile (${LOAD_PER_S}/s): sent, failed, p99, max`,
  `${loadDuringImport.requests}, ${loadDuringImport.failed}, ${formatMs(computeQuantile(loadDuringImport.times, 0.99))}, ${formatMs(Math.max(...loadDuringImport.times))}`,
);
const core = readMemory(stack.process('core').pid);
const bff = readMemory(stack.process('bff').pid);
printFigure('core: memory (peak)', `${formatMegabytes(core.now)} (${formatMegabytes(core.peak)})`);
printFigure('BFF: memory (peak)', `${formatMegabytes(bff.now)} (${formatMegabytes(bff.peak)})`);
const primary = readMemory(stack.process('edge').pid);
printFigure('primary at the end: memory (peak)', `${formatMegabytes(primary.now)} (${formatMegabytes(primary.peak)})`);
printFigure('workers at the end: memory (peak)', formatWorkerMemory());
printFigure('processor time of the edge', `${(measureProcessorTime(stack.process('edge').pid) / 1e6).toFixed(1)} s`);
const endedWorkers = await readMetric('edge_workers_ended_total');
printFigure('workers ended', endedWorkers);
printFigure(
  'the plain client: requests, failed, p99, max',
  `${plainClient.requests}, ${plainClient.failed}, ${formatMs(computeQuantile(plainClient.times, 0.99))}, ${formatMs(Math.max(...plainClient.times))}`,
);
process.stdout.write(`\n${formatTable(rows)}\n\n`);
ok(endedWorkers === 0, 'no worker was ended');
ok(plainClient.failed === 0, 'no request failed', JSON.stringify(plainClient.statuses));
ok(loadDuringImport.failed === 0, `no request fails while ${addedKeys} keys are added by one transaction`);
ok(computeQuantile(loadDuringImport.times, 0.99) < 100, 'the 99th percentile meanwhile is below 100 ms');
ok(
  computeQuantile(laterSaves.posts, 0.5) < 50,
  'the median of a save is below 50 ms once the installation has run for a while',
  formatMs(computeQuantile(laterSaves.posts, 0.5)),
);
ok(Math.max(...inForce) <= 1_000, 'a save is in force within 1 s after its response');
ok(Math.max(...revocationMs) <= 1_000, 'a revoked key is refused within 1 s after the response');
gateway.close();
await stack.stop();
server?.remove();
finish();
