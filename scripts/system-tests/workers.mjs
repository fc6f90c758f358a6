/**
 * Tests connections while workers of the edge are replaced. 16 clients send each request on a new connection while
 * workers report faults, are killed, and hang. The test then counts how many of 64 idle connections each of two workers
 * accepts. At the end it stops one worker while busy connections arrive, and checks that they spread over both workers
 * within 8 s after the worker continues (needs wrk). Argument: the number of connections during replacements (50000).
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wrk } from '../bench/measure.mjs';
import { Stack, waitFor } from '../testing/harness.mjs';
import { finish, ok } from './support/results.mjs';

const CONNECTIONS = Number(process.argv[2] ?? 50_000);
const CLIENTS = 16;
/** A worker throws an uncaught error on this signal. */
const FAULT_SIGNAL = 'SIGUSR2';
/** A worker enters an endless loop on this signal. */
const HANG_SIGNAL = 'SIGWINCH';

const stack = await Stack.start({ processes: ['core'] });
const misbehaving = join(stack.folder, 'misbehaving.cjs');
writeFileSync(
  misbehaving,
  `if (process.env.EDGE_NAME) {
    process.on('${FAULT_SIGNAL}', () => { throw new Error('made up'); });
    process.on('${HANG_SIGNAL}', () => { for (;;); });
  }`,
);
Object.assign(stack.environment, {
  EDGE_WORKERS: '2',
  ACCESS_LOG: 'off',
  LOG_LEVEL: 'silent',
  NODE_OPTIONS: `--require ${misbehaving}`,
});
await stack.start('edge');
const edge = stack.process('edge').pid;
const listWorkerPids = () =>
  spawnSync('pgrep', ['-P', String(edge), '-f', 'bin/edge-worker'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);
const countServingWorkers = async () =>
  Number(/^edge_workers (\d+)$/m.exec(await (await fetch(`${stack.adminUrl}/metrics`)).text())?.[1]);

const head = 'GET /none HTTP/1.1\r\nHost: api.localhost\r\n';
/** Sends one request on a new connection. @returns whether the response was complete */
const sendRequest = () =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(stack.port, '127.0.0.1', () => socket.write(`${head}Connection: close\r\n\r\n`));
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      const length = Number(/\r\nContent-Length: (\d+)\r\n/.exec(text)?.[1]);
      resolve(text.startsWith('HTTP/1.1 404 ') && text.length === text.indexOf('\r\n\r\n') + 4 + length);
    });
  });
let [sentCount, failedCount, isOver] = [0, 0, false];
const clients = Array.from({ length: CLIENTS }, async () => {
  while (!isOver) {
    sentCount += 1;
    if (!(await sendRequest())) failedCount += 1;
  }
});
/** Sends a signal to a worker and waits until the worker is replaced. @returns the number of requests that failed */
async function countFailuresDuringReplacement(signal) {
  const failedBefore = failedCount;
  const knownWorkers = listWorkerPids();
  process.kill(knownWorkers[0], signal);
  await waitFor('the worker to end', () => !listWorkerPids().includes(knownWorkers[0]), 60);
  await waitFor('its replacement', async () => (await countServingWorkers()) === 2, 60);
  return failedCount - failedBefore;
}

let [failuresAfterFaults, replacementCount] = [0, 0];
while (sentCount < CONNECTIONS) {
  failuresAfterFaults += await countFailuresDuringReplacement(FAULT_SIGNAL);
  replacementCount += 1;
  const sentBefore = sentCount;
  await waitFor('traffic on the new worker', () => sentCount > sentBefore + 500, 60);
}
ok(
  failuresAfterFaults === 0,
  `no connection fails while ${replacementCount} workers are replaced after a fault`,
  `${failuresAfterFaults} of ${sentCount} connections failed`,
);
const failuresByKill = [];
for (let turn = 0; turn < 5; turn += 1) failuresByKill.push(await countFailuresDuringReplacement('SIGKILL'));
ok(
  failuresByKill.every((failures) => failures <= CLIENTS),
  'a kill of a worker breaks at most one connection for each client',
  `${failuresByKill.join(', ')} of ${CLIENTS} at a time`,
);
const startedAt = performance.now();
const failuresOfHang = await countFailuresDuringReplacement(HANG_SIGNAL);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
ok(
  failuresOfHang <= CLIENTS,
  'a worker in an endless loop is replaced',
  `after ${seconds} s, ${failuresOfHang} of ${CLIENTS} lost`,
);
isOver = true;
await Promise.all(clients);

/** Counts the connections of each worker. */
function countConnectionsByWorker() {
  const port = `:${stack.port.toString(16).toUpperCase().padStart(4, '0')}`;
  const ownSockets = new Set();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (local.endsWith(port) && state === '01') ownSockets.add(`socket:[${inode}]`); // ESTABLISHED
    }
  }
  const listOpenFiles = (pid) => readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  return listWorkerPids().map((pid) => listOpenFiles(pid).filter((target) => ownSockets.has(target)).length);
}

/**
 * Opens connections with a pause between them, in 8 turns.
 * @returns for each turn, the number of connections that each worker accepted
 */
async function countAcceptedByWorker(count, pauseMs) {
  const countsByTurn = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const sockets = [];
    for (let index = 0; index < count; index += 1) {
      const socket = connect(stack.port, '127.0.0.1').on('error', () => undefined);
      socket.resume().write(`${head}\r\n`);
      sockets.push(socket);
      if (pauseMs > 0) await sleep(pauseMs);
    }
    await waitFor(
      'all connections to be accepted',
      () => countConnectionsByWorker().reduce((sum, part) => sum + part, 0) === count,
    );
    countsByTurn.push(countConnectionsByWorker());
    for (const socket of sockets) socket.destroy();
    await waitFor(
      'all connections to be closed',
      () => countConnectionsByWorker().reduce((sum, part) => sum + part, 0) === 0,
    );
  }
  return countsByTurn;
}
const formatCounts = (countsByTurn) => countsByTurn.map((parts) => parts.join('/')).join(' ');
// The first worker that wakes up may accept a complete burst. This is harmless, because idle connections cost nothing
// and busy connections are moved, as the last check shows.
console.log(`64 connections at once: ${formatCounts(await countAcceptedByWorker(64, 0))}`);
const countsWithPauses = await countAcceptedByWorker(64, 3);
ok(
  Math.min(...countsWithPauses.flat()) > 0,
  'each worker accepts some of 64 connections that come 3 ms apart',
  formatCounts(countsWithPauses),
);

const [, stoppedWorker] = listWorkerPids();
process.kill(stoppedWorker, 'SIGSTOP');
const load = wrk(`http://127.0.0.1:${stack.port}/none`, {
  seconds: 12,
  headers: { Host: 'api.localhost' },
  timeoutS: 12,
});
const countsBySecond = [];
await sleep(1_000);
process.kill(stoppedWorker, 'SIGCONT');
for (let second = 0; second < 8; second += 1) {
  countsBySecond.push(countConnectionsByWorker());
  await sleep(1_000);
}
await load;
ok(
  Math.min(...(countsBySecond.at(-1) ?? [])) > 0,
  'connections that one worker accepted alone spread over both within 8 s',
  countsBySecond.map((parts) => parts.join('/')).join(' '),
);
await stack.stop();
finish();
