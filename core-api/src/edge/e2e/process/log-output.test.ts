import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { createThrowOnSignalEnvironment, Edge, sendRequest } from '../../../testing/edge';
import { createKey, createRoute, createService, createSubdomain, findKey } from '../../../testing/records';

let core: Core;
let upstream: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => {
    if (request.url === '/endless') response.write('x');
    else response.end('ok');
  });
  const service = await createService(core, { name: 'up', host: upstream.url });
  await createRoute(core, service._id, '/up/*', { destination: '/*' });
  await createSubdomain(core, 'firme', { port: upstream.port });
});
afterAll(async () => {
  await core?.stop();
  await upstream?.stop();
});

test('if the log file cannot be reopened, further lines go to the file that is still open, and the worker continues', async () => {
  const file = join(core.folder, 'moved.log');
  const edge = await new Edge(core, { ACCESS_LOG: file, EDGE_WORKERS: '1' }).start();
  const requestSite = (path: string) => sendRequest(edge.port, { host: 'firme.localhost', path });
  const waitUntilLogged = (log: string, path: string) =>
    waitFor(`${path} is logged`, async () => existsSync(log) && readFileSync(log, 'utf8').includes(path));
  try {
    const { workerPids } = edge;
    renameSync(file, `${file}.1`);
    mkdirSync(file);
    process.kill(edge.pid, 'SIGHUP');
    await waitFor('the failure is logged', async () => edge.output.includes('the access log cannot be reopened'));
    await requestSite('/in-the-old-file');
    await waitUntilLogged(`${file}.1`, '/in-the-old-file');
    rmdirSync(file);
    process.kill(edge.pid, 'SIGHUP');
    await waitFor('there is a new file', async () => existsSync(file));
    await requestSite('/in-the-new-file');
    await waitUntilLogged(file, '/in-the-new-file');
    expect(edge.workerPids).toEqual(workerPids);
  } finally {
    await edge.stop();
  }
});

test('SIGHUP opens a new log file after the old file was moved, and dropped lines are counted', async () => {
  const file = join(core.folder, 'access.log');
  const edge = await new Edge(core, { ACCESS_LOG: file, EDGE_WORKERS: '1' }).start();
  const requestSite = (path: string) => sendRequest(edge.port, { host: 'firme.localhost', path });
  const isLogged = (log: string, path: string) => existsSync(log) && readFileSync(log, 'utf8').includes(path);
  const reopen = () => process.kill(edge.pid, 'SIGHUP');
  try {
    await requestSite('/one');
    await waitFor('the request is logged', async () => isLogged(file, '/one'));
    await requestSite('/two');
    renameSync(file, `${file}.1`);
    reopen();
    await waitFor('there is a new file', async () => existsSync(file));
    await requestSite('/three');
    await waitFor('the request is logged', async () => isLogged(file, '/three'));
    expect([isLogged(`${file}.1`, '/two'), isLogged(`${file}.1`, '/three'), isLogged(file, '/two')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await edge.readMetric('edge_log_dropped_total')).toBe(0);
    rmSync(file);
    symlinkSync('/dev/full', file);
    reopen();
    await waitFor('a line is lost', async () => {
      expect((await requestSite('/lost')).status).toBe(200);
      return (await edge.readMetric('edge_log_dropped_total')) > 0;
    });
  } finally {
    await edge.stop();
  }
});

test('SIGHUP ends no process of an edge that logs to standard output', async () => {
  const edge = await new Edge(core, { LOG_LEVEL: 'info' }).start();
  try {
    await waitFor('both workers serve', async () => (await edge.readMetric('edge_workers')) === 2);
    const { workerPids } = edge;
    for (const pid of [edge.pid, ...workerPids]) process.kill(pid, 'SIGHUP');
    await waitFor('a line is logged', async () => {
      expect((await sendRequest(edge.port, { host: 'firme.localhost', path: '/after-the-signal' })).status).toBe(200);
      return edge.output.includes('/after-the-signal');
    });
    expect([edge.isRunning, edge.workerPids]).toEqual([true, workerPids]);
  } finally {
    await edge.stop();
  }
});

test('if the log file is a named pipe without a reader, the edge starts, serves, handles SIGHUP and counts dropped lines', async () => {
  const pipe = join(core.folder, 'access.pipe');
  execFileSync('mkfifo', [pipe]);
  const edge = await new Edge(core, { ACCESS_LOG: pipe }).start();
  const requestStatus = async (path: string) =>
    (await sendRequest(edge.port, { host: 'firme.localhost', path })).status;
  let reader: ChildProcess | undefined;
  try {
    const longPath = `/${'x'.repeat(15_000)}`;
    await waitFor('a line is lost', async () => {
      const statuses = await Promise.all(Array.from({ length: 40 }, () => requestStatus(longPath)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      return (await edge.readMetric('edge_log_dropped_total')) > 0;
    });
    const { workerPids } = edge;
    process.kill(edge.pid, 'SIGHUP');
    expect(new Set(await Promise.all(Array.from({ length: 40 }, () => requestStatus('/reopened'))))).toEqual(
      new Set([200]),
    );
    expect(edge.workerPids).toEqual(workerPids);
    reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    reader.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-64 * 1024);
    });
    await waitFor('a line comes to the new reader', async () => {
      expect(await requestStatus('/with-a-reader')).toBe(200);
      return text.includes('"path":"/with-a-reader"');
    });
  } finally {
    await edge.stop();
    reader?.kill();
  }
});

