import { connect } from 'node:net';
import { waitFor } from '../../../../scripts/testing/program';
import { getHeader, parseResponse, sendRaw } from '../../testing/edge';
import {
  EngineServer,
  formatResponse,
  forwardTo,
  RawClient,
  type ScriptedUpstream,
  startUpstream,
} from './testing/peers';

let upstream: ScriptedUpstream;
let server: EngineServer;
let nextResponse: string;
let endsAfterResponse = false;

beforeAll(async () => {
  upstream = await startUpstream((socket) => {
    socket.write(nextResponse, 'latin1');
    if (endsAfterResponse) socket.end();
  });
  server = await new EngineServer(forwardTo(upstream.upstream)).start();
});
beforeEach(() => {
  endsAfterResponse = false;
  server.endedExchanges.length = 0;
});
afterEach(() => expect(server.faults).toEqual([]));
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const requestWithResponse = async (response: string, lines = '', method = 'GET', version = '1.1') => {
  nextResponse = response;
  const bytes = await sendRaw(
    server.port,
    `${method} / HTTP/${version}\r\nHost: a\r\n${lines}Connection: close\r\n\r\n`,
  );
  return { ...parseResponse(bytes, method), wire: bytes.toString('latin1') };
};

test.each([
  ['a control in the reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n'],
  ['status 000', 'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n'],
  ['status 600', 'HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n'],
  [
    'a 101 that was not requested',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
  ],
  ['two codings', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
  ['one bare line feed', 'HTTP/1.1 200 OK\r\nX: 1\nContent-Length: 2\r\n\r\nok'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['64 kB of fields', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`],
  ['more bytes than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay'],
  ['a malformed first chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
])('a response with %s is replaced by 502', async (_case, response) => {
  expect(await requestWithResponse(response)).toMatchObject({ status: 502, isComplete: true });
  expect(server.endedExchanges[0]).toMatchObject({ status: 502, reason: 'upstream_malformed' });
});

test('if an upstream ends the connection before the end of its response head, the client gets 502', async () => {
  endsAfterResponse = true;
  expect(await requestWithResponse('')).toMatchObject({ status: 502 });
  expect(await requestWithResponse('HTTP/1.1 200')).toMatchObject({ status: 502 });
  expect(server.endedExchanges[1]).toMatchObject({ reason: 'upstream_closed' });
});

test('a response gets the standard reason phrase, and a Date if it has none', async () => {
  const { wire } = await requestWithResponse('HTTP/1.1 404 Nicht da\xe4\r\nContent-Length: 0\r\n\r\n');
  expect(wire).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  expect(wire).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
  expect(
    (await requestWithResponse(formatResponse('', 'Date: then\r\n'))).headers.filter(([name]) => name === 'Date'),
  ).toEqual([['Date', 'then']]);
});

test('interim responses are not forwarded', async () => {
  expect(
    await requestWithResponse(
      `HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${formatResponse('final')}`,
    ),
  ).toMatchObject({ status: 200, text: 'final' });
});

test('more than 100 interim responses are replaced by 502', async () => {
  const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n';
  expect(await requestWithResponse(hints.repeat(100) + formatResponse('final'))).toMatchObject({
    status: 200,
    text: 'final',
  });
  expect(await requestWithResponse(hints.repeat(101) + formatResponse('final'))).toMatchObject({ status: 502 });
});

describe.each([
  ['Content-Length', 'HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 11\r\n\r\nhello world'],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX-T: 1\r\n\r\n',
  ],
  [
    'Content-Length after an interim response',
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  ],
])('a response with %s', (_framing, response) => {
  test('that is cut off at any byte never looks complete', async () => {
    endsAfterResponse = true;
    for (let index = 0; index < response.length; index += 1) {
      const { status, isComplete } = await requestWithResponse(response.slice(0, index));
      expect([index, status === 200 && isComplete]).toEqual([index, false]);
    }
  });

  test('that arrives in two parts, split anywhere, is complete', async () => {
    let index = 0;
    const splittingUpstream = await startUpstream((socket) => {
      socket.write(response.slice(0, index), 'latin1');
      setTimeout(() => socket.write(response.slice(index), 'latin1'), 1);
    });
    const splittingServer = await new EngineServer(forwardTo(splittingUpstream.upstream)).start();
    for (index = 1; index < response.length; index += 1) {
      const bytes = await sendRaw(splittingServer.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const { status, text, isComplete } = parseResponse(bytes);
      expect([index, status, text.length, isComplete]).toEqual([index, 200, response.includes('world') ? 11 : 2, true]);
    }
    await splittingServer.stop();
    await splittingUpstream.stop();
  });
});

test('a 204 is forwarded without framing fields, and bytes after it are not taken for the next response', async () => {
  const { wire, status } = await requestWithResponse(
    'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\nhello',
  );
  expect(status).toBe(204);
  expect(wire).not.toMatch(/content-length|transfer-encoding|hello/i);
  expect(await requestWithResponse(formatResponse('clean'))).toMatchObject({ text: 'clean' });
});

test.each([
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
  ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
  ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello'],
])('a forbidden body in a response to %s is dropped, not taken for the next response: %j', async (method, response) => {
  nextResponse = response;
  const client = new RawClient(server.port).send(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`);
  await client.waitFor((text) => text.includes('\r\n\r\n'));
  nextResponse = formatResponse('second');
  client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await client.whenClosed;
  expect(client.received).not.toContain('hello');
  expect(client.received.endsWith('second')).toBe(true);
});

test.each([
  ['HEAD', '200 OK'],
  ['GET', '304 Not Modified'],
  ['GET', '204 No Content'],
])(
  'a late body after the response to %s with status %s is never taken for another response',
  async (method, status) => {
    const forged = formatResponse('forged');
    const lateUpstream = await startUpstream((socket, request) => {
      if (request.includes('/good')) setTimeout(() => socket.write(formatResponse('good')), 20);
      else {
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${forged.length}\r\n\r\n`);
        setTimeout(() => socket.write(forged), 1);
      }
    });
    const lateServer = await new EngineServer(forwardTo(lateUpstream.upstream)).start();
    for (let turn = 0; turn < 5; turn += 1) {
      const lateClient = new RawClient(lateServer.port).send(`${method} /x HTTP/1.1\r\nHost: a\r\n\r\n`);
      await lateClient.waitFor((text) => text.includes('\r\n\r\n'));
      const otherClient = new RawClient(lateServer.port).send('GET /good HTTP/1.1\r\nHost: a\r\n\r\n');
      expect(await otherClient.waitFor((text) => /\r\n\r\n./.test(text))).toMatch(/good$/);
      lateClient.destroy();
      otherClient.destroy();
    }
    await lateServer.stop();
    await lateUpstream.stop();
  },
);

describe('a second response to one request', () => {
  /** Sends a second response after `ms`, except for `/good`. */
  const startUpstreamThatAnswersTwice = (ms: number) =>
    startUpstream((socket, request) => {
      if (request.includes('/good')) setTimeout(() => socket.write(formatResponse('good')), 20);
      else {
        socket.write(formatResponse('once'));
        setTimeout(() => socket.write(formatResponse('again')), ms);
      }
    });
  const fetchBody = async (port: number, path: string) => {
    const client = new RawClient(port).send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const text = await client.waitFor((received) => /\r\n\r\n./.test(received));
    client.destroy();
    return text.slice(text.indexOf('\r\n\r\n') + 4);
  };

  test('is passed to no client', async () => {
    const twiceUpstream = await startUpstreamThatAnswersTwice(2);
    const twiceServer = await new EngineServer(forwardTo(twiceUpstream.upstream)).start();
    for (let turn = 0; turn < 10; turn += 1) {
      // On a busy machine both responses may arrive together, which is malformed.
      expect(['once', '502']).toContain(await fetchBody(twiceServer.port, '/twice'));
      expect(await fetchBody(twiceServer.port, '/good')).toBe('good');
    }
    await twiceServer.stop();
    await twiceUpstream.stop();
  });

  test('closes its upstream connection, so that no further request uses the connection', async () => {
    const twiceUpstream = await startUpstreamThatAnswersTwice(40);
    const twiceServer = await new EngineServer(forwardTo(twiceUpstream.upstream)).start();
    await fetchBody(twiceServer.port, '/twice');
    await waitFor('the second response was seen', async () => twiceUpstream.sockets.size === 0);
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await fetchBody(twiceServer.port, '/twice')).toBe('once');
      expect(await fetchBody(twiceServer.port, '/good')).toBe('good');
      await waitFor('no connection is kept', async () => twiceUpstream.sockets.size === 0);
    }
    await twiceServer.stop();
    await twiceUpstream.stop();
  });
});

test('chunked bodies, and bodies that end with their connection, arrive completely', async () => {
  const chunks = await requestWithResponse(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
  );
  expect(chunks).toMatchObject({ text: 'hello world', isComplete: true });
  // The chunks of one read are forwarded as one chunk.
  expect(chunks.wire).toContain('\r\n\r\nb\r\nhello world\r\n0\r\n\r\n');
  endsAfterResponse = true;
  const untilEnd = await requestWithResponse('HTTP/1.1 200 OK\r\n\r\nuntil the end');
  expect([untilEnd.text, getHeader(untilEnd, 'transfer-encoding'), untilEnd.isComplete]).toEqual([
    'until the end',
    'chunked',
    true,
  ]);
  const http10Response = await requestWithResponse('HTTP/1.0 200 OK\r\n\r\nold', '', 'GET', '1.0');
  expect([http10Response.text, getHeader(http10Response, 'transfer-encoding')]).toEqual(['old', undefined]);
});

test.each([
  ['by length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'],
  ['by chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n'],
])('a body that is framed %s never looks complete when it is interrupted', async (_framing, response) => {
  endsAfterResponse = true;
  expect(await requestWithResponse(response)).toMatchObject({ status: 200, isComplete: false });
  expect(server.endedExchanges[0]).toMatchObject({ status: 200, reason: 'upstream_closed' });
});

test.each([0, 1])(
  'a body without a length that is cut off by a reset is recorded as incomplete, for an HTTP/1.%i client',
  async (minor) => {
    const resettingUpstream = await startUpstream((socket) =>
      socket.write('HTTP/1.1 200 OK\r\n\r\nshort', () => socket.resetAndDestroy()),
    );
    const resettingServer = await new EngineServer(forwardTo(resettingUpstream.upstream)).start();
    for (let turn = 0; turn < 10; turn += 1) {
      await sendRaw(resettingServer.port, `GET / HTTP/1.${minor}\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(resettingServer.endedExchanges[turn]).toMatchObject({ status: 200, reason: 'upstream_closed' });
    }
    await resettingServer.stop();
    await resettingUpstream.stop();
  },
);

test('an HTTP/1.0 client sees a reset instead of a normal end if a response breaks off', async () => {
  nextResponse = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n';
  const client = new RawClient(server.port).send('GET / HTTP/1.0\r\n\r\n');
  const whenReset = new Promise((resolve) => client.socket.once('error', ({ message }) => resolve(message)));
  await client.waitFor((text) => text.endsWith('short'));
  for (const socket of upstream.sockets) socket.end();
  expect(await Promise.race([whenReset, client.whenClosed])).toContain('ECONNRESET');
});

test('an HTTP/1.0 client that reads slowly sees no regular end before the last byte', async () => {
  const largeUpstream = await startUpstream((socket, request) => {
    const byteCount = Number(/\d+/.exec(request)?.[0]);
    socket.write(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${byteCount.toString(16)}\r\n${'x'.repeat(byteCount)}\r\n0\r\n\r\n`,
    );
  });
  const largeServer = await new EngineServer(forwardTo(largeUpstream.upstream), { limits: { stalledMs: 300 } }).start();
  const requestBytes = (byteCount: number) => {
    const socket = connect({ port: largeServer.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`GET /${byteCount} HTTP/1.0\r\n\r\n`);
    return { socket, byteCount };
  };
  const waitForDisconnects = async (count: number) => {
    await waitFor(
      'the clients are disconnected',
      () => largeServer.endedExchanges.length === count && largeServer.engine.getGauges().clients === 0,
    );
  };
  const probe = requestBytes(20_000_000);
  await waitForDisconnects(1);
  probe.socket.destroy();
  // This is about the size of the kernel's buffers. The next responses are from 130 kB smaller to 20 kB larger.
  const bufferedBytes = largeServer.endedExchanges[0]?.bytesOut ?? 0;
  const [smallestBytes, stepBytes] = [bufferedBytes - 130_000, 10_000];
  const clients = Array.from({ length: 16 }, (_, step) => requestBytes(smallestBytes + step * stepBytes));
  await waitForDisconnects(1 + clients.length);
  const sawEarlyEnds = clients.map(async ({ socket, byteCount }) => {
    let received = 0;
    socket.on('data', (piece) => {
      received += piece.length;
    });
    // A reset right after data is reported as an end, and the socket then has no peer address.
    const isReset = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(true)).once('end', () => resolve(socket.remoteAddress === undefined));
    });
    socket.destroy();
    return !isReset && received < byteCount;
  });
  expect((await Promise.all(sawEarlyEnds)).filter(Boolean)).toEqual([]);
  await largeServer.stop();
  await largeUpstream.stop();
});

test('trailers are forwarded to every HTTP/1.1 client, without forbidden fields', async () => {
  const response =
    'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 42\r\nContent-Length: 9\r\nCache-Control: public\r\n\r\n';
  for (const fields of ['', 'TE: trailers\r\n']) {
    const { wire } = await requestWithResponse(response, fields);
    expect(wire).toContain('Trailer: X-Sum\r\n');
    expect(wire.endsWith('2\r\nok\r\n0\r\nX-Sum: 42\r\n\r\n')).toBe(true);
  }
});

test('hop-by-hop fields are not forwarded, and the decision rewrites and adds header lines', async () => {
  const rewritingServer = await new EngineServer(
    forwardTo(upstream.upstream, {
      rewriteHeader: (name, _value, line) =>
        name.startsWith('access-control-') ? '' : line.replace('Domain=.a', 'HostOnly'),
      responseLines: 'Access-Control-Allow-Origin: *\r\n',
    }),
  ).start();
  nextResponse = formatResponse(
    'x',
    'Connection: x-hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\nAccess-Control-Allow-Origin: b\r\nSet-Cookie: c; Domain=.a\r\nSet-Cookie: d\r\n',
  );
  const wire = (
    await sendRaw(rewritingServer.port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  ).toString();
  await rewritingServer.stop();
  expect(wire.slice(0, wire.indexOf('Date'))).toBe(
    'HTTP/1.1 200 OK\r\nSet-Cookie: c; HostOnly\r\nSet-Cookie: d\r\nContent-Length: 1\r\nAccess-Control-Allow-Origin: *\r\n',
  );
});

test('each part of a response is forwarded as soon as it arrives', async () => {
  nextResponse = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n';
  const client = new RawClient(server.port).send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.waitFor((text) => text.endsWith('3\r\none\r\n'));
  for (const socket of upstream.sockets) socket.write('3\r\ntwo\r\n');
  await client.waitFor((text) => text.endsWith('3\r\ntwo\r\n'));
  client.destroy();
  await client.whenClosed;
});
