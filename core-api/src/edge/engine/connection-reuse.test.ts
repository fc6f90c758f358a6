import { parseResponse, sendRaw } from '../../testing/edge';
import {
  createLocalReply,
  EngineServer,
  formatResponse,
  forwardTo,
  RawClient,
  type ScriptedUpstream,
  startUpstream,
} from './testing/peers';

let upstream: ScriptedUpstream;
let server: EngineServer;

beforeAll(async () => {
  upstream = await startUpstream((socket, request) => {
    const [, path = ''] = /^[A-Z]+ ([^ ]+)/.exec(request) ?? [];
    if (path === '/chunks') {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\n\r\n');
    } else if (path === '/big') socket.write(formatResponse('b'.repeat(700_000)));
    else socket.write(formatResponse(`you asked ${path}`));
  });
  server = await new EngineServer((exchange) => {
    if (exchange.target === '/none') return createLocalReply(404);
    if (exchange.target === '/later')
      return new Promise((resolve) => setTimeout(() => resolve(createLocalReply(403)), 20));
    return forwardTo(upstream.upstream)(exchange);
  }).start();
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const get = (path: string, lines = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;

test('one connection serves forwarded, chunked and local responses, and reads a split request head', async () => {
  const client = new RawClient(server.port);
  client.send(get('/one'));
  await client.waitFor((text) => text.includes('you asked /one'));
  client.send(get('/none'));
  await client.waitFor((text) => text.endsWith('404'));
  client.send(get('/chunks'));
  await client.waitFor((text) => text.endsWith('0\r\n\r\n'));
  client.send(get('/later'));
  await client.waitFor((text) => text.endsWith('403'));
  client.send(
    'POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;ext="q"\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n',
  );
  await client.waitFor((text) => text.includes('you asked /upload'));
  for (const part of ['GET /split HT', 'TP/1.1\r\nHost: a\r', '\n\r\n']) {
    client.send(part);
    // The response to another client shows that the engine has read the bytes sent before.
    await sendRaw(server.port, get('/none', 'Connection: close\r\n'));
  }
  await client.waitFor((text) => text.includes('you asked /split'));
  client.send(get('/last', 'Connection: close\r\n'));
  await client.whenClosed;
  expect(client.received).toContain('you asked /last');
  expect(server.faults).toEqual([]);
  expect(upstream.requests.find((text) => text.startsWith('POST /upload'))).toMatch(/\r\n\r\n5\r\nabcde\r\n0\r\n\r\n$/);
});

test('a large response arrives completely', async () => {
  const response = parseResponse(await sendRaw(server.port, get('/big', 'Connection: close\r\n')));
  expect([response.status, response.body.length, response.isComplete]).toEqual([200, 700_000, true]);
});
