import { createServer, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from '../../../../../../scripts/testing/server';

type Script = (socket: Socket, head: string, requestCount: number, upstream: RawUpstream) => void;

const formatOkResponse = (body: string, extra = '') =>
  `HTTP/1.1 200 OK\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`;
export const MEGABYTE_BYTES = 1024 * 1024;
const CHUNK = Buffer.alloc(MEGABYTE_BYTES, 'm');
/** Size of a large body, below the limit of a service. */
export const TRANSFER_BYTES = 95 * MEGABYTE_BYTES;

/** Answers only the first request of a connection. */
const endIfReused =
  (end: (socket: Socket) => void): Script =>
  (socket, _head, requestCount, upstream) => {
    if (requestCount === 1) socket.write(formatOkResponse('fresh'));
    else {
      upstream.endedReuseCount += 1;
      end(socket);
    }
  };

const scripts: Record<string, Script> = {
  '/cookies': (socket) =>
    socket.write(
      formatOkResponse(
        'x',
        'Set-Cookie: a=1\r\nX-Bytes: \xe9\r\nSet-Cookie: b=2\r\nConnection: x-hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=9\r\n',
      ),
      'latin1',
    ),
  '/huge-head': (socket) => socket.write(formatOkResponse('x', `X-Huge: ${'h'.repeat(64 * 1024)}\r\n`)),
  '/early-hints': (socket) =>
    socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n${formatOkResponse('final')}`),
  '/no-content': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  '/not-modified': (socket) => socket.write('HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 50\r\n\r\n'),
  '/compressed': (socket) => socket.write(formatOkResponse('\x1f\x8b\x00\xff', 'Content-Encoding: gzip\r\n'), 'latin1'),
  '/trailers': (socket) =>
    socket.write(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 42\r\n\r\n',
    ),
  '/chunked': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'),
  '/until-close': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'),
  '/old': (socket) => socket.end('HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold'),
  '/reset-before': (socket) => socket.resetAndDestroy(),
  '/close-before': (socket) => socket.end(),
  '/part-of-length': (socket, _head, _requestCount, upstream) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort');
    upstream.openResponse = socket;
  },
  '/part-of-chunks': (socket, _head, _requestCount, upstream) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n');
    upstream.openResponse = socket;
  },
  '/close-in-chunks': (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n'),
  '/close-in-length': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'),
  '/malformed-chunk': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nshort\r\n0\r\n\r\n'),
  '/too-much': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmore than four'),
  '/status-888': (socket) => socket.write('HTTP/1.1 888 Odd\r\nContent-Length: 0\r\n\r\n'),
  '/garbage': (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  '/two-lengths': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
  '/both-framings': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  '/unasked-upgrade': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  '/silent': (socket, _head, _requestCount, upstream) => {
    socket.once('close', () => {
      upstream.closedCount += 1;
    });
  },
  '/early-response': (socket) => socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig'),
  '/download': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${TRANSFER_BYTES}\r\n\r\n`);
    let remainingBytes = TRANSFER_BYTES;
    const writeMore = () => {
      while (remainingBytes > 0) {
        remainingBytes -= CHUNK.length;
        if (!socket.write(CHUNK)) {
          socket.once('drain', writeMore);
          return;
        }
      }
    };
    writeMore();
  },
  '/upload': (socket, head) => {
    let remaining = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const countBytes = (bytes: number) => {
      remaining -= bytes;
      if (remaining === 0) socket.write(formatOkResponse('done'));
    };
    // The first bytes of the body may arrive together with the head.
    countBytes(head.length - head.indexOf('\r\n\r\n') - 4);
    socket.on('data', (piece) => countBytes(piece.length));
  },
  '/events': (socket, _head, _requestCount, upstream) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
    upstream.openResponse = socket;
  },
  '/reset-if-reused': endIfReused((socket) => socket.resetAndDestroy()),
  '/close-if-reused': endIfReused((socket) => socket.end()),
  '/number': (socket, head) => socket.write(formatOkResponse(/number\?(\d+)/.exec(head)?.[1] ?? '')),
};

/** An upstream that answers each path with the bytes of its script. */
export class RawUpstream {
  /** Number of ended requests to `/silent`. */
  closedCount = 0;
  /** Number of connections that were ended without a response to their last request (`endIfReused`). */
  endedReuseCount = 0;
  /** Socket of a response whose head or first part was sent. The test continues the response. */
  openResponse: Socket | undefined;
  private readonly server: Server = createServer((socket) => this.serve(socket));

  /** Starts the upstream. @returns its URL */
  async start(): Promise<string> {
    return `http://127.0.0.1:${await listenOnLoopback(this.server)}`;
  }

  stop(): void {
    this.server.close();
  }

  private serve(socket: Socket): void {
    let requestCount = 0;
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const head = bytes.toString('latin1');
      const path = /^[A-Z]+ (\/[^ ?]*)/.exec(head)?.[1];
      if (path === undefined) return;
      requestCount += 1;
      scripts[path]?.(socket, head, requestCount, this);
    });
  }
}
