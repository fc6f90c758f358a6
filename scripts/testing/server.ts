import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a loopback port, by default on a free one. @returns the port */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

export interface RunningServer {
  port: number;
  url: string;
  stop(): Promise<void>;
}

/** Starts an HTTP server on a loopback port, by default on a free one. */
export async function listen(handler: RequestListener, requestedPort?: number): Promise<RunningServer> {
  const server = createServer(handler);
  const port = await listenOnLoopback(server, requestedPort);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
