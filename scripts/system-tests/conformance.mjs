/**
 * Tests the cases of an HTTP proxy that take minutes. All cases together take about five minutes. Arguments: names of
 * cases; default: all.
 * - `equal-times`: refusals take equally long
 * - `large`: bodies of 100 MB in both directions
 * - `slow`: slow responses and bodies
 * - `closing`: 100,000 requests to an upstream that closes idle connections
 * - `early-responses`: responses before the body was read
 * - `locked`: a locked database
 */
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureResidentMemory, median } from '../bench/measure.mjs';
import { getPort, Stack, waitFor } from '../testing/harness.mjs';
import { createCaller } from './support/caller.mjs';
import { finish, ok } from './support/results.mjs';
import { lockSqlite } from './support/rows.mjs';

const MEGABYTE = 2 ** 20;
const LARGE_BYTES = 100 * MEGABYTE;
/** Time in which an upstream must send the first byte of a response (contract §4). */
const FIRST_BYTE_S = 60;

const upstream = createServer({ keepAliveTimeout: 1_000, requestTimeout: 0 }, (incoming, response) => {
  const path = incoming.url ?? '';
  if (path === '/silent') return;
  if (path === '/download') {
    response.setHeader('Content-Length', LARGE_BYTES);
    let bytesLeft = LARGE_BYTES;
    const piece = Buffer.alloc(65_536, 'd');
    const writeMore = () => {
      while (bytesLeft > 0) {
        bytesLeft -= piece.length;
        if (!response.write(piece)) return void response.once('drain', writeMore);
      }
      response.end();
    };
    writeMore();
  } else if (path === '/upload') {
    let byteCount = 0;
    incoming.on('data', (piece) => {
      byteCount += piece.length;
      incoming.pause();
      setTimeout(() => incoming.resume(), 1);
    });
    incoming.once('end', () => response.end(String(byteCount)));
  } else if (path === '/steady') {
    response.writeHead(200, { 'Content-Length': FIRST_BYTE_S + 15 }); // Longer than the time limit.
    let bytesLeft = FIRST_BYTE_S + 15;
    const timer = setInterval(() => {
      response.write('.');
      bytesLeft -= 1;
      if (bytesLeft > 0) return;
      clearInterval(timer);
      response.end();
    }, 1_000);
  } else incoming.resume().once('end', () => response.end('ok'));
}).listen(0, '127.0.0.1');
await once(upstream, 'listening');
/** This upstream answers after the head. It reads only the beginning of a long body and then ends the connection. */
const earlyUpstream = createTcpServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    if (!bytes.toString('latin1').startsWith('POST ')) return;
    const createResponse = (headerLines) =>
      `HTTP/1.1 413 Content Too Large\r\n${headerLines}Content-Length: 3\r\n\r\nbig`;
    if (bytes.includes('Content-Length: 1000\r\n')) {
      socket.write(createResponse(''));
      return;
    }
    socket.pause();
    socket.end(createResponse('Connection: close\r\n'));
    setTimeout(() => socket.destroy(), 1_000);
  });
}).listen(0, '127.0.0.1');
await once(earlyUpstream, 'listening');

const stack = await Stack.start({ processes: ['core', 'edge'], environment: { EDGE_WORKERS: '2', ACCESS_LOG: 'off' } });
const caller = createCaller(stack);
await caller.logIn();
for (const [name, server] of Object.entries({ up: upstream, early: earlyUpstream })) {
  const host = `http://127.0.0.1:${getPort(server)}`;
  const { _id: serviceId } = await caller.create('/gateway/admin/services', { name, host });
  const methods = ['GET', 'POST'];
  await caller.create('/gateway/admin/routes', {
    serviceId,
    origin: `/${name}/*`,
    destination: '/*',
    methods,
    permission: 'a:b',
  });
}
const { _id: keyId, key } = await caller.create('/gateway/admin/keys', {
  name: 'k',
  permissions: ['*'],
  allowedIps: [],
});
/** Collects the bytes that a stream receives. @returns a function that returns them as text */
const collectText = (stream) => {
  let text = '';
  stream.on('data', (piece) => {
    text += piece;
  });
  return () => text;
};
const keepAliveAgent = new Agent({ keepAlive: true });
/** Sends one request to the gateway. @returns status 0 if no complete response arrived */
const requestGateway = (path, { method = 'GET', body = undefined, presentedKey = key, agent = keepAliveAgent } = {}) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const finishWith = (status, text = '') => resolve({ status, text, ms: performance.now() - startedAt });
    const headers = { Host: 'api.localhost', ...(presentedKey !== null && { 'X-API-Key': presentedKey }) };
    const outgoing = request({ host: '127.0.0.1', port: stack.port, path, method, headers, agent }, (response) => {
      const receivedText = collectText(response.setEncoding('latin1'));
      response.once('end', () => finishWith(response.statusCode, receivedText()));
      response.once('error', () => finishWith(0));
    });
    outgoing.once('error', () => finishWith(0));
    outgoing.end(body);
  });
