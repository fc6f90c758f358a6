import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import { Edge, parseResponse, sendRaw, sendRequest } from '../../../testing/edge';
import { RawClient } from '../../engine/testing/peers';

// Some tests open connections while workers hang, are killed or start. Others start an edge whose port is in use.

const REQUEST = 'GET /any HTTP/1.1\r\nHost: api.localhost\r\nConnection: close\r\n\r\n';

let core: Core;
let edge: Edge;
beforeAll(async () => {
  core = await new Core().start();
});
afterEach(() => edge.stop());
afterAll(() => core.stop());

/** Primary and workers may open this many descriptors for other purposes than client connections during a test. */
const DESCRIPTOR_TOLERANCE = 10;
const signalWorkers = (signal: NodeJS.Signals, pids = edge.workerPids) => {
  for (const pid of pids) process.kill(pid, signal);
};
const countDescriptors = () =>
  [edge.pid, ...edge.workerPids].reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0);
const waitForStatuses = async (clients: readonly RawClient[]) => {
  await Promise.all(clients.map(({ whenClosed }) => whenClosed));
  return clients.map(({ received }) => parseResponse(Buffer.from(received, 'latin1')).status);
};
const openClients = (count: number) => Array.from({ length: count }, () => new RawClient(edge.port).send(REQUEST));
const waitForConnections = (clients: readonly RawClient[]) =>
  waitFor('all clients have connected', async () => clients.every(({ socket }) => socket.readyState === 'open'));

test('while all workers hang, connections wait in the backlog and are answered afterwards', async () => {
  edge = await new Edge(core).start();
  signalWorkers('SIGSTOP');
  const descriptorsBefore = countDescriptors();
  const clients = openClients(1_000);
  await waitForConnections(clients);
  const resetClients = clients.splice(0, 500);
  for (const { socket } of resetClients) socket.resetAndDestroy();
  expect(clients.some(({ received }) => received !== '')).toBe(false);
  expect(countDescriptors()).toBeLessThan(descriptorsBefore + DESCRIPTOR_TOLERANCE);
  expect((await edge.fetchAdmin('/readyz')).status).toBe(200);
  const response = sendRequest(edge.port, { path: '/any' });
  signalWorkers('SIGCONT');
  expect((await response).status).toBe(404);
  expect(await waitForStatuses(clients)).toEqual(clients.map(() => 404));
  await waitFor(
    'no descriptor is left over',
    async () => countDescriptors() < descriptorsBefore + DESCRIPTOR_TOLERANCE,
  );
});

test('hung workers are replaced, and waiting connections are answered', async () => {
  edge = await new Edge(core).start();
  await waitFor('both workers have reported', async () => (await edge.readMetric('edge_workers')) === 2);
  const hungWorkers = edge.workerPids;
  signalWorkers('SIGSTOP', hungWorkers);
  const clients = openClients(50);
  expect(await waitForStatuses(clients)).toEqual(clients.map(() => 404));
  // The first successor may answer all connections before the second hung worker is replaced.
  await waitFor('all hung workers are replaced', async () =>
    edge.workerPids.every((pid) => !hungWorkers.includes(pid)),
  );
  await waitFor('the hung worker is logged', async () => edge.output.includes('a worker hangs'));
});

test('after the only worker is killed, the next worker answers waiting connections', async () => {
  edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  for (let turn = 0; turn < 3; turn += 1) {
    signalWorkers('SIGKILL');
    const clients = openClients(50);
    expect(await waitForStatuses(clients)).toEqual(clients.map(() => 404));
  }
});

test('a worker without free file descriptors refuses connections and continues', async () => {
  edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  const [worker = Number.NaN] = edge.workerPids;
  const limit = readdirSync(`/proc/${worker}/fd`).length + 20;
  expect(spawnSync('prlimit', ['--pid', `${worker}`, `--nofile=${limit}:${limit}`]).status).toBe(0);
  const clients = Array.from({ length: 100 }, () => new RawClient(edge.port));
  await waitFor(
    'the clients over the limit are refused',
    async () => clients.filter(({ socket }) => socket.destroyed).length > 50,
  );
  await waitFor(
    'the edge reports its connections',
    async () => (await edge.readMetric('edge_client_connections')) > 10,
  );
  for (const client of clients) client.destroy();
  await waitFor('the connections are gone', async () => (await edge.readMetric('edge_client_connections')) === 0);
  expect([(await sendRequest(edge.port, { path: '/any' })).status, edge.workerPids]).toEqual([404, [worker]]);
});

test('before it stops, an edge answers the connections of its backlog', async () => {
  edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  const { workerPids } = edge;
  signalWorkers('SIGSTOP', workerPids);
  const clients = openClients(50);
  await waitForConnections(clients);
  const whenStopped = edge.stop();
  await waitFor('the edge is draining', async () => (await edge.fetchAdmin('/readyz')).status === 503);
  signalWorkers('SIGCONT', workerPids);
  expect(await waitForStatuses(clients)).toEqual(clients.map(() => 404));
  expect(await whenStopped).toBe(0);
});

test('a hung worker of a killed primary does not block the port', async () => {
  const killedEdge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  const { port, workerPids } = killedEdge;
  signalWorkers('SIGSTOP', workerPids);
  process.kill(killedEdge.pid, 'SIGKILL');
  await waitFor('the administration port is free', () =>
    killedEdge.fetchAdmin('/healthz').then(
      () => false,
      () => true,
    ),
  );
  edge = await new Edge(core, { PORT: String(port) }).start();
  expect(parseResponse(await sendRaw(port, REQUEST)).status).toBe(404);
  expect(edge.output).toContain(`"pid":${workerPids[0]}`);
  await killedEdge.stop();
});

test('a second edge on a port fails with a line that names PORT, and ends no worker, not even a hung one', async () => {
  const killedEdge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  const { workerPids: hungWorkers } = killedEdge;
  signalWorkers('SIGSTOP', hungWorkers);
  process.kill(killedEdge.pid, 'SIGKILL');
  edge = await new Edge(core).start();
  const { workerPids } = edge;
  const otherEdge = new Edge(core, { PORT: String(edge.port) });
  await expect(otherEdge.start()).rejects.toThrow(/PORT: a porta já está em uso \(bind EADDRINUSE .*:\d+\)/);
  signalWorkers('SIGCONT', hungWorkers);
  expect(otherEdge.output).not.toContain('outlived');
  expect(parseResponse(await sendRaw(edge.port, REQUEST)).status).toBe(404);
  expect(edge.workerPids).toEqual(workerPids);
  await killedEdge.stop();
});

test('a bind address of another machine is reported with the variable HOST', async () => {
  edge = new Edge(core, { HOST: '203.0.113.1' });
  await expect(edge.start()).rejects.toThrow(/HOST: não é um endereço desta máquina \(bind EADDRNOTAVAIL 203/);
});
