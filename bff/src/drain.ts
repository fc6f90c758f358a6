import type { Server, ServerResponse } from 'node:http';
import { Server as SocketServer } from 'node:net';
import type { ListenAddress } from './listen-address';

/** Time for which idle keep-alive connections stay open during a drain, ms. */
const IDLE_GRACE_MS = 1_000;
const IDLE_CHECK_MS = 100;
/** Time after which open connections are closed by force, ms. The supervisor kills the process after 10 s. */
const FORCED_CLOSE_MS = 8_000;

/**
 * Prepares a server to drain without a failed request, and returns the function that drains. Each response during the
 * drain contains `Connection: close`. With socket activation the port stays open, and idle connections stay open for a
 * second, because a request may be on its way. Without socket activation, idle connections get no such grace, because
 * new connections fail in any case.
 */
export function prepareDrain(server: Server, address: ListenAddress): () => Promise<void> {
  const idleGraceMs = 'fd' in address ? IDLE_GRACE_MS : 0;
  const openResponses = new Set<ServerResponse>();
  let isDraining = false;
  const announceClose = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response) => {
    if (isDraining) announceClose(response);
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
  });
  return () =>
    new Promise((resolve) => {
      isDraining = true;
      for (const response of openResponses) announceClose(response);
      // `http.Server.close` would also close idle connections immediately.
      SocketServer.prototype.close.call(server, () => resolve());
      setTimeout(() => setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS).unref(), idleGraceMs).unref();
      setTimeout(() => server.closeAllConnections(), FORCED_CLOSE_MS).unref();
    });
}
