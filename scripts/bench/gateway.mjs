/**
 * `npm run bench -- gateway [--routes 1000] [--keys 10000] [--seconds 5] [--rounds 3] [--answer 1k|64k] [--post 4096] [--only ours,nginx]`
 *
 * One interleaved run of ours (route, key, permission, address and counting on) and of its peers, one worker each, with
 * wrk at 64 connections against one nginx that answers from memory. The columns to trust on a shared machine are the
 * ratios and the processor time per request (user + system time of the whole process tree).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accepts, freePort, isInstalled, median, processorTime, start, stop, table, until, wrk } from './measure.mjs';
import { startOurs } from './ours.mjs';

const { values: options } = parseArgs({
  options: {
    routes: { type: 'string', default: '1000' },
    keys: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    answer: { type: 'string', default: '1k' },
    post: { type: 'string' },
    only: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

for (const [program, debianPackage] of Object.entries({ wrk: 'wrk', nginx: 'nginx' })) {
  if (!isInstalled(program)) {
    console.error(`${program} is missing: apt-get install ${debianPackage}`);
    process.exit(1);
  }
}

const path = `/${options.answer}.json`;
const filler = (size) => JSON.stringify({ data: 'x'.repeat(size - 11) });
file('1k.json', filler(1024));
file('64k.json', filler(65_536));
const post = options.post && {
  script: file(
    'post.lua',
    `wrk.method = "POST"\nwrk.body = string.rep("x", ${Number(options.post)})\nwrk.headers["Content-Type"] = "text/plain"\n`,
  ),
};

const nginx = (name, server, upstream = '') =>
  start('nginx', [
    '-p',
    folder,
    '-c',
    file(
      name,
      `worker_processes 1; daemon off; pid ${name}.pid; error_log stderr error;
      events { worker_connections 2048; }
      http { access_log off; keepalive_requests 1000000000; client_body_temp_path ${folder}; proxy_temp_path ${folder};
        fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
        types { application/json json; } open_file_cache max=10 inactive=1h; open_file_cache_valid 1h; sendfile on;
        ${upstream} server { ${server} } }`,
    ),
  ]);

const upstreamPort = await freePort();
const upstream = `http://127.0.0.1:${upstreamPort}`;
nginx('upstream.conf', `listen 127.0.0.1:${upstreamPort} backlog=1024; root ${folder}; error_page 405 =200 $uri;`);
await until('the upstream', () => accepts(upstreamPort));

const peersFolder = join(import.meta.dirname, 'peers');
function peer(name, ...args) {
  if (!existsSync(join(peersFolder, 'node_modules'))) {
    console.log('installing the peers …');
    const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: peersFolder, stdio: 'inherit' });
    if (status !== 0) process.exit(1);
  }
  return start('node', [join(peersFolder, name), ...args.map(String)], {
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'error' },
  });
}

async function listening(child, port, headers = {}) {
  await until(`port ${port}`, () => accepts(port));
  return { pid: child.pid, child, url: `http://127.0.0.1:${port}${path}`, headers };
}

/** Each candidate is started once; all are measured in turn, round by round. */
const candidates = {
  async ours() {
    const seed = ['--services', '5', '--routes', options.routes, '--keys', options.keys];
    const { edge, port, call } = await startOurs({ seed });
    const service = await call('POST', '/gateway/admin/services', { name: 'bench', host: upstream });
    await call('POST', '/gateway/admin/routes', {
      serviceId: service._id,
      origin: '/bench/:file',
      destination: '/:file',
      methods: ['GET', 'POST'],
      permission: 'bench:read',
    });
    const { key } = await call('POST', '/gateway/admin/keys', {
      name: 'bench',
      permissions: ['other:read', 'bench:*'],
      allowedIps: ['10.0.0.0/8', '127.0.0.0/8'],
    });
    const headers = { Host: 'api.localhost', 'X-API-Key': key };
    const url = `http://127.0.0.1:${port}/bench${path}`;
    await until('our route', async () => (await wrk(url, { seconds: 1, connections: 1, headers })).failed === 0);
    return { pid: edge.pid, child: edge, url, headers };
  },
  async nginx() {
    const port = await freePort();
    const child = nginx(
      'proxy.conf',
      `listen 127.0.0.1:${port} backlog=1024; location / { proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; }`,
      `upstream up { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 1000000000; }`,
    );
    return listening(child, port);
  },
  async caddy() {
    const port = await freePort();
    const configuration = file(
      'Caddyfile',
      `{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:${port} {\n reverse_proxy 127.0.0.1:${upstreamPort}\n}\n`,
    );
    const child = start('caddy', ['run', '--config', configuration, '--adapter', 'caddyfile'], {
      env: { ...process.env, GOMAXPROCS: '1', HOME: folder },
    });
    return listening(child, port);
  },
  async '@fastify/http-proxy'() {
    const port = await freePort();
    return listening(peer('fastify.mjs', port, upstream), port);
  },
  async 'http-proxy-middleware'() {
    const port = await freePort();
    return listening(peer('http-proxy-middleware.mjs', port, upstream), port);
  },
  async 'express-gateway'() {
    const [port, adminPort] = [await freePort(), await freePort()];
    const child = peer('express-gateway.mjs', port, upstream, adminPort);
    const found = await until('its key', () => /^AUTHORIZATION (.+)$/m.exec(child.output));
    return listening(child, port, { Authorization: found[1] });
  },
};

const wanted = Object.keys(candidates).filter((name) => !options.only || options.only.split(',').includes(name));
const running = new Map();
for (const name of wanted) {
  if (name === 'caddy' && !isInstalled('caddy')) console.log('caddy is missing (apt-get install caddy): left out');
  else running.set(name, await candidates[name]());
}

const results = new Map([...running.keys()].map((name) => [name, []]));
for (const { url, headers } of running.values()) await wrk(url, { seconds: 2, headers, ...post });
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const [name, { pid, url, headers }] of running) {
    const before = processorTime(pid);
    const result = await wrk(url, { seconds, headers, ...post });
    results.get(name).push({ ...result, cpu: (processorTime(pid) - before) / result.requests });
  }
}

const of = (name, field) => median(results.get(name).map((result) => result[field]));
const baseline = running.has('nginx') ? of('nginx', 'requestsPerSecond') : undefined;
console.log(
  `\n${post ? `POST of ${options.post} bytes, ` : ''}${options.answer} answers, ours with ${options.routes} routes and ${options.keys} keys; medians of ${options.rounds} rounds of ${seconds} s, 64 connections\n`,
);
console.log(
  table(
    [...running.keys()].map((name) => ({
      proxy: name,
      'requests/s': Math.round(of(name, 'requestsPerSecond')),
      'ratio to nginx': baseline ? (of(name, 'requestsPerSecond') / baseline).toFixed(2) : '-',
      'CPU us/request': of(name, 'cpu').toFixed(1),
      'p50 ms': of(name, 'p50').toFixed(2),
      'p99 ms': of(name, 'p99').toFixed(2),
      failed: results.get(name).reduce((sum, { failed }) => sum + failed, 0),
    })),
  ),
);
for (const { child } of running.values()) await stop(child);
process.exit(0);
