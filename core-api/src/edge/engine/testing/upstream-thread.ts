import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Upstream } from '../types';

/** Indexes of the counters in the shared memory. */
const OPEN = 0;
const ANSWERED = 1;
const HUNG = 2;
const MAX_BLOCK_MS = 60_000;

/**
 * Program of the worker thread, which works while the main thread is blocked. It answers every request at once and
 * closes a connection that is idle for `closesAfterMs`.
 */
const SERVER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { closesAfterMs, counts } = workerData;
const add = (index, difference) => {
  Atomics.add(counts, index, difference);
  Atomics.notify(counts, index);
};
const server = createServer((socket) => {
  let idleTimer;
  add(${OPEN}, 1);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => add(${OPEN}, -1));
  socket.on('data', (bytes) => {
    if (!/^[A-Z]+ [^ ]+ HTTP/.test(bytes.toString('latin1'))) return;
    clearTimeout(idleTimer);
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok');
    add(${ANSWERED}, 1);
    idleTimer = setTimeout(() => socket.destroy(), closesAfterMs);
  });
});
parentPort.on('message', () => {
  add(${HUNG}, 1);
  Atomics.wait(counts, ${HUNG}, 1);
  server.close();
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Starts an upstream in a worker thread. */
export async function startUpstreamThread(closesAfterMs: number) {
  const counts = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(SERVER, { eval: true, workerData: { closesAfterMs, counts } });
  const [port]: number[] = await once(worker, 'message');
  if (port === undefined) throw new Error('no port');
  const upstream: Upstream = { host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` };
  return {
    upstream,
    get answeredCount(): number {
      return Atomics.load(counts, ANSWERED);
    },
    /** Blocks the calling thread until `requestCount` requests were answered. @returns false after `timeoutMs` */
    blockUntilAnswered(timeoutMs: number, requestCount: number): boolean {
      const count = Atomics.load(counts, ANSWERED);
      if (count < requestCount) Atomics.wait(counts, ANSWERED, count, timeoutMs);
      return Atomics.load(counts, ANSWERED) >= requestCount;
    },
    /** Blocks the calling thread until all connections of the upstream have ended. */
    blockUntilClosed(): void {
      for (let open = Atomics.load(counts, OPEN); open > 0; open = Atomics.load(counts, OPEN))
        if (Atomics.wait(counts, OPEN, open, MAX_BLOCK_MS) === 'timed-out') throw new Error('a connection stays open');
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
