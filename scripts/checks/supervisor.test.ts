import { closeSync, mkdtempSync, openSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variables as core } from '../../core-api/src/config';
import { Program, until } from '../testing/program';

const SUPERVISOR = join(__dirname, '../supervisor.mjs');

/** A supervisor of one program, written as Node code, as `npm start` runs it. */
function supervised(program: string, environment: NodeJS.ProcessEnv = {}, stdout?: number): Program {
  const source = `
    import { supervise } from ${JSON.stringify(SUPERVISOR)};
    const { stop } = supervise([{ name: 'core', args: ['-e', ${JSON.stringify(program)}] }], {
      cwd: process.cwd(), env: process.env, onEnd: (code) => process.exit(code),
    });
    process.on('SIGTERM', () => stop(0));
  `;
  return new Program('supervisor', ['--input-type=module', '-e', source], { environment, stdout });
}

test('a killed process comes back; a stop lets it finish and ends with 0', async () => {
  const program = `console.log('pid', process.pid); process.on('SIGTERM', () => { console.log('drained'); process.exit(0); }); setInterval(() => {}, 1000)`;
  const supervisor = supervised(program);
  const pids = () => [...supervisor.output.matchAll(/^pid (\d+)\n/gm)].map(([, pid]) => Number(pid));
  await until('it runs', () => pids().length === 1);
  process.kill(pids()[0] ?? 0, 'SIGKILL');
  await until('it runs again', () => pids().length === 2);
  expect(pids()[1]).not.toBe(pids()[0]);
  expect(await supervisor.end()).toBe(0);
  expect(supervisor.output).toContain('drained');
});

test('a fault of the configuration is not tried again: its line, and exit code 78', async () => {
  const supervisor = supervised(`console.error('PORT: deve ser um número'); process.exit(78)`);
  expect(await supervisor.ended).toBe(78);
  expect(supervisor.output).toBe('PORT: deve ser um número\n');
});

test('no program gets a secret that is another one’s', async () => {
  const program = `console.log(JSON.stringify(process.env)); setInterval(() => {}, 1000)`;
  const supervisor = supervised(program, { JWT_SECRET: 'x', EDGE_ADMIN_TOKEN: 'y', BASE_DOMAIN: 'z' });
  await supervisor.printed('\n');
  await supervisor.end();
  expect(supervisor.output).toContain('"BASE_DOMAIN":"z"');
  expect(supervisor.output).not.toMatch(/JWT_SECRET|EDGE_ADMIN_TOKEN/);
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

test('programs write into a file themselves', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  const file = join(folder, 'all.log');
  const descriptor = openSync(file, 'a');
  const supervisor = supervised(
    `console.log(require('node:fs').readlinkSync('/proc/self/fd/1')); setInterval(() => {}, 1000)`,
    {},
    descriptor,
  );
  try {
    await until('it has written', () => readFileSync(file, 'utf8').includes('\n'));
    expect(readFileSync(file, 'utf8')).toBe(`${file}\n`);
  } finally {
    await supervisor.end();
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});

/** Says on its standard error what its standard output is. */
const TELLS = `process.stderr.write(require('node:fs').readlinkSync('/proc/self/fd/1') + '\\n'); setInterval(() => {}, 1000)`;

test('programs write into /dev/null themselves', async () => {
  const descriptor = openSync('/dev/null', 'w');
  const supervisor = supervised(TELLS, {}, descriptor);
  try {
    await supervisor.printed('\n');
    expect(supervisor.output).toBe('/dev/null\n');
  } finally {
    await supervisor.end();
    closeSync(descriptor);
  }
});

test('into a socket the supervisor writes alone', async () => {
  const supervisor = supervised(TELLS);
  try {
    await supervisor.printed('\n');
    const own = readlinkSync(`/proc/${supervisor.pid}/fd/1`);
    expect([own, supervisor.output]).toEqual([expect.stringMatching(/^socket:/), expect.stringMatching(/^\w+:/)]);
    expect(supervisor.output).not.toBe(`${own}\n`);
  } finally {
    await supervisor.end();
  }
});
