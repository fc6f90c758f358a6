import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import { Edge } from '../../../testing/edge';

/** Maximum number of connections of one client. */
const MAX_CONNECTIONS = 512;
/** Loopback has no limit, so the test needs another address of this machine, and is skipped without one. */
const address = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

let core: Core;
let edge: Edge;
const sockets: Socket[] = [];
beforeAll(async () => {
  core = await new Core().start();
  edge = await new Edge(core).start();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await edge.stop();
  await core.stop();
});

const countOpenSockets = () => sockets.filter(({ readyState }) => readyState === 'open').length;
const readConnectionGauge = () => edge.readMetric('edge_client_connections');

/** Opens connections while the other worker is paused, so that `worker` accepts all of them. */
async function openAtWorker(worker: 0 | 1, count: number): Promise<void> {
  const otherWorker = edge.workerPids[1 - worker] ?? Number.NaN;
  const expectedCount = countOpenSockets() + count;
  process.kill(otherWorker, 'SIGSTOP');
  try {
    for (let missing = count; missing > 0; missing -= 1) {
      const socket = connect(edge.port, address).on('error', () => undefined);
      sockets.push(socket.resume());
      await once(socket, 'connect');
    }
    await waitFor(
      'all connections are accepted',
      async () => countOpenSockets() < expectedCount || (await readConnectionGauge()) === expectedCount,
    );
  } finally {
    process.kill(otherWorker, 'SIGCONT');
  }
}

(address ? test : test.skip)(
  'the connection limit of a client holds over all workers, however unevenly its connections are distributed',
  async () => {
    await waitFor('both workers serve', async () => (await edge.readMetric('edge_workers')) === 2);
    await openAtWorker(0, 450);
    await openAtWorker(1, MAX_CONNECTIONS - 450);
    expect([countOpenSockets(), await edge.readMetric('edge_limited_total')]).toEqual([MAX_CONNECTIONS, 0]);

    for (const socket of sockets.splice(0)) socket.destroy();
    await waitFor('the connections are gone', async () => (await readConnectionGauge()) === 0);
    await openAtWorker(0, 300);
    await openAtWorker(1, 400);
    const closedCount = 300 + 400 - MAX_CONNECTIONS;
    await waitFor(
      'the connections over the limit are closed',
      async () => countOpenSockets() <= MAX_CONNECTIONS && (await readConnectionGauge()) === countOpenSockets(),
    );
    await waitFor(
      'the closed connections are counted',
      async () => (await edge.readMetric('edge_limited_total')) >= closedCount,
    );
    expect([countOpenSockets(), await edge.readMetric('edge_limited_total')]).toEqual([MAX_CONNECTIONS, closedCount]);
    // A further connection evicts only one connection.
    await openAtWorker(0, 1);
    await waitFor(
      'one connection is closed',
      async () => countOpenSockets() <= MAX_CONNECTIONS && (await readConnectionGauge()) === countOpenSockets(),
    );
    await waitFor(
      'the closed connection is counted',
      async () => (await edge.readMetric('edge_limited_total')) > closedCount,
    );
    expect([countOpenSockets(), await edge.readMetric('edge_limited_total')]).toEqual([
      MAX_CONNECTIONS,
      closedCount + 1,
    ]);
  },
);
