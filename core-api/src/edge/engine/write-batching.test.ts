import type { Socket } from 'node:net';
import { waitFor } from '../../../../scripts/testing/program';
import { createLocalReply, formatResponse, forwardTo, Peers, RawClient } from './testing/peers';
import { blockThread } from './testing/upstream-thread';

/* Writes are sent at the end of their turn of the event loop. These tests cover events before the end of the turn. */

const peers = new Peers();
const { startUpstream, startEngine } = peers;
afterEach(() => peers.stop());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
/** Matches a complete response of `createLocalReply(404)`, whose body is the status. */
const RESPONSE_404 = /HTTP\/1\.1 404 .*?\r\n\r\n404/gs;
/** Waits until sent bytes have arrived, so that one turn of the loop reads them all. */
const waitForArrival = () => blockThread(20);

test.each([
  ['a fault', get('/bad')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])('%s ends the connection after the responses to earlier requests', async (_case, lastRequest) => {
  const server = await startEngine(({ target }) => {
    if (target === '/bad') throw new Error('broken');
    return createLocalReply(404);
  });
  const client = new RawClient(server.port).send(get('/a') + get('/b') + lastRequest);
  await client.whenClosed;
  expect(client.received.match(RESPONSE_404)).toHaveLength(2);
});

test('a connection that still receives a response is not evicted', async () => {
  const body = 'x'.repeat(8_000_000);
  const server = await startEngine(() => ({ ...createLocalReply(200), body }), { limits: { connections: 1 } });
  const slowClient = new RawClient(server.port);
  slowClient.socket.pause();
  slowClient.send(get('/'));
  await waitFor('the request was answered', async () => server.endedExchanges.length === 1);
  const otherClient = new RawClient(server.port);
  await waitFor(
    'one connection was closed because of the limit',
    async () => server.engine.getGauges().limitedTotal === 1,
  );
  slowClient.socket.resume();
  await slowClient.waitFor((text) => text.length > body.length);
  for (const client of [slowClient, otherClient]) client.destroy();
});

test('bytes that arrive before a request was sent are not taken for its response', async () => {
  const sockets: Socket[] = [];
  const upstream = await startUpstream((socket, requests) => {
    sockets.push(socket);
    for (const [, path = ''] of requests.matchAll(/GET (\S+)/g)) socket.write(formatResponse(`to ${path}`));
  });
  const server = await startEngine(forwardTo(upstream.upstream), { limits: { reuseDelayMs: 0 } });
  const [firstClient, otherClient] = [new RawClient(server.port), new RawClient(server.port)];
  firstClient.send(get('/first'));
  await firstClient.waitFor((text) => text.endsWith('to /first'));
  firstClient.send(get('/one'));
  sockets[0]?.write(formatResponse('to nobody'));
  otherClient.send(get('/other'));
  waitForArrival();
  await firstClient.waitFor((text) => /to (?!\/first)/.test(text));
  await otherClient.waitFor((text) => /to /.test(text));
  expect([firstClient.received, otherClient.received]).toEqual([
    expect.stringMatching(/to \/one$/),
    expect.stringMatching(/to \/other$/),
  ]);
  // For a response before its request was sent, `upstreamMs` would be huge, because `sentAt` would still be 0.
  expect(server.endedExchanges.every(({ upstreamMs = -1 }) => upstreamMs >= 0 && upstreamMs < 3_600_000)).toBe(true);
  for (const client of [firstClient, otherClient]) client.destroy();
});
