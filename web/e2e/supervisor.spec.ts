import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, Program, waitFor } from '../../scripts/testing/program';
import { ADMINISTRATOR } from '../../scripts/testing/stack';

const onLinux = existsSync('/proc/self/cmdline');

let folder: string;
let environment: Record<string, string>;
let url = '';
let started: Program[];

beforeEach(async () => {
  started = [];
  folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  const [port = 0, bff = 0, core = 0, admin = 0] = await freePorts(4);
  url = `http://127.0.0.1:${port}`;
  environment = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: folder,
    PORT: String(port),
    BFF_PORT: String(bff),
    CORE_PORT: String(core),
    EDGE_ADMIN_PORT: String(admin),
    EDGE_WORKERS: '1',
    LOG_LEVEL: 'error',
  };
});
afterEach(async () => {
  for (const program of started) await program.end();
  rmSync(folder, { recursive: true, force: true });
});

/** `npm start`, without npm. */
function startSupervisor(extra: Record<string, string> = {}): Program {
  const program = new Program('npm start', ['scripts/start.mjs'], { environment: { ...environment, ...extra } });
  started.push(program);
  return program;
}

/** Processes with their parents and command lines; those that end meanwhile are left out. */
const processes = (): { pid: number; parent: number; command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const parent = Number(/\) \S (\d+)/.exec(stat)?.[1]);
        return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        return [];
      }
    });

/** All processes below a process. */
function descendants(of: number): { pid: number; command: string }[] {
  const all = processes();
  const below = (pid: number): { pid: number; command: string }[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(of);
}

/** Process id of a program that `parent` started. */
function childOf(parent: number, program: string): number {
  const found = descendants(parent).find(({ command }) => command.includes(program));
  if (!found) throw new Error(`${program} is not running`);
  return found.pid;
}

const hasEnded = (pid: number) => !processes().some((one) => one.pid === pid);

async function logIn(password: string): Promise<string> {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: ADMINISTRATOR.username, password }),
  });
  expect(response.status).toBe(200);
  return (await response.json()).token;
}

test('shows the address, keeps the first password from the log; Ctrl-C ends everything with 0', async () => {
  const first = startSupervisor();
  await first.waitForOutput('Ctrl-C encerra.');
  expect(first.output).toContain(`http://localhost:${environment.PORT}/admin\n`);
  const file = join(folder, 'first-password');
  const password = readFileSync(file, 'utf8').trim();
  expect(password).toHaveLength(20);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(first.output).not.toContain(password);
  expect(first.output).toContain(file);
  await logIn(password);
  expect(existsSync(file)).toBe(false);
  expect(await first.end('SIGINT')).toBe(0);
  expect(first.output).not.toContain('à força');
  await expect(fetch(url)).rejects.toThrow();

  const second = startSupervisor({ PUBLIC_URL: 'https://estudio.example', BASE_DOMAIN: 'estudio.example' });
  await second.waitForOutput('Ctrl-C encerra.');
  expect(second.output).not.toContain('first-password');
  expect(second.output).toContain('https://estudio.example/admin\n');
  expect(second.output).toContain('https://api.estudio.example\n');
});

test('a running request in each process does not outlast the stop', async () => {
  const supervisor = startSupervisor({ ADMIN_PASSWORD: ADMINISTRATOR.password });
  await supervisor.waitForOutput('Ctrl-C encerra.');
  const head =
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  const sockets = ['PORT', 'BFF_PORT', 'CORE_PORT'].map((variable) =>
    connect(Number(environment[variable]), '127.0.0.1').on('error', () => undefined),
  );
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.write(head, () => resolve()))));
  expect(await supervisor.end('SIGTERM')).toBe(0);
  // The edge gives a request nearly all the time that the supervisor gives it: a slow machine may end it by force.
  expect(supervisor.output).not.toMatch(/^(core-api|bff): .* à força/m);
  for (const socket of sockets) socket.destroy();
});

(onLinux ? test : test.skip)('nothing outlives a supervisor that was killed', async () => {
  const supervisor = startSupervisor({ ADMIN_PASSWORD: ADMINISTRATOR.password });
  await supervisor.waitForOutput('Ctrl-C encerra.');
  const started = descendants(supervisor.pid);
  // Core, BFF, the edge and its worker.
  expect(started).toHaveLength(4);
  process.kill(supervisor.pid, 'SIGKILL');
  await waitFor('the end of all', () => started.every(({ pid }) => hasEnded(pid)));
});

(onLinux ? test : test.skip)('a signal to npm alone ends everything', async () => {
  const npm = new Program('npm', ['start'], { command: 'npm', environment });
  started.push(npm);
  await npm.waitForOutput('Ctrl-C encerra.');
  const below = descendants(npm.pid);
  expect(below.length).toBeGreaterThanOrEqual(5);
  npm.child.kill('SIGTERM');
  await waitFor('the end of all', () => below.every(({ pid }) => hasEnded(pid)));
});

// Elsewhere there is no /proc in which to find the core among the supervisor's children.
(onLinux ? test : test.skip)(
  'a core killed during writes comes back by itself, with every write that was answered',
  async () => {
    const supervisor = startSupervisor({ ADMIN_PASSWORD: ADMINISTRATOR.password });
    await supervisor.waitForOutput('Ctrl-C encerra.');
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${await logIn(ADMINISTRATOR.password)}`,
    };
    const acknowledged: string[] = [];
    let writing = true;
    const write = async (lane: number) => {
      for (let index = 0; writing; index += 1) {
        const name = `s${lane}-${index}`;
        const body = JSON.stringify({ subdomain: name, description: 'x', type: 'proxy', port: 4000 });
        const response = await fetch(`${url}/api/subdomains`, { method: 'POST', headers, body }).catch(() => undefined);
        if (response?.status === 201) acknowledged.push(name);
        await response?.text();
      }
    };
    const writers = [0, 1, 2].map(write);
    while (acknowledged.length < 30) await new Promise((resolve) => setImmediate(resolve));
    process.kill(childOf(supervisor.pid, 'core-api/dist/bin/core.js'), 'SIGKILL');
    await supervisor.waitForOutput('core-api: terminou (SIGKILL); nova tentativa em 200 ms');
    const before = acknowledged.length;
    while (acknowledged.length < before + 10) await new Promise((resolve) => setImmediate(resolve));
    writing = false;
    await Promise.all(writers);

    const stored: string[] = [];
    for (let page = 1; stored.length === (page - 1) * 100; page += 1) {
      const response = await fetch(`${url}/api/subdomains?limit=100&page=${page}`, { headers });
      const { subdomains } = await response.json();
      stored.push(...subdomains.map(({ subdomain }: { subdomain: string }) => subdomain));
    }
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
  },
);

test('a bad variable ends the start with the line that names it', async () => {
  const supervisor = startSupervisor({ JWT_TTL: 'sempre' });
  expect(await supervisor.ended).toBe(78);
  expect(supervisor.output).toContain('JWT_TTL: deve ser uma duração como 30m ou 12h');
  expect(supervisor.output).not.toMatch(/nova tentativa|^\s+at /m);
});

test('a port in use ends the start with the line that names it', async () => {
  const other = createServer().listen(Number(environment.PORT), '127.0.0.1');
  await once(other, 'listening');
  const supervisor = startSupervisor();
  expect(await supervisor.ended).toBe(78);
  expect(supervisor.output).toBe(`PORT: a porta ${environment.PORT} já está em uso.\n`);
  other.close();
});
