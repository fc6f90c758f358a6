import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { findFreePort, Program } from '../../scripts/testing/program';
import { buildCommand } from '../../scripts/testing/stack';
import { type CoreDouble, respondWith, startCoreDouble } from './testing/core-double';

let core: CoreDouble;
const programs: Program[] = [];

beforeAll(async () => {
  core = await startCoreDouble();
});

afterAll(async () => {
  await Promise.all(programs.map((program) => program.end('SIGKILL')));
  await core.stop();
});

/** Starts the BFF from its source. Its environment has only `CORE_URL` and these variables. */
function startMain(environment: Record<string, string>, stdout?: number): Program {
  const { args } = buildCommand('bff', 'main', 'source');
  const program = new Program('bff', args, { environment: { CORE_URL: core.url, ...environment }, stdout });
  programs.push(program);
  return program;
}

/** Makes the BFF write `lines` log lines of 14 KB each, with 40 requests at a time. */
async function writeLongLines(url: string, lines: number): Promise<void> {
  const write = async () => (await fetch(`${url}/${'x'.repeat(14_000)}`)).arrayBuffer();
  for (let written = 0; written < lines; written += 40) await Promise.all(Array.from({ length: 40 }, write));
}

test('a start with invalid variables fails, and prints one line for each variable', async () => {
  const bffProcess = startMain({ BFF_PORT: 'abc', LOG_LEVEL: 'loud' });
  expect(await bffProcess.ended).toBe(78); // EX_CONFIG
  expect(bffProcess.written.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^BFF_PORT: /),
    expect.stringMatching(/^LOG_LEVEL: /),
  ]);
});

test('a start on a port in use prints one line', async () => {
  const bffProcess = startMain({ BFF_PORT: new URL(core.url).port });
  expect(await bffProcess.ended).toBe(78); // EX_CONFIG
  expect(bffProcess.written.stderr).toMatch(/^BFF_PORT: .* já está em uso\n$/);
});

test('after SIGTERM the BFF answers the current request, refuses new connections and exits with 0', async () => {
  const port = await findFreePort();
  const bffProcess = startMain({ BFF_PORT: String(port) });
  await bffProcess.waitForOutput('listening');

  const requestArrived = new Promise<() => void>((resolve) => {
    core.reset((request, response) =>
      resolve(() => respondWith(200, { _id: '1', username: 'admin' })(request, response)),
    );
  });
  const slowRequest = fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer t' },
    body: JSON.stringify({ query: '{ me { username } }' }),
  });
  const answerRequest = await requestArrived;
  bffProcess.child.kill('SIGTERM');
  const isRefused = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(false);
      }).on('error', () => resolve(true));
    });
  while (!(await isRefused()));
  answerRequest();
  expect(await (await slowRequest).json()).toEqual({ data: { me: { username: 'admin' } } });
  expect(await bffProcess.ended).toBe(0);
});

test('the BFF continues to serve while its log is on a full disk, and counts dropped lines', async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const stdout = openSync('/dev/full', 'w');
  const bffProcess = startMain({ BFF_PORT: String(port) }, stdout);
  closeSync(stdout);
  await bffProcess.waitForUrl(`${url}/healthz`);
  // Together these lines are longer than the buffer.
  await writeLongLines(url, 800);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(Number(/^bff_log_dropped_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
  expect(await bffProcess.end('SIGTERM')).toBe(0);
});
