/**
 * `npm run bench -- gateway [--routes 1000] [--keys 10000] [--seconds 1] [--rounds 6] [--cases plain,browser] [--only
 * ours,nginx]`
 *
 * Compares the edge with other proxies, one worker each, in one interleaved run. The edge checks route, key, permission
 * and address, and counts each request. wrk holds 64 connections; the upstream is one nginx that answers from memory.
 *
 * - `+log` writes the access log into a file.
 * - `+stdout` writes the access log to the standard output, as by default.
 * - `+policies` has a key with an expiry and a limit, and a service with CORS and two instances.
 *
 * On a shared machine only the processor time per request is reliable (user and system time of the process tree). Two
 * starts of a Node process differ in speed, and its first seconds are slow. Therefore the edge is restarted before every
 * second round and warmed up. The Node proxies run only in the plain case. At the end the figures are compared with the
 * goals.
 *
 * The file exceeds 250 lines because the cases and candidates belong to this one comparison.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findFreePort, Stack, waitFor } from '../testing/harness.mjs';
import { compareWithGoals } from './gateway-verdicts.mjs';
import {
  acceptsConnections,
  formatTable,
  isInstalled,
  measureProcessorTime,
  median,
  start,
  stop,
  wrk,
} from './measure.mjs';

const { values: options } = parseArgs({
  options: {
    routes: { type: 'string', default: '1000' },
    keys: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '6' },
    cases: { type: 'string' },
    only: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const ROUNDS_PER_START = 2;
const WARM_UP_PASSES = 2;
/** Duration of each warm-up pass of a candidate that takes part only in the plain case. */
const PLAIN_WARM_UP_S = 5;
const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const writeConfiguration = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

for (const program of ['wrk', 'nginx']) {
  if (isInstalled(program)) continue;
  console.error(`${program} is missing: apt-get install ${program}`);
  process.exit(1);
}

const createFiller = (size) => JSON.stringify({ data: 'x'.repeat(size - 11) }); // `{"data":""}` has 11 bytes.
for (const size of [1, 16, 64]) writeConfiguration(`${size}k.json`, createFiller(size * 1024));

/**
 * The measured requests. `path` is appended to the URL of the proxied or static files. `script` replaces wrk's plain
 * GETs. Each request has `additionalHeaders`. With `refuses`, error responses are expected. With `behindCaddy`,
 * requests arrive through a Caddy that pools its connections; the processor time of that Caddy is not counted.
 */
const cases = {
  plain: { path: '/1k.json' },
  browser: {
    path: '/1k.json',
    script: `local turn = 0
      local lines = { ["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
        ["Accept"] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ["Accept-Encoding"] = "gzip, deflate, br, zstd",
        ["Accept-Language"] = "pt-BR,pt;q=0.9,en;q=0.8", ["Cache-Control"] = "no-cache", ["Pragma"] = "no-cache", ["DNT"] = "1",
        ["Referer"] = "https://example.com/", ["Sec-Fetch-Dest"] = "empty", ["Sec-Fetch-Mode"] = "cors", ["Sec-Fetch-Site"] = "same-origin",
        ["Sec-CH-UA-Mobile"] = "?0", ["Sec-CH-UA-Platform"] = "Linux" }
      function init() for name, value in pairs(lines) do wrk.headers[name] = value end end
      function request() turn = turn + 1; wrk.headers["Cookie"] = "session=" .. turn; return wrk.format() end`,
  },
  refused: {
    path: '/1k.json',
    refuses: true, // Every 20th request has no route, a method that the route lacks, or no key.
    script: `local turn = 0
      function request()
        turn = turn + 1
        if turn % 20 > 0 then return wrk.format() end
        if turn % 60 == 0 then return wrk.format("GET", "/none") end
        if turn % 60 == 20 then return wrk.format("DELETE") end
        return wrk.format("GET", nil, { Host = wrk.headers["Host"] })
      end`,
  },
  chunked: {
    path: '/1k.json',
    script: `local whole
      function init()
        wrk.headers["Transfer-Encoding"] = "chunked"
        whole = wrk.format("POST") .. "1000\\r\\n" .. string.rep("x", 4096) .. "\\r\\n0\\r\\n\\r\\n"
      end
      function request() return whole end`,
  },
  '64k': { path: '/64k.json' },
  'behind caddy': { path: '/1k.json', behindCaddy: true },
  static: { path: '/16k.json', isStatic: true },
  // This case requests the file of `static` from a published version instead of a folder.
  version: { path: '/16k.json', isStatic: true, isVersion: true },
  connections: { path: '/1k.json', additionalHeaders: { Connection: 'close' } },
};
for (const [name, settings] of Object.entries(cases))
  if (settings.script) settings.script = writeConfiguration(`${name}.lua`, settings.script);

