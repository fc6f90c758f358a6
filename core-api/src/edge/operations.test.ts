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
  writeFileSync,
} from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import WebSocket, { WebSocketServer } from 'ws';
import { until } from '../../../scripts/testing/program';
import { Core, listen } from '../testing/core';
import { call, Edge } from '../testing/edge';

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let sockets: WebSocketServer;
let onSlow: () => void = () => undefined;
/** Environment of an edge that throws `FAULT_ON_SIGNAL`. */
let fault: Record<string, string>;

/** Something throws outside of every connection, when it is asked to. */
const FAULT_ON_SIGNAL = `if (process.env.EDGE_NAME) process.on('SIGUSR2', () => { throw new Error('made up') });`;

const created = async (path: string, body: unknown) => {
  const answer = await core.ask('POST', path, { body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const createKey = (): Promise<{ _id: string; key: string }> =>
  created('/gateway/admin/keys', { name: 'k', permissions: ['*'], allowedIps: [] });
const usageOf = async (id: string) =>
  (await core.ask('GET', '/gateway/admin/keys')).body.find(({ _id }: { _id: string }) => _id === id);
/** One answer from each of several fresh connections, which the workers share. */
const statuses = async (host: string, headers: [string, string][] = [], path = '/') =>
  Promise.all(Array.from({ length: 8 }, async () => (await call(edge.port, { host, path, headers })).status));
const allBecome = (status: number, probe: () => Promise<number[]>) =>
  until(`every worker answers ${status}`, async () => (await probe()).every((one) => one === status));

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => {
    if (request.url === '/slow') {
      onSlow();
      setTimeout(() => response.end('late'), 1_500);
    } else if (request.url === '/endless') response.write('x');
    else response.end('ok');
  });
  const service = await created('/gateway/admin/services', { name: 'up', host: upstream.url });
  await created('/gateway/admin/routes', {
    serviceId: service._id,
    origin: '/up/*',
    destination: '/*',
    methods: ['GET'],
    permission: 'a:b',
  });
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => sockets.once('listening', resolve));
  sockets.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  const address = sockets.address();
  const wsPort = typeof address === 'object' && address !== null ? address.port : 0;
  const chat = await created('/gateway/admin/services', { name: 'chat', host: `http://127.0.0.1:${wsPort}` });
  await created('/gateway/admin/routes', {
    serviceId: chat._id,
    origin: '/chat',
    destination: '/',
    methods: ['GET'],
    permission: 'a:b',
  });
  const faulty = join(core.folder, 'faulty.cjs');
  writeFileSync(faulty, FAULT_ON_SIGNAL);
  fault = { NODE_OPTIONS: `--require ${faulty}` };
  edge = await new Edge(core, fault).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
  sockets?.close();
});

test('a subdomain is live and gone on every worker (14)', async () => {
  await created('/subdomains', { subdomain: 'viva', description: 'x', type: 'proxy', port: upstream.port });
  await allBecome(200, () => statuses('viva.localhost'));
  await core.ask('DELETE', '/subdomains/viva');
  await allBecome(404, () => statuses('viva.localhost'));
});

test('a key works as soon as it exists, though it was tried before, and not after it was removed (32, 88)', async () => {
  const { _id, key } = await createKey();
  const probe = () => statuses('api.localhost', [['X-API-Key', key]], '/up/x');
  await allBecome(200, probe);
  await core.ask('DELETE', `/gateway/admin/keys/${_id}`);
  await allBecome(401, probe);
});

/** Probes a key and knows how many of its requests were let through, that is counted. */
function counted(key: string) {
  const prober = {
    through: 0,
    async probe() {
      const found = await statuses('api.localhost', [['X-API-Key', key]], '/up/x');
      prober.through += found.filter((status) => status === 200).length;
      return found;
    },
  };
  return prober;
}

