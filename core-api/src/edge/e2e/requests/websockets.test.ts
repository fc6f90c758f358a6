import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import { Edge } from '../../../testing/edge';
import { createKey, createRoute, createService } from '../../../testing/records';

let webSocketServer: WebSocketServer;
let core: Core;
let edge: Edge;
let key: string;

beforeAll(async () => {
  webSocketServer = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: ({ req }: { req: IncomingMessage }) => req.url !== '/closed',
  });
  webSocketServer.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  await once(webSocketServer, 'listening');
  const address = webSocketServer.address();
  const port = typeof address === 'object' ? address?.port : 0;
  core = await new Core().start();
  const service = await createService(core, { host: `http://127.0.0.1:${port}` });
  await createRoute(core, service._id, '/ws/*', { destination: '/*', methods: ['GET'] });
  key = (await createKey(core)).key;
  edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  for (const socket of webSocketServer?.clients ?? []) socket.terminate();
  webSocketServer?.close();
});

const openWebSocket = (path: string, presentedKey = key, { port } = edge) =>
  new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    headers: { Host: 'api.localhost', 'X-API-Key': presentedKey },
  });
const readRefusalStatus = async (socket: WebSocket): Promise<number> => {
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode;
};

test('an upgrade that the edge or the upstream refuses gets an ordinary response', async () => {
  expect(await readRefusalStatus(openWebSocket('/ws/echo', 'wrong'))).toBe(401);
  expect(await readRefusalStatus(openWebSocket('/none/echo'))).toBe(404);
  expect(await readRefusalStatus(openWebSocket('/ws/closed'))).toBe(401);
});

test('a frame of 1 MB and the close code pass through the edge', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'm');
  const socket = openWebSocket('/ws/echo');
  await once(socket, 'open');
  socket.send(megabyte);
  const [data] = await once(socket, 'message');
  expect(megabyte.equals(data)).toBe(true);
  for (const client of webSocketServer.clients) client.close(4321, 'bye');
  expect((await once(socket, 'close'))[0]).toBe(4321);
  await waitFor('the WebSocket is in the metrics', async () =>
    /edge_requests_total\{kind="gateway",status="1xx"\} [1-9]/.test(await (await edge.fetchAdmin('/metrics')).text()),
  );
});

test('a drain gives open WebSockets some time, then closes them with 1001', async () => {
  const drainedEdge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  const socket = openWebSocket('/ws/echo', key, drainedEdge);
  await once(socket, 'open');
  const whenStopped = drainedEdge.stop();
  await waitFor('the edge is draining', async () => (await drainedEdge.fetchAdmin('/readyz')).status === 503);
  socket.send('still here');
  expect(String((await once(socket, 'message'))[0])).toBe('still here');
  const [code] = await once(socket, 'close');
  expect(code).toBe(1001);
  await whenStopped;
});
