/**
 * Restarts the edge, the core and the BFF while requests to a site arrive on 32 connections. A service manager holds
 * the edge's port, as in the units of a release. No request may fail. Argument: the number of restarts (5).
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { root } from '../setup/setup.mjs';
import { findFreePort, getPort, Stack, waitFor } from '../testing/harness.mjs';
import { finish, ok } from './support/results.mjs';

const RESTARTS = Number(process.argv[2] ?? 5);
const CONNECTIONS = 32;
/** A visitor who waits longer takes the site for broken. */
const MAX_WAIT_MS = 10_000;

const upstream = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
await once(upstream, 'listening');
const stack = await Stack.start({ processes: ['core', 'bff'] });

/** Starts a shell that holds the port without accepting, as systemd does. Each line of its input starts an edge. */
async function holdPort() {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { fd } = /** @type {{ _handle: { fd: number } }} */ (/** @type {unknown} */ (socket))._handle;
  const edge = `sh -c 'echo $$; export LISTEN_PID=$$; exec "$@"' sh "$@"`;
  const main = join(root, 'core-api/dist/bin/edge.js');
  const loop = `while read -r line; do ${edge} </dev/null; done`;
  const manager = spawn('sh', ['-c', loop, 'sh', process.execPath, main], {
    env: {
      ...stack.environment,
      PATH: process.env.PATH,
      EDGE_ADMIN_PORT: String(adminPort),
      EDGE_WORKERS: '2',
      ACCESS_LOG: 'off',
      LOG_LEVEL: 'error',
      LISTEN_FDS: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit', fd],
  });
  const port = getPort(socket);
  socket.close();
  return { manager, port };
}

const adminPort = await findFreePort();
const { manager, port } = await holdPort();
let edgePid = 0;
manager.stdout.on('data', (text) => {
  edgePid = Number(/^\d+$/m.exec(String(text))?.[0] ?? edgePid);
});
process.once('exit', () => {
  manager.kill('SIGKILL');
  if (edgePid) spawnSync('kill', ['-9', String(edgePid)]);
});

const isReady = () =>
  fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
async function startEdge() {
  const pidBefore = edgePid;
  manager.stdin.write('\n');
  await waitFor('a new edge', () => edgePid !== pidBefore);
  await waitFor('the edge is ready', isReady);
}
await startEdge();

const siteLabel = 'loja';
await stack.create('/subdomains', { subdomain: siteLabel, description: 'x', type: 'proxy', port: getPort(upstream) });
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
/** Sends one request. @returns the status (0 without a response) and the duration */
const sendRequest = (host, path) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const resolveWith = (status) => resolve({ status, ms: performance.now() - startedAt });
    request({ agent, host: '127.0.0.1', port, path, headers: { Host: host } }, (response) => {
      response.resume().once('end', () => resolveWith(response.statusCode));
      response.once('error', () => resolveWith(0));
    })
      .once('error', () => resolveWith(0))
      .end();
  });
const requestSite = () => sendRequest(`${siteLabel}.localhost`, '/');
await waitFor('the site is served', async () => (await requestSite()).status === 200);

/** Sends requests while `restart` runs repeatedly. */
async function restartUnderTraffic(description, send, restart) {
  let isOver = false;
  const responses = [];
  const clients = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) responses.push(await send());
  });
  for (let turn = 0; turn < RESTARTS; turn += 1) await restart();
  isOver = true;
  await Promise.all(clients);
  const failed = responses.filter(({ status }) => status !== 200);
  const longest = Math.round(Math.max(...responses.map(({ ms }) => ms)));
  const statuses = [...new Set(failed.map(({ status }) => status))].join(', ');
  ok(
    failed.length === 0,
    `${RESTARTS} restarts of ${description}: every request is answered`,
    `${failed.length} of ${responses.length} failed${statuses && ` (${statuses})`}`,
  );
  ok(longest < MAX_WAIT_MS, `${RESTARTS} restarts of ${description}: no request waits for 10 s`, `${longest} ms`);
}

await restartUnderTraffic('the edge', requestSite, async () => {
  const oldPid = edgePid;
  process.kill(oldPid, 'SIGTERM');
  await startEdge();
});
for (const name of /** @type {const} */ (['core', 'bff']))
  await restartUnderTraffic(`the ${name}`, requestSite, async () => {
    await stack.kill(name, 'SIGTERM');
    await stack.start(name);
  });

agent.destroy();
manager.stdin.end();
process.kill(edgePid, 'SIGTERM');
await once(manager, 'exit');
edgePid = 0;
await stack.stop();
upstream.close();
finish();
