/**
 * Connections while workers are replaced: 16 lanes, each request on a new connection, while workers report faults, are
 * killed, and hang. Then the distribution of persistent connections over two workers, and the time until work is
 * distributed when one of them hung while they arrived (needs wrk). Option: the number of connections during replacements
 * (50000).
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
const LANES = 16;

const stack = await Stack.start({ processes: ['core'] });
const misbehaving = join(stack.folder, 'misbehaving.cjs');
writeFileSync(
  misbehaving,
  `if (process.env.EDGE_NAME) {
    process.on('SIGUSR2', () => { throw new Error('made up'); });
    process.on('SIGWINCH', () => { for (;;); });
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
const workers = () =>
  spawnSync('pgrep', ['-P', String(edge), '-f', 'bin/edge-worker'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number);
const countServingWorkers = async () =>
  Number(/^edge_workers (\d+)$/m.exec(await (await fetch(`${stack.adminUrl}/metrics`)).text())?.[1]);

const head = 'GET /none HTTP/1.1\r\nHost: api.localhost\r\n';
/** One request on a new connection. @returns whether the answer was complete */
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
let [made, failed, isOver] = [0, 0, false];
const lanes = Array.from({ length: LANES }, async () => {
  while (!isOver) {
    made += 1;
    if (!(await sendRequest())) failed += 1;
  }
});
/** @returns the number of failures while a worker got the signal and was replaced */
async function replaced(signal) {
  const before = failed;
  const known = workers();
  process.kill(known[0], signal);
  await waitFor('it has gone', () => !workers().includes(known[0]), 60);
  await waitFor('another one serves', async () => (await countServingWorkers()) === 2, 60);
  return failed - before;
}

let [faults, replacements] = [0, 0];
while (made < CONNECTIONS) {
  faults += await replaced('SIGUSR2');
  replacements += 1;
  const mark = made;
  await waitFor('it is used', () => made > mark + 500, 60);
}
ok(faults === 0, `${replacements} workers replaced after a fault`, `${faults} of ${made} connections failed`);
const kills = [];
for (let turn = 0; turn < 5; turn += 1) kills.push(await replaced('SIGKILL'));
ok(
  kills.every((lost) => lost <= LANES),
  'workers killed: only what they had accepted is lost',
  `${kills.join(', ')} of ${LANES} at a time`,
);
const began = performance.now();
const hung = await replaced('SIGWINCH');
const seconds = ((performance.now() - began) / 1000).toFixed(1);
ok(hung <= LANES, 'a worker in an endless loop', `replaced after ${seconds} s, ${hung} of ${LANES} lost`);
isOver = true;
await Promise.all(lanes);

/** Number of connections of each worker. */
function connectionsByWorker() {
  const port = `:${stack.port.toString(16).toUpperCase().padStart(4, '0')}`;
  const own = new Set();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (local.endsWith(port) && state === '01') own.add(`socket:[${inode}]`);
    }
  }
  const of = (pid) => readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  return workers().map((pid) => of(pid).filter((target) => own.has(target)).length);
}

/** Opens connections, each `pauseMs` after the last. @returns how many each worker accepted, for 8 turns */
async function acceptedByWorker(count, pauseMs) {
  const found = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const sockets = [];
    for (let index = 0; index < count; index += 1) {
      const socket = connect(stack.port, '127.0.0.1').on('error', () => undefined);
      socket.resume().write(`${head}\r\n`);
      sockets.push(socket);
      if (pauseMs > 0) await sleep(pauseMs);
    }
    await waitFor('all are accepted', () => connectionsByWorker().reduce((sum, part) => sum + part, 0) === count);
    found.push(connectionsByWorker());
    for (const socket of sockets) socket.destroy();
    await waitFor('all are gone', () => connectionsByWorker().reduce((sum, part) => sum + part, 0) === 0);
  }
  return found;
}
const formatted = (found) => found.map((parts) => parts.join('/')).join(' ');
// The first worker that wakes up may accept a complete burst. Idle connections cost nothing; busy ones are moved, see below.
console.log(`64 connections at once: ${formatted(await acceptedByWorker(64, 0))}`);
const spaced = await acceptedByWorker(64, 3);
ok(Math.min(...spaced.flat()) > 0, '64 connections, 3 ms apart: no worker is passed over', formatted(spaced));

const [, late] = workers();
process.kill(late, 'SIGSTOP');
const load = wrk(`http://127.0.0.1:${stack.port}/none`, {
  seconds: 12,
  headers: { Host: 'api.localhost' },
  timeoutS: 12,
});
const seen = [];
await sleep(1_000);
process.kill(late, 'SIGCONT');
for (let second = 0; second < 8; second += 1) {
  seen.push(connectionsByWorker());
  await sleep(1_000);
}
await load;
ok(
  Math.min(...(seen.at(-1) ?? [])) > 0,
  'all in use at one worker, then second by second',
  seen.map((parts) => parts.join('/')).join(' '),
);
await stack.stop();
finish();
