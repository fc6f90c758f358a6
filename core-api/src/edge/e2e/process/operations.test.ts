import { Agent, request as httpRequest } from 'node:http';
import WebSocket, { WebSocketServer } from 'ws';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { createThrowOnSignalEnvironment, Edge, getHeader, sendRequest } from '../../../testing/edge';
import { createKey, createRoute, createService, createSubdomain, findKey } from '../../../testing/records';

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let webSocketServer: WebSocketServer;
let onSlowRequest: () => void = () => undefined;

const PROBE_REQUESTS = 8;
/** Sends requests over several new connections, so that all workers answer. Returns the statuses of the responses. */
const requestStatuses = async (host: string, headers: [string, string][] = [], path = '/') =>
  Promise.all(
    Array.from({ length: PROBE_REQUESTS }, async () => (await sendRequest(edge.port, { host, path, headers })).status),
  );
const waitForStatuses = (status: number, probe: () => Promise<number[]>) =>
  waitFor(`every worker responds with ${status}`, async () => (await probe()).every((received) => received === status));

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => {
    if (request.url === '/slow') {
      onSlowRequest();
      setTimeout(() => response.end('late'), 1_500);
    } else response.end('ok');
  });
  const service = await createService(core, { name: 'up', host: upstream.url });
  await createRoute(core, service._id, '/up/*', { destination: '/*' });
  webSocketServer = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => webSocketServer.once('listening', resolve));
  webSocketServer.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  const address = webSocketServer.address();
  const wsPort = typeof address === 'object' && address !== null ? address.port : 0;
  const chatService = await core.create('/gateway/admin/services', {
    name: 'chat',
    host: `http://127.0.0.1:${wsPort}`,
  });
  await core.create('/gateway/admin/routes', {
    serviceId: chatService._id,
    origin: '/chat',
    destination: '/',
    methods: ['GET'],
    permission: 'a:b',
  });
  await createSubdomain(core, 'firme', { port: upstream.port });
  edge = await new Edge(core, createThrowOnSignalEnvironment(core)).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
  webSocketServer?.close();
});

test('every worker serves a new subdomain, and answers 404 after its removal', async () => {
  await createSubdomain(core, 'viva', { port: upstream.port });
  await waitForStatuses(200, () => requestStatuses('viva.localhost'));
  await core.request('DELETE', '/subdomains/viva');
  await waitForStatuses(404, () => requestStatuses('viva.localhost'));
});

test('every worker accepts a new key, and refuses it after its deletion', async () => {
  const { _id, key } = await createKey(core);
  const probe = () => requestStatuses('api.localhost', [['X-API-Key', key]], '/up/x');
  await waitForStatuses(200, probe);
  await core.request('DELETE', `/gateway/admin/keys/${_id}`);
  await waitForStatuses(401, probe);
});

/** Sends requests with a key and counts the allowed requests. */
function createCountingProbe(key: string) {
  const prober = {
    allowedCount: 0,
    async probe() {
      const received = await requestStatuses('api.localhost', [['X-API-Key', key]], '/up/x');
      prober.allowedCount += received.filter((status) => status === 200).length;
      return received;
    },
  };
  return prober;
}

test('10,000 requests over 64 connections and all workers are counted exactly, and none is refused', async () => {
  const startedAt = Date.now();
  const { _id, key } = await createKey(core);
  const prober = createCountingProbe(key);
  await waitForStatuses(200, prober.probe);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let remaining = 10_000;
  const send = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const clientRequest = httpRequest({
        port: edge.port,
        path,
        agent,
        headers: { Host: 'api.localhost', 'X-API-Key': key },
      });
      clientRequest.once('error', reject);
      clientRequest.once('response', (response) => response.resume().once('end', resolve));
      clientRequest.end();
    });
  const sendContinuously = async () => {
    while (remaining > 0) {
      remaining -= 1;
      await send('/up/x');
    }
  };
  await Promise.all(Array.from({ length: 64 }, sendContinuously));
  await send('/nada'); // No route has this path, so the request does not count.
  agent.destroy();
  const expectedCount = prober.allowedCount + 10_000;
  await waitFor('all requests are counted', async () => (await findKey(core, _id)).usageCount >= expectedCount);
  const { usageCount, lastUsedAt } = await findKey(core, _id);
  expect(usageCount).toBe(expectedCount);
  expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(startedAt);
  const { series } = (await core.request('GET', '/gateway/admin/usage?range=day')).body;
  const ownSeries = series.find(({ keyId }: { keyId: string }) => keyId === _id);
  const sum = ownSeries.points.reduce((total: number, { requests }: { requests: number }) => total + requests, 0);
  expect(sum).toBe(usageCount);
});

