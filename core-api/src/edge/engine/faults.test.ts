import { waitFor } from '../../../../scripts/testing/program';
import { sendRaw } from '../../testing/edge';
import {
  createLocalReply,
  EngineServer,
  formatResponse,
  forwardTo,
  LAST_GET,
  RawClient,
  type ScriptedUpstream,
  startUpstream,
} from './testing/peers';

let upstream: ScriptedUpstream;
beforeAll(async () => {
  upstream = await startUpstream((socket) => {
    socket.write(formatResponse('ok'));
  });
});
afterAll(() => upstream.stop());

const throwError = (): never => {
  throw new Error('broken');
};

test.each([
  ['a header block is parsed', { parseHeaders: throwError }],
  ['the end of an exchange is reported', { onExchangeEnded: throwError }],
  ['an address is checked', { mayConnect: throwError }],
] as const)('an exception while %s ends only the connection on which it occurred', async (_case, handlerPart) => {
  const server = await new EngineServer(forwardTo(upstream.upstream), {}, handlerPart).start();
  await sendRaw(server.port, LAST_GET);
  await sendRaw(server.port, LAST_GET);
  expect(server.faults).toEqual([new Error('broken'), new Error('broken')]);
  await waitFor('both clients are disconnected', () => Promise.resolve(server.engine.getGauges().clients === 0));
  expect(server.engine.getGauges()).toMatchObject({ faultsTotal: 2, upstreamBusy: 0 });
  await server.stop();
});

test('an exception at the end of an exchange does not affect the next exchange on its upstream connection', async () => {
  const pendingResponses: (() => void)[] = [];
  const slowUpstream = await startUpstream((socket) => pendingResponses.push(() => socket.write(formatResponse('ok'))));
  const limits = { reuseDelayMs: 0, upstreamConnections: 1 };
  const failForBad = ({ target }: { target: string }) => target === '/bad' && throwError();
  const server = await new EngineServer(
    forwardTo(slowUpstream.upstream),
    { limits },
    { onExchangeEnded: failForBad },
  ).start();
  const failingClient = new RawClient(server.port).send('GET /bad HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitFor('the upstream has the first request', async () => pendingResponses.length === 1);
  const otherClient = new RawClient(server.port).send('GET /good HTTP/1.1\r\nHost: a\r\n\r\n');
  await waitFor('the other request is queued', async () => server.engine.getGauges().queued === 1);
  pendingResponses[0]?.();
  await waitFor('the upstream has the other request', async () => pendingResponses.length === 2);
  pendingResponses[1]?.();
  await otherClient.waitFor((text) => text.endsWith('ok'));
  expect(server.faults).toEqual([new Error('broken')]);
  for (const client of [failingClient, otherClient]) client.destroy();
  await server.stop();
  await slowUpstream.stop();
});

test('if the check of an address throws, the engine does not connect to the address', async () => {
  const namedUpstream = { ...upstream.upstream, host: 'localhost' };
  const server = await new EngineServer(forwardTo(namedUpstream), {}, { mayConnect: throwError }).start();
  expect((await sendRaw(server.port, LAST_GET)).toString()).toContain('HTTP/1.1 502');
  expect(server.faults).toContainEqual(new Error('broken'));
  await server.stop();
});

test.each([
  ['throws', throwError],
  ['rejects', () => Promise.reject(new Error('broken'))],
])('a decision that %s ends only the connection of its request', async (_how, decide) => {
  const server = await new EngineServer((exchange) =>
    exchange.target === '/bad' ? decide() : createLocalReply(404),
  ).start();
  const otherClient = new RawClient(server.port).send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await sendRaw(server.port, 'GET /bad HTTP/1.1\r\nHost: a\r\n\r\n')).toHaveLength(0);
  await otherClient.waitFor((text) => text.endsWith('404'));
  expect(server.faults).toEqual([new Error('broken')]);
  expect(server.endedExchanges.find(({ target }) => target === '/bad')).toMatchObject({ reason: 'fault' });
  otherClient.destroy();
  await server.stop();
});

test('an exception in a header rewrite ends only the connection of its exchange', async () => {
  const server = await new EngineServer(forwardTo(upstream.upstream, { rewriteHeader: throwError })).start();
  expect(await sendRaw(server.port, LAST_GET)).toHaveLength(0);
  expect(server.faults).toEqual([new Error('broken')]);
  await server.stop();
});
