import { connect } from 'node:net';
import { freePort, Program } from '../../scripts/testing/program';
import { commandOf } from '../../scripts/testing/stack';
import { type CoreDouble, json, startCoreDouble } from './testing/core-double';

let core: CoreDouble;
const started: Program[] = [];

beforeAll(async () => {
  core = await startCoreDouble();
});

afterAll(async () => {
  await Promise.all(started.map((program) => program.end('SIGKILL')));
  await core.stop();
});

/** The process itself, straight from its source, with nothing but `environment`. */
function run(environment: Record<string, string>): Program {
  const { args } = commandOf('bff', 'main', 'source');
  const program = new Program('bff', args, { environment: { CORE_URL: core.url, ...environment } });
  started.push(program);
  return program;
}

test('bad variables stop the start with a line for each', async () => {
  const process = run({ BFF_PORT: 'abc', LOG_LEVEL: 'loud' });
  expect(await process.ended).toBe(78);
  expect(process.written.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^BFF_PORT: /),
    expect.stringMatching(/^LOG_LEVEL: /),
  ]);
});

test('a port in use is one line', async () => {
  const process = run({ BFF_PORT: new URL(core.url).port });
  expect(await process.ended).toBe(78);
  expect(process.written.stderr).toMatch(/^BFF_PORT: .* já está em uso\n$/);
});

test('a stop lets the request under way end, refuses new ones and exits with 0', async () => {
  const port = await freePort();
  const process = run({ BFF_PORT: String(port) });
  await process.printed('listening');

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
  expect(await process.ended).toBe(0);
});