const startNginx = (name, server, { pool = '', log = 'off' } = {}) =>
  start('nginx', [
    '-p',
    folder,
    '-c',
    writeConfiguration(
      name,
      `worker_processes 1; daemon off; pid ${name}.pid; error_log stderr error;
      events { worker_connections 2048; }
      http { access_log ${log}; keepalive_requests 1000000000; client_body_temp_path ${folder}; proxy_temp_path ${folder};
        fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
        types { application/json json; } open_file_cache max=10 inactive=1h; open_file_cache_valid 1h; sendfile on;
        ${pool} server { ${server} } }`,
    ),
  ]);

const upstreamPort = await findFreePort();
const upstream = `http://127.0.0.1:${upstreamPort}`; // `error_page` turns the 405 of a POST into 200.
startNginx('upstream.conf', `listen 127.0.0.1:${upstreamPort} backlog=1024; root ${folder}; error_page 405 =200 $uri;`);
await waitFor('the upstream', () => acceptsConnections(upstreamPort));

const peersFolder = join(import.meta.dirname, 'peers');
function startPeer(name, ...args) {
  if (!existsSync(join(peersFolder, 'node_modules'))) {
    console.log('installing the peers …');
    const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-package-lock'], {
      cwd: peersFolder,
      stdio: 'inherit',
    });
    if (status !== 0) process.exit(1);
  }
  return start('node', [join(peersFolder, name), ...args.map(String)], {
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'error' },
  });
}

async function waitForListener(child, port, headers = {}) {
  await waitFor(`port ${port}`, () => acceptsConnections(port));
  const origin = `http://127.0.0.1:${port}`;
  const origins = { proxied: origin, files: `${origin}/files` };
  return { port, pid: child.pid, end: () => stop(child), origins, getHeaders: () => headers };
}

/** Publishes a folder as a version of a new site. */
async function publishVersion(stack, subdomain, source) {
  await stack.request('POST', '/subdomains', { subdomain, description: subdomain, type: 'static', source: 'versions' });
  const archive = join(folder, 'package.tar.gz');
  writeFileSync(join(source, 'index.html'), '');
  const { status: tarStatus } = spawnSync('tar', ['-czf', archive, '-C', source, '.']);
  const { status } = await fetch(`${stack.coreUrl}/api/subdomains/${subdomain}/versions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await stack.logIn()}`, 'Content-Type': 'application/gzip' },
    body: readFileSync(archive),
  });
  if (tarStatus !== 0 || status !== 201) throw new Error(`no version of ${source}: ${tarStatus}, ${status}`);
}

async function startEdge(log, policies = { service: {}, key: {} }) {
  const seed = ['--services', '5', '--routes', options.routes, '--keys', options.keys];
  const stack = await Stack.start({ processes: ['core', 'edge'], seed, environment: { ACCESS_LOG: log } });
  const service = await stack.create('/gateway/admin/services', {
    name: 'bench',
    host: upstream,
    ...policies.service,
  });
  await stack.create('/gateway/admin/routes', {
    serviceId: service._id,
    origin: '/bench/:file',
    destination: '/:file',
    methods: ['GET', 'POST'],
    permission: 'bench:read',
  });
  const { key } = await stack.create('/gateway/admin/keys', {
    name: 'bench',
    permissions: ['other:read', 'bench:*'],
    allowedIps: ['10.0.0.0/8', '127.0.0.0/8'],
    ...policies.key,
  });
  const staticPath = join(stack.folder, 'sites', 'bench');
  mkdirSync(staticPath, { recursive: true });
  writeFileSync(join(staticPath, '16k.json'), createFiller(16 * 1024));
  await stack.request('POST', '/subdomains', { subdomain: 'bench', description: 'bench', type: 'static', staticPath });
  await publishVersion(stack, 'version', staticPath);
  const headers = { Host: 'api.localhost', 'X-API-Key': String(key) };
  const proxied = `http://127.0.0.1:${stack.port}/bench`;
  const waitUntilServed = () =>
    waitFor('the route of the edge', async () => {
      const loadOptions = { seconds: 1, connections: 1, headers };
      return (await wrk(`${proxied}/1k.json`, loadOptions).catch(() => null))?.failed === 0;
    });
  await waitUntilServed();
  return {
    port: stack.port,
    get pid() {
      return stack.process('edge').pid;
    },
    async restart() {
      await stack.kill('edge', 'SIGTERM');
      await stack.start('edge');
      await waitUntilServed();
    },
    end: () => stack.stop(),
    origins: { proxied, files: `http://127.0.0.1:${stack.port}` },
    getHeaders: ({ isStatic, isVersion }) =>
      isStatic ? { Host: isVersion ? 'version.localhost' : 'bench.localhost' } : headers,
    hasVersions: true,
  };
}

