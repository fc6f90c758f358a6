import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../../../../../scripts/testing/server';
import { Engine } from '../engine';
import type { Decision, EngineOptions, Exchange, Fields, Forward, Handler, LocalReply, Upstream } from '../types';

export const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
/** Like `GET`, but the engine closes the connection after its response. */
export const LAST_GET = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
/** Returns the status of a response as text. */
export const parseStatus = (bytes: Buffer | string): string => bytes.toString('latin1').slice(9, 12);

/** Script of an upstream for one request. @param turn number of the request on its connection, from 1 */
export type Script = (socket: Socket, request: string, turn: number) => void;

export interface ScriptedUpstream {
  upstream: Upstream;
  /** Heads of the received requests, each with the bytes that arrived with it. */
  requests: string[];
  sockets: Set<Socket>;
  stop(): Promise<void>;
}

/** Starts a scripted upstream on raw sockets. */
export async function startUpstream(script: Script): Promise<ScriptedUpstream> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let turn = 0;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (!/^[A-Z]+ [^ ]+ HTTP/.test(text)) return;
      turn += 1;
      requests.push(text);
      script(socket, text, turn);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    upstream: { host: '127.0.0.1', port, tls: false, authority: `127.0.0.1:${port}` },
    requests,
    sockets,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export const formatResponse = (body: string, lines = '', status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\n${lines}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

export const createLocalReply = (status: number): LocalReply => ({
  action: 'reply',
  status,
  headerLines: 'X-By: edge\r\n',
  body: `${status}`,
});

export type Decide = (exchange: Exchange<Fields>) => Decision | Promise<Decision>;

/** An engine that listens on a port and records the calls of its handler. */
export class EngineServer {
  readonly endedExchanges: Exchange<Fields>[] = [];
  readonly faults: unknown[] = [];
  readonly parsedBlocks: Fields[] = [];
  readonly engine: Engine<Fields>;
  port = 0;
  private readonly server;

  constructor(decide: Decide, options: EngineOptions = {}, overrides: Partial<Handler<Fields>> = {}) {
    this.engine = new Engine<Fields>(
      {
        parseHeaders: (fields) => {
          this.parsedBlocks.push(fields);
          return fields;
        },
        decide,
        refuse: (_exchange, status) => createLocalReply(status),
        onExchangeEnded: (exchange) => this.endedExchanges.push(exchange),
        onFault: (error) => this.faults.push(error),
        mayConnect: () => true,
        getClientKey: () => undefined,
        ...overrides,
      },
      { ...options, limits: { tickMs: 20, ...options.limits } },
    );
    this.server = createServer({ noDelay: true }, (socket) => this.engine.accept(socket));
  }

  async start(): Promise<this> {
    this.port = await listenOnLoopback(this.server);
    return this;
  }

  async stop(): Promise<void> {
    this.server.close();
    await this.engine.drain();
  }
}

/** Starts upstreams and engines that are stopped at the end of a test. */
export class Peers {
  private readonly upstreams: ScriptedUpstream[] = [];
  private readonly engines: EngineServer[] = [];

  readonly startUpstream = async (script: Script): Promise<ScriptedUpstream> => {
    const upstream = await startUpstream(script);
    this.upstreams.push(upstream);
    return upstream;
  };

  readonly startEngine = async (...options: ConstructorParameters<typeof EngineServer>): Promise<EngineServer> => {
    const server = await new EngineServer(...options).start();
    this.engines.push(server);
    return server;
  };

  /** Stops engines and upstreams. @returns the faults of the engines before the stop */
  async stop(): Promise<unknown[]> {
    const faults = this.engines.flatMap((server) => server.faults);
    for (const server of this.engines.splice(0)) await server.stop();
    for (const upstream of this.upstreams.splice(0)) await upstream.stop();
    return faults;
  }
}

/** Returns a function that decides to forward every request with its path and its end-to-end fields. */
export const forwardTo = (
  upstreams: Upstream | readonly Upstream[],
  overrides: Partial<Forward> = {},
): ((exchange: Exchange<Fields>) => Forward) => {
  const instances = 'host' in upstreams ? [upstreams] : upstreams;
  return ({ target, fields, host }) => ({
    action: 'forward',
    upstreams: instances,
    path: target,
    headerLines: `Host: ${host}\r\n${fields.map(({ isForwarded, line }) => (isForwarded ? line : '')).join('')}`,
    timeoutMs: 60_000,
    maxBodyBytes: 1_000_000_000,
    responseLines: 'X-Request-Id: 7\r\n',
    ...overrides,
  });
};

/** A client on a raw socket, which records all bytes that it receives. */
export class RawClient {
  received = '';
  isEnded = false;
  readonly socket: Socket;
  readonly whenClosed: Promise<unknown>;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.on('data', (bytes) => {
      this.received += bytes.toString('latin1');
    });
    this.socket.on('error', () => this.socket.destroy());
    this.socket.on('end', () => {
      this.isEnded = true;
      this.socket.end();
    });
    this.whenClosed = new Promise((resolve) => this.socket.once('close', resolve));
  }

  send(text: string | Buffer): this {
    this.socket.write(text, 'latin1');
    return this;
  }

  /** Waits until the received text satisfies `test`. */
  async waitFor(test: (received: string) => boolean, description = 'response'): Promise<string> {
    const deadline = Date.now() + 60_000;
    while (!test(this.received)) {
      if (Date.now() > deadline)
        throw new Error(`no ${description}, only ${JSON.stringify(this.received.slice(0, 500))}`);
      if (this.socket.destroyed)
        throw new Error(`closed before ${description}: ${JSON.stringify(this.received.slice(0, 500))}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return this.received;
  }

  destroy(): void {
    this.socket.destroy();
  }
}