test.each(['a file', 'a socket', 'a named pipe'])(
  '%s gets every line of every worker, even if nobody reads for a while',
  async (kind) => {
    const [file, pipe] = [join(core.folder, 'stdout.log'), join(core.folder, 'pipe')];
    const openDescriptors: number[] = [];
    let cat: ChildProcess | undefined;
    if (kind === 'a file') openDescriptors.push(openSync(file, 'a', 0o600));
    if (kind === 'a named pipe') {
      execFileSync('mkfifo', [pipe]);
      const copy = openSync(file, 'w');
      cat = spawn('cat', [pipe], { stdio: ['ignore', copy, 'inherit'] });
      closeSync(copy);
      openDescriptors.push(openSync(pipe, 'w'));
    }
    const edge = await new Edge(core, { LOG_LEVEL: 'info' }, openDescriptors[0]).start();
    const resumeReading = edge.stopReading();
    cat?.kill('SIGSTOP');
    const requestCount = 400;
    const formatNumber = (index: number) => String(index).padStart(4, '0');
    const readNumbers = () =>
      (kind === 'a socket' ? edge.output : readFileSync(file, 'utf8'))
        .split(/(?<=\n)/)
        .map((line): string | undefined => JSON.parse(line).path?.slice(1, 5))
        .filter((number) => number !== undefined);
    try {
      // Together, the lines are longer than the kernel's buffers.
      const formatPath = (index: number) => `/${formatNumber(index)}${'x'.repeat(4_000)}`;
      for (let index = 0; index < requestCount; index += 20) {
        const paths = Array.from({ length: 20 }, (_, offset) => formatPath(index + offset));
        await Promise.all(
          paths.map((requestPath) => sendRequest(edge.port, { host: 'firme.localhost', path: requestPath })),
        );
      }
      // A large write to a named pipe is not atomic, so each worker sends its lines to the primary over its own pipe.
      expect(new Set(edge.accessLogTargets).size).toBe(kind === 'a named pipe' ? 3 : 1);
    } finally {
      resumeReading();
      cat?.kill('SIGCONT');
      await edge.stop();
      for (const descriptor of openDescriptors) closeSync(descriptor);
      if (cat && cat.exitCode === null) await once(cat, 'exit');
    }
    expect(readNumbers().toSorted()).toEqual(Array.from({ length: requestCount }, (_, index) => formatNumber(index)));
    rmSync(file, { force: true });
  },
);

