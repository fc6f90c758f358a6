import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, Program, waitFor } from '../../scripts/testing/program';
import { ADMINISTRATOR, CODE_CACHE_OPTION } from '../../scripts/testing/stack';

/** Only Linux has /proc, in which some tests find the supervisor's children. */
const isLinux = existsSync('/proc/self/cmdline');

let folder: string;
let environment: Record<string, string>;
let url = '';
let startedPrograms: Program[];

beforeEach(async () => {
  startedPrograms = [];
  folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  const [port = 0, bff = 0, core = 0, admin = 0] = await findFreePorts(4);
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
    NODE_OPTIONS: CODE_CACHE_OPTION,
  };
});
afterEach(async () => {
  for (const program of startedPrograms) await program.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program of `npm start` without npm. */
function startSupervisor(variables: Record<string, string> = {}): Program {
  const program = new Program('npm start', ['scripts/start.mjs'], { environment: { ...environment, ...variables } });
  startedPrograms.push(program);
  return program;
}

/** Lists all processes with their parents and command lines, without those that end while they are listed. */
const listProcesses = (): { pid: number; parent: number; command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const parent = Number(/\) \S (\d+)/.exec(stat)?.[1]);
        return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        return []; // The process has ended.
      }
    });

/** Lists the children of a process, their children, and so on. */
function listDescendants(parentPid: number): { pid: number; command: string }[] {
  const allProcesses = listProcesses();
  const collectDescendants = (pid: number): { pid: number; command: string }[] =>
    allProcesses.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...collectDescendants(child.pid)]);
  return collectDescendants(parentPid);
}

/** Returns the id of the process that runs a program, among the descendants of `parentPid`. */
function findDescendant(parentPid: number, program: string): number {
  const descendant = listDescendants(parentPid).find(({ command }) => command.includes(program));
  if (!descendant) throw new Error(`${program} is not running`);
  return descendant.pid;
}

const hasEnded = (pid: number) => !listProcesses().some((entry) => entry.pid === pid);

async function logIn(password: string): Promise<string> {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: ADMINISTRATOR.username, password }),
  });
  expect(response.status).toBe(200);
  return (await response.json()).token;
}

test('the first start shows the URL of the console, and keeps the first password in a file until the first login', async () => {
  const supervisor = startSupervisor();
  await supervisor.waitForOutput('Ctrl-C encerra.');
  expect(supervisor.output).toContain(`http://localhost:${environment.PORT}/admin\n`);
  const file = join(folder, 'first-password');
  const password = readFileSync(file, 'utf8').trim();
  expect(password).toHaveLength(20);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(supervisor.output).not.toContain(password);
  expect(supervisor.output).toContain(file);
  await logIn(password);
  expect(existsSync(file)).toBe(false);
});

test('a start with PUBLIC_URL shows the public URLs, and Ctrl-C ends it with exit code 0', async () => {
  const supervisor = startSupervisor({
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    PUBLIC_URL: 'https://estudio.example',
    BASE_DOMAIN: 'estudio.example',
  });
  await supervisor.waitForOutput('Ctrl-C encerra.');
  expect(supervisor.output).not.toContain('first-password');
  expect(supervisor.output).toContain('https://estudio.example/admin\n');
  expect(supervisor.output).toContain('https://api.estudio.example\n');
  expect(await supervisor.end('SIGINT')).toBe(0);
  expect(supervisor.output).not.toContain('à força');
  await expect(fetch(url)).rejects.toThrow();
});

test('a stop ends all processes, although each of them has a running request', async () => {
  const supervisor = startSupervisor({ ADMIN_PASSWORD: ADMINISTRATOR.password });
  await supervisor.waitForOutput('Ctrl-C encerra.');
  const incompleteRequest =
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  const sockets = ['PORT', 'BFF_PORT', 'CORE_PORT'].map((variable) =>
    connect(Number(environment[variable]), '127.0.0.1').on('error', () => undefined),
  );
  await Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => socket.write(incompleteRequest, () => resolve()))),
  );
  expect(await supervisor.end('SIGTERM')).toBe(0);
  // The edge waits for requests nearly as long as the supervisor waits for the edge. On a slow machine the supervisor
  // may kill the edge.
  expect(supervisor.output).not.toMatch(/^(core-api|bff): .* à força/m);
  for (const socket of sockets) socket.destroy();
});

