/** Simulates hostile clients, and upstreams with invalid responses, for `npm run bench -- soak`. */
import { connect, createServer } from 'node:net';
import { getPort } from '../testing/harness.mjs';

const HOST = 'Host: files.localhost\r\n';
const GET = `GET / HTTP/1.1\r\n${HOST}`;
const WEBSOCKET = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

/** Bytes that hostile clients send. Some of these packets are valid requests. */
const packets = [
  `${GET}\r\n${GET}${WEBSOCKET}\r\n`,
  `${GET}\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`,
  `${GET}\r\n\0\x01\x02 garbage\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${GET}\r\n`,
  `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`,
  `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n`,
  `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n`,
  `POST / HTTP/1.1\r\n${HOST}Expect: miracles\r\nContent-Length: 0\r\n\r\n`,
  `POST / HTTP/1.1\r\n${HOST}${WEBSOCKET}Content-Length: 3\r\n\r\nabc`,
  `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  `GET /%00/%2e%2e/%2f HTTP/1.1\r\n${HOST}\r\n`,
  `GET ${'/a'.repeat(9_000)} HTTP/1.1\r\n${HOST}\r\n`,
  `${GET}${Array.from({ length: 300 }, (_, index) => `X-${index}: 1\r\n`).join('')}\r\n`,
  `${GET}X-Half: `,
  `GET / HTTP/1.0\r\n\r\n`,
  `GET // HTTP/1.1\r\nHost: [::1\r\n\r\n`,
  GET.repeat(3),
  `${GET}\r\n`.repeat(50),
];

const createHead = (headerLines) => `HTTP/1.1 200 OK\r\n${headerLines}\r\n`;
/** Responses of a broken upstream. The number in the path of a request selects the response. */
const brokenResponses = [
  'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 000 X\r\n\r\n',
  'HTTP/1.1 888 Odd\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nbytes',
  'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  createHead('Content-Length: 1\r\nContent-Length: 2\r\n'),
  createHead('Transfer-Encoding: gzip, chunked\r\n'),
  createHead('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n'),
  createHead('X-Bare: a\nX-Other: b\r\nContent-Length: 0\r\n'),
  createHead(`X-Huge: ${'h'.repeat(64 * 1024)}\r\nContent-Length: 0\r\n`),
  `${createHead('Content-Length: 100\r\n')}short`,
  `${createHead('Transfer-Encoding: chunked\r\n')}5\r\nshort\r\nzz\r\n`,
  `${createHead('Transfer-Encoding: chunked\r\n')}5\r\nshort\r\n`,
  'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3),
  '',
];

/** Starts an upstream that answers `/N` with the Nth broken response and closes the connection. @returns its port */
export async function startBrokenUpstream() {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      const index = Number(/ \/(\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 0);
      const response = brokenResponses[index % brokenResponses.length] ?? '';
      if (index % 2 === 0) socket.end(response, 'latin1');
      else socket.write(response, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  server.unref();
  return getPort(server);
}

/** Sends bytes, reads the response, and resets the connection after `resetMs`. */
function sendPacket(port, bytes, resetMs) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const timer = setTimeout(() => socket.resetAndDestroy(), resetMs);
    socket.on('error', () => undefined);
    socket.resume();
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}

/** Runs hostile clients one after another while `isRunning()` holds. @returns the number of clients */
export async function sendInvalidRequests(port, isRunning) {
  let count = 0;
  while (isRunning()) {
    const packet = packets[count % packets.length] ?? '';
    await sendPacket(port, packet, 20 + ((count * 37) % 200)); // Reset after 20 to 219 ms.
    count += 1;
  }
  return count;
}

/**
 * Requests the broken upstream while `isRunning()` holds. The edge must not forward a broken response as a valid one.
 * @returns the number of requests
 */
export async function requestBrokenUpstream(sendRequest, isRunning, reportFailure) {
  let count = 0;
  while (isRunning()) {
    const { status } = await sendRequest(`/${count % brokenResponses.length}`);
    if (![0, 502, 504].includes(status))
      reportFailure(`broken response ${count % brokenResponses.length} came out as ${status}`);
    count += 1;
  }
  return count;
}
