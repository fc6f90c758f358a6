import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { freePorts, Program, until } from '../../../scripts/testing/program';
import { commandOf } from '../../../scripts/testing/stack';
import { OUTPUT_DESCRIPTOR } from '../edge/descriptors';
import type { Core } from './core';

/** The real edge as processes of its own, on the database of a core. */
export class Edge {
  port = 0;
  adminPort = 0;
  private program: Program | undefined;

  constructor(
    private readonly core: Core,
    private readonly environment: Record<string, string> = {},
    /** A descriptor that takes its standard output. */
    private readonly stdout?: number,
    /** One that takes its standard error. */
    private readonly stderr?: number,
  ) {}

  /** All that the processes wrote. */
  get output(): string {
    return this.program?.output ?? '';
  }

  get pid(): number {
    return this.program?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.program?.isRunning ?? false;
  }

  /** From now on nobody reads its standard output. @returns what has it read again */
  stopReading(): () => void {
    const stream = this.program?.child.stdout;
    stream?.pause();
    return () => stream?.resume();
  }

  /** @param ready false returns at once */
  async start(ready = true): Promise<this> {
    await this.core.createDatabase();
    const [port = 0, adminPort = 0] = await freePorts(2);
    Object.assign(this, { port, adminPort });
    const { args, cwd } = commandOf('core-api', 'edge/main', 'source');
    const environment = {
      ...this.core.database,
      STATIC_ROOTS: this.core.sites,
      PORT: String(port),
      EDGE_ADMIN_PORT: String(adminPort),
      CORE_URL: this.core.url,
      EDGE_WORKERS: '2',
      LOG_LEVEL: 'warn',
      ...this.environment,
    };
    this.program = new Program('edge', args, { cwd, environment, stdout: this.stdout, stderr: this.stderr });
    if (ready) await until('the edge is ready', () => this.isReady());
    return this;
  }

  /** Numbers of the workers' processes, the oldest first. */
  get workers(): number[] {
    const { stdout } = spawnSync('pgrep', ['-P', String(this.pid), '-f', 'worker/main'], { encoding: 'utf8' });
    return stdout.split('\n').filter(Boolean).map(Number);
  }

  /** What lines are written to: by the primary, and by each worker. */
  get outputs(): string[] {
    const workers = this.workers.map((pid) => `/proc/${pid}/fd/${OUTPUT_DESCRIPTOR}`);
    return [`/proc/${this.pid}/fd/1`, ...workers].map((path) => readlinkSync(path));
  }

  async isReady(): Promise<boolean> {
    if (!this.program?.isRunning) throw new Error(`the edge did not start: ${this.output}`);
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
    return (await this.program?.end(signal)) ?? null;
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
export function sendRaw(port: number, bytes: string | Buffer, seconds = 60): Promise<Buffer> {
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