test('while the database is locked, requests are served and their counts wait', async () => {
  const { _id, key } = await createKey(core);
  const prober = createCountingProbe(key);
  await waitForStatuses(200, prober.probe);
  const unlock = await core.lockUsage();
  try {
    for (let round = 0; round < 5; round += 1) expect(await prober.probe()).toEqual(Array(PROBE_REQUESTS).fill(200));
    await waitFor('the counts wait', async () => (await edge.readMetric('edge_usage_pending')) >= 5 * PROBE_REQUESTS);
  } finally {
    await unlock();
  }
  await waitFor('the counts arrived', async () => (await findKey(core, _id)).usageCount >= prober.allowedCount);
  expect((await findKey(core, _id)).usageCount).toBe(prober.allowedCount);
});

test('while the core is down, sites are served, REST calls get JSON (contract §5) and other paths a page', async () => {
  await waitForStatuses(200, () => requestStatuses('firme.localhost'));
  await core.end('SIGKILL');
  try {
    expect(await requestStatuses('firme.localhost')).toEqual(Array(PROBE_REQUESTS).fill(200));
    const response = await sendRequest(edge.port, { host: 'localhost', path: '/api/subdomains?page=1' });
    expect([response.status, getHeader(response, 'content-type')]).toEqual([502, 'application/json; charset=utf-8']);
    expect(JSON.parse(response.text)).toEqual({ error: 'O serviço não respondeu. Tente novamente em instantes.' });
    // The BFF does not run either.
    for (const path of ['/', '/apis', '/console/api'])
      expect(getHeader(await sendRequest(edge.port, { host: 'localhost', path }), 'content-type')).toBe(
        'text/html; charset=utf-8',
      );
  } finally {
    await core.start();
  }
});

