import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, Program, ROOT } from './program';

export const ADMINISTRATOR = { username: 'admin', password: 'uma senha de teste' };

const REGISTER = join(__dirname, 'register.cjs');

/** Workspace and main module of each process, `dist` or `src` between them. */
const MAINS = { core: ['core-api', 'main'], bff: ['bff', 'main'], edge: ['core-api', 'edge/main'] } as const;
export type ProcessName = keyof typeof MAINS;

export interface StackOptions {
  /** Started at once; all by default. The others may be started later. */
  processes?: readonly ProcessName[];
  /** Variables of contract §1, over those that the stack sets. */
  environment?: Record<string, string>;
  /** `source` runs the TypeScript files, `build` the output of `npm run build`. */
  from?: 'build' | 'source';
  /** Arguments of `npm run seed`, run between the core's start and the others'. */
  seed?: readonly string[];
}

const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A program of core or bff, built or straight from its source. */
export function commandOf(workspace: string, main: string, from: 'build' | 'source') {
  const cwd = join(ROOT, workspace);
  if (from === 'source') return { args: ['--require', REGISTER, join(cwd, 'src', `${main}.ts`)], cwd };
  const file = join(cwd, 'dist', `${main}.js`);
  if (!existsSync(file)) throw new Error(`${file} is missing: build first`);
  return { args: [file], cwd };
}

/** The product's processes over a data folder of their own, on free ports. */
export class Stack {
  /** Empty at the start; static sites may lie below `sites`. */
  readonly folder = mkdtempSync(join(tmpdir(), 'stack-'));
  readonly environment: Record<string, string>;
  private readonly running = new Map<ProcessName, Program>();
  private token = '';

  private constructor(
    private readonly ports: Record<ProcessName | 'admin', number>,
    private readonly from: 'build' | 'source',
    environment: Record<string, string>,
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
      // No requests that a test does not expect.
      HEALTH_INTERVAL_S: '0',
      DNS_SERVERS: '127.0.0.1:9',
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
  }: StackOptions = {}): Promise<Stack> {
    const [edge = 0, bff = 0, core = 0, admin = 0] = await freePorts(4);
    const stack = new Stack({ edge, bff, core, admin }, from, environment);
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

  /** What a visitor opens: the edge. */
  get url(): string {
    return `http://localhost:${this.ports.edge}`;
  }

  get port(): number {
    return this.ports.edge;
  }

  get coreUrl(): string {
    return `http://127.0.0.1:${this.ports.core}`;
  }

  get adminUrl(): string {
    return `http://127.0.0.1:${this.ports.admin}`;
  }

  process(name: ProcessName): Program {
    const program = this.running.get(name);
    if (!program) throw new Error(`${name} is not running`);
    return program;
  }

  /** Starts a process, or starts it again on what is stored, and waits until it is ready. */
  async start(name: ProcessName): Promise<void> {
    const [workspace, main] = MAINS[name];
    const { args, cwd } = commandOf(workspace, main, this.from);
    const program = new Program(name, args, { cwd, environment: this.environment });
    this.running.set(name, program);
    await program.answers(`http://127.0.0.1:${this.ports[name === 'edge' ? 'admin' : name]}/readyz`);
  }

  /** Ends a process; without a signal as a crash would. */
  async kill(name: ProcessName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.running.get(name)?.end(signal);
  }

  /** Runs a command of the core (`admin`, `seed`) to its end. @returns what it wrote. @throws when it fails */
  async runCore(command: string, ...args: string[]): Promise<string> {
    const { args: program, cwd } = commandOf('core-api', command, this.from);
    const run = new Program(command, [...program, ...args], { cwd, environment: this.environment });
    if ((await run.ended) !== 0) throw new Error(`${command} failed:\n${run.output}`);
    return run.output;
  }

  /** Token of the first administrator. */
  async logIn(): Promise<string> {
    if (!this.token) {
      const answer = await fetch(`${this.coreUrl}/api/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(ADMINISTRATOR),
      });
      const { token } = (await answer.json()) as { token: string };
      this.token = token;
    }
    return this.token;
  }

  /**
   * A REST call as the first administrator.
   * @param path below `/api`
   * @returns the answer's JSON, undefined for an empty one
   * @throws when it is refused
   */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.coreUrl}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await this.logIn()}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Creates one entity by REST. @returns it as it was answered */
  async create(path: string, body: object): Promise<Record<string, unknown>> {
    return (await this.call('POST', path, body)) as Record<string, unknown>;
  }

  /** Ends all of them and removes the folder. */
  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((program) => program.end()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
