import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, waitFor } from '../../../scripts/testing/program';
import { ADMINISTRATOR, buildCommand } from '../../../scripts/testing/stack';
import { Core, createPostgresDatabase, listen } from '../testing/core';

const folder = mkdtempSync(join(tmpdir(), 'start-'));
const running = new Set<ChildProcess>();
let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await core.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program of the core as a separate process that reads `input`. */
function runProgram(
  program: 'core' | 'admin',
  args: readonly string[],
  environment: Record<string, string>,
  input = '',
) {
  const { args: programArgs } = buildCommand('core-api', `bin/${program}`, 'source');
  const child = spawn(process.execPath, [...programArgs, ...args], {
    env: { PATH: process.env.PATH, ...environment },
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  child.stdin.end(input);
  const whenEnded = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code, ...output };
  });
  return { child, output, whenEnded };
}

test('every invalid variable is reported on a separate line, without a stack trace', async () => {
  const { code, stderr } = await runProgram('core', [], {
    DATA_DIR: join(folder, 'bad'),
    PORT: '70000',
    CORE_PORT: 'abc',
    JWT_SECRET: 'curto',
    JWT_TTL: '13h',
    DATABASE_URL: 'mysql://x',
    TRUSTED_PROXIES: '10.0.0.0/99',
    SERVER_IP: 'x',
  }).whenEnded;
  const lines = stderr.trim().split('\n');
  expect(code).toBe(78);
  expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(
    ['CORE_PORT', 'DATABASE_URL', 'JWT_SECRET', 'JWT_TTL', 'PORT', 'SERVER_IP', 'TRUSTED_PROXIES'].sort(),
  );
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('a port in use ends the start with one line that names the variable', async () => {
  const portHolder = await listen(() => undefined);
  const { code, stderr } = await runProgram('core', [], {
    DATA_DIR: join(folder, 'port'),
    CORE_PORT: String(portHolder.port),
  }).whenEnded;
  await portHolder.stop();
  expect(code).toBe(78);
  expect(stderr).toMatch(/^CORE_PORT: .*\n$/);
});

test('an invalid bind address ends the start with one line that names the variable', async () => {
  const { code, stderr } = await runProgram('core', [], { DATA_DIR: join(folder, 'host'), CORE_HOST: 'core.invalid' })
    .whenEnded;
  expect(code).toBe(78);
  expect(stderr).toMatch(/^CORE_HOST: .*\n$/);
});

test('the first password and the secrets are in private files and never in the output', async () => {
  const port = await findFreePort();
  const environment = { DATA_DIR: join(folder, 'first'), CORE_PORT: String(port), LOG_LEVEL: 'silent' };
  const start = async () => {
    const started = runProgram('core', [], environment);
    await waitFor('the core is ready', () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return started;
  };
  const firstRun = await start();
  const passwordPath = join(folder, 'first/first-password');
  const passwordFile = readFileSync(passwordPath, 'utf8');
  expect(passwordFile).toMatch(/^\S{20}\n$/);
  const password = passwordFile.trim();
  expect(firstRun.output.stdout + firstRun.output.stderr).not.toContain(password);
  expect(statSync(passwordPath).mode & 0o777).toBe(0o600);
  const login = await fetch(`http://127.0.0.1:${port}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  expect(login.status).toBe(200);
  expect(existsSync(passwordPath)).toBe(false);
  for (const secret of ['jwt.secret', 'settings.key']) {
    expect([secret, statSync(join(folder, 'first', secret)).mode & 0o777]).toEqual([secret, 0o600]);
  }
  firstRun.child.kill('SIGTERM');
  expect((await firstRun.whenEnded).code).toBe(0);

  const secondRun = await start();
  secondRun.child.kill('SIGTERM');
  expect(await secondRun.whenEnded).toEqual({ code: 0, stdout: '', stderr: '' });
});

describe('a weak ADMIN_PASSWORD', () => {
  test.each(['1234567890', 'joana silva'])(
    '%j ends the first start with one line that names the variable',
    async (password) => {
      const environment = {
        DATA_DIR: join(folder, randomUUID()),
        CORE_PORT: String(await findFreePort()),
        ADMIN_USERNAME: 'Joana Silva',
        ADMIN_PASSWORD: password,
        LOG_LEVEL: 'silent',
      };
      const url = await createPostgresDatabase(`weak_${randomUUID().replaceAll('-', '')}`);
      const database = url ? { DATABASE_URL: url } : undefined;
      const { code, stdout, stderr } = await runProgram('core', [], { ...environment, ...database }).whenEnded;
      expect([code, stdout, stderr]).toEqual([78, '', expect.stringMatching(/^ADMIN_PASSWORD: .+\n$/)]);
    },
  );

  test('causes only a warning at a later start and changes no password', async () => {
    const environment: Record<string, string> = {};
    const existingCore = await new Core(environment).start();
    try {
      await existingCore.end('SIGTERM');
      environment.ADMIN_PASSWORD = '1234567890';
      await existingCore.start();
      expect(existingCore.output).toMatch(/"msg":"ADMIN_PASSWORD: /);
      const readLoginStatus = async (password: string) =>
        (await existingCore.request('POST', '/login', { body: { ...ADMINISTRATOR, password }, token: null })).status;
      expect([await readLoginStatus(ADMINISTRATOR.password), await readLoginStatus('1234567890')]).toEqual([200, 401]);
    } finally {
      await existingCore.stop();
    }
  });
});

test.each([
  ['the secrets of an installation', ['jwt.secret', 'settings.key']],
  ['an edge’s snapshot', ['edge/snapshot.json']],
])('an empty database beside %s is refused and stays empty', async (_name, files) => {
  const dataDir = join(folder, randomUUID());
  mkdirSync(join(dataDir, 'edge'), { recursive: true });
  for (const name of files)
    if (name.startsWith('edge')) writeFileSync(join(dataDir, name), '{}');
    else copyFileSync(join(core.folder, name), join(dataDir, name));
  const url = await createPostgresDatabase(`empty_${randomUUID().replaceAll('-', '')}`);
  const environment = { DATA_DIR: dataDir, CORE_PORT: String(await findFreePort()), ...(url && { DATABASE_URL: url }) };
  for (const [program, args] of [
    ['core', []],
    ['admin', ['create', 'ana']],
  ] as const) {
    const { code, stderr } = await runProgram(program, args, environment, 'uma senha longa\n').whenEnded;
    expect([program, code === 0, stderr]).toEqual([
      program,
      false,
      expect.stringMatching(new RegExp(`^${url ? 'DATABASE_URL' : 'DATA_DIR'}: o banco de dados está vazio.*\n$`)),
    ]);
  }
});

describe('npm run admin', () => {
  const runAdmin = (args: string[], input = '') => runProgram('admin', args, core.database, input).whenEnded;
  const readLoginStatus = async (username: string, password: string) =>
    (await core.request('POST', '/login', { token: null, body: { username, password } })).status;

  test('creates, lists and removes an administrator and sets a new password while the core runs', async () => {
    expect((await runAdmin(['create', 'Maria'], 'uma senha longa\n')).code).toBe(0);
    expect(await readLoginStatus('maria', 'uma senha longa')).toBe(200);
    expect((await runAdmin(['list'])).stdout).toBe('admin\nmaria\n');
    expect((await runAdmin(['passwd', 'maria'], 'outra senha longa\n')).code).toBe(0);
    expect([
      await readLoginStatus('maria', 'uma senha longa'),
      await readLoginStatus('maria', 'outra senha longa'),
    ]).toEqual([401, 200]);
    expect((await runAdmin(['remove', 'maria'])).code).toBe(0);
    expect(await readLoginStatus('maria', 'outra senha longa')).toBe(401);
  });

  test.each([
    ['an unknown command', ['apagar', 'admin'], ''],
    ['a missing name', ['create'], 'uma senha longa\n'],
    ['a short password', ['create', 'ana'], 'curta\n'],
    ['a missing password', ['create', 'ana'], ''],
    ['a name that already exists', ['create', 'ADMIN'], 'uma senha longa\n'],
    ['an unknown name', ['passwd', 'ninguem'], 'uma senha longa\n'],
    ['the removal of the last administrator', ['remove', 'admin'], ''],
  ])('refuses %s with one line and changes no administrator', async (_name, args, input) => {
    const { code, stdout, stderr } = await runAdmin(args, input);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(await core.query('SELECT username FROM accounts')).toEqual([{ username: 'admin' }]);
  });
});
