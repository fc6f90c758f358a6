import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes a connection whose client sends a request before the previous response ended. Node would parse all requests of
 * a chunk together and keep their responses in memory. Browsers, the edge and other proxies do not pipeline.
 */
export function rejectPipelining(handler: RequestListener): RequestListener {
  const lastResponses = new WeakMap<Socket, ServerResponse>();
  return (request, response) => {
    const { socket } = request;
    const previousResponse = lastResponses.get(socket);
    lastResponses.set(socket, response);
    if (previousResponse && !previousResponse.writableFinished) socket.destroy();
    else handler(request, response);
  };
}
