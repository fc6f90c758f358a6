import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variables as coreVariables } from '../../core-api/src/platform/config/config';
import { Program, waitFor } from '../testing/program';

const SUPERVISOR = join(__dirname, '../supervisor/supervisor.mjs');

/**
 * Starts the supervisor, as `npm start` does, with one program, whose name no list of `secretVariables` contains.
 * @param program JavaScript source
 * @param stdout a descriptor, or `both in one` if standard output and standard error share a pipe
 */
function startSupervisor(
  program: string,
  environment: NodeJS.ProcessEnv = {},
  stdout?: number | 'both in one',
): Program {
  const source = `
    import { supervise } from ${JSON.stringify(SUPERVISOR)};
    const { stop } = supervise([{ name: 'core', args: ['-e', ${JSON.stringify(program)}] }], {
      cwd: process.cwd(), env: process.env, onEnd: (code) => process.exit(code),
    });
    process.on('SIGTERM', () => stop(0));
  `;
  const args = ['--input-type=module', '-e', source];
  if (stdout !== 'both in one') return new Program('supervisor', args, { environment, stdout });
  return new Program('supervisor', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, ...args], {
    environment,
    command: 'sh',
  });
}

test('the supervisor restarts a killed process, and a stop drains the process and exits with 0', async () => {
  const program = `process.on('SIGTERM', () => { console.log('drained'); process.exit(0); }); console.log('pid', process.pid); setInterval(() => {}, 1000)`;
  const supervisor = startSupervisor(program);
  const readPids = () => [...supervisor.output.matchAll(/^pid (\d+)\n/gm)].map(([, pid]) => Number(pid));
  await waitFor('the program has started', () => readPids().length === 1);
  process.kill(readPids()[0] ?? 0, 'SIGKILL');
  await waitFor('the program has started again', () => readPids().length === 2);
  expect(readPids()[1]).not.toBe(readPids()[0]);
  expect(await supervisor.end()).toBe(0);
  expect(supervisor.output).toContain('drained');
});

test('a program with a configuration error is not restarted, and the supervisor exits with 78', async () => {
  const supervisor = startSupervisor(`console.error('PORT: deve ser um número'); process.exit(78)`);
  expect(await supervisor.ended).toBe(78);
  expect(supervisor.output).toBe('PORT: deve ser um número\n');
});

test('a program gets no secret of another program', async () => {
  const program = `console.log(JSON.stringify(process.env)); setInterval(() => {}, 1000)`;
  const supervisor = startSupervisor(program, { JWT_SECRET: 'x', EDGE_ADMIN_TOKEN: 'y', BASE_DOMAIN: 'z' });
  await supervisor.waitForOutput('\n');
  await supervisor.end();
  expect(supervisor.output).toContain('"BASE_DOMAIN":"z"');
  expect(supervisor.output).not.toMatch(/JWT_SECRET|EDGE_ADMIN_TOKEN/);
});

test('every variable with a secret has a list of the programs that get it', () => {
  const secrets = Object.keys(coreVariables.shape).filter((name) =>
    /SECRET|KEY|PASSWORD|TOKEN(?!_MAX_DAYS)|DATABASE_URL|SMTP_URL/.test(name),
  );
  const secretVariables = /secretVariables = (\{[\s\S]*?\});/.exec(
    readFileSync(join(__dirname, '../supervisor/environment.mjs'), 'utf8'),
  )?.[1];
  for (const name of secrets) expect(secretVariables).toContain(`${name}: [`);
});

test("programs write directly into the file of the supervisor's output", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  const file = join(folder, 'all.log');
  const descriptor = openSync(file, 'a');
  const supervisor = startSupervisor(
    `console.log(require('node:fs').readlinkSync('/proc/self/fd/1')); setInterval(() => {}, 1000)`,
    {},
    descriptor,
  );
  try {
    await waitFor('the program has written', () => readFileSync(file, 'utf8').includes('\n'));
    expect(readFileSync(file, 'utf8')).toBe(`${file}\n`);
  } finally {
    await supervisor.end();
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});

/** A program that writes the path of its standard output to its standard error. */
const PRINTS_PATH_OF_OUTPUT = `process.stderr.write(require('node:fs').readlinkSync('/proc/self/fd/1') + '\\n'); setInterval(() => {}, 1000)`;

test('programs write directly into /dev/null', async () => {
  const descriptor = openSync('/dev/null', 'w');
  const supervisor = startSupervisor(PRINTS_PATH_OF_OUTPUT, {}, descriptor);
  try {
    await supervisor.waitForOutput('\n');
    expect(supervisor.output).toBe('/dev/null\n');
  } finally {
    await supervisor.end();
    closeSync(descriptor);
  }
});