test.each(['another descriptor', 'the same socket'])(
  'standard output on an unread socket stays non-blocking when workers start or end, with standard error on %s',
  async (kind) => {
    const socketPath = join(core.folder, 'output.sock');
    const server = createServer((reader) => reader.pause()).listen(socketPath);
    const socket = connect(socketPath);
    await once(socket, 'connect');
    const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
    const edge = await new Edge(
      core,
      createThrowOnSignalEnvironment(core),
      fd,
      kind === 'the same socket' ? fd : undefined,
    ).start();
    const isBlocking = () => {
      const flags = /^flags:\t(\d+)$/m.exec(readFileSync(`/proc/${edge.pid}/fdinfo/1`, 'utf8'))?.[1] ?? '';
      return (Number.parseInt(flags, 8) & constants.O_NONBLOCK) === 0;
    };
    const blockingStates = new Set([isBlocking()]);
    const waitForReplacement = (pid = 0) =>
      waitFor('the worker is replaced', () => {
        blockingStates.add(isBlocking());
        return !edge.workerPids.includes(pid) && edge.workerPids.length === 2;
      });
    try {
      const [firstWorker = 0, secondWorker = 0] = edge.workerPids;
      process.kill(firstWorker, 'SIGKILL');
      await waitForReplacement(firstWorker);
      // Together, the lines are longer than the kernel's buffers.
      const path = `/${'x'.repeat(4_000)}`;
      for (let turn = 0; turn < 20; turn += 1)
        await Promise.all(Array.from({ length: 20 }, () => sendRequest(edge.port, { host: 'firme.localhost', path })));
      expect(await edge.readMetric('edge_log_dropped_total')).toBe(0);
      process.kill(secondWorker, 'SIGUSR2'); // The worker throws an exception, and ends when it is replaced.
      await waitForReplacement(secondWorker);
      blockingStates.add(isBlocking());
      expect(await edge.readMetric('edge_log_dropped_total')).toBeGreaterThan(0);
      expect(new Set(edge.accessLogTargets).size).toBe(1);
      expect([...blockingStates]).toEqual([false]);
    } finally {
      await edge.stop();
      socket.destroy();
      server.close();
      rmSync(socketPath, { force: true });
    }
  },
);

test.each([
  ['a socket', '/endless'],
  ['a named pipe', '/'],
])(
  'while nobody reads the log from %s, SIGTERM ends the edge and its counts are stored (last request: %s)',
  async (kind, lastPath) => {
    const pipe = join(core.folder, 'unread');
    let pipeEnds: number[] = [];
    if (kind === 'a named pipe') {
      execFileSync('mkfifo', [pipe]);
      pipeEnds = [openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK), openSync(pipe, 'w')];
    }
    const { _id, key } = await createKey(core);
    const edge = await new Edge(core, {}, pipeEnds[1]).start();
    const resumeReading = edge.stopReading();
    try {
      await waitFor('the edge knows the key', async () => {
        const { status } = await sendRequest(edge.port, { path: '/up/', headers: [['X-API-Key', key]] });
        return status === 200;
      });
      // The line is longer than a page of the kernel's buffers.
      const path = `/up/${'x'.repeat(4_000)}`;
      for (let turn = 0; turn < 20; turn += 1)
        await Promise.all(
          Array.from({ length: 20 }, () => sendRequest(edge.port, { path, headers: [['X-API-Key', key]] })),
        );
      const client = connect(edge.port, '127.0.0.1').on('error', () => undefined);
      client.write(`GET /up${lastPath} HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${key}\r\n\r\n`);
      await once(client, 'data');
      process.kill(edge.pid, 'SIGTERM');
      await waitFor('the edge has ended', () => !edge.isRunning, 30);
      client.destroy();
      // The first accepted request, the 400 requests with the long path, and the last request are counted.
      expect((await findKey(core, _id)).usageCount).toBe(402);
    } finally {
      resumeReading();
      await edge.stop('SIGKILL');
      for (const end of pipeEnds) closeSync(end);
    }
  },
);

test.each(['a file', 'a socket'])(
  'lines that were logged to %s just before the primary was killed are not lost',
  async (kind) => {
    const file = join(core.folder, 'killed.log');
    const environment: Record<string, string> = kind === 'a file' ? { ACCESS_LOG: file } : { LOG_LEVEL: 'info' };
    const edge = await new Edge(core, { EDGE_WORKERS: '1', ...environment }).start();
    const paths = Array.from({ length: 40 }, (_, turn) => `/killed${turn}`);
    for (const path of paths) await sendRequest(edge.port, { host: 'firme.localhost', path });
    await edge.stop('SIGKILL');
    const readLines = () => (kind === 'a file' ? readFileSync(file, 'utf8') : edge.output).split(/(?<=\n)/);
    await waitFor(
      'all lines are written',
      () => paths.every((path) => readLines().some((line) => line.includes(`"${path}"`))),
      5,
    );
  },
);
