import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { prepareDrain as prepareBffDrain } from '../../bff/src/drain';
import { prepareDrain as prepareCoreDrain } from '../../core-api/src/platform/lifecycle/drain';
import { listenOnLoopback } from '../testing/server';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Opens a keep-alive connection that is idle after one response. */
async function openIdleConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  sockets.push(socket);
  socket.write(REQUEST);
  expect(String(await once(socket, 'data'))).toContain('Connection: keep-alive');
  return socket;
}

async function startServer(handle: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => handle(response));
  return { server, port: await listenOnLoopback(server) };
}

describe.each([
  ['bff', prepareBffDrain],
  ['core-api', prepareCoreDrain],
])('a drain of %s', (_name, prepareDrain) => {
  test('with an open port, adds Connection: close to the next response, and closes silent connections', async () => {
    const { server, port } = await startServer((response) => response.end('ok'));
    const drain = prepareDrain(server, { fd: 3 }); // With socket activation the port stays open.
    const socket = await openIdleConnection(port);
    const silentSocket = await openIdleConnection(port);
    const drained = drain();
    socket.write(REQUEST);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n/);
    silentSocket.resume();
    await once(silentSocket, 'close');
    await drained;
  });

  test('adds Connection: close to the response to a request that arrived before the drain', async () => {
    const requests = new EventEmitter();
    const { server, port } = await startServer((response) => requests.emit('request', response));
    const drain = prepareDrain(server, { port, host: '127.0.0.1' });
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    sockets.push(socket);
    socket.write(REQUEST);
    const [response]: ServerResponse[] = await once(requests, 'request');
    const drained = drain();
    response?.end('ok');
    expect(String(await once(socket, 'data'))).toContain('Connection: close');
    await drained;
  });
});