test('an open WebSocket forwards messages in both directions and closes when its key is revoked', async () => {
  const { _id, key } = await createKey(core);
  await waitForStatuses(200, () => requestStatuses('api.localhost', [['X-API-Key', key]], '/up/x'));
  const refusedSocket = new WebSocket(`ws://127.0.0.1:${edge.port}/chat`, { headers: { Host: 'api.localhost' } });
  const status = await new Promise((resolve) => {
    refusedSocket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
    refusedSocket.once('error', resolve);
  });
  expect(status).toBe(401);
  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/chat`, {
    headers: { Host: 'api.localhost', 'X-API-Key': key },
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const sentBytes = Buffer.alloc(1024 * 1024, 7);
  socket.send(sentBytes);
  const [echoedBytes] = await new Promise<[Buffer]>((resolve) =>
    socket.once('message', (data: Buffer) => resolve([data])),
  );
  expect(echoedBytes.equals(sentBytes)).toBe(true);
  const whenClosed = new Promise<number>((resolve) => socket.once('close', resolve));
  await core.request('DELETE', `/gateway/admin/keys/${_id}`);
  expect(await whenClosed).toBe(1001);
});

test('a killed worker is replaced without failures of other workers', async () => {
  const whenCreated = core.create('/subdomains', {
    subdomain: 'agora',
    description: 'x',
    type: 'proxy',
    port: upstream.port,
  });
  const endedBefore = await edge.readMetric('edge_workers_ended_total');
  process.kill(edge.workerPids[0] ?? Number.NaN, 'SIGKILL');
  await waitFor(
    'a worker has ended',
    async () => (await edge.readMetric('edge_workers_ended_total')) === endedBefore + 1,
  );
  expect((await sendRequest(edge.port, { host: 'firme.localhost' })).status).toBe(200);
  await whenCreated;
  await waitFor('both workers serve again', async () => (await edge.readMetric('edge_workers')) === 2);
  await waitForStatuses(200, () => requestStatuses('agora.localhost'));
});

test('a worker with an exception outside of every connection serves until another worker has replaced it', async () => {
  const { key } = await createKey(core);
  const requestHeaders: [string, string][] = [['X-API-Key', key]];
  await waitForStatuses(200, () => requestStatuses('api.localhost', requestHeaders, '/up/x'));
  const workersBefore = edge.workerPids;
  const [faultyPid = 0] = workersBefore;
  let slowRequestCount = 0;
  onSlowRequest = () => {
    slowRequestCount += 1;
  };
  const slowResponses = requestStatuses('api.localhost', requestHeaders, '/up/slow');
  await waitFor('both workers have requests in progress', async () => slowRequestCount === PROBE_REQUESTS);
  const receivedStatuses = new Set<number>();
  const workerCounts = new Set<number>();
  let isOver = false;
  const whenProbed = (async () => {
    while (!isOver) {
      for (const status of await requestStatuses('firme.localhost')) receivedStatuses.add(status);
      workerCounts.add(await edge.readMetric('edge_workers'));
    }
  })();
  process.kill(faultyPid, 'SIGUSR2'); // The worker throws an exception.
  await waitFor('the worker has exited', async () => !edge.workerPids.includes(faultyPid));
  isOver = true;
  await whenProbed;
  expect(await slowResponses).toEqual(Array(PROBE_REQUESTS).fill(200));
  expect([...receivedStatuses]).toEqual([200]);
  expect(Math.min(...workerCounts)).toBe(2);
  expect(edge.workerPids.filter((pid) => workersBefore.includes(pid))).toEqual(workersBefore.slice(1));
  expect(edge.output).toContain('made up'); // The message of the exception.
});

test('a worker that hangs after an exception outside of every connection is killed once another worker has replaced it', async () => {
  const [faultyPid = 0] = edge.workerPids;
  const countFaultLines = () => edge.output.split('a fault outside of every connection').length;
  const linesBefore = countFaultLines();
  process.kill(faultyPid, 'SIGUSR2'); // The worker throws an exception.
  await waitFor('the worker has logged the exception', () => countFaultLines() > linesBefore);
  process.kill(faultyPid, 'SIGSTOP');
  await waitFor('the worker has exited', () => !edge.workerPids.includes(faultyPid));
  expect(edge.workerPids).toHaveLength(2);
});

test('the workers of a killed edge end, and the next edge counts no request twice', async () => {
  const { _id, key } = await createKey(core);
  const prober = createCountingProbe(key);
  await waitForStatuses(200, prober.probe);
  await waitFor('the counts arrived', async () => (await findKey(core, _id)).usageCount === prober.allowedCount);
  const previousPort = edge.port;
  await edge.stop('SIGKILL');
  try {
    await waitFor('the port is closed', () =>
      sendRequest(previousPort, {}).then(
        () => false,
        () => true,
      ),
    );
  } finally {
    await edge.start();
  }
  await waitForStatuses(200, prober.probe);
  await waitFor('the new counts arrived', async () => (await findKey(core, _id)).usageCount >= prober.allowedCount);
  expect((await findKey(core, _id)).usageCount).toBe(prober.allowedCount);
});

test('after SIGTERM, an edge finishes its requests, counts them and exits with 0', async () => {
  const { _id, key } = await createKey(core);
  const prober = createCountingProbe(key);
  await waitForStatuses(200, prober.probe);
  const whenReached = new Promise<void>((resolve) => {
    onSlowRequest = resolve;
  });
  const slowResponse = sendRequest(edge.port, {
    host: 'api.localhost',
    path: '/up/slow',
    headers: [['X-API-Key', key]],
  });
  await whenReached;
  const whenStopped = edge.stop();
  try {
    expect((await slowResponse).text).toBe('late');
    expect(await whenStopped).toBe(0);
    expect((await findKey(core, _id)).usageCount).toBe(prober.allowedCount + 1);
  } finally {
    await whenStopped;
    await edge.start();
  }
});
