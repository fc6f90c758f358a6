import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMINISTRATOR, freePorts } from './stack';

const ROOT = join(__dirname, '../..');
const onLinux = existsSync('/proc/self/cmdline');

let folder: string;
let environment: Record<string, string>;
let url = '';
let started: Start[];

interface Start {
  child: ChildProcess;
  /** All that was printed up to now. */
  output(): string;
  /** Resolves once `text` was printed; rejects when the command ends without it. */
  printed(text: string): Promise<void>;
  ended: Promise<number | null>;
}

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
  for (const { child, ended } of started) {
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** `npm start`, without npm. */
function start(extra: Record<string, string> = {}): Start {
  const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: ROOT, env: { ...environment, ...extra } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
      child.emit('printed');
    });
  }
  const ended = once(child, 'close').then(([code]) => code);
  const printed = async (text: string) => {
    while (!output.includes(text)) {
      const next = await Promise.race([once(child, 'printed'), ended.then(() => 'ended')]);
      if (next === 'ended' && !output.includes(text)) throw new Error(`never printed ${text}:\n${output}`);
    }
  };
  const run = { child, output: () => output, printed, ended };
  started.push(run);
  return run;
}

/** Process id of a program that `parent` started. */
function childOf(parent: number | undefined, program: string): number {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => {
      try {
        const parentOf = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
        return Number(parentOf) === parent && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(program);
      } catch {
        return false; // It ended meanwhile.
      }
    });
  if (!found) throw new Error(`${program} is not running`);
  return Number(found);
}

async function token(password: string): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: ADMINISTRATOR.username, password }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()).token;
}

test('shows address and first password; Ctrl-C ends everything with 0; the second start shows no password', async () => {
  const first = start();
  await first.printed('Ctrl-C encerra.');
  expect(first.output()).toContain(`/admin`);
  const password = /Senha {5}(\S+)/.exec(first.output())?.[1] ?? '';
  await token(password);
  const began = Date.now();
  first.child.kill('SIGINT');
  expect(await first.ended).toBe(0);
  expect(Date.now() - began).toBeLessThan(10_000);
  await expect(fetch(url)).rejects.toThrow();

  const second = start();
  await second.printed('Ctrl-C encerra.');
  expect(second.output()).not.toContain('Senha');
}, 90_000);

// Elsewhere there is no /proc in which to find the core among the supervisor's children.
(onLinux ? test : test.skip)(
  'a core killed during writes comes back by itself, with every write that was answered',
  async () => {
    const { child, printed } = start({ ADMIN_PASSWORD: ADMINISTRATOR.password });
    await printed('Ctrl-C encerra.');
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${await token(ADMINISTRATOR.password)}`,
    };
    const acknowledged: string[] = [];
    let writing = true;
    const write = async (lane: number) => {
      for (let index = 0; writing; index += 1) {
        const name = `s${lane}-${index}`;
        const body = JSON.stringify({ subdomain: name, description: 'x', type: 'proxy', port: 4000 });
        const answer = await fetch(`${url}/api/subdomains`, { method: 'POST', headers, body }).catch(() => undefined);
        if (answer?.status === 201) acknowledged.push(name);
        await answer?.text();
      }
    };
    const writers = [0, 1, 2].map(write);
    while (acknowledged.length < 30) await new Promise((resolve) => setImmediate(resolve));
    process.kill(childOf(child.pid, 'core-api/dist/main.js'), 'SIGKILL');
    await printed('core-api | terminou (SIGKILL); nova tentativa em 200 ms');
    const before = acknowledged.length;
    while (acknowledged.length < before + 10) await new Promise((resolve) => setImmediate(resolve));
    writing = false;
    await Promise.all(writers);

    const stored: string[] = [];
    for (let page = 1; stored.length === (page - 1) * 100; page += 1) {
      const answer = await fetch(`${url}/api/subdomains?limit=100&page=${page}`, { headers });
      const { subdomains } = await answer.json();
      stored.push(...subdomains.map(({ subdomain }: { subdomain: string }) => subdomain));
    }
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
  },
  90_000,
);

test('a bad variable ends the start with the line that names it', async () => {
  const { ended, output } = start({ JWT_TTL: 'sempre' });
  expect(await ended).toBe(78);
  expect(output()).toContain('JWT_TTL: deve ser uma duração como 30m ou 12h');
  expect(output()).not.toMatch(/nova tentativa|^\s+at /m);
}, 60_000);

test('a port in use ends the start with the line that names it', async () => {
  const other = createServer().listen(Number(environment.PORT), '127.0.0.1');
  await once(other, 'listening');
  const { ended, output } = start();
  expect(await ended).toBe(78);
  expect(output()).toBe(`PORT: a porta ${environment.PORT} já está em uso.\n`);
  other.close();
}, 60_000);