await waitFor('the key', async () => (await requestGateway('/up/x')).status === 200);

/** Tests that the time of a refusal does not show whether a key exists. */
async function testEqualTimes() {
  const kinds = {
    unknown: `sk7_${'x'.repeat(43)}`,
    'right prefix': `${key.slice(0, -4)}xxxx`,
    blank: ' ',
    none: null,
    '5 kB': 'x'.repeat(5_000),
  };
  const singleSocket = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  let unexpected = 0;
  for (let turn = 0; turn < 2_000; turn += 1) {
    for (const [kind, presentedKey] of Object.entries(kinds)) {
      const { status, ms } = await requestGateway('/up/x', { presentedKey, agent: singleSocket });
      if (status !== 401) unexpected += 1;
      if (turn > 200) times[kind].push(ms); // The first turns warm up.
    }
  }
  singleSocket.destroy();
  const medians = Object.fromEntries(Object.entries(times).map(([kind, durations]) => [kind, median(durations)]));
  const figure = Object.entries(medians)
    .map(([kind, ms]) => `${kind} ${(ms * 1000).toFixed(0)} us`)
    .join(', ');
  ok(unexpected === 0, 'every refusal is 401', `${unexpected} others`);
  const difference = Math.abs(medians.unknown - medians['right prefix']) / medians.unknown;
  ok(difference < 0.1, 'unknown and nearly right keys take equally long', figure);
}

const openSocket = (path, headerLines, method = 'GET') => {
  const socket = connect(stack.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${key}\r\n${headerLines}\r\n`);
  return socket;
};

async function testLargeBodies() {
  const edgePid = stack.process('edge').pid;
  const before = measureResidentMemory(edgePid);
  let maxMemory = 0;
  const memoryTimer = setInterval(() => {
    maxMemory = Math.max(maxMemory, measureResidentMemory(edgePid));
  }, 50);
  const downloadSocket = openSocket('/up/download', 'Connection: close\r\n');
  let received = 0;
  downloadSocket.on('data', (piece) => {
    received += piece.length;
    downloadSocket.pause();
    setTimeout(() => downloadSocket.resume(), 1);
  });
  await once(downloadSocket, 'close');
  ok(
    received > LARGE_BYTES && received < LARGE_BYTES + 1_000,
    '100 MB reach a slow reader',
    `${received} bytes with the head`,
  );
  const uploadSocket = openSocket('/up/upload', `Content-Length: ${LARGE_BYTES}\r\nConnection: close\r\n`, 'POST');
  const uploadText = collectText(uploadSocket);
  const piece = Buffer.alloc(65_536, 'u');
  for (let bytesLeft = LARGE_BYTES; bytesLeft > 0; bytesLeft -= piece.length)
    if (!uploadSocket.write(piece)) await once(uploadSocket, 'drain');
  await once(uploadSocket, 'close');
  clearInterval(memoryTimer);
  const response = uploadText();
  ok(response.endsWith(String(LARGE_BYTES)), '100 MB reach a slow upstream', response.split('\r\n')[0]);
  const growth = (maxMemory - before) / MEGABYTE;
  ok(
    growth < 60,
    'the memory grows by less than 60 MB during large bodies',
    `${growth.toFixed(0)} MB more than ${(before / MEGABYTE).toFixed(0)} MB`,
  );
}

async function testSlowPeers() {
  const startedAt = performance.now();
  const upload = async () => {
    const seconds = FIRST_BYTE_S + 15;
    const socket = openSocket('/up/x', `Content-Length: ${seconds * 400}\r\nConnection: close\r\n`, 'POST');
    const receivedText = collectText(socket);
    for (let second = 0; second < seconds && !socket.destroyed; second += 1) {
      socket.write('u'.repeat(400));
      await sleep(1_000);
    }
    if (!socket.destroyed) await Promise.race([once(socket, 'close'), sleep(10_000)]);
    return receivedText().split('\r\n')[0];
  };
  const [silent, steady, uploaded] = await Promise.all([
    requestGateway('/up/silent', { agent: new Agent() }),
    requestGateway('/up/steady', { agent: new Agent() }),
    upload(),
  ]);
  ok(
    silent.status === 504,
    'a client gets 504 if the upstream sends no first byte',
    `${silent.status} after ${(silent.ms / 1000).toFixed(1)} s`,
  );
  const isAtTimeLimit = silent.ms > FIRST_BYTE_S * 1000 && silent.ms < FIRST_BYTE_S * 1000 + 3_000;
  ok(isAtTimeLimit, 'the 504 is sent at the time limit', `${FIRST_BYTE_S} s`);
  const isSteadyComplete = steady.status === 200 && steady.text.length === FIRST_BYTE_S + 15;
  ok(
    isSteadyComplete,
    'a response of one byte a second arrives completely',
    `${steady.status}, ${steady.text.length} bytes in ${(steady.ms / 1000).toFixed(0)} s`,
  );
  ok(
    uploaded === 'HTTP/1.1 200 OK',
    'an upload of 400 bytes a second is answered',
    `${uploaded} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
}

/** Sends bursts of requests. Each pause ends at about the moment at which the upstream closes idle connections. */
async function testClosingUpstream() {
  const total = 100_000;
  const clients = 200;
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const countByResult = new Map();
  let sentRequests = 0;
  while (sentRequests < total) {
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let turn = 0; turn < 10; turn += 1) {
          const isPost = (client + turn) % 2 === 0;
          const { status } = await requestGateway('/up/x', {
            agent,
            ...(isPost && { method: 'POST', body: 'hello' }),
          });
          const name = `${isPost ? 'POST' : 'GET'} ${status}`;
          countByResult.set(name, (countByResult.get(name) ?? 0) + 1);
        }
      }),
    );
    sentRequests += clients * 10;
    await sleep(850 + Math.random() * 300);
  }
  agent.destroy();
  const figure = [...countByResult].map(([name, count]) => `${count}x ${name}`).join(', ');
  ok(
    [...countByResult.keys()].every((name) => name.endsWith(' 200')),
    'requests to an upstream that closes idle connections after 1 s succeed',
    figure,
  );
}

