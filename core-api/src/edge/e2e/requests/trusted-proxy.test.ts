import { statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, sendRequest } from '../../../testing/edge';
import { createKey, createSubdomain } from '../../../testing/records';

const ALLOWED_IP = '203.0.113.9';

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let key: string;
let edgeSocketPath: string;

/** Calls the gateway with a key that allows one address, and claims to come from that address. */
const claimAddress = (portOrPath: number | string) =>
  sendRequest(portOrPath, {
    path: '/dados',
    headers: [
      ['X-API-Key', key],
      ['X-Forwarded-For', ALLOWED_IP],
      ['X-Forwarded-Proto', 'https'],
    ],
  });

beforeAll(async () => {
  core = await new Core().start();
  edgeSocketPath = join(core.folder, 'edge.sock');
  upstream = await listen((request, response) => {
    // The upstream answers only after it has received the whole request body.
    request.resume().once('end', () => response.end(JSON.stringify(request.headers)));
  });
  const { _id } = await core.create('/gateway/admin/services', { name: 'dados', host: upstream.url });
  await core.create('/gateway/admin/routes', {
    serviceId: _id,
    origin: '/dados',
    destination: '/',
    methods: ['GET'],
    permission: 'dados:ler',
  });
  ({ key } = await createKey(core, { allowedIps: [ALLOWED_IP] }));
  edge = await new Edge(core, { EDGE_SOCKET: edgeSocketPath, EDGE_WORKERS: '1' }).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

test('X-Forwarded-For is trusted on the Unix socket, but not on the port', async () => {
  expect((await claimAddress(edge.port)).status).toBe(403);
  const { status, text } = await claimAddress(edgeSocketPath);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    'x-forwarded-for': `${ALLOWED_IP}, 127.0.0.1`,
    'x-forwarded-proto': 'https',
  });
});

test('behind the proxy on the Unix socket, the connection limit applies to the concurrent requests of each client', async () => {
  const unfinishedRequests: Socket[] = [];
  /** Sends a request whose body never arrives. */
  const sendUnfinishedRequest = (address: string) => {
    const socket = connect(edgeSocketPath).on('error', () => undefined);
    socket.write(
      `POST / HTTP/1.1\r\nHost: lenta.localhost\r\nX-Forwarded-For: ${address}\r\nContent-Length: 10\r\n\r\n`,
    );
    unfinishedRequests.push(socket);
    return socket;
  };
  const requestStatus = async (address: string) =>
    (await sendRequest(edgeSocketPath, { host: 'lenta.localhost', headers: [['X-Forwarded-For', address]] })).status;
  await createSubdomain(core, 'lenta', { port: upstream.port });
  await waitFor('the site is served', async () => (await requestStatus('198.51.100.1')) === 200);
  // The limit of a client is 512 connections.
  for (let count = 600; count > 0; count -= 1) sendUnfinishedRequest('198.51.100.1');
  try {
    await waitFor('the client is refused', async () => (await requestStatus('198.51.100.1')) === 429);
    expect(await requestStatus('198.51.100.2')).toBe(200);
  } finally {
    for (const socket of unfinishedRequests) socket.destroy();
  }
  await waitFor('the client is served again', async () => (await requestStatus('198.51.100.1')) === 200);
});

test('only the user and the group of the edge may open the socket', () => {
  expect(statSync(edgeSocketPath).mode & 0o777).toBe(0o660);
});

test('the next edge replaces the socket of a killed edge', async () => {
  await edge.stop('SIGKILL');
  expect(statSync(edgeSocketPath).isSocket()).toBe(true);
  await edge.start();
  expect((await claimAddress(edgeSocketPath)).status).toBe(200);
});

test('an edge exits with an error message if another edge or a file already has its socket path', async () => {
  const file = join(core.folder, 'file');
  writeFileSync(file, 'kept');
  for (const socketPath of [edgeSocketPath, file]) {
    const otherEdge = await new Edge(core, { EDGE_SOCKET: socketPath }).start({ waitForReadiness: false });
    expect([await otherEdge.exitCode, otherEdge.output]).toEqual([
      78, // EX_CONFIG
      expect.stringContaining('EDGE_SOCKET: o socket já está em uso'),
    ]);
  }
  expect(statSync(file).isFile()).toBe(true);
});

describe('behind a trusted proxy', () => {
  let edgeBehindProxy: Edge;
  beforeAll(async () => {
    edgeBehindProxy = await new Edge(core, { EDGE_WORKERS: '1', TRUSTED_PROXIES: '127.0.0.0/8, 10.9.0.0/16' }).start();
  });
  afterAll(() => edgeBehindProxy?.stop());

  test('the right-most untrusted entry of X-Forwarded-For is the client', async () => {
    const limitedKey = await createKey(core, { allowedIps: ['203.0.113.0/24', '2001:db8::/32', 'fe80::/10'] });
    const requestStatus = async (...values: string[]) => {
      const forwarded = values.map((value) => ['X-Forwarded-For', value] as const);
      const headers = [['X-API-Key', limitedKey.key] as const, ...forwarded];
      return (await sendRequest(edgeBehindProxy.port, { path: '/dados', headers })).status;
    };
    await waitFor('the edge behind the proxy knows the key', async () => (await requestStatus('203.0.113.7')) !== 401);
    expect(await requestStatus('203.0.113.7')).toBe(200);
    expect(await requestStatus('203.0.113.7, 10.9.1.1')).toBe(200);
    expect(await requestStatus('203.0.113.7', '10.9.1.1')).toBe(200);
    expect(await requestStatus('2001:db8::1')).toBe(200);
    expect(await requestStatus('::ffff:203.0.113.7')).toBe(200);
    expect(await requestStatus('fe80::1%eth0')).toBe(200);
    expect(await requestStatus('203.0.113.7%eth0')).toBe(403);
    expect(await requestStatus('203.0.113.7, 198.51.100.1')).toBe(403);
    expect(await requestStatus('203.0.113.7, garbage')).toBe(403);
    expect(await requestStatus('garbage')).toBe(403);
    expect(await requestStatus()).toBe(403);
  });

  test('header fields that the proxy sets about the client are forwarded', async () => {
    const traceparent = '00-11111111111111111111111111111111-2222222222222222-01';
    const response = await sendRequest(edgeBehindProxy.port, {
      path: '/dados',
      headers: [
        ['X-API-Key', key],
        ['X-Forwarded-For', ALLOWED_IP],
        ['X-Forwarded-Proto', 'https'],
        ['X-Request-Id', 'given-1'],
        ['traceparent', traceparent],
        ['tracestate', 'vendor=1'],
      ],
    });
    expect(getHeader(response, 'x-request-id')).toBe('given-1');
    expect(JSON.parse(response.text)).toMatchObject({
      'x-request-id': 'given-1',
      traceparent,
      tracestate: 'vendor=1',
      'x-forwarded-for': `${ALLOWED_IP}, 127.0.0.1`,
      'x-forwarded-proto': 'https',
    });
  });
});
