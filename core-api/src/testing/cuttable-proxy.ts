import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../../../scripts/testing/server';

/** Starts a proxy to the suite's PostgreSQL that can stop forwarding, like a network that loses packets. */
export async function startCuttableProxy(server: string) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((client) => {
    const upstream = connect(Number(new URL(server).port), '127.0.0.1');
    for (const [source, target] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(source);
      source.on('data', (chunk) => {
        if (!isCut) target.write(chunk);
      });
      source.on('close', () => target.destroy());
      source.on('error', () => undefined); // The event `close` follows.
    }
  });
  const url = new URL(server);
  url.port = String(await listenOnLoopback(proxy));
  return {
    url: url.href,
    cut: () => {
      isCut = true;
    },
    restore: () => {
      isCut = false;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