async function testEarlyResponses() {
  const sizes = [1_000, 100_000, 700_000, 900_000];
  let completeResponses = 0;
  for (let turn = 0; turn < 100; turn += 1) {
    const size = sizes[turn % sizes.length];
    const socket = openSocket('/early/x', `Content-Length: ${size}\r\n`, 'POST');
    const receivedText = collectText(socket);
    for (let bytesLeft = size; bytesLeft > 0 && !socket.destroyed; bytesLeft -= 50_000) {
      socket.write(Buffer.alloc(Math.min(bytesLeft, 50_000), 'x'));
      await sleep(1);
    }
    const isAnsweredAndOpen = () => receivedText().endsWith('big') && !receivedText().includes('Connection: close');
    await waitFor('the response', () => socket.destroyed || isAnsweredAndOpen(), 5).catch(() => undefined);
    const text = receivedText();
    const isComplete = text.startsWith('HTTP/1.1 413 ') && text.endsWith('\r\n\r\nbig');
    // The edge may have forwarded a smaller body completely, and then the connection may stay open.
    if (isComplete && (size < 500_000 || text.includes('Connection: close'))) completeResponses += 1;
    socket.destroy();
  }
  ok(
    completeResponses === 100,
    'a response that comes before the body was read arrives completely',
    `${completeResponses} of 100 complete`,
  );
}

async function testLockedDatabase() {
  const readUsageCount = async () =>
    (await caller.request('GET', '/gateway/admin/keys')).body.find(({ _id }) => _id === keyId).usageCount;
  await waitFor('a stable usage count', async () => {
    const before = await readUsageCount();
    await sleep(2_500);
    return (await readUsageCount()) === before;
  });
  const before = await readUsageCount();
  const unlock = await lockSqlite(join(stack.folder, 'studio.sqlite'));
  const end = Date.now() + 10_000;
  let [passed, unexpected] = [0, 0];
  while (Date.now() < end) {
    for (const { status } of await Promise.all(Array.from({ length: 20 }, () => requestGateway('/up/x')))) {
      if (status === 200) passed += 1;
      else unexpected += 1;
    }
  }
  await unlock();
  await waitFor('the usage counts', async () => (await readUsageCount()) >= before + passed, 20).catch(() => undefined);
  await sleep(2_000);
  const countedRequests = (await readUsageCount()) - before;
  ok(unexpected === 0, 'requests succeed while the database is locked', `${passed} did, ${unexpected} did not`);
  ok(
    countedRequests === passed,
    'requests while the database is locked are counted',
    `${countedRequests} of ${passed}`,
  );
}

const cases = {
  'equal-times': testEqualTimes,
  large: testLargeBodies,
  slow: testSlowPeers,
  closing: testClosingUpstream,
  'early-responses': testEarlyResponses,
  locked: testLockedDatabase,
};
const chosenCases = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(cases);
for (const name of chosenCases) await cases[name]?.();
const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text();
for (const name of ['edge_workers_ended_total', 'edge_faults_total']) {
  ok(metrics.includes(`\n${name} 0\n`), name, '0');
}
await stack.stop();
finish();
