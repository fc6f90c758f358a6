import { spawnSync } from 'node:child_process';
import { readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findFreePorts, Program, waitFor } from '../../../scripts/testing/program';
import { buildCommand } from '../../../scripts/testing/stack';
import { OUTPUT_DESCRIPTOR } from '../edge/process/listening/descriptors';
import type { Core } from './core';

/** Creates the environment of an edge whose workers throw an uncaught exception on SIGUSR2. */
export function createThrowOnSignalEnvironment(core: Core): Record<string, string> {
  const file = join(core.folder, 'fault-on-signal.cjs');
  writeFileSync(file, `if (process.env.EDGE_NAME) process.on('SIGUSR2', () => { throw new Error('made up') });`);
  return { NODE_OPTIONS: `--require ${file}` };
}

/** Runs the real edge as separate processes, with the database of a core. */
export class Edge {
  port = 0;
  adminPort = 0;
  private program: Program | undefined;

  constructor(
    private readonly core: Core,
    private readonly environment: Record<string, string> = {},
    /** Descriptor for the standard output. */
    private readonly stdout?: number,
    /** Descriptor for the standard error. */
    private readonly stderr?: number,
  ) {}

  /** Output of all processes of the edge. */
  get output(): string {
    return this.program?.output ?? '';
  }

  get pid(): number {
    return this.program?.pid ?? 0;
  }

  /** Resolves to the exit code of the primary when the primary ends. */
  get exitCode(): Promise<number | null> {
    return this.program?.ended ?? Promise.resolve(null);
  }

  get isRunning(): boolean {
    return this.program?.isRunning ?? false;
  }

  /** Stops reading the standard output. Returns a function that resumes reading. */
  stopReading(): () => void {
    const stream = this.program?.child.stdout;
    stream?.pause();
    return () => stream?.resume();
  }

  /** Starts the edge. Without `waitForReadiness`, it returns as soon as the primary runs. */
  async start({ waitForReadiness = true } = {}): Promise<this> {
    await this.core.createDatabase();
    const [port = 0, adminPort = 0] = await findFreePorts(2);
    Object.assign(this, { port, adminPort });
    const { args, cwd } = buildCommand('core-api', 'bin/edge', 'source');
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
    if (waitForReadiness) await waitFor('the edge is ready', () => this.isReady());
    return this;
  }

  /** Process ids of the workers, oldest first. */
  get workerPids(): number[] {
    const { stdout } = spawnSync('pgrep', ['-P', String(this.pid), '-f', 'bin/edge-worker'], { encoding: 'utf8' });
    return stdout.split('\n').filter(Boolean).map(Number);
  }

  /** Paths of the files to which the processes write the access log, the primary first. */
  get accessLogTargets(): string[] {
    const workers = this.workerPids.map((pid) => `/proc/${pid}/fd/${OUTPUT_DESCRIPTOR}`);
    return [`/proc/${this.pid}/fd/1`, ...workers].map((path) => readlinkSync(path));
  }

  async isReady(): Promise<boolean> {
    if (!this.program?.isRunning) throw new Error(`the edge did not start: ${this.output}`);
    const response = await this.fetchAdmin('/readyz').catch(() => undefined);
    return response?.ok ?? false;
  }

  fetchAdmin(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.adminPort}${path}`);
  }

  /** Returns the value of a metric without labels. */
  async readMetric(name: string): Promise<number> {
    const text = await (await this.fetchAdmin('/metrics')).text();
    return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  }

  /** Sends a signal, waits for the end and returns the exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    return (await this.program?.end(signal)) ?? null;
  }
}

/** A raw HTTP response. */
export interface WireResponse {
  status: number;
  /** Headers with unchanged names. */
  headers: [string, string][];
  body: Buffer;
  text: string;
  /** False if the connection closed before the end of the body. */
  isComplete: boolean;
}

export const getHeader = ({ headers }: Pick<WireResponse, 'headers'>, name: string): string | undefined =>
  headers.find(([headerName]) => headerName.toLowerCase() === name.toLowerCase())?.[1];

function decodeChunks(bytes: Buffer): { body: Buffer; isComplete: boolean } {
  const pieces: Buffer[] = [];
  for (let position = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', position);
    if (lineEnd < 0) return { body: Buffer.concat(pieces), isComplete: false };
    const size = Number.parseInt(bytes.toString('latin1', position, lineEnd), 16);
    if (size === 0) return { body: Buffer.concat(pieces), isComplete: bytes.indexOf('\r\n\r\n', lineEnd) >= 0 };
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    position = lineEnd + 4 + size;
    if (position > bytes.length) return { body: Buffer.concat(pieces), isComplete: false };
  }
}

/** Parses the first final response in `bytes`. A response to HEAD has no body. */
export function parseResponse(bytes: Buffer, method = 'GET'): WireResponse {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return { status: 0, headers: [], body: bytes, text: bytes.toString(), isComplete: false };
  const [line = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(line.split(' ')[1]);
  if (status < 200 && status !== 101) return parseResponse(bytes.subarray(headEnd + 4), method);
  const headers = lines.map((text): [string, string] => {
    const colon = text.indexOf(':');
    return [text.slice(0, colon), text.slice(colon + 1).trim()];
  });
  const bodyBytes = bytes.subarray(headEnd + 4);
  const length = getHeader({ headers }, 'content-length');
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const { body, isComplete } =
    getHeader({ headers }, 'transfer-encoding') === 'chunked' && hasBody
      ? decodeChunks(bodyBytes)
      : { body: bodyBytes, isComplete: !hasBody || length === undefined || bodyBytes.length >= Number(length) };
  return { status, headers, body, text: body.toString(), isComplete };
}

export interface RequestOptions {
  method?: string;
  host?: string;
  /** Request target, which is sent unchanged. */
  path?: string;
  headers?: readonly (readonly [string, string])[];
  body?: string | Buffer;
}

/**
 * Sends bytes to a port of this machine, or to a Unix socket by its path. Returns the bytes that the peer sends until
 * the connection closes or is reset. Waits at most `seconds`.
 */
export function sendRaw(port: number | string, bytes: string | Buffer, seconds = 60): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = typeof port === 'string' ? connect(port) : connect(port, '127.0.0.1');
    socket.once('connect', () => socket.write(bytes, 'latin1'));
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

/** Sends a request on a new connection, without changes to its bytes. */
export async function sendRequest(
  port: number | string,
  { method = 'GET', host = 'api.localhost', path = '/', headers = [], body }: RequestOptions,
): Promise<WireResponse> {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const hasFraming = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  if (body !== undefined && !hasFraming) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  const head = Buffer.from(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'latin1');
  return parseResponse(await sendRaw(port, Buffer.concat([head, Buffer.from(body ?? '')])), method);
}

/** Default client address in the `X-Forwarded-For` of `requestSite`. */
export const CLIENT_ADDRESS = '198.51.100.9';

/** Requests a site by its label. An edge that trusts `X-Forwarded-For` sees `clientAddress`. */
export const requestSite = (
  edge: Edge,
  label: string,
  path = '/',
  { headers = [], ...otherOptions }: RequestOptions = {},
  clientAddress = CLIENT_ADDRESS,
) =>
  sendRequest(edge.port, {
    host: `${label}.localhost`,
    path,
    headers: [['X-Forwarded-For', clientAddress], ...headers],
    ...otherOptions,
  });
