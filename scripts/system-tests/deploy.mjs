/**
 * Replaces two instances of a service behind the gateway in turn while GET and POST arrive on 32 connections. The
 * instances drain on SIGTERM, and no request may fail. Argument: the number of requests (100000).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { findFreePorts, Stack, waitFor } from '../testing/harness.mjs';
import { createCaller } from './support/caller.mjs';
import { finish, ok } from './support/results.mjs';

const REQUESTS = Number(process.argv[2] ?? 100_000);
const CONNECTIONS = 32;

const [firstPort, secondPort] = await findFreePorts(2);
const instances = new Map();
async function startInstance(port) {
  const program = spawn(process.execPath, [join(import.meta.dirname, 'support/instance.mjs'), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => program.kill('SIGKILL'));
  await once(program.stdout, 'data');
  instances.set(port, program);
}
async function replaceInstance(port) {
  const program = instances.get(port);
  program.kill('SIGTERM');
  await once(program, 'exit');
  await startInstance(port);
}
await startInstance(firstPort);
await startInstance(secondPort);

const stack = await Stack.start({ processes: ['core', 'edge'], environment: { EDGE_WORKERS: '2', ACCESS_LOG: 'off' } });
const caller = createCaller(stack);
await caller.logIn();
const toUrl = (port) => `http://127.0.0.1:${port}`;
const { _id: serviceId } = await caller.create('/gateway/admin/services', {
  name: 'loja',
  host: toUrl(firstPort),
  extraHosts: [toUrl(secondPort)],
});
const route = { serviceId, origin: '/loja', destination: '/', methods: ['GET', 'POST'], permission: 'loja:ler' };
await caller.create('/gateway/admin/routes', route);
const { key } = await caller.create('/gateway/admin/keys', { name: 'k', permissions: ['*'], allowedIps: [] });

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const headers = { Host: 'api.localhost', 'X-API-Key': key };
/** Sends one request. @returns the status and the answering process; status 0 without a response */
const sendRequest = (method) =>
  new Promise((resolve) => {
    const options = { agent, host: '127.0.0.1', port: stack.port, path: '/loja', method, headers };
    const outgoing = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => (text += piece));
      response.once('end', () => resolve({ status: response.statusCode, text }));
    });
    outgoing.once('error', (error) => resolve({ status: 0, text: error.message }));
    outgoing.end(method === 'POST' ? 'x' : undefined);
  });
await waitFor('the route is in force', async () => (await sendRequest('GET')).status === 200);

const failed = [];
/** Number of responses by process. */
const responsesByProcess = new Map();
let sent = 0;
let isDeploying = true;
const startedAt = performance.now();
const load = Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    while (sent < REQUESTS || isDeploying) {
      sent += 1;
      const method = sent % 4 === 0 ? 'POST' : 'GET';
      const { status, text } = await sendRequest(method);
      if (status === 200) responsesByProcess.set(text, (responsesByProcess.get(text) ?? 0) + 1);
      else failed.push(`${method} ${status} after ${Math.round(performance.now() - startedAt)} ms: ${text}`);
    }
  }),
);
await waitFor('both instances answer', async () => responsesByProcess.size === 2, 60);
let deployCount = 0;
do {
  for (const port of [firstPort, secondPort]) {
    await replaceInstance(port);
    const { pid } = instances.get(port);
    await waitFor('the new instance responds', async () => (responsesByProcess.get(String(pid)) ?? 0) > 100, 60);
  }
  deployCount += 1;
} while (sent < REQUESTS * 0.9);
isDeploying = false;
await load;
const seconds = (performance.now() - startedAt) / 1000;

ok(
  failed.length === 0,
  `no request fails during ${deployCount} deploys of two instances`,
  `${failed.length} of ${sent}`,
);
for (const failure of failed.slice(0, 10)) process.stdout.write(`  ${failure}\n`);
ok(
  responsesByProcess.size === 2 + 2 * deployCount,
  'every instance answers requests',
  `${responsesByProcess.size} processes`,
);
process.stdout.write(`${Math.round(sent / seconds)} requests a second\n`);
agent.destroy();
await stack.stop();
for (const program of instances.values()) program.kill('SIGKILL');
finish();