test('10,000 requests over 64 connections and all workers are counted exactly, refused ones never (34, 35)', async () => {
  const startedAt = Date.now();
  const { _id, key } = await createKey();
  const prober = counted(key);
  await allBecome(200, prober.probe);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let left = 10_000;
  const send = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const sent = httpRequest({ port: edge.port, path, agent, headers: { Host: 'api.localhost', 'X-API-Key': key } });
      sent.once('error', reject);
      sent.once('response', (answer) => answer.resume().once('end', resolve));
      sent.end();
    });
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await send('/up/x');
    }
  };
  await Promise.all(Array.from({ length: 64 }, lane));
  await send('/nada');
  agent.destroy();
  const expected = prober.through + 10_000;
  await until('all are counted', async () => (await usageOf(_id)).usageCount >= expected);
  const { usageCount, lastUsedAt } = await usageOf(_id);
  expect(usageCount).toBe(expected);
  expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(startedAt);
  const { series } = (await core.ask('GET', '/gateway/admin/usage?range=day')).body;
  const own = series.find(({ keyId }: { keyId: string }) => keyId === _id);
  const sum = own.points.reduce((total: number, { requests }: { requests: number }) => total + requests, 0);
  expect(sum).toBe(usageCount);
});

test('counts wait while the database is locked, and traffic flows (99)', async () => {
  const { _id, key } = await createKey();
  const prober = counted(key);
  await allBecome(200, prober.probe);
  const unlock = await core.lockUsage();
  try {
    for (let round = 0; round < 5; round += 1) expect(await prober.probe()).toEqual(Array(8).fill(200));
    await until('the counts wait', async () => (await edge.metric('edge_usage_pending')) >= 40);
  } finally {
    await unlock();
  }
  await until('the counts arrived', async () => (await usageOf(_id)).usageCount >= prober.through);
  expect((await usageOf(_id)).usageCount).toBe(prober.through);
});

test('with the core away the edge serves what it knows (contract §5)', async () => {
  await created('/subdomains', { subdomain: 'firme', description: 'x', type: 'proxy', port: upstream.port });
  await allBecome(200, () => statuses('firme.localhost'));
  await core.end('SIGKILL');
  expect(await statuses('firme.localhost')).toEqual(Array(8).fill(200));
  expect((await call(edge.port, { host: 'localhost', path: '/api/me' })).status).toBe(502);
  await core.start();
});

