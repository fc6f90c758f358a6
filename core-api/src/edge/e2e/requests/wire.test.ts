import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import {
  Edge,
  getHeader,
  parseResponse,
  type RequestOptions,
  sendRaw,
  sendRequest,
  type WireResponse,
} from '../../../testing/edge';
import { createMutator } from '../../../testing/mutator';
import { createKey, createRoute, createService } from '../../../testing/records';
import { RawClient } from '../../engine/testing/peers';
import { MEGABYTE_BYTES, RawUpstream, TRANSFER_BYTES } from './testing/raw-upstream';

const upstream = new RawUpstream();
let core: Core;
let edge: Edge;
let key: string;
/** Response to half a head, and time until the edge closed the connection. The time-out runs during other tests. */
let slowHead: Promise<{ status: number; durationMs: number }>;

beforeAll(async () => {
  core = await new Core().start();
  const service = await createService(core, { host: await upstream.start() });
  await createRoute(core, service._id, '/raw/*', { destination: '/*', methods: ['GET', 'POST', 'PUT'] });
  key = (await createKey(core)).key;
  edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  const startedAt = Date.now();
  slowHead = sendRaw(edge.port, 'GET /raw/number?1 HTTP/1.1\r\nHost: api.loc').then((bytes) => ({
    status: parseResponse(bytes).status,
    durationMs: Date.now() - startedAt,
  }));
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  upstream.stop();
});

const formatRequestHead = (path: string, extra = '', method = 'GET', presentedKey = key) =>
  `${method} /raw${path} HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${presentedKey}\r\n${extra}\r\n`;

