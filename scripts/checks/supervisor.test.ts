import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { variables as core } from '../../core-api/src/config';

const supervisor = join(__dirname, '../supervisor.mjs');

/** A supervisor of one program, written as Node code, as `npm start` runs it. */
function supervised(program: string, environment: NodeJS.ProcessEnv = {}) {
  const source = `
    import { supervise } from ${JSON.stringify(supervisor)};
    const { stop } = supervise([{ name: 'core', args: ['-e', ${JSON.stringify(program)}] }], {
      cwd: process.cwd(), env: process.env, onEnd: (code) => process.exit(code),
    });
    process.on('SIGTERM', () => stop(0));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return { child, read: () => output };
}

async function until(probe: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!probe()) {
    if (Date.now() > end) throw new Error('waited 10 s in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const codeOf = async (child: ChildProcess) => {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
};

test('a killed process comes back; a stop lets it finish and ends with 0', async () => {
  const program = `console.log('pid', process.pid); process.on('SIGTERM', () => { console.log('drained'); process.exit(0); }); setInterval(() => {}, 1000)`;
  const { child, read } = supervised(program);
  const pids = () => [...read().matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));
  await until(() => pids().length === 1);
  process.kill(pids()[0] ?? 0, 'SIGKILL');
  await until(() => pids().length === 2);
  expect(pids()[1]).not.toBe(pids()[0]);
  child.kill('SIGTERM');
  expect(await codeOf(child)).toBe(0);
  expect(read()).toContain('drained');
});

test('a fault of the configuration is not tried again: its line, and exit code 78', async () => {
  const { child, read } = supervised(`console.error('PORT: deve ser um número'); process.exit(78)`);
  expect(await codeOf(child)).toBe(78);
  expect(read()).toBe('PORT: deve ser um número\n');
});

test('no program gets a secret that is another one’s', async () => {
  const program = `console.log(JSON.stringify(process.env)); setInterval(() => {}, 1000)`;
  const { child, read } = supervised(program, { JWT_SECRET: 'x', EDGE_ADMIN_TOKEN: 'y', BASE_DOMAIN: 'z' });
  await until(() => read().includes('\n'));
  child.kill('SIGTERM');
  await codeOf(child);
  expect(read()).toContain('"BASE_DOMAIN":"z"');
  expect(read()).not.toMatch(/JWT_SECRET|EDGE_ADMIN_TOKEN/);
});

test('every variable that carries a secret is kept from those that need it not', () => {
  const secrets = Object.keys(core.shape).filter((name) =>
    /SECRET|KEY|PASSWORD|TOKEN|DATABASE_URL|SMTP_URL/.test(name),
  );
  const withheld = /secretVariables = (\{[\s\S]*?\});/.exec(
    readFileSync(join(__dirname, '../environment.mjs'), 'utf8'),
  )?.[1];
  for (const name of secrets) expect(withheld).toContain(`${name}: [`);
});
