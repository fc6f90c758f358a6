/**
 * `npm run bench -- soak [--minutes 10] [--workers 2] [--connections 64]`
 *
 * Puts full load on the edge with wrk while keys, routes and sites are created, changed and removed. Other clients
 * compare each response with the expected response. The upstream closes connections that were idle for a second.
 * In addition, hostile clients send invalid requests, and another upstream sends invalid responses (`hostile.mjs`).
 *
 * The soak fails on wrong responses, unexpected errors, changes that are not in force within a second, inexact counts,
 * ended workers, faults of the edge, and growing memory. Failures are reported by kind, with the longest delay of this
 * process's event loop. A change that was late by less than this delay may be late only because the machine was busy.
 *
 * The file exceeds 250 lines because all of its tasks share the state that they compare.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { findFreePort, Stack, waitFor } from '../testing/harness.mjs';
import { requestBrokenUpstream, sendInvalidRequests, startBrokenUpstream } from './hostile.mjs';
import { acceptsConnections, isInstalled, measureResidentMemory, median, start, stop, wrk } from './measure.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    workers: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
  },
});
for (const program of ['wrk', 'nginx']) {
  if (isInstalled(program)) continue;
  console.error(`${program} is missing: apt-get install ${program}`);
  process.exit(1);
}
/** A change must be in force within this time (contract §5). */
const IN_FORCE_MS = 1_000;
const WRK_RUN_S = 10;
/** A response after this time counts as a failure, however busy the machine is. */
const LATE_S = 10;
const COMPARING_CLIENTS = 8;
const MAX_MEMORY_GROWTH = 1.2;

