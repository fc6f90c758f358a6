import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Core, listen, until } from './core';

/** The real edge as processes of its own, on the database of a core. */
export class Edge {
  port = 0;
  adminPort = 0;
  private child: ChildProcess | undefined;
  private complaints = '';

  constructor(
    private readonly core: Core,
    private readonly environment: Record<string, string> = {},
  ) {}

  /** All that the processes wrote. */
  get output(): string {
    return this.complaints;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** @param ready false returns at once */
  async start(ready = true): Promise<this> {
    const free = [await listen(() => undefined), await listen(() => undefined)];
    for (const { stop } of free) await stop();
    [this.port, this.adminPort] = [free[0]?.port ?? 0, free[1]?.port ?? 0];
    const child = spawn(process.execPath, ['--require', 'esbuild-register', join(__dirname, '../edge/main.ts')], {
      cwd: join(__dirname, '../..'),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        ...this.core.database,
        STATIC_ROOTS: this.core.folder,
        PORT: String(this.port),
        EDGE_ADMIN_PORT: String(this.adminPort),
        CORE_URL: this.core.url,
        EDGE_WORKERS: '2',
        LOG_LEVEL: 'warn',
        ...this.environment,
      },
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.complaints += chunk;
      });
    }
    if (ready) await until('the edge is ready', () => this.isReady(), 30);
    return this;
  }

  async isReady(): Promise<boolean> {
    if (this.child?.exitCode !== null) throw new Error(`the edge did not start: ${this.complaints}`);
    const answer = await this.admin('/readyz').catch(() => undefined);
    return answer?.ok ?? false;
  }

  admin(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.adminPort}${path}`);
  }

  /** The value of a metric without labels. */
  async metric(name: string): Promise<number> {
    const text = await (await this.admin('/metrics')).text();
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  }

  /** @returns the exit code */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return null;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
    return this.child.exitCode;
  }
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  /** Names as sent. */
  headers: [string, string][];
  body: Buffer;
  text: string;
  /** False when the connection ended before the body did. */
  complete: boolean;
}

export const header = ({ headers }: Pick<WireAnswer, 'headers'>, name: string): string | undefined =>
  headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];

function decodeChunks(bytes: Buffer): { body: Buffer; complete: boolean } {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return { body: Buffer.concat(pieces), complete: false };
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (size === 0) return { body: Buffer.concat(pieces), complete: bytes.indexOf('\r\n\r\n', lineEnd) >= 0 };
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
    if (at > bytes.length) return { body: Buffer.concat(pieces), complete: false };
  }
}

/** Parses the first final answer in `bytes`. @param method of its request: HEAD has no body */
export function parseAnswer(bytes: Buffer, method = 'GET'): WireAnswer {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return { status: 0, headers: [], body: bytes, text: bytes.toString(), complete: false };
  const [line = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(line.split(' ')[1]);
  if (status < 200 && status !== 101) return parseAnswer(bytes.subarray(headEnd + 4), method);
  const headers = lines.map((text): [string, string] => {
    const colon = text.indexOf(':');
    return [text.slice(0, colon), text.slice(colon + 1).trim()];
  });
  const rest = bytes.subarray(headEnd + 4);
  const length = header({ headers }, 'content-length');
  const bodyless = method === 'HEAD' || status === 204 || status === 304;
  const { body, complete } =
    header({ headers }, 'transfer-encoding') === 'chunked' && !bodyless
      ? decodeChunks(rest)
      : { body: rest, complete: bodyless || length === undefined || rest.length >= Number(length) };
  return { status, headers, body, text: body.toString(), complete };
}

export interface Call {
  method?: string;
  host?: string;
  /** As it goes over the wire. */
  path?: string;
  headers?: readonly (readonly [string, string])[];
  body?: string | Buffer;
}

/** Sends bytes and reads until the other side closes, at most `seconds`. */
export function sendRaw(port: number, bytes: string | Buffer, seconds = 10): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const timer = setTimeout(() => socket.destroy(new Error(`no end after ${seconds} s`)), seconds * 1000);
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(received));
    });
  });
}

/** One request on a connection of its own, to the byte as given. */
export async function call(
  port: number,
  { method = 'GET', host = 'api.localhost', path = '/', headers = [], body }: Call,
): Promise<WireAnswer> {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (body !== undefined && !framed) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  const head = Buffer.from(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'latin1');
  return parseAnswer(await sendRaw(port, Buffer.concat([head, Buffer.from(body ?? '')])), method);
}
