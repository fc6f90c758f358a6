import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const supervisor = join(__dirname, '../supervisor.mjs');

/** A supervisor of one program, written as Node code, as `npm start` runs it. */
function supervised(program: string) {
  const source = `
    import { supervise } from ${JSON.stringify(supervisor)};
    const { stop } = supervise([{ name: 'core', args: ['-e', ${JSON.stringify(program)}] }], {
      cwd: process.cwd(), env: process.env, onMessage() {}, onEnd: (code) => process.exit(code),
    });
    process.on('SIGTERM', () => stop(0));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'pipe'] });
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
  const pids = () => [...read().matchAll(/^core \| pid (\d+)$/gm)].map(([, pid]) => Number(pid));
  await until(() => pids().length === 1);
  process.kill(pids()[0] ?? 0, 'SIGKILL');
  await until(() => pids().length === 2);
  expect(pids()[1]).not.toBe(pids()[0]);
  child.kill('SIGTERM');
  expect(await codeOf(child)).toBe(0);
  expect(read()).toContain('core | drained');
});

test('a fault of the configuration is not tried again: its line, and exit code 78', async () => {
  const { child, read } = supervised(`console.error('PORT: deve ser um número'); process.exit(78)`);
  expect(await codeOf(child)).toBe(78);
  expect(read()).toBe('core | PORT: deve ser um número\n');
});
