/**
 * Measures an ordinary client beside a crowd of 20,000 idle connections, 1,000 slow readers and 1,000 slow writers. The
 * ordinary client calls the crowd's upstream and another upstream, first without the crowd and then beside it. The test
 * takes about two minutes. Options: `--idle 20000 --slow 1000`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { load } from '../bench/load.mjs';
import { measureResidentMemory } from '../bench/measure.mjs';
import { getPort, Stack, waitFor } from '../testing/harness.mjs';
import { createCaller } from './support/caller.mjs';
import { finish, ok } from './support/results.mjs';

const { values: options } = parseArgs({
  options: { idle: { type: 'string', default: '20000' }, slow: { type: 'string', default: '1000' } },
});
const [idleCount, slowCount] = [Number(options.idle), Number(options.slow)];
const MEGABYTE = 2 ** 20;
/** Size of a large response, which does not fit into the socket buffers of the kernel. */
const RESPONSE_BYTES = 700_000;
/** Bytes that a slow client reads or writes every `STEP_MS`. */
const READ_BYTES = 10_000;
const WRITE_BYTES = 250;
const STEP_MS = 500;
/** Size of the body of a slow writer. */
const BODY_BYTES = 20_000;
/** Many systems limit the open files of a process, so several processes hold the idle connections. */
const CONNECTIONS_PER_PROCESS = 5_000;
/**
 * Time between the starts of two slow clients. Simultaneous starts would overload this process, which is also the
 * upstream.
 */
const ARRIVAL_MS = 10;
/** Time for which the ordinary client is measured beside the crowd. */
const MEASURED_S = 50;

const responseBody = Buffer.alloc(RESPONSE_BYTES, 'a');
async function startUpstream() {
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.url === '/large') response.end(responseBody);
    else {
      let byteCount = 0;
      request.on('data', (piece) => {
        byteCount += piece.length;
      });
      request.once('end', () => response.end(String(byteCount)));
    }
  }).listen(0, '127.0.0.1', 4_096);
  await once(server, 'listening');
  return getPort(server);
}

const upstreams = { crowded: await startUpstream(), other: await startUpstream() };
const stack = await Stack.start({ processes: ['core', 'edge'], environment: { EDGE_WORKERS: '2', ACCESS_LOG: 'off' } });
const caller = createCaller(stack);
await caller.logIn();
for (const [subdomain, port] of Object.entries(upstreams)) {
  await caller.create('/subdomains', { subdomain, description: 'crowd', type: 'proxy', port });
}
const toHost = (subdomain) => `${subdomain}.localhost`;
const url = `http://127.0.0.1:${stack.port}/`;
await waitFor(
  'the sites',
  async () => (await load(url, { seconds: 1, connections: 1, headers: { Host: toHost('other') } })).failed === 0,
);
const edgePid = stack.process('edge').pid;

/** Measures one client that sends requests without a pause. */
const measureClient = (subdomain, seconds) =>
  load(url, { seconds, connections: 1, timeoutS: 30, headers: { Host: toHost(subdomain) } });
const formatFigures = ({ requests, failed, p50, p99 }) =>
  `${requests} requests, ${failed} failed, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

const children = [];
async function startIdleClients() {
  for (let remaining = idleCount; remaining > 0; remaining -= CONNECTIONS_PER_PROCESS) {
    const connections = String(Math.min(CONNECTIONS_PER_PROCESS, remaining));
    const child = fork(join(import.meta.dirname, 'support/idle-clients.mjs'), [
      String(stack.port),
      toHost('other'),
      connections,
    ]);
    child.on('message', (message) => Object.assign(child, message));
    children.push(child);
    await waitFor(`${connections} clients`, () => 'isComplete' in child, 120);
  }
}
const countOpenIdleClients = () => children.reduce((sum, { open = 0 }) => sum + open, 0);

function openClient(head) {
  const socket = connect(stack.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${head}Host: ${toHost('crowded')}\r\nConnection: close\r\n\r\n`);
  return socket;
}

