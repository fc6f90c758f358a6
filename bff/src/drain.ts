import type { Server, ServerResponse } from 'node:http';
import { Server as SocketServer } from 'node:net';
import type { ListenAddress } from './listen-on';

/** A request that a client sends on a keep-alive connection arrives within this time. */
const IDLE_CLOSE_DELAY_MS = 1_000;
const IDLE_CHECK_MS = 100;
/** Connections that are still open then are destroyed. The supervisor kills the process after 10 s. */
const FORCED_CLOSE_MS = 8_000;

/**
 * Prepares a server to stop without failing a request. During the drain, every response has `Connection: close`. If the port
 * stays open for the next process, idle connections are closed only after a second, because a request may be on its way.
 * @returns stops the server; resolves when no connection is left
 */
export function prepareDrain(server: Server, address: ListenAddress): () => Promise<void> {
  const delayMs = 'fd' in address ? IDLE_CLOSE_DELAY_MS : 0;
  const answering = new Set<ServerResponse>();
  let isDraining = false;
  const endConnection = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response) => {
    if (isDraining) endConnection(response);
    answering.add(response);
    response.once('close', () => answering.delete(response));
  });
  return () =>
    new Promise((resolve) => {
      isDraining = true;
      for (const response of answering) endConnection(response);
      // `close` of an HTTP server closes idle connections at once; that of its base class does not.
      SocketServer.prototype.close.call(server, () => resolve());
      setTimeout(() => setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS).unref(), delayMs).unref();
      setTimeout(() => server.closeAllConnections(), FORCED_CLOSE_MS).unref();
    });
}
