import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Forwarding, limitTimes, openRequest, UpstreamTimeout } from './forward';
import { responseHeaders } from './headers';

/** Nothing in either direction for this long ends a tunnel, in ms. */
const IDLE = 60 * 60_000;
const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);

/** An open WebSocket; ended when its key is revoked or the edge drains. */
export interface Tunnel {
  keyId: string | undefined;
  /** Sends a close frame with 1001 and ends both sides. */
  end(): void;
}

const head = (status: number, reason: string, headers: string[]): string => {
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  return [`HTTP/1.1 ${status} ${reason}`, ...lines, '', ''].join('\r\n');
};

/**
 * Passes an upgrade on; after a 101 bytes flow both ways, any other answer is relayed as it is.
 * @param response for answers other than 101, on the same socket
 */
export function forwardUpgrade(
  request: IncomingMessage,
  response: ServerResponse,
  socket: Duplex,
  early: Buffer,
  forwarding: Forwarding,
  tunnels: Set<Tunnel>,
  keyId: string | undefined,
): void {
  const protocol = request.headers.upgrade ?? 'websocket';
  const headers = [...forwarding.headers, 'Connection', 'Upgrade', 'Upgrade', protocol];
  const outgoing = openRequest(request, { ...forwarding, headers }, false);
  limitTimes(outgoing);
  const giveUp = () => outgoing.destroy();
  socket.once('close', giveUp);
  socket.on('error', giveUp);

  outgoing.once('error', (error) => {
    if (socket.destroyed || response.headersSent) socket.destroy();
    else forwarding.refuse(response, error instanceof UpstreamTimeout ? 504 : 502);
  });
  outgoing.once('response', (answer) => {
    response.writeHead(
      answer.statusCode ?? 502,
      answer.statusMessage,
      responseHeaders(answer.rawHeaders, forwarding.requestId, false),
    );
    answer.pipe(response);
    answer.once('aborted', () => socket.destroy());
  });
  outgoing.once('upgrade', (answer, upstream, first) => {
    socket.off('close', giveUp);
    response.detachSocket(socket as never);
    const passed = responseHeaders(answer.rawHeaders, forwarding.requestId, false);
    const accepted = answer.headers.upgrade ?? protocol;
    socket.write(head(101, 'Switching Protocols', [...passed, 'Connection', 'Upgrade', 'Upgrade', accepted]), 'latin1');
    if (first.length > 0) socket.write(first);
    if (early.length > 0) upstream.write(early);
    // For the exchange, it ends here: its socket goes on without it.
    response.statusCode = 101;
    response.emit('close');
    join(socket, upstream, tunnels, keyId);
  });
  outgoing.end();
}

function join(
  client: Duplex,
  upstream: Duplex & { setTimeout?(ms: number, listener: () => void): unknown },
  tunnels: Set<Tunnel>,
  keyId: string | undefined,
) {
  const end = () => {
    client.end(GOING_AWAY);
    upstream.end();
    setTimeout(close, 1_000).unref();
  };
  const close = () => {
    tunnels.delete(tunnel);
    client.destroy();
    upstream.destroy();
  };
  const tunnel: Tunnel = { keyId, end };
  tunnels.add(tunnel);
  for (const side of [client, upstream]) {
    side.on('error', close);
    side.once('close', close);
  }
  upstream.setTimeout?.(IDLE, close);
  client.pipe(upstream);
  upstream.pipe(client);
}
