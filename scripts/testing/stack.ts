import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, Program, ROOT } from './program';

export const ADMINISTRATOR = { username: 'admin', password: 'uma senha de teste' };

const REGISTER = join(__dirname, 'register.cjs');
const CODE_CACHE = join(__dirname, 'code-cache.cjs');
const CHEAP_HASHES = join(__dirname, 'cheap-hashes.cjs');

/** Option of Node with `code-cache.cjs`, for processes that the supervisor starts with arguments of its own. */
export const CODE_CACHE_OPTION = `--require ${CODE_CACHE}`;

/** Option of Node for programs that derive keys from passphrases with little work (`cheap-keys.cjs`). */
export const CHEAP_KEYS = `--require ${join(__dirname, 'cheap-keys.cjs')}`;

/** Option of Node for a core that prints its argon2 calls (`hash-calls.cjs`). */
export const PRINTED_HASH_CALLS = `--require ${join(__dirname, 'hash-calls.cjs')}`;

/**
 * Variables of programs whose clock and pauses run `speed` times as fast from now on (`fast-clock.cjs`).
 * @param start First time of the clock, ms since the epoch
 */
export const fastClock = (speed: number, start = Date.now()) => ({
  NODE_OPTIONS: `--require ${join(__dirname, 'fast-clock.cjs')}`,
  CLOCK_SPEED: String(speed),
  CLOCK_START: String(start),
  CLOCK_STARTED_AT: String(Date.now()),
});

/** Option of Node for programs whose clock is a day ahead until SIGUSR2 (`ahead-clock.cjs`). */
export const AHEAD_CLOCK = `--require ${join(__dirname, 'ahead-clock.cjs')}`;

/** Returns the current time of programs with `fastClock`, ms since the epoch. */
export const getFastTime = ({ CLOCK_SPEED, CLOCK_START, CLOCK_STARTED_AT }: ReturnType<typeof fastClock>): number =>
  Number(CLOCK_START) + (Date.now() - Number(CLOCK_STARTED_AT)) * Number(CLOCK_SPEED);

/** Workspace and main module of each process, relative to `dist` or `src`. */
const MAINS = { core: ['core-api', 'bin/core'], bff: ['bff', 'main'], edge: ['core-api', 'bin/edge'] } as const;
export type ProcessName = keyof typeof MAINS;

export interface StackOptions {
  /** Processes that `start` starts; default: all. The others may be started later. */
  processes?: readonly ProcessName[];
  /** Variables of the processes (README.md), which override those of the stack. */
  environment?: Record<string, string>;
  /** `source` runs the TypeScript files, `build` the output of `npm run build`. */
  from?: 'build' | 'source';
  /** Arguments of `npm run seed`, which runs between the start of the core and the start of the other processes. */
  seed?: readonly string[];
  /** File that takes the standard output of all processes. */
  logFile?: string;
}

const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Returns the arguments of Node and the folder that run a program of core or BFF, from the build or from the source. */
export function buildCommand(workspace: string, main: string, from: 'build' | 'source') {
  const cwd = join(ROOT, workspace);
  // Only Jest uses these options. Benchmarks start the programs as an installation does.
  const options = process.env.JEST_WORKER_ID === undefined ? [] : ['--require', CODE_CACHE, '--require', CHEAP_HASHES];
  if (from === 'source') return { args: [...options, '--require', REGISTER, join(cwd, 'src', `${main}.ts`)], cwd };
  const file = join(cwd, 'dist', `${main}.js`);
  if (!existsSync(file)) throw new Error(`${file} is missing: build first`);
  return { args: [...options, file], cwd };
}

type Rows = { _id: string }[];

/** The processes of the product with a new data folder and free ports. */
export class Stack {
  /** The data folder, empty at first. Static sites may be placed below `sites`. */
  readonly folder = mkdtempSync(join(tmpdir(), 'stack-'));
  readonly environment: Record<string, string>;
  private readonly running = new Map<ProcessName, Program>();
  private token = '';

  private constructor(
    private readonly ports: Record<ProcessName | 'admin', number>,
    private readonly from: 'build' | 'source',
    environment: Record<string, string>,
    private readonly logFile: string | undefined,
  ) {
    folders.add(this.folder);
    this.environment = {
      DATA_DIR: this.folder,
      STATIC_ROOTS: join(this.folder, 'sites'),
      HOST: '127.0.0.1',
      PORT: String(ports.edge),
      BFF_PORT: String(ports.bff),
      CORE_PORT: String(ports.core),
      CORE_URL: `http://127.0.0.1:${ports.core}`,
      EDGE_ADMIN_PORT: String(ports.admin),
      EDGE_WORKERS: '1',
      // Health checks would send requests that tests do not expect.
      HEALTH_INTERVAL_S: '0',
      DNS_SERVERS: '127.0.0.1:9', // Nothing answers at this address.
      TLS_CHECK_ADDRESS: '127.0.0.1:9',
      ADMIN_USERNAME: ADMINISTRATOR.username,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      ...environment,
    };
  }

