import type { Socket } from 'node:net';
import { waitFor } from '../../../../scripts/testing/program';
import { forwardTo, Peers, RawClient, refusalReply, responseText } from './testing/peers';
import { blockThread } from './testing/upstream-thread';

/** Writes of one turn of the event loop are sent at its end; these tests cover what happens before. */
const peers = new Peers();
const { startUpstream, startEngine } = peers;
afterEach(() => peers.stop());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
/** Waits until sent bytes have arrived, so that one turn of the loop reads them all. */
const waitForArrival = () => blockThread(20);

test.each([
  ['a fault', get('/bad')],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])('%s ends the connection after the responses to earlier requests', async (_what, last) => {
  const server = await startEngine(({ target }) => {
    if (target === '/bad') throw new Error('broken');
    return refusalReply(404);
  });
  const client = new RawClient(server.port).send(get('/a') + get('/b') + last);
  await client.closed;
  expect(client.received.match(/404$|404(?=HTTP)/g)).toHaveLength(2);
});

test('a connection that still receives a response is not evicted', async () => {
  const body = 'x'.repeat(8_000_000);
  const server = await startEngine(() => ({ ...refusalReply(200), body }), { limits: { connections: 1 } });
  const slow = new RawClient(server.port);
  slow.socket.pause();
  slow.send(get('/'));
  await waitFor('the request was answered', async () => server.ended.length === 1);
  const otherClient = new RawClient(server.port);
  await waitFor('one connection was closed because of the limit', async () => server.engine.gauges().limited === 1);
  slow.socket.resume();
  await slow.waitFor((text) => text.length > body.length);
  for (const client of [slow, otherClient]) client.destroy();
});

test('bytes that arrive before the request was sent are not its response', async () => {
  const sockets: Socket[] = [];
  const upstream = await startUpstream((socket, sent) => {
    sockets.push(socket);
    for (const [, path = ''] of sent.matchAll(/GET (\S+)/g)) socket.write(responseText(`to ${path}`));
  });
  const server = await startEngine(forwardTo(upstream.upstream), { limits: { reuseDelayMs: 0 } });
  const [one, other] = [new RawClient(server.port), new RawClient(server.port)];
  one.send(get('/first'));
  await one.waitFor((text) => text.endsWith('to /first'));
  one.send(get('/one'));
  sockets[0]?.write(responseText('to nobody'));
  other.send(get('/other'));
  waitForArrival();
  await one.waitFor((text) => /to (?!\/first)/.test(text));
  await other.waitFor((text) => /to /.test(text));
  expect([one.received, other.received]).toEqual([
    expect.stringMatching(/to \/one$/),
    expect.stringMatching(/to \/other$/),
  ]);
  expect(server.ended.every(({ upstreamMs = -1 }) => upstreamMs >= 0 && upstreamMs < 3_600_000)).toBe(true);
  for (const client of [one, other]) client.destroy();
});
