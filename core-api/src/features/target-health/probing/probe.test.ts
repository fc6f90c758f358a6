import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listenOnLoopback } from '../../../../../scripts/testing/server';
import { createCertificateAuthority } from '../../../testing/certificates';
import { listen } from '../../../testing/core';
import { probe } from './probe';

const staticRules = { staticRoots: [], dataDir: '/nowhere', installation: '/nowhere/else' };
const rules = { ownPorts: [9999], staticRules };

const probeLastStep = async (port: number, { host = '127.0.0.1', tls = false } = {}) => {
  const { step, ok, detail } = (await probe({ kind: 'http', host, port, tls }, rules)).steps.at(-1) ?? {};
  return [step, ok, detail];
};

test.each([
  ['a certificate of an unknown authority', 'localhost', 'não vem de uma autoridade conhecida'],
  ['a certificate of an unknown authority for another host name', 'outro.com.br', 'autoridade|de outro nome'],
])('a target with %s fails in the step tls', async (_name, host, sentence) => {
  const server = createTlsServer(await (await createCertificateAuthority()).issue([host], 90));
  server.on('tlsClientError', () => undefined);
  const port = await listenOnLoopback(server);
  expect(await probeLastStep(port, { host: 'localhost', tls: true })).toEqual([
    'tls',
    false,
    expect.stringMatching(sentence),
  ]);
  server.close();
});

test('a target without TLS fails in the step tls', async () => {
  const { port, stop } = await listen((_request, response) => response.end());
  expect(await probeLastStep(port, { tls: true })).toEqual(['tls', false, expect.any(String)]);
  await stop();
});

test.each([
  ['closes the connection', '', 'O destino encerrou a conexão sem responder.'],
  ['does not speak HTTP', '220 mail.example ESMTP\r\n', 'O que o destino responde não é HTTP.'],
])('a target that %s fails in the step http', async (_name, text, sentence) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(text));
  });
  expect(await probeLastStep(await listenOnLoopback(server))).toEqual(['http', false, sentence]);
  server.close();
});

test('a probe never connects to a forbidden target', async () => {
  expect(await probeLastStep(9999)).toEqual(['tcp', false, 'Esta porta é usada pela própria instalação.']);
  expect(await probeLastStep(80, { host: '169.254.169.254' })).toEqual([
    'tcp',
    false,
    expect.stringContaining('não pode'),
  ]);
});

test.each([
  ['sends GET if HEAD gets no response', false, 2],
  ['does not send GET if the TLS connection fails', true, 1],
])('a probe %s', async (_rule, tls, connections) => {
  let connectionCount = 0;
  const server = createServer((socket) => {
    connectionCount += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end());
  });
  const port = await listenOnLoopback(server);
  await probe({ kind: 'http', host: '127.0.0.1', port, tls }, rules, { inParallel: true });
  server.close();
  expect(connectionCount).toBe(connections);
});