async function startNginxProxy(log) {
  const port = await findFreePort();
  const child = startNginx(
    `proxy-${port}.conf`,
    `listen 127.0.0.1:${port} backlog=1024; location /files/ { alias ${folder}/; }
     location / { proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; }`,
    { pool: `upstream up { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 1000000000; }`, log },
  );
  return waitForListener(child, port);
}

function startCaddy(name, sites) {
  const blocks = sites.map(({ port, block }) => `http://:${port} {\n bind 127.0.0.1\n ${block}\n}\n`);
  const configuration = writeConfiguration(
    `Caddyfile-${name}`,
    `{\n admin off\n auto_https off\n}\n${blocks.join('')}`,
  );
  return start('caddy', ['run', '--config', configuration, '--adapter', 'caddyfile'], {
    env: { ...process.env, GOMAXPROCS: '1', HOME: folder },
  });
}

async function startCaddyProxy(log) {
  const port = await findFreePort();
  const files = `handle_path /files/* {\n root * ${folder}\n file_server\n }`;
  const block = `${log}\n ${files}\n reverse_proxy 127.0.0.1:${upstreamPort}`;
  return waitForListener(startCaddy(port, [{ port, block }]), port);
}

/** Starts one Caddy in front of all candidates, with a port for each. */
async function putBehindCaddy(startedCandidates) {
  const sites = [];
  for (const candidate of startedCandidates.values()) {
    const port = await findFreePort();
    const pool = 'transport http {\n keepalive_idle_conns_per_host 128\n }';
    sites.push({ port, block: `reverse_proxy 127.0.0.1:${candidate.port} {\n ${pool}\n }` });
    const { pathname } = new URL(candidate.origins.proxied);
    candidate.origins.behindCaddy = `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`;
  }
  startCaddy('front', sites);
  for (const { port } of sites) await waitFor(`port ${port}`, () => acceptsConnections(port));
}

/** Functions that start the compared proxies. Candidates are measured in turn, round by round. */
const candidates = {
  ours: () => startEdge('off'),
  'ours+log': () => startEdge(join(folder, 'ours.log')),
  'ours+stdout': () => startEdge('stdout'),
  'ours+policies': () =>
    startEdge('off', {
      service: { extraHosts: [upstream.replace('127.0.0.1', 'localhost')], cors: { origins: '*' } },
      key: { expiresAt: '2099-01-01T00:00:00Z', rateLimit: { requests: 1_000_000, seconds: 1 } },
    }),
  nginx: () => startNginxProxy('off'),
  'nginx+log': () => startNginxProxy(join(folder, 'nginx.log')),
  caddy: () => startCaddyProxy(''),
  'caddy+log': () => startCaddyProxy(`log {\n output file ${join(folder, 'caddy.log')}\n }`),
  async '@fastify/http-proxy'() {
    const port = await findFreePort();
    return waitForListener(startPeer('fastify.mjs', port, upstream), port);
  },
  async 'http-proxy-middleware'() {
    const port = await findFreePort();
    return waitForListener(startPeer('http-proxy-middleware.mjs', port, upstream), port);
  },
  async 'express-gateway'() {
    const [port, adminPort] = [await findFreePort(), await findFreePort()];
    const child = startPeer('express-gateway.mjs', port, upstream, adminPort);
    const keyLine = await waitFor('the key of express-gateway', () => /^AUTHORIZATION (.+)$/m.exec(child.output));
    return waitForListener(child, port, { Authorization: keyLine[1] });
  },
};

