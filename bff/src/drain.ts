import type { Server, ServerResponse } from 'node:http';
import { Server as SocketServer } from 'node:net';
import type { ListenAddress } from './listen-address';

/** Time for which idle keep-alive connections stay open during a drain. */
const IDLE_GRACE_MS = 1_000;
const IDLE_CHECK_MS = 100;
/** Connections that are still open after this time are destroyed, before the supervisor kills the process (10 s). */
const FORCED_CLOSE_MS = 8_000;

/**
 * Returns a function that drains the server without a failed request. If the port stays open for the next process
 * (socket activation), a request may already be on its way on a connection that looks idle. So idle connections stay
 * open for a second, each response contains `Connection: close`, and only silent connections are closed.
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
      // `http.Server.close` would close idle connections at once.
      SocketServer.prototype.close.call(server, () => resolve());
      setTimeout(() => setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS).unref(), idleGraceMs).unref();
      setTimeout(() => server.closeAllConnections(), FORCED_CLOSE_MS).unref();
    });
}
