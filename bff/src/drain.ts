import type { Server, ServerResponse } from 'node:http';
import { Server as SocketServer } from 'node:net';
import type { ListenAddress } from './listen-on';

/** A client that keeps connections knows of the end of one within this time. */
const REST_MS = 1_000;
const CLOSE_IDLE_MS = 100;
/** What is open then is cut; the process is to end soon after (supervisor: 10 s). */
const CUT_MS = 8_000;

/**
 * Prepares a server to end without failing a request. Where its port stays open for the next process, one may be on its
 * way on a connection that looks idle here: it is answered, each answer says that its connection ends, and only what stays
 * silent for a second is closed.
 * @returns ends it: resolved when no connection is left
 */
export function prepareDrain(server: Server, address: ListenAddress): () => Promise<void> {
  const restMs = 'fd' in address ? REST_MS : 0;
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
      // The HTTP server's own would close what looks idle at once.
      SocketServer.prototype.close.call(server, () => resolve());
      setTimeout(() => setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS).unref(), restMs).unref();
      setTimeout(() => server.closeAllConnections(), CUT_MS).unref();
    });
}
