import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, Program, waitFor } from '../../../../../scripts/testing/program';
import { listenOnLoopback } from '../../../../../scripts/testing/server';
import { buildCommand } from '../../../../../scripts/testing/stack';
import { Core } from '../../../testing/core';
import { Edge, parseResponse, sendRaw, sendRequest } from '../../../testing/edge';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core.stop());

test('if another program takes the port before the first worker listens, the edge ends with one line', async () => {
  const lateCore = new Core();
  const edge = await new Edge(lateCore).start({ waitForReadiness: false });
  const portHolder = createServer();
  try {
    await waitFor('the edge responds', async () => (await edge.fetchAdmin('/healthz').catch(() => undefined))?.ok);
    await once(portHolder.listen(edge.port), 'listening');
    await lateCore.start();
    await expect(waitFor('the edge is ready', () => edge.isReady())).rejects.toThrow(/PORT: a porta já está em uso/);
    expect([await edge.stop(), edge.output.match(/em uso/g)?.length]).toEqual([78, 1]); // EX_CONFIG
  } finally {
    portHolder.close();
    await edge.stop();
    await lateCore.stop();
  }
});

test('an administration port that other machines can reach requires a token, except for /healthz and /readyz', async () => {
  const token = 'a token of the scraper';
  const edge = await new Edge(core, { EDGE_WORKERS: '1', EDGE_ADMIN_HOST: '0.0.0.0', EDGE_ADMIN_TOKEN: token }).start();
  try {
    const requestStatus = async (path: string, headers?: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${edge.adminPort}${path}`, { headers: headers ?? {} })).status;
    const bearer = { Authorization: `Bearer ${token}` };
    const askPath = '/ask?domain=api.localhost';
    expect(await requestStatus('/healthz')).toBe(200);
    expect(await requestStatus('/readyz')).toBe(200);
    expect(await requestStatus('/metrics')).toBe(401);
    expect(await requestStatus(`/metrics?token=${encodeURIComponent(token)}`)).toBe(401);
    expect(await requestStatus('/metrics', { Authorization: 'Bearer another one of them' })).toBe(401);
    expect(await requestStatus('/metrics', bearer)).toBe(200);
    expect(await requestStatus(askPath)).toBe(401);
    expect(await requestStatus(`${askPath}&token=wrong`)).toBe(401);
    expect(await requestStatus(`${askPath}&token=${encodeURIComponent(token)}`)).toBe(200);
    expect(await requestStatus(askPath, bearer)).toBe(200);
  } finally {
    await edge.stop();
  }
});

test('workers write the access log to /dev/null or to a local socket themselves', async () => {
  const nullDevice = openSync('/dev/null', 'w');
  const [edgeToNull, edgeToSocket] = [nullDevice, undefined].map(
    (stdout) => new Edge(core, { EDGE_WORKERS: '1' }, stdout),
  );
  try {
    for (const edge of [edgeToNull, edgeToSocket]) await edge?.start();
    expect(edgeToNull?.accessLogTargets).toEqual(['/dev/null', '/dev/null']);
    const [primaryTarget] = edgeToSocket?.accessLogTargets ?? [];
    expect(edgeToSocket?.accessLogTargets).toEqual([expect.stringMatching(/^socket:/), primaryTarget]);
  } finally {
    for (const edge of [edgeToNull, edgeToSocket]) await edge?.stop();
    closeSync(nullDevice);
  }
});

test('without a token for an administration port that other machines can reach, the edge ends with one line', async () => {
  const environment = { EDGE_ADMIN_HOST: '0.0.0.0', DATA_DIR: '/nonexistent' };
  const program = new Program('edge', buildCommand('core-api', 'bin/edge', 'source').args, { environment });
  expect(await program.ended).toBe(78); // EX_CONFIG
  expect(program.output).toMatch(/^EDGE_ADMIN_TOKEN: .*\n$/);
});

test.each([
  ['ACCESS_LOG', '/nonexistent/access.log'],
  ['ACCESS_LOG', '/'],
  ['EDGE_ADMIN_HOST', 'edge.invalid'],
])('the unusable value %s=%s ends the edge with one line that names the variable', async (variable, value) => {
  const [port, adminPort] = await findFreePorts(2);
  const folder = mkdtempSync(join(tmpdir(), 'studio-edge-'));
  const environment = {
    PORT: String(port),
    EDGE_ADMIN_PORT: String(adminPort),
    EDGE_ADMIN_TOKEN: 'a token of the scraper',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    [variable]: value,
  };
  const program = new Program('edge', buildCommand('core-api', 'bin/edge', 'source').args, { environment });
  try {
    expect(await program.ended).toBe(78); // EX_CONFIG
    expect(program.output).toMatch(new RegExp(`^${variable}: .*\\n$`));
  } finally {
    program.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a socket of the service manager accepts connections while no edge runs, and the next edge answers them', async () => {
  const listener = createServer();
  const port = await listenOnLoopback(listener);
  const { fd } = (listener as unknown as { _handle: { fd: number } })._handle;
  const { args } = buildCommand('core-api', 'bin/edge', 'source');
  const [adminPort = 0] = await findFreePorts(1);
  const environment = {
    ...core.database,
    PATH: process.env.PATH,
    PORT: String(port),
    EDGE_ADMIN_PORT: String(adminPort),
    CORE_URL: core.url,
    EDGE_WORKERS: '2',
    LISTEN_FDS: '1',
  };
  // A shell holds the socket without accepting. Each input line starts an edge, and the shell prints its process id.
  const startScript = `sh -c 'echo $$; export LISTEN_PID=$$; exec "$@"' sh "$@"`;
  const manager = spawn(
    'sh',
    ['-c', `while read -r line; do ${startScript} </dev/null; done`, 'sh', process.execPath, ...args],
    {
      env: environment,
      stdio: ['pipe', 'pipe', 'inherit', fd],
    },
  );
  listener.close();
  const pids: number[] = [];
  manager.stdout?.on('data', (text) => pids.push(...(String(text).match(/^\d+$/gm) ?? []).map(Number)));
  const endEdge = () => process.kill(pids.at(-1) ?? Number.NaN);
  let isOver = false;
  try {
    manager.stdin?.write('\n');
    expect((await sendRequest(port, { path: '/any' })).status).toBe(404);
    endEdge();
    const hasEnded = () =>
      fetch(`http://127.0.0.1:${adminPort}/healthz`)
        .then(() => false)
        .catch(() => true);
    await waitFor('the edge ends', hasEnded);
    const pendingResponse = sendRequest(port, { path: '/any' });
    manager.stdin?.write('\n');
    expect((await pendingResponse).status).toBe(404);

    // A connection that arrives while an edge stops is answered by this edge or by the next edge.
    const statuses: number[] = [];
    const request = 'GET /any HTTP/1.1\r\nHost: api.localhost\r\nConnection: close\r\n\r\n';
    const sendContinuously = async () => {
      while (!isOver) statuses.push(parseResponse(await sendRaw(port, request, 50)).status);
    };
    const senders = Array.from({ length: 16 }, sendContinuously);
    for (let turn = 0; turn < 3; turn += 1) {
      const countBefore = statuses.length;
      await waitFor('the edge serves', () => statuses.length > countBefore + 100);
      endEdge();
      await waitFor('the edge ends', hasEnded);
      manager.stdin?.write('\n');
    }
    const countBefore = statuses.length;
    await waitFor('the last edge serves', () => statuses.length > countBefore + 100);
    isOver = true;
    await Promise.all(senders);
    expect(statuses.filter((status) => status !== 404)).toEqual([]);
  } finally {
    isOver = true;
    if (manager.exitCode === null) endEdge();
    manager.stdin?.end();
    await once(manager, 'exit');
  }
});