const folder = mkdtempSync(join(tmpdir(), 'soak-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const payload = JSON.stringify({ data: 'x'.repeat(1013) }); // 1 KiB of JSON
writeFileSync(join(folder, '1k.json'), payload);
const upstreamPort = await findFreePort();
writeFileSync(
  join(folder, 'upstream.conf'),
  `worker_processes 1; daemon off; pid nginx.pid; error_log stderr error; events { worker_connections 4096; }
   http { access_log off; keepalive_requests 1000000000; keepalive_timeout 1s; client_body_temp_path ${folder};
     proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
     server { listen 127.0.0.1:${upstreamPort} backlog=1024; root ${folder}; location = /echo { return 200 "$arg_n"; } } }`,
);
const nginx = start('nginx', ['-p', folder, '-c', join(folder, 'upstream.conf')]);
await waitFor('the upstream', () => acceptsConnections(upstreamPort));

const stack = await Stack.start({
  processes: ['core', 'edge'],
  environment: { EDGE_WORKERS: options.workers },
  seed: ['--services', '5', '--routes', '1000', '--keys', '10000', '--tenants', '100', '--subdomains', '100'],
});
const { port } = stack;
const edge = stack.process('edge');
const agent = new Agent({ keepAlive: true, maxSockets: COMPARING_CLIENTS * 2 });
/** Number of failures by kind. */
const failureCounts = new Map();
const eventLoopDelay = monitorEventLoopDelay({ resolution: 10 });
eventLoopDelay.enable();
const formatLongestDelay = () => `${Math.round(eventLoopDelay.max / 1e6)} ms`;
const reportFailure = (kind, text) => {
  const count = (failureCounts.get(kind) ?? 0) + 1;
  failureCounts.set(kind, count);
  if (count > 10) return;
  const now = new Date().toISOString().slice(11, 19);
  console.error(`${now} ${kind}: ${text} (load ${loadavg()[0]}, longest event loop delay ${formatLongestDelay()})`);
};

/** Sends one request, a POST if there is a `text`. @returns status (0 for a broken connection) and body */
const sendRequest = (host, path, headers = {}, text = undefined) =>
  new Promise((resolve) => {
    const method = text === undefined ? 'GET' : 'POST';
    const requestOptions = { port, host: '127.0.0.1', path, method, agent, headers: { Host: host, ...headers } };
    const outgoing = request(requestOptions, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
      response.on('error', () => resolve({ status: 0, body }));
    });
    outgoing.on('error', () => resolve({ status: 0, body: '' }));
    outgoing.end(text);
  });

const service = await stack.create('/gateway/admin/services', {
  name: 'soak',
  host: `http://127.0.0.1:${upstreamPort}`,
});
const createRoute = (origin, destination) =>
  stack.create('/gateway/admin/routes', {
    serviceId: service._id,
    origin,
    destination,
    methods: ['GET'],
    permission: 'soak:read',
  });
/** @param {string} name @returns {Promise<{ _id?: string, key?: string }>} */
const createKey = (name) =>
  stack.create('/gateway/admin/keys', { name, permissions: ['soak:*'], allowedIps: ['127.0.0.0/8'] });
await createRoute('/soak/:file', '/:file');
await createRoute('/echo', '/echo');
const loadKey = await createKey('load');
const checkKey = await createKey('check');
await stack.create('/subdomains', { subdomain: 'soak', description: 'soak', type: 'proxy', port: upstreamPort });
const sites = join(stack.folder, 'sites');
mkdirSync(join(sites, 'soak'), { recursive: true });
writeFileSync(join(sites, 'soak/index.html'), '<p>soak</p>');
await stack.create('/subdomains', {
  subdomain: 'files',
  description: 'soak',
  type: 'static',
  staticPath: join(sites, 'soak'),
});
const brokenPort = await startBrokenUpstream();
await stack.create('/subdomains', { subdomain: 'broken', description: 'soak', type: 'proxy', port: brokenPort });
let allowedRequests = 0;
const requestGateway = async (path, key) => {
  const response = await sendRequest('api.localhost', path, { 'X-API-Key': key });
  if (key === checkKey.key && response.status === 200) allowedRequests += 1;
  return response;
};
await waitFor('the configuration', async () => (await requestGateway('/echo?n=1', checkKey.key)).status === 200);
await waitFor('the sites', async () => (await sendRequest('files.localhost', '/')).status === 200);

const endsAt = Date.now() + Number(options.minutes) * 60_000;
const isRunning = () => Date.now() < endsAt;
const counts = { load: 0, checks: 0, changes: 0 };
let slowestChangeMs = 0;

/** Puts full load on routes that do not change. */
async function loadGateway() {
  const url = `http://127.0.0.1:${port}/soak/1k.json`;
  const headers = { Host: 'api.localhost', 'X-API-Key': loadKey.key };
  while (isRunning()) {
    const { requests, failed, failures } = await wrk(url, {
      timeoutS: LATE_S,
      seconds: WRK_RUN_S,
      connections: Number(options.connections),
      headers,
    });
    counts.load += requests;
    if (failed > 0) reportFailure('load', `of ${requests} requests: ${failures}`);
  }
}

/** Compares responses of routes and sites that do not change. */
async function compareResponses(client) {
  for (let turn = 0; isRunning(); turn += 1) {
    const mark = `${client}-${turn}`;
    const responses = {
      gateway: [await requestGateway(`/echo?n=${mark}`, checkKey.key), { status: 200, body: mark }],
      proxy: [await sendRequest('soak.localhost', `/echo?n=${mark}`), { status: 200, body: mark }],
      post: [await sendRequest('soak.localhost', `/echo?n=${mark}`, {}, mark), { status: 200, body: mark }],
      static: [await sendRequest('files.localhost', '/'), { status: 200, body: '<p>soak</p>' }],
    };
    for (const [kind, [actual, expected]] of Object.entries(responses)) {
      if (actual.status !== expected.status || actual.body !== expected.body) {
        const text = JSON.stringify(actual.body.slice(0, 60));
        reportFailure(`response to ${kind}`, `${actual.status} ${text} instead of ${JSON.stringify(expected.body)}`);
      }
    }
    counts.checks += Object.keys(responses).length;
  }
}

/** Waits until four simultaneous calls of `probe` return the expected status. */
async function waitForStatus(description, expected, probe) {
  const startedAt = Date.now();
  for (;;) {
    const responses = await Promise.all(Array.from({ length: 4 }, probe));
    if (responses.every(({ status }) => status === expected)) break;
    if (Date.now() - startedAt > IN_FORCE_MS * 3) {
      const statuses = responses.map(({ status }) => status);
      reportFailure(
        'change not in force',
        `${description}: ${statuses} instead of ${expected} after ${IN_FORCE_MS * 3} ms`,
      );
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const durationMs = Date.now() - startedAt;
  counts.changes += 1;
  slowestChangeMs = Math.max(slowestChangeMs, durationMs);
  if (durationMs > IN_FORCE_MS) reportFailure('late change', `${description} took ${durationMs} ms`);
}

/** Creates, changes and removes keys, routes and sites. */
async function changeConfiguration() {
  for (let turn = 0; isRunning(); turn += 1) {
    const key = await createKey(`turn ${turn}`);
    const path = `/turn-${turn}/:x`;
    const createdRoute = await createRoute(path, '/echo');
    const label = `turn-${turn}`;
    await stack.create('/subdomains', { subdomain: label, description: 'soak', type: 'proxy', port: upstreamPort });
    await waitForStatus('a new key and route', 200, () => requestGateway(`/turn-${turn}/a`, key.key));
    await waitForStatus('a new site', 200, () => sendRequest(`${label}.localhost`, '/echo'));
    await stack.request('PUT', `/gateway/admin/keys/${key._id}`, { permissions: ['other:read'] });
    await waitForStatus('a removed permission', 403, () => requestGateway(`/turn-${turn}/a`, key.key));
    await stack.request('DELETE', `/gateway/admin/keys/${key._id}`);
    await waitForStatus('a removed key', 401, () => requestGateway(`/turn-${turn}/a`, key.key));
    await stack.request('DELETE', `/gateway/admin/routes/${createdRoute._id}`);
    await waitForStatus('a removed route', 404, () => requestGateway(`/turn-${turn}/a`, key.key));
    await stack.request('DELETE', `/subdomains/${label}`);
    await waitForStatus('a removed site', 404, () => sendRequest(`${label}.localhost`, '/echo'));
  }
}

const memory = [];
async function sampleMemory() {
  while (isRunning()) {
    memory.push(measureResidentMemory(edge.pid));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

const HOSTILE_CLIENTS = 4;
const hostileClients = Promise.all([
  ...Array.from({ length: HOSTILE_CLIENTS }, () => sendInvalidRequests(port, isRunning)),
  requestBrokenUpstream(
    (path) => sendRequest('broken.localhost', path),
    isRunning,
    (text) => reportFailure('broken response', text),
  ),
]);
await Promise.all([
  loadGateway(),
  changeConfiguration(),
  sampleMemory(),
  ...Array.from({ length: COMPARING_CLIENTS }, (_, client) => compareResponses(client)),
]);
const invalidMessages = (await hostileClients).reduce((sum, count) => sum + count, 0);
const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text();
for (const name of ['edge_workers_ended_total', 'edge_faults_total']) {
  const value = Number(new RegExp(`^${name} (.+)$`, 'm').exec(metrics)?.[1]);
  if (value !== 0) reportFailure(name, String(value));
}

const readUsageCount = async () => {
  const keys = /** @type {{ _id: string, usageCount: number }[]} */ (await stack.request('GET', '/gateway/admin/keys'));
  return keys.find(({ _id }) => _id === checkKey._id).usageCount;
};
await waitFor('the count', async () => (await readUsageCount()) >= allowedRequests, 5).catch(() => undefined);
const countedRequests = await readUsageCount();
if (countedRequests !== allowedRequests)
  reportFailure('count', `${countedRequests} requests counted, ${allowedRequests} allowed`);
const quarter = Math.ceil(memory.length / 4);
const earlyMemory = median(memory.slice(quarter, quarter * 2));
const lateMemory = median(memory.slice(-quarter));
if (lateMemory > earlyMemory * MAX_MEMORY_GROWTH)
  reportFailure('memory', `grew from ${earlyMemory} to ${lateMemory} bytes`);
const formatMegabytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MB`;
console.log(
  `${options.minutes} min: ${counts.load} requests under load, ${counts.checks} answers compared, ${invalidMessages} invalid messages, ${counts.changes} changes (slowest ${slowestChangeMs} ms), memory ${formatMegabytes(earlyMemory)} -> ${formatMegabytes(lateMemory)}, longest event loop delay ${formatLongestDelay()}`,
);
const kinds = [...failureCounts].map(([kind, count]) => `${count}x ${kind}`).join(', ');
console.log(kinds === '' ? 'no failures' : `failures: ${kinds}`);
await stack.stop();
await stop(nginx);
process.exit(failureCounts.size === 0 ? 0 : 1);
