import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Upstream } from '../types';

/** Indexes of the counters in the shared memory. The value of `HUNG` is 1 while the thread hangs, and 2 afterwards. */
const OPEN = 0;
const ANSWERED = 1;
const HUNG = 2;
const RECEIVED = 3;
const MAX_BLOCK_MS = 60_000;

/**
 * Program of the worker thread, which runs while the main thread is blocked. It answers requests immediately and
 * closes a connection that is idle for `closesAfterMs`. After `hold` it answers only at `answerAndClose`, which
 * also closes every connection.
 */
const SERVER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { closesAfterMs, counts } = workerData;
const add = (index, difference) => {
  Atomics.add(counts, index, difference);
  Atomics.notify(counts, index);
};
const RESPONSE = 'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok';
const sockets = new Set();
const waitingSockets = new Set();
let isHolding = false;
const commands = {
  hold() {
    isHolding = true;
  },
  answerAndClose() {
    for (const socket of sockets) {
      if (!waitingSockets.delete(socket)) socket.destroy();
      else socket.write(RESPONSE, () => socket.destroy());
    }
  },
  hang() {
    add(${HUNG}, 1);
    Atomics.wait(counts, ${HUNG}, 1);
    server.close();
  },
};
const server = createServer((socket) => {
  let idleTimer;
  sockets.add(socket);
  add(${OPEN}, 1);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    sockets.delete(socket);
    add(${OPEN}, -1);
  });
  socket.on('data', (bytes) => {
    if (!/^[A-Z]+ [^ ]+ HTTP/.test(bytes.toString('latin1'))) return;
    clearTimeout(idleTimer);
    add(${RECEIVED}, 1);
    if (isHolding) return void waitingSockets.add(socket);
    socket.write(RESPONSE);
    add(${ANSWERED}, 1);
    idleTimer = setTimeout(() => socket.destroy(), closesAfterMs);
  });
});
parentPort.on('message', (command) => commands[command]());
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Starts an upstream in a worker thread. */
export async function startUpstreamThread(closesAfterMs: number) {
  const counts = new Int32Array(new SharedArrayBuffer(16)); // Four counters of four bytes.
  const worker = new Worker(SERVER, { eval: true, workerData: { closesAfterMs, counts } });
  const [port]: number[] = await once(worker, 'message');
  if (port === undefined) throw new Error('no port');
  const upstream: Upstream = { host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` };
  /** Blocks the calling thread until all connections of the upstream have ended. */
  function blockUntilClosed(): void {
    for (let open = Atomics.load(counts, OPEN); open > 0; open = Atomics.load(counts, OPEN))
      if (Atomics.wait(counts, OPEN, open, MAX_BLOCK_MS) === 'timed-out') throw new Error('a connection stays open');
  }
  return {
    upstream,
    get answeredCount(): number {
      return Atomics.load(counts, ANSWERED);
    },
    get receivedCount(): number {
      return Atomics.load(counts, RECEIVED);
    },
    blockUntilClosed,
    /** From now on the upstream answers requests only at `answerAndClose`. */
    holdAnswers(): void {
      worker.postMessage('hold');
    },
    /** Lets the upstream answer its requests and close all connections, and blocks the calling thread meanwhile. */
    answerAndClose(): void {
      worker.postMessage('answerAndClose');
      blockUntilClosed();
    },
    /** Blocks the upstream's thread, so connections stay in the backlog. Returns a function that closes the port. */
    hang(): () => void {
      worker.postMessage('hang');
      Atomics.wait(counts, HUNG, 0, MAX_BLOCK_MS);
      return () => {
        Atomics.store(counts, HUNG, 2);
        Atomics.notify(counts, HUNG);
      };
    },
    async stop() {
      await worker.terminate();
    },
  };
}

export function blockThread(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
