import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PROGRAMS = {
  core: 'core-api/dist/main.js',
  bff: 'bff/dist/main.js',
  edge: 'core-api/dist/edge/main.js',
} as const;
type Program = keyof typeof PROGRAMS;

export const ADMINISTRATOR = { username: 'admin', password: 'uma senha de teste' };

/** The built product, every process of it, over an empty data folder. */
export interface Stack {
  /** What a visitor opens: the edge. */
  url: string;
  /** Empty at the start; static sites may lie in it. */
  folder: string;
  /** Calls the REST core through the edge as the first administrator; resolves to the answer's JSON, rejects when refused. */
  asAdministrator(path: string, body?: object): Promise<unknown>;
  /** Ends one process, as a crash would. */
  kill(program: Program): Promise<void>;
  /** Starts it again. */
  start(program: Program): Promise<void>;
  stop(): Promise<void>;
}

/** Ports that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  return servers.map((server) => {
    const address = server.address();
    server.close();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return address.port;
  });
}

async function until(what: string, probe: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await probe().catch(() => false))) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts core, BFF and edge on free ports; `environment` overrides variables of contract §1. */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  for (const file of [...Object.values(PROGRAMS), 'web/build/client/index.html']) {
    if (!existsSync(join(ROOT, file))) throw new Error(`${file} is missing: build first`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  const [port = 0, bff = 0, core = 0, admin = 0] = await freePorts(4);
  const url = `http://localhost:${port}`;
  const ready: Record<Program, string> = {
    core: `http://127.0.0.1:${core}/readyz`,
    bff: `http://127.0.0.1:${bff}/readyz`,
    edge: `http://127.0.0.1:${admin}/readyz`,
  };
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    STATIC_ROOTS: folder,
    PORT: String(port),
    BFF_PORT: String(bff),
    CORE_PORT: String(core),
    EDGE_ADMIN_PORT: String(admin),
    EDGE_WORKERS: '1',
    ADMIN_USERNAME: ADMINISTRATOR.username,
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    LOG_LEVEL: 'error',
    ...environment,
  };
  const running = new Map<Program, ChildProcess>();

  const start = async (program: Program) => {
    const child = spawn(process.execPath, [join(ROOT, PROGRAMS[program])], { cwd: ROOT, env, stdio: 'inherit' });
    running.set(program, child);
    await until(program, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended`);
      return (await fetch(ready[program])).ok;
    });
  };
  const end = async (program: Program, signal: NodeJS.Signals) => {
    const child = running.get(program);
    running.delete(program);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  const stop = async () => {
    await Promise.all([...running.keys()].map((program) => end(program, 'SIGTERM')));
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    await start('core');
    await Promise.all([start('bff'), start('edge')]);
  } catch (error) {
    await stop();
    throw error;
  }

  let token = '';
  const json = async (path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };

  return {
    url,
    folder,
    asAdministrator: async (path, body) => {
      if (!token) ({ token } = await json('/api/login', ADMINISTRATOR));
      return json(path, body);
    },
    kill: (program) => end(program, 'SIGKILL'),
    start,
    stop,
  };
}