(isLinux ? test : test.skip)('nothing outlives a supervisor that was killed', async () => {
  const supervisor = startSupervisor({ ADMIN_PASSWORD: ADMINISTRATOR.password });
  await supervisor.waitForOutput('Ctrl-C encerra.');
  const processesOfStart = listDescendants(supervisor.pid);
  // Core, BFF, the edge and its worker.
  expect(processesOfStart).toHaveLength(4);
  process.kill(supervisor.pid, 'SIGKILL');
  await waitFor('the end of all processes', () => processesOfStart.every(({ pid }) => hasEnded(pid)));
});

(isLinux ? test : test.skip)('a signal to npm alone ends all processes', async () => {
  const npm = new Program('npm', ['start'], { command: 'npm', environment });
  startedPrograms.push(npm);
  await npm.waitForOutput('Ctrl-C encerra.');
  const descendants = listDescendants(npm.pid);
  expect(descendants.length).toBeGreaterThanOrEqual(5); // The supervisor and its four descendants.
  npm.child.kill('SIGTERM');
  await waitFor('the end of all processes', () => descendants.every(({ pid }) => hasEnded(pid)));
});

(isLinux ? test : test.skip)(
  'a core that is killed during writes is restarted, with every acknowledged write',
  async () => {
    const supervisor = startSupervisor({ ADMIN_PASSWORD: ADMINISTRATOR.password });
    await supervisor.waitForOutput('Ctrl-C encerra.');
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${await logIn(ADMINISTRATOR.password)}`,
    };
    const acknowledgedNames: string[] = [];
    let isWriting = true;
    const write = async (writer: number) => {
      for (let index = 0; isWriting; index += 1) {
        const name = `s${writer}-${index}`;
        const body = JSON.stringify({ subdomain: name, description: 'x', type: 'proxy', port: 4000 });
        const response = await fetch(`${url}/api/subdomains`, { method: 'POST', headers, body }).catch(() => undefined);
        if (response?.status === 201) acknowledgedNames.push(name);
        await response?.text();
      }
    };
    const writers = [0, 1, 2].map(write);
    while (acknowledgedNames.length < 30) await new Promise((resolve) => setImmediate(resolve));
    process.kill(findDescendant(supervisor.pid, 'core-api/dist/bin/core.js'), 'SIGKILL');
    await supervisor.waitForOutput('core-api: terminou (SIGKILL); nova tentativa em 200 ms');
    const countBefore = acknowledgedNames.length;
    while (acknowledgedNames.length < countBefore + 10) await new Promise((resolve) => setImmediate(resolve));
    isWriting = false;
    await Promise.all(writers);

    const storedNames: string[] = [];
    const limit = 100;
    for (let page = 1, isLastPage = false; !isLastPage; page += 1) {
      const response = await fetch(`${url}/api/subdomains?limit=${limit}&page=${page}`, { headers });
      const { subdomains } = await response.json();
      storedNames.push(...subdomains.map(({ subdomain }: { subdomain: string }) => subdomain));
      isLastPage = subdomains.length < limit;
    }
    expect(storedNames).toEqual(expect.arrayContaining(acknowledgedNames));
  },
);

test('an invalid variable ends the start with a line that names the variable', async () => {
  const supervisor = startSupervisor({ JWT_TTL: 'sempre' });
  expect(await supervisor.ended).toBe(78); // EX_CONFIG
  expect(supervisor.output).toContain('JWT_TTL: deve ser uma duração como 30m ou 12h');
  expect(supervisor.output).not.toMatch(/nova tentativa|^\s+at /m);
});

test('a port in use ends the start with a line that names the port', async () => {
  const portHolder = createServer().listen(Number(environment.PORT), '127.0.0.1');
  await once(portHolder, 'listening');
  const supervisor = startSupervisor();
  expect(await supervisor.ended).toBe(78); // EX_CONFIG
  expect(supervisor.output).toBe(`PORT: a porta ${environment.PORT} já está em uso.\n`);
  portHolder.close();
});