  static async start({
    processes = ['core', 'bff', 'edge'],
    environment = {},
    from = 'build',
    seed,
    logFile,
  }: StackOptions = {}): Promise<Stack> {
    const [edge = 0, bff = 0, core = 0, admin = 0] = await findFreePorts(4);
    const stack = new Stack({ edge, bff, core, admin }, from, environment, logFile);
    try {
      if (processes.includes('core')) await stack.start('core');
      if (seed) await stack.runCore('seed', ...seed);
      await Promise.all(processes.filter((name) => name !== 'core').map((name) => stack.start(name)));
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  /** URL of the edge, as visitors open it. */
  get url(): string {
    return `http://localhost:${this.ports.edge}`;
  }

  get port(): number {
    return this.ports.edge;
  }

  get coreUrl(): string {
    return `http://127.0.0.1:${this.ports.core}`;
  }

  get bffUrl(): string {
    return `http://127.0.0.1:${this.ports.bff}`;
  }

  get adminUrl(): string {
    return `http://127.0.0.1:${this.ports.admin}`;
  }

  process(name: ProcessName): Program {
    const program = this.running.get(name);
    if (!program) throw new Error(`${name} is not running`);
    return program;
  }

  /** Starts or restarts a process on the stored data, and waits up to `seconds` until it is ready. */
  async start(name: ProcessName, seconds?: number): Promise<void> {
    const [workspace, main] = MAINS[name];
    const { args, cwd } = buildCommand(workspace, main, this.from);
    const stdout = this.logFile === undefined ? undefined : openSync(this.logFile, 'a', 0o600);
    const program = new Program(name, args, { cwd, environment: this.environment, stdout });
    if (stdout !== undefined) closeSync(stdout);
    this.running.set(name, program);
    await program.waitForUrl(`http://127.0.0.1:${this.ports[name === 'edge' ? 'admin' : name]}/readyz`, seconds);
    program.reportUnexpectedEnd();
  }

  /** Ends a process. The default signal is SIGKILL, as in a crash. */
  async kill(name: ProcessName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.running.get(name)?.end(signal);
  }

  /** Runs a command of the core, such as `seed`, to its end. @returns the output. @throws if the command fails */
  async runCore(command: string, ...args: string[]): Promise<string> {
    const { args: program, cwd } = buildCommand('core-api', `bin/${command}`, this.from);
    const run = new Program(command, [...program, ...args], { cwd, environment: this.environment });
    if ((await run.ended) !== 0) throw new Error(`${command} failed:\n${run.output}`);
    return run.output;
  }

  /** Returns a token of the first administrator. The password is confirmed in the session (`POST /me/sudo`). */
  async logIn(): Promise<string> {
    if (!this.token) {
      const token = await this.createSessionToken();
      await this.postJson('/me/sudo', { password: ADMINISTRATOR.password }, { Authorization: `Bearer ${token}` });
      this.token = token;
    }
    return this.token;
  }

  /** Returns a token of a new session of the first administrator. The password is not confirmed in this session. */
  async createSessionToken(): Promise<string> {
    const { token } = (await (await this.postJson('/login', ADMINISTRATOR)).json()) as { token: string };
    return token;
  }

  private postJson(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.coreUrl}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /**
   * Makes a REST call as the first administrator.
   * @param path below `/api`
   * @returns the JSON of the response, undefined for an empty response
   * @throws if the call is refused
   */
  async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.coreUrl}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await this.logIn()}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Creates one entity by REST. @returns the body of the response */
  async create(path: string, body: object): Promise<Record<string, unknown>> {
    return (await this.request('POST', path, body)) as Record<string, unknown>;
  }

  /** Removes all entities of a list by REST, page after page. @param path of the list, below `/api` */
  async removeAll(path: string): Promise<void> {
    const response = (await this.request('GET', path)) as Rows | Record<string, unknown>;
    const rows = (Array.isArray(response) ? response : Object.values(response).find(Array.isArray)) as Rows;
    for (const { _id } of rows) await this.request('DELETE', `${path}/${_id}`);
    if (rows.length > 0) await this.removeAll(path);
  }

  /** Ends all processes and removes the data folder. */
  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((program) => program.end()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