/** Reads a response slowly. @returns its first bytes, and whether it arrived completely */
async function readSlowly() {
  const socket = openClient('GET /large HTTP/1.1\r\n');
  let [byteCount, isOver] = [0, false];
  let responseStart = '';
  socket.once('close', () => {
    isOver = true;
  });
  // A listener for `readable` pauses the socket, so unread bytes stay at the edge.
  socket.on('readable', () => undefined);
  while (!isOver || socket.readableLength > 0) {
    const piece = socket.read(Math.min(READ_BYTES, socket.readableLength || 1));
    responseStart ||= piece?.toString('latin1', 0, 12) ?? '';
    byteCount += piece?.length ?? 0;
    await sleep(STEP_MS);
  }
  return { responseStart, isComplete: responseStart === 'HTTP/1.1 200' && byteCount > RESPONSE_BYTES };
}

/** Sends a body slowly. @returns the first bytes of the response, and whether the upstream confirmed the body */
async function writeSlowly() {
  const socket = openClient(`POST / HTTP/1.1\r\nContent-Length: ${BODY_BYTES}\r\n`);
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  const closed = once(socket, 'close');
  for (let remaining = BODY_BYTES; remaining > 0 && !socket.destroyed && text === ''; remaining -= WRITE_BYTES) {
    socket.write('w'.repeat(Math.min(remaining, WRITE_BYTES)));
    await sleep(STEP_MS);
  }
  await closed;
  return {
    responseStart: text.slice(0, 12),
    isComplete: text.startsWith('HTTP/1.1 200') && text.endsWith(`\r\n\r\n${BODY_BYTES}`),
  };
}

const startCrowd = (startClient) =>
  Promise.all(Array.from({ length: slowCount }, (_, index) => sleep(index * ARRIVAL_MS).then(startClient)));
const summarize = (results) => {
  const incomplete = new Map();
  for (const { responseStart, isComplete } of results)
    if (!isComplete) incomplete.set(responseStart, (incomplete.get(responseStart) ?? 0) + 1);
  const unexpected = [...incomplete]
    .map(([responseStart, count]) => `, ${count}x ${JSON.stringify(responseStart)}`)
    .join('');
  return {
    areComplete: incomplete.size === 0,
    figure: `${results.filter(({ isComplete }) => isComplete).length} of ${results.length}${unexpected}`,
  };
};

const memoryBefore = measureResidentMemory(edgePid);
const figuresAlone = { crowded: await measureClient('crowded', 3), other: await measureClient('other', 3) };
await startIdleClients();
await sleep(1_500);
// At the limit of connections, the edge closes some new connections immediately.
ok(
  countOpenIdleClients() > idleCount * 0.9,
  'nine tenths of the idle connections stay open',
  `${countOpenIdleClients()} of ${idleCount}`,
);
const besideIdle = await measureClient('other', 5);
ok(
  besideIdle.failed === 0,
  'no request of an ordinary client fails beside idle connections',
  formatFigures(besideIdle),
);

let maxMemory = 0;
const memoryTimer = setInterval(() => {
  maxMemory = Math.max(maxMemory, measureResidentMemory(edgePid));
}, 1_000);
const [readers, writers, besideCrowded, besideOther] = await Promise.all([
  startCrowd(readSlowly),
  startCrowd(writeSlowly),
  sleep(2_000).then(() => measureClient('crowded', MEASURED_S)),
  sleep(2_000).then(() => measureClient('other', MEASURED_S)),
]);
clearInterval(memoryTimer);
ok(summarize(readers).areComplete, 'every slow reader gets a complete response', summarize(readers).figure);
ok(summarize(writers).areComplete, 'the body of every slow writer arrives', summarize(writers).figure);
ok(
  besideCrowded.failed === 0,
  'no request of an ordinary client of the same upstream fails',
  `${formatFigures(besideCrowded)}; alone ${formatFigures(figuresAlone.crowded)}`,
);
ok(
  besideOther.failed === 0,
  'no request of an ordinary client of another upstream fails',
  `${formatFigures(besideOther)}; alone ${formatFigures(figuresAlone.other)}`,
);
ok(
  countOpenIdleClients() > idleCount * 0.7,
  'seven tenths of the idle connections stay open beside slow clients',
  `${countOpenIdleClients()} are left`,
);
const growth = (maxMemory - memoryBefore) / MEGABYTE;
ok(
  growth < 1_000,
  'the memory grows by less than 1 GB',
  `${growth.toFixed(0)} MB more than ${(memoryBefore / MEGABYTE).toFixed(0)} MB`,
);
const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text();
for (const name of ['edge_workers_ended_total', 'edge_faults_total']) ok(metrics.includes(`\n${name} 0\n`), name, '0');
for (const child of children) child.disconnect();
await stack.stop();
finish();
