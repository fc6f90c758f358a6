import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type CoreDouble, json, startCoreDouble } from './testing/core-double';
import { listen } from './testing/servers';

let core: CoreDouble;
const started: ChildProcess[] = [];

beforeAll(async () => {
  core = await startCoreDouble();
});

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await core.stop();
});

/** The process itself, straight from its sources, with nothing but `environment`. */
function run(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['--require', 'esbuild-register', join(__dirname, 'main.ts')], {
    env: { PATH: process.env.PATH, CORE_URL: core.url, ...environment },
  });
  started.push(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exit = once(child, 'exit').then(([code]) => Number(code));
  const line = async (text: string) => {
    while (!output.includes(text)) await once(child.stdout, 'data');
  };
  return { child, exit, line, output: () => output, errors: () => errors };
}

async function freePort(): Promise<number> {
  const server = await listen(() => undefined);
  await server.stop();
  return Number(new URL(server.url).port);
}

test('bad variables stop the start with a line for each', async () => {
  const process = run({ BFF_PORT: 'abc', LOG_LEVEL: 'loud' });
  expect(await process.exit).toBe(78);
  expect(process.errors().trim().split('\n')).toEqual([
    expect.stringMatching(/^BFF_PORT: /),
    expect.stringMatching(/^LOG_LEVEL: /),
  ]);
});

test('a port in use is one line', async () => {
  const process = run({ BFF_PORT: new URL(core.url).port });
  expect(await process.exit).toBe(78);
  expect(process.errors()).toMatch(/^BFF_PORT: .* já está em uso\n$/);
});

test('a stop lets the request under way end, refuses new ones and exits with 0', async () => {
  const port = await freePort();
  const process = run({ BFF_PORT: String(port) });
  await process.line('listening');

  const arrived = new Promise<() => void>((resolve) => {
    core.reset((request, response) => resolve(() => json(200, { _id: '1', username: 'admin' })(request, response)));
  });
  const slow = fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: '{ me { username } }' }),
  });
  const answer = await arrived;
  process.child.kill('SIGTERM');
  const refused = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(false);
      }).on('error', () => resolve(true));
    });
  while (!(await refused()));
  answer();
  expect(await (await slow).json()).toEqual({ data: { me: { username: 'admin' } } });
  expect(await process.exit).toBe(0);
});
