import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, Program, waitFor } from '../../../scripts/testing/program';
import { buildCommand } from '../../../scripts/testing/stack';

const folder = mkdtempSync(join(tmpdir(), 'log-'));
const started: Program[] = [];
afterAll(async () => {
  await Promise.all(started.map((program) => program.end('SIGKILL')));
  rmSync(folder, { recursive: true });
});

async function startWithOutput(stdout: number, name: string) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { args, cwd } = buildCommand('core-api', 'bin/core', 'source');
  const environment = { CORE_PORT: String(port), DATA_DIR: join(folder, name), HEALTH_INTERVAL_S: '0' };
  const program = new Program('core', args, { cwd, environment, stdout });
  started.push(program);
  await program.waitForUrl(`${url}/readyz`);
  const readDroppedLines = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(/^core_log_dropped_total (\d+)$/m.exec(text)?.[1]);
  };
  return { program, url, readDroppedLines };
}

/** Sends requests whose log lines exceed the buffer and the capacity of a pipe. Returns the response statuses. */
async function fillLog(url: string): Promise<number[]> {
  const path = `/api/${'x'.repeat(14_000)}`;
  const statuses: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const responses = await Promise.all(Array.from({ length: 40 }, () => fetch(`${url}${path}`)));
    for (const response of responses) {
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  }
  return statuses;
}

test.each([
  ['ENOSPC (a full disk)', '/dev/full', 'w'],
  // A write to address 0 of a process fails, because nothing is mapped there.
  ['EIO (a broken disk)', '/proc/self/mem', 'r+'],
])(
  'while writes to standard output fail with %s, the core serves and counts the dropped lines',
  async (_name, path, mode) => {
    const stdout = openSync(path, mode);
    const { program, url, readDroppedLines } = await startWithOutput(stdout, `data-${mode}`);
    closeSync(stdout);
    expect(new Set(await fillLog(url))).toEqual(new Set([404]));
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await readDroppedLines()).toBeGreaterThan(0);
    expect(await program.end('SIGTERM')).toBe(0);
  },
);

test('while nobody reads the pipe of standard output, the core serves, and a later reader gets the number of dropped lines', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const stdout = openSync(pipe, 'w');
  const { program, url, readDroppedLines } = await startWithOutput(stdout, 'data-pipe');
  closeSync(stdout);
  expect(new Set(await fillLog(url))).toEqual(new Set([404]));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const droppedCount = await readDroppedLines();
  expect(droppedCount).toBeGreaterThan(0);
  const buffer = Buffer.alloc(1024 * 1024);
  let text = '';
  await waitFor('the report of the dropped lines', () => {
    try {
      text = (text + buffer.toString('utf8', 0, readSync(reader, buffer))).slice(-100_000);
    } catch {
      // `readSync` fails while the pipe is empty.
    }
    return text.includes('log lines were dropped') && text.endsWith('\n');
  });
  const report = text.split('\n').find((line) => line.includes('log lines were dropped')) ?? '';
  expect(JSON.parse(report)).toMatchObject({ level: 40, dropped: droppedCount }); // Level 40 is `warn`.
  expect(await program.end('SIGTERM')).toBe(0);
  closeSync(reader);
});