describe('requests and responses on the wire', () => {
  const requestRaw = (path: string, options: RequestOptions = {}): Promise<WireResponse> =>
    sendRequest(edge.port, {
      ...options,
      path: `/raw${path}`,
      headers: [['X-API-Key', key], ...(options.headers ?? [])],
    });

  test('a response keeps repeated header fields and their bytes, and loses hop-by-hop fields', async () => {
    const { headers } = await requestRaw('/cookies');
    expect(headers.filter(([name]) => name === 'Set-Cookie')).toEqual([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ]);
    expect(headers).toContainEqual(['X-Bytes', '\xe9']);
    expect(headers.map(([name]) => name.toLowerCase())).not.toContain('x-hop');
    expect(getHeader({ headers }, 'keep-alive') ?? '').not.toContain('9');
  });

  test.each([
    '/huge-head',
    '/status-888',
    '/garbage',
    '/two-lengths',
    '/both-framings',
    '/unasked-upgrade',
    '/malformed-chunk',
    '/too-much',
    '/reset-before',
    '/close-before',
  ])('the missing or malformed response of the upstream at %s is replaced by 502', async (path) => {
    const response = await requestRaw(path);
    expect([response.status, JSON.parse(response.text)]).toEqual([502, { error: expect.any(String) }]);
  });

  test('an interim response is not mistaken for the final response', async () => {
    expect(await requestRaw('/early-hints')).toMatchObject({ status: 200, text: 'final' });
  });

  test('a response without a body does not delay the next response on the connection', async () => {
    const bytes = await sendRaw(
      edge.port,
      `${formatRequestHead('/no-content')}${formatRequestHead('/not-modified')}${formatRequestHead('/cookies')}${formatRequestHead('/number?7', 'Connection: close\r\n')}`,
    );
    const statuses = [...bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['204', '304', '200', '200']);
    expect(bytes.toString().endsWith('\r\n\r\n7')).toBe(true);
  });

  test('compressed bodies are forwarded unchanged', async () => {
    expect((await requestRaw('/compressed')).body).toEqual(Buffer.from([0x1f, 0x8b, 0x00, 0xff]));
  });

  test('chunked bodies, and bodies that end with their connection, arrive completely', async () => {
    expect(await requestRaw('/chunked')).toMatchObject({ status: 200, text: 'hello world', isComplete: true });
    expect(await requestRaw('/until-close')).toMatchObject({ status: 200, text: 'until the end', isComplete: true });
    expect(await requestRaw('/old')).toMatchObject({ status: 200, text: 'old', isComplete: true });
    expect(await requestRaw('/trailers')).toMatchObject({ status: 200, text: 'hello', isComplete: true });
  });

  const reset = (socket: Socket) => socket.resetAndDestroy();
  const close = (socket: Socket) => socket.end();
  test.each([
    ['reset', '/part-of-length', reset],
    ['reset', '/part-of-chunks', reset],
    ['closed', '/part-of-length', close],
    ['closed', '/part-of-chunks', close],
    [
      'continued with a malformed chunk',
      '/part-of-chunks',
      (socket: Socket) => socket.write('zz\r\nshort\r\n0\r\n\r\n'),
    ],
  ])('a response that is %s after its first part (%s) never looks complete', async (_fault, path, cause) => {
    upstream.openResponse = undefined;
    const client = new RawClient(edge.port).send(formatRequestHead(path));
    const upstreamSocket = await waitFor('the upstream has the request', () => upstream.openResponse);
    await client.waitFor((text) => text.includes('short'));
    cause(upstreamSocket);
    await client.whenClosed;
    const response = parseResponse(Buffer.from(client.received, 'latin1'));
    expect([response.status, response.isComplete]).toEqual([200, false]);
  });

  test.each(['/close-in-length', '/close-in-chunks'])(
    'a response never looks complete if the upstream closes the connection right after its first part (%s)',
    async (path) => {
      const response = await requestRaw(path);
      // The edge may read the close together with the head, and then the client gets a 502 instead.
      expect(response.status === 200 && response.isComplete).toBe(false);
    },
  );

  test('each server-sent event is forwarded as soon as it arrives', async () => {
    upstream.openResponse = undefined;
    const client = new RawClient(edge.port).send(formatRequestHead('/events'));
    const response = await waitFor('the upstream has the request', () => upstream.openResponse);
    // Each event is sent only after the client has received the previous event.
    for (const event of ['data: one\n\n', 'data: two\n\n', 'data: three\n\n']) {
      response.write(`${event.length.toString(16)}\r\n${event}\r\n`);
      await client.waitFor((text) => text.includes(event), event);
    }
    client.destroy();
  });

  test('when the client disconnects, the upstream request ends and is counted, but not as an error of the service', async () => {
    const closedBefore = upstream.closedCount;
    const ownKey = (
      await core.request('POST', '/gateway/admin/keys', { body: { name: 'k', permissions: ['*'], allowedIps: [] } })
    ).body;
    await waitFor('the key works', async () => {
      const bytes = await sendRaw(
        edge.port,
        formatRequestHead('/number?1', 'Connection: close\r\n', 'GET', ownKey.key),
      );
      return parseResponse(bytes).status === 200;
    });
    const clientSockets = Array.from({ length: 5 }, () => {
      const socket = connect(edge.port, '127.0.0.1', () =>
        socket.write(formatRequestHead('/silent', '', 'GET', ownKey.key)),
      );
      socket.on('error', () => socket.destroy());
      return socket;
    });
    await waitFor('requests are open', async () => (await edge.readMetric('edge_upstream_sockets_busy')) >= 5);
    for (const socket of clientSockets) socket.destroy();
    await waitFor('the requests have ended', async () => upstream.closedCount === closedBefore + 5);
    await waitFor(
      'no upstream request is open',
      async () => (await edge.readMetric('edge_upstream_sockets_busy')) === 0,
    );
    interface Point {
      requests: number;
      errors: number;
    }
    const sums = await waitFor('the usage is stored', async () => {
      const { series } = (await core.request('GET', '/gateway/admin/usage?range=day')).body;
      const points: Point[] = series.find(({ keyId }: { keyId: string }) => keyId === ownKey._id)?.points ?? [];
      const sum = (name: keyof Point) => points.reduce((total, point) => total + point[name], 0);
      return sum('requests') >= 6 && [sum('requests'), sum('errors')];
    });
    expect(sums).toEqual([6, 0]);
  });

  // The upstream acts as if the idle time-out of the connection expired at the moment at which the request arrives.
  test.each([
    ['reset', '/reset-if-reused'],
    ['closed', '/close-if-reused'],
  ])('a retryable request is sent once more if its reused connection was %s', async (_end, path) => {
    const endedBefore = upstream.endedReuseCount;
    await waitFor('the upstream has ended a reused connection', async () => {
      expect(await requestRaw(path)).toMatchObject({ status: 200, text: 'fresh' });
      return upstream.endedReuseCount > endedBefore;
    });
  });

  test('pipelined requests are answered in their order', async () => {
    const requests = Array.from({ length: 20 }, (_, index) =>
      formatRequestHead(`/number?${index}`, index === 19 ? 'Connection: close\r\n' : ''),
    );
    const bytes = await sendRaw(edge.port, requests.join(''));
    const numbers = bytes
      .toString()
      .split('HTTP/1.1 200')
      .slice(1)
      .map((response) => Number(response.slice(response.indexOf('\r\n\r\n') + 4)));
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('a response that arrives before the request body was read is forwarded, and then the connection closes', async () => {
    const bytes = await sendRaw(
      edge.port,
      `${formatRequestHead('/early-response', 'Content-Length: 1000000\r\n', 'POST')}start`,
    );
    const response = parseResponse(bytes);
    expect([response.status, response.text, getHeader(response, 'connection')]).toEqual([413, 'big', 'close']);
  });

  test('large bodies are forwarded in both directions with bounded memory, even to a slow reader', async () => {
    const readResidentBytes = () => {
      const pids = readFileSync(`/proc/${edge.pid}/task/${edge.pid}/children`, 'utf8').trim().split(' ');
      return pids.reduce(
        (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
        0,
      );
    };
    const bytesBefore = readResidentBytes();
    let maxBytes = 0;
    const bodyBytes = await new Promise<number>((resolve, reject) => {
      let byteCount = 0;
      let headBytes = 0;
      const socket = connect(edge.port, '127.0.0.1', () =>
        socket.write(formatRequestHead('/download', 'Connection: close\r\n')),
      );
      socket.on('data', (piece) => {
        if (byteCount === 0) headBytes = piece.indexOf('\r\n\r\n') + 4;
        byteCount += piece.length;
        // The reader pauses after about one chunk in seven.
        if (byteCount % 7 !== 0) return;
        maxBytes = Math.max(maxBytes, readResidentBytes());
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(byteCount - headBytes));
    });
    expect(bodyBytes).toBe(TRANSFER_BYTES);
    const body = Buffer.alloc(TRANSFER_BYTES, 'u');
    expect(await requestRaw('/upload', { method: 'PUT', body })).toMatchObject({ status: 200, text: 'done' });
    maxBytes = Math.max(maxBytes, readResidentBytes());
    expect(maxBytes - bytesBefore).toBeLessThan(80 * MEGABYTE_BYTES);
  });
});

test('the trailers of a response are forwarded', async () => {
  const bytes = await sendRaw(edge.port, formatRequestHead('/trailers', 'Connection: close\r\n'));
  expect(bytes.toString()).toMatch(/0\r\nX-Sum: 42\r\n\r\n$/i);
});

test('a head that is incomplete after about 15 seconds is refused with 408, and its connection closes', async () => {
  const { status, durationMs } = await slowHead;
  expect(status).toBe(408);
  // The time-out starts at the edge's last tick, which was a fraction of a second earlier.
  expect(durationMs).toBeGreaterThan(14_000);
});

test('a thousand idle connections block no other client', async () => {
  const idleSockets = Array.from({ length: 1_000 }, () => connect(edge.port, '127.0.0.1').on('error', () => undefined));
  expect(await sendRequest(edge.port, { path: '/raw/number?5', headers: [['X-API-Key', key]] })).toMatchObject({
    text: '5',
  });
  for (const socket of idleSockets) socket.destroy();
});

test('a forwarded request with Expect: 100-continue gets 100, and any other expectation is refused with 417', async () => {
  const requestExpecting = (expectation: string) =>
    sendRaw(
      edge.port,
      formatRequestHead(
        '/early-response',
        `Expect: ${expectation}\r\nContent-Length: 5\r\nConnection: close\r\n`,
        'POST',
      ),
    );
  expect((await requestExpecting('100-continue')).toString()).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 413 /,
  );
  expect((await requestExpecting('200-maybe')).toString()).toMatch(/^HTTP\/1\.1 417 /);
});

test('damaged requests of a fuzzer cause no crash, no hang and no leak', async () => {
  const { random, mutate } = createMutator();
  const base = Buffer.from(formatRequestHead('/number?1', 'Connection: close\r\nContent-Length: 0\r\n'), 'latin1');
  const sendOnce = () =>
    new Promise<void>((resolve) => {
      const bytes = mutate([base]);
      const sentBytes = random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      const socket = connect(edge.port, '127.0.0.1', () => socket.end(sentBytes));
      socket.on('data', () => undefined);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
      socket.setTimeout(3_000, () => socket.destroy());
    });
  for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 25 }, sendOnce));
  expect(await sendRequest(edge.port, { path: '/raw/number?5', headers: [['X-API-Key', key]] })).toMatchObject({
    text: '5',
  });
  expect(edge.output).not.toMatch(/a worker ended|uncaught/i);
  await waitFor('no upstream request is open', async () => (await edge.readMetric('edge_upstream_sockets_busy')) === 0);
});