test('an open WebSocket carries both ways and ends when its key is revoked (69, 71)', async () => {
  const { _id, key } = await createKey();
  await allBecome(200, () => statuses('api.localhost', [['X-API-Key', key]], '/up/x'));
  const refused = new WebSocket(`ws://127.0.0.1:${edge.port}/chat`, { headers: { Host: 'api.localhost' } });
  const status = await new Promise((resolve) => {
    refused.once('unexpected-response', (_request, answer) => resolve(answer.statusCode));
    refused.once('error', resolve);
  });
  expect(status).toBe(401);
  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/chat`, {
    headers: { Host: 'api.localhost', 'X-API-Key': key },
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const large = Buffer.alloc(1024 * 1024, 7);
  socket.send(large);
  const [echoed] = await new Promise<[Buffer]>((resolve) => socket.once('message', (data: Buffer) => resolve([data])));
  expect(echoed.equals(large)).toBe(true);
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await core.ask('DELETE', `/gateway/admin/keys/${_id}`);
  expect(await closed).toBe(1001);
});

test('a worker that dies is replaced and nobody else notices, not even while it is told of a change', async () => {
  const change = created('/subdomains', { subdomain: 'agora', description: 'x', type: 'proxy', port: upstream.port });
  process.kill(edge.workers[0] ?? Number.NaN, 'SIGKILL');
  await until('a worker has gone', async () => (await edge.metric('edge_workers_ended_total')) === 1);
  expect((await call(edge.port, { host: 'firme.localhost' })).status).toBe(200);
  await change;
  await until('both serve again', async () => (await edge.metric('edge_workers')) === 2);
  await allBecome(200, () => statuses('agora.localhost'));
});

test('a worker with a fault outside of every connection serves on until another one has taken its place', async () => {
  const { key } = await createKey();
  const asked: [string, string][] = [['X-API-Key', key]];
  await allBecome(200, () => statuses('api.localhost', asked, '/up/x'));
  const before = edge.workers;
  const [faulty = 0] = before;
  let reached = 0;
  onSlow = () => {
    reached += 1;
  };
  const slow = statuses('api.localhost', asked, '/up/slow');
  await until('both workers have something under way', async () => reached === 8);
  const seen = new Set<number>();
  const serving = new Set<number>();
  let over = false;
  const probing = (async () => {
    while (!over) {
      for (const status of await statuses('firme.localhost')) seen.add(status);
      serving.add(await edge.metric('edge_workers'));
    }
  })();
  process.kill(faulty, 'SIGUSR2');
  await until('it has gone', async () => !edge.workers.includes(faulty));
  over = true;
  await probing;
  expect(await slow).toEqual(Array(8).fill(200));
  expect([...seen]).toEqual([200]);
  expect(Math.min(...serving)).toBe(2);
  expect(edge.workers.filter((pid) => before.includes(pid))).toEqual(before.slice(1));
  expect(edge.output).toContain('made up');
});

test('a worker that hangs after such a fault is ended once another one has taken its place', async () => {
  const [faulty = 0] = edge.workers;
  const marks = () => edge.output.split('a fault outside of every connection').length;
  const before = marks();
  process.kill(faulty, 'SIGUSR2');
  await until('it has said so', () => marks() > before);
  process.kill(faulty, 'SIGSTOP');
  await until('it has gone', () => !edge.workers.includes(faulty));
  expect(edge.workers).toHaveLength(2);
});

test('where the log file cannot be opened anew its lines go on into the one that is open, and the worker stays', async () => {
  const file = join(core.folder, 'moved.log');
  const logging = await new Edge(core, { ACCESS_LOG: file, EDGE_WORKERS: '1' }).start();
  const ask = (path: string) => call(logging.port, { host: 'firme.localhost', path });
  const logged = (name: string, path: string) =>
    until(`${path} is logged`, async () => existsSync(name) && readFileSync(name, 'utf8').includes(path));
  try {
    const { workers } = logging;
    renameSync(file, `${file}.1`);
    mkdirSync(file);
    process.kill(logging.pid, 'SIGHUP');
    await until('it has said so', async () => logging.output.includes('cannot be opened anew'));
    await ask('/in-the-old-one');
    await logged(`${file}.1`, '/in-the-old-one');
    rmdirSync(file);
    process.kill(logging.pid, 'SIGHUP');
    await until('there is a new file', async () => existsSync(file));
    await ask('/in-the-new-one');
    await logged(file, '/in-the-new-one');
    expect(logging.workers).toEqual(workers);
  } finally {
    await logging.stop();
  }
});

test('a log file that is moved away is opened anew on SIGHUP; what cannot be written is counted', async () => {
  const file = join(core.folder, 'access.log');
  const logging = await new Edge(core, { ACCESS_LOG: file, EDGE_WORKERS: '1' }).start();
  const ask = (path: string) => call(logging.port, { host: 'firme.localhost', path });
  const holds = (name: string, path: string) => existsSync(name) && readFileSync(name, 'utf8').includes(path);
  const reopen = () => process.kill(logging.pid, 'SIGHUP');
  try {
    await ask('/one');
    await until('it is logged', async () => holds(file, '/one'));
    await ask('/two');
    renameSync(file, `${file}.1`);
    reopen();
    await until('there is a new file', async () => existsSync(file));
    await ask('/three');
    await until('it is logged', async () => holds(file, '/three'));
    expect([holds(`${file}.1`, '/two'), holds(`${file}.1`, '/three'), holds(file, '/two')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await logging.metric('edge_log_dropped_total')).toBe(0);
    rmSync(file);
    symlinkSync('/dev/full', file);
    reopen();
    await until('a line is lost', async () => {
      expect((await ask('/lost')).status).toBe(200);
      return (await logging.metric('edge_log_dropped_total')) > 0;
    });
  } finally {
    await logging.stop();
  }
});

test.each(['a file', 'a socket', 'a named pipe'])(
  'with %s for standard output the lines of all workers come whole, whose reader stood still meanwhile',
  async (kind) => {
    const [file, pipe] = ['stdout.log', 'pipe'].map((name) => join(core.folder, name));
    if (file === undefined || pipe === undefined) throw new Error('two paths');
    const ends: number[] = [];
    let cat: ChildProcess | undefined;
    if (kind === 'a file') ends.push(openSync(file, 'a', 0o600));
    if (kind === 'a named pipe') {
      execFileSync('mkfifo', [pipe]);
      const copy = openSync(file, 'w');
      cat = spawn('cat', [pipe], { stdio: ['ignore', copy, 'inherit'] });
      closeSync(copy);
      ends.push(openSync(pipe, 'w'));
    }
    const logging = await new Edge(core, { LOG_LEVEL: 'info' }, ends[0]).start();
    const goOn = logging.stopReading();
    cat?.kill('SIGSTOP');
    const asked = 400;
    const numbered = (index: number) => String(index).padStart(4, '0');
    const numbers = () =>
      (kind === 'a socket' ? logging.output : readFileSync(file, 'utf8'))
        .split(/(?<=\n)/)
        .map((line): string | undefined => JSON.parse(line).path?.slice(1, 5))
        .filter((number) => number !== undefined);
    try {
      // Lines of which a chunk holds few, and more of them than the system keeps for a reader.
      const path = (index: number) => `/${numbered(index)}${'x'.repeat(4_000)}`;
      for (let index = 0; index < asked; index += 20) {
        const some = Array.from({ length: 20 }, (_, offset) => path(index + offset));
        await Promise.all(some.map((each) => call(logging.port, { host: 'firme.localhost', path: each })));
      }
      expect(new Set(logging.outputs).size).toBe(kind === 'a named pipe' ? 3 : 1);
    } finally {
      goOn();
      cat?.kill('SIGCONT');
      await logging.stop();
      for (const end of ends) closeSync(end);
      if (cat && cat.exitCode === null) await once(cat, 'exit');
    }
    expect(numbers().toSorted()).toEqual(Array.from({ length: asked }, (_, index) => numbered(index)));
    rmSync(file, { force: true });
  },
);

test.each(['another thing', 'the same'])(
  'a worker that starts or ends has no other one wait for the reader of a socket, and counts what it loses, standard error being %s',
  async (kind) => {
    const path = join(core.folder, 'output.sock');
    const server = createServer((reader) => reader.pause()).listen(path);
    const socket = connect(path);
    await once(socket, 'connect');
    const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
    const sharing = await new Edge(core, fault, fd, kind === 'the same' ? fd : undefined).start();
    const waits = () => {
      const flags = /^flags:\t(\d+)$/m.exec(readFileSync(`/proc/${sharing.pid}/fdinfo/1`, 'utf8'))?.[1] ?? '';
      return (Number.parseInt(flags, 8) & constants.O_NONBLOCK) === 0;
    };
    const seen = new Set([waits()]);
    const replaced = (pid = 0) =>
      until('it is replaced', () => {
        seen.add(waits());
        return !sharing.workers.includes(pid) && sharing.workers.length === 2;
      });
    try {
      const [killed = 0, faulty = 0] = sharing.workers;
      process.kill(killed, 'SIGKILL');
      await replaced(killed);
      // More than the system keeps for a reader.
      const path = `/${'x'.repeat(4_000)}`;
      for (let turn = 0; turn < 20; turn += 1)
        await Promise.all(Array.from({ length: 20 }, () => call(sharing.port, { host: 'firme.localhost', path })));
      expect(await sharing.metric('edge_log_dropped_total')).toBe(0);
      process.kill(faulty, 'SIGUSR2');
      await replaced(faulty);
      seen.add(waits());
      expect(await sharing.metric('edge_log_dropped_total')).toBeGreaterThan(0);
      expect(new Set(sharing.outputs).size).toBe(1);
      expect([...seen]).toEqual([false]);
    } finally {
      await sharing.stop();
      socket.destroy();
      server.close();
      rmSync(path, { force: true });
    }
  },
);

test.each([
  ['a socket', '/endless'],
  ['a named pipe', '/'],
])(
  'with %s for standard output that nobody reads any more, an edge that is asked to end, and last for %s, stores its counts and ends',
  async (kind, last) => {
    const pipe = join(core.folder, 'unread');
    let ends: number[] = [];
    if (kind === 'a named pipe') {
      execFileSync('mkfifo', [pipe]);
      ends = [openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK), openSync(pipe, 'w')];
    }
    const { _id, key } = await createKey();
    const unread = await new Edge(core, {}, ends[1]).start();
    const goOn = unread.stopReading();
    try {
      await until('it knows the key', async () => {
        const { status } = await call(unread.port, { path: '/up/', headers: [['X-API-Key', key]] });
        return status === 200;
      });
      // More than the system keeps for a reader.
      const path = `/up/${'x'.repeat(4_000)}`;
      for (let turn = 0; turn < 20; turn += 1)
        await Promise.all(Array.from({ length: 20 }, () => call(unread.port, { path, headers: [['X-API-Key', key]] })));
      const client = connect(unread.port, '127.0.0.1').on('error', () => undefined);
      client.write(`GET /up${last} HTTP/1.1\r\nHost: api.localhost\r\nX-API-Key: ${key}\r\n\r\n`);
      await once(client, 'data');
      process.kill(unread.pid, 'SIGTERM');
      await until('it has ended', () => !unread.isRunning, 30);
      client.destroy();
      expect((await usageOf(_id)).usageCount).toBe(402);
    } finally {
      goOn();
      await unread.stop('SIGKILL');
      for (const end of ends) closeSync(end);
    }
  },
);

test('an edge that is killed leaves no worker behind; its next start knows all and counts nothing twice', async () => {
  const { _id, key } = await createKey();
  const prober = counted(key);
  await allBecome(200, prober.probe);
  await until('the counts arrived', async () => (await usageOf(_id)).usageCount === prober.through);
  const left = edge.port;
  await edge.stop('SIGKILL');
  await until('nobody answers any more', () =>
    call(left, {}).then(
      () => false,
      () => true,
    ),
  );
  await edge.start();
  await allBecome(200, prober.probe);
  await until('the new counts arrived', async () => (await usageOf(_id)).usageCount >= prober.through);
  expect((await usageOf(_id)).usageCount).toBe(prober.through);
});

test.each(['a file', 'a socket'])(
  'what was logged into %s just before the primary was killed is not lost',
  async (kind) => {
    const file = join(core.folder, 'killed.log');
    const environment: Record<string, string> = kind === 'a file' ? { ACCESS_LOG: file } : { LOG_LEVEL: 'info' };
    const killed = await new Edge(core, { EDGE_WORKERS: '1', ...environment }).start();
    const asked = Array.from({ length: 40 }, (_, turn) => `/killed${turn}`);
    for (const path of asked) await call(killed.port, { host: 'firme.localhost', path });
    await killed.stop('SIGKILL');
    const lines = () => (kind === 'a file' ? readFileSync(file, 'utf8') : killed.output).split(/(?<=\n)/);
    await until('all is there', () => asked.every((path) => lines().some((line) => line.includes(`"${path}"`))), 5);
  },
);

test('a drain finishes what is under way, counts it and leaves with 0 (57)', async () => {
  const { _id, key } = await createKey();
  const prober = counted(key);
  await allBecome(200, prober.probe);
  const reached = new Promise<void>((resolve) => {
    onSlow = resolve;
  });
  const slow = call(edge.port, { host: 'api.localhost', path: '/up/slow', headers: [['X-API-Key', key]] });
  await reached;
  const stopped = edge.stop();
  expect((await slow).text).toBe('late');
  expect(await stopped).toBe(0);
  expect((await usageOf(_id)).usageCount).toBe(prober.through + 1);
});