test('a supervisor whose output is a socket forwards the output of its program', async () => {
  const supervisor = startSupervisor(PRINTS_PATH_OF_OUTPUT);
  try {
    await supervisor.waitForOutput('\n');
    const ownOutput = readlinkSync(`/proc/${supervisor.pid}/fd/1`);
    expect([ownOutput, supervisor.output]).toEqual([expect.stringMatching(/^socket:/), expect.stringMatching(/^\w+:/)]);
    expect(supervisor.output).not.toBe(`${ownOutput}\n`);
  } finally {
    await supervisor.end();
  }
});

/** A program that writes 64 MB of lines to its standard output, and then a line to its standard error. */
const WRITES_MUCH = `
  const line = JSON.stringify({ text: 'x'.repeat(1000) }) + '\\n';
  const piece = line.repeat(1000);
  let left = 64;
  const writeMore = () => {
    left -= 1;
    process.stdout.write(piece, () => (left > 0 ? writeMore() : process.stderr.write('written\\n')));
  };
  writeMore();
  process.on('SIGTERM', () => process.exit(0));
  setInterval(() => {}, 1000);
`;

test('a hung reader neither stops a program nor fills the memory, and gets complete lines', async () => {
  const supervisor = startSupervisor(WRITES_MUCH);
  const { stdout } = supervisor.child;
  let remainder = '';
  let receivedLength = 0;
  let hasCompleteLines = true;
  stdout?.on('data', (text: string) => {
    receivedLength += text.length;
    const lines = (remainder + text).split('\n');
    remainder = lines.pop() ?? '';
    for (const line of lines)
      hasCompleteLines &&= line.startsWith('{"text":"x') && line.endsWith('x"}') && line.length === 1011;
  });
  stdout?.pause();
  await supervisor.waitForOutput('written\n');
  expect(receivedLength).toBeLessThan(1_000_000);
  stdout?.resume();
  expect(await supervisor.end()).toBe(0);
  expect({ hasCompleteLines, remainder }).toEqual({ hasCompleteLines: true, remainder: '' });
  expect(receivedLength).toBeGreaterThan(4_000_000);
  expect(receivedLength).toBeLessThan(12_000_000); // The supervisor queues at most 8 MiB.
});

test('the supervisor reports lost bytes when the reader continues', async () => {
  const supervisor = startSupervisor(
    `${WRITES_MUCH} process.on('SIGUSR2', () => process.stdout.write('again\\n')); process.stderr.write('pid ' + process.pid + '\\n');`,
  );
  supervisor.child.stdout?.pause();
  await supervisor.waitForOutput('written\n');
  supervisor.child.stdout?.resume();
  const pid = Number(/pid (\d+)/.exec(supervisor.output)?.[1]);
  await waitFor('the report of lost bytes', () => {
    process.kill(pid, 'SIGUSR2');
    return /ninguém lia a saída: \d+ bytes perdidos/.test(supervisor.written.stderr);
  });
  await supervisor.end();
});

test('lines stay complete if standard output and standard error share a reader that hung', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  const written = join(folder, 'written');
  const program = `
    const line = JSON.stringify({ text: 'x'.repeat(1000) }) + '\\n';
    const fill = (left) => {
      if (left > 0) process.stdout.write(line.repeat(1000), () => fill(left - 1));
      else require('node:fs').writeFileSync(${JSON.stringify(written)}, '');
    };
    fill(16);
    setInterval(() => process.stdout.write(line), 1);
  `;
  const supervisor = startSupervisor(program, {}, 'both in one');
  const { stdout } = supervisor.child;
  let text = '';
  stdout?.on('data', (piece: string) => {
    text += piece;
  });
  try {
    stdout?.pause();
    await waitFor('the program has written', () => existsSync(written));
    stdout?.resume();
    await waitFor('the report of lost bytes', () => text.includes('bytes perdidos\n'));
    await supervisor.end();
    const completeLine = /^(?:\{"text":"x{1000}"\}|ninguém lia a saída: \d+ bytes perdidos)$/;
    expect(
      text
        .trim()
        .split('\n')
        .filter((line) => !completeLine.test(line)),
    ).toEqual([]);
  } finally {
    await supervisor.end();
    rmSync(folder, { recursive: true });
  }
});

test('a program continues after the reader of its output has ended', async () => {
  const supervisor = startSupervisor(WRITES_MUCH);
  supervisor.child.stdout?.destroy();
  await supervisor.waitForOutput('written\n');
  expect(await supervisor.end()).toBe(0);
});

test('the supervisor forwards the last lines of a program', async () => {
  const supervisor = startSupervisor(`
    process.on('SIGTERM', () => {
      const lines = Buffer.from('a line\\n'.repeat(500_000) + 'the last one\\n');
      for (let at = 0; at < lines.length; at += require('node:fs').writeSync(1, lines, at));
      process.exit(0);
    });
    process.stderr.write('runs\\n');
    setInterval(() => {}, 1000);
  `);
  await supervisor.waitForOutput('runs\n');
  expect(await supervisor.end()).toBe(0);
  expect(supervisor.written.stdout.endsWith('a line\nthe last one\n')).toBe(true);
});