const chosenNames = Object.keys(candidates).filter((name) => !options.only || options.only.split(',').includes(name));
const running = new Map();
for (const name of chosenNames) {
  if (name.startsWith('caddy') && !isInstalled('caddy'))
    console.log('caddy is missing (apt-get install caddy): left out');
  else running.set(name, await candidates[name]());
}

const chosenCases = Object.entries(cases)
  .filter(([name]) => !options.cases || options.cases.split(',').includes(name))
  .filter(([, { behindCaddy }]) => !behindCaddy || isInstalled('caddy'));
if (chosenCases.some(([, { behindCaddy }]) => behindCaddy)) await putBehindCaddy(running);
/** These candidates run only in the plain case: the Node proxies are slow, and the variants have goals only there. */
const plainCaseOnly = new Set([
  'ours+stdout',
  'ours+policies',
  '@fastify/http-proxy',
  'http-proxy-middleware',
  'express-gateway',
]);
/** Runs wrk. @returns its results, and the candidate's processor time in us */
async function load(name, caseName, runSeconds) {
  const { path, script, additionalHeaders, isStatic, behindCaddy, refuses } = cases[caseName];
  const { pid, origins, getHeaders } = running.get(name);
  const proxiedOrigin = behindCaddy ? origins.behindCaddy : origins.proxied;
  const origin = isStatic ? origins.files : proxiedOrigin;
  const timeBefore = measureProcessorTime(pid);
  const result = await wrk(`${origin}${path}`, {
    seconds: runSeconds,
    headers: { ...getHeaders(cases[caseName]), ...additionalHeaders },
    script,
  });
  if (result.failed > 0 && !refuses) console.log(`${name}, ${caseName}: ${result.failed} failed`);
  return { ...result, time: measureProcessorTime(pid) - timeBefore };
}
/** Each chosen case with each candidate that takes part in it. */
const combinations = chosenCases.flatMap(([caseName]) =>
  [...running.keys()]
    .filter((name) => caseName === 'plain' || !plainCaseOnly.has(name))
    .filter((name) => !cases[caseName].isVersion || running.get(name).hasVersions)
    .map((name) => ({ caseName, name })),
);
const runs = [];
for (let round = 0; round < Number(options.rounds); round += 1) {
  if (round % ROUNDS_PER_START === 0) {
    if (round > 0) for (const { restart } of running.values()) await restart?.();
    // Warm up with all cases in turn, because the cost of a case depends on the cases before it (docs/measurements.md).
    for (let pass = 0; pass < WARM_UP_PASSES; pass += 1) {
      for (const { caseName, name } of combinations) {
        // Candidates without `restart` keep running, so one pass before the first round warms them up.
        const isFreshlyStarted = running.get(name).restart !== undefined || (round === 0 && pass === 0);
        if (isFreshlyStarted) await load(name, caseName, plainCaseOnly.has(name) ? PLAIN_WARM_UP_S : 1);
      }
    }
  }
  for (const { caseName, name } of combinations) {
    // These candidates were idle during all other cases, so they are warmed up again.
    if (plainCaseOnly.has(name)) await load(name, caseName, 1);
    const result = await load(name, caseName, seconds);
    runs.push({ caseName, name, round, ...result, cpu: result.time / result.requests });
  }
}

const formatMedian = (caseName, name, field) => {
  const figures = runs.filter((run) => run.caseName === caseName && run.name === name).map((run) => run[field]);
  return figures.length === 0 ? '' : median(figures).toFixed(field === 'requestsPerSecond' ? 0 : 1);
};
for (const [field, title] of Object.entries({
  cpu: 'processor time per request, us',
  requestsPerSecond: 'requests per second',
  p99: 'p99, ms',
})) {
  console.log(`\n${title}`);
  console.log(
    formatTable(
      chosenCases.map(([caseName]) => ({
        case: caseName,
        ...Object.fromEntries([...running.keys()].map((name) => [name, formatMedian(caseName, name, field)])),
      })),
    ),
  );
}
console.log(
  `\n${options.routes} routes, ${options.keys} keys; medians of ${options.rounds} rounds of ${seconds} s, 64 connections`,
);
for (const line of compareWithGoals(runs)) console.log(line);
for (const { end } of running.values()) await end();
process.exit(0);
