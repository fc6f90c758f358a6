import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createUpstream, type Upstream } from '../forward/upstream';
import type { Receiver } from './upstream-connection';
import { UpstreamPool } from './upstream-pool';

let server: Server;
let upstream: Upstream;
let accepted: Socket[];
let pool: UpstreamPool;

beforeEach(async () => {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout', 'clearTimeout', 'performance'],
  });
  accepted = [];
  server = createServer((socket) => {
    accepted.push(socket);
    socket.on('data', (bytes) => {
      if (bytes.toString().startsWith('GET /answer')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  upstream = createUpstream('127.0.0.1', typeof address === 'object' ? (address?.port ?? 0) : 0, false);
  pool = new UpstreamPool();
});
afterEach(() => {
  for (const socket of accepted) socket.destroy();
  server.close();
  jest.useRealTimers();
});

function receiver() {
  const outcome: { failed?: [number, boolean]; status?: number } = {};
  const given: Receiver = {
    isHead: false,
    isSent: true,
    whole: ({ status }) => {
      outcome.status = status;
    },
    start: () => undefined,
    piece: () => true,
    end: () => undefined,
    failed: (status, untouched) => {
      outcome.failed = [status, untouched];
    },
    drained: () => undefined,
  };
  return { outcome, given };
}

async function ask(path: string, repeatable = true) {
  const { outcome, given } = receiver();
  const connection = pool.acquire(upstream, repeatable);
  if (connection.socket.connecting) await once(connection.socket, 'connect');
  connection.begin(given);
  connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return { outcome, connection };
}

test('59 no byte of an answer within 60 s is 504; the connection is not used again', async () => {
  const { outcome, connection } = await ask('/silent');
  jest.advanceTimersByTime(59_000);
  expect(outcome.failed).toBeUndefined();
  jest.advanceTimersByTime(2_000);
  expect(outcome.failed).toEqual([504, false]);
  expect(connection.socket.destroyed).toBe(true);
});

test('a connection is used again while it is fresh, and closed when it was idle too long', async () => {
  const { outcome, connection } = await ask('/answer');
  while (outcome.status === undefined) await new Promise(setImmediate);
  expect(pool.size()).toEqual({ busy: 0, free: 1 });
  jest.advanceTimersByTime(2_000);
  expect(pool.acquire(upstream, false)).not.toBe(connection);
  expect(pool.acquire(upstream, true)).toBe(connection);
  pool.release(connection);
  jest.advanceTimersByTime(60_000);
  expect(connection.socket.destroyed).toBe(true);
});
