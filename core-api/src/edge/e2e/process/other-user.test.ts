import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, findFreePorts, Program, waitFor } from '../../../../../scripts/testing/program';
import { buildCommand } from '../../../../../scripts/testing/stack';
import { Core, listen } from '../../../testing/core';
import { sendRequest } from '../../../testing/edge';
import { createKey, createSubdomain, findKey } from '../../../testing/records';

/** A user id without a name. */
const EDGE_USER = 29_002;
const DATA_GROUP = 29_001;
/** Options of `setpriv`. */
const AS_EDGE = [`--reuid=${EDGE_USER}`, `--regid=${EDGE_USER}`, `--groups=${DATA_GROUP}`];

const CORE_USER = 29_003;
const AS_CORE = [`--reuid=${CORE_USER}`, `--regid=${DATA_GROUP}`, '--clear-groups'];

/** Only root can start a process as another user. */
const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

describeAsRoot('an edge under a different user than the core, with the folder permissions of INSTALL.md', () => {
  let core: Core;
  let edge: Program;
  let upstream: Awaited<ReturnType<typeof listen>>;
  let port: number;
  let adminPort: number;
  let key: { _id: string; key: string };

  async function startEdge(): Promise<void> {
    const { args, cwd } = buildCommand('core-api', 'bin/edge', 'source');
    const environment = {
      DATA_DIR: core.folder,
      PORT: String(port),
      EDGE_ADMIN_PORT: String(adminPort),
      CORE_URL: core.url,
      EDGE_WORKERS: '1',
      LOG_LEVEL: 'warn',
    };
    edge = new Program('edge', [...AS_EDGE, process.execPath, ...args], { command: 'setpriv', cwd, environment });
    await edge.waitForUrl(`http://127.0.0.1:${adminPort}/readyz`);
  }
  const requestStatus = async () =>
    (await sendRequest(port, { path: '/dados', headers: [['X-API-Key', key.key]] })).status;
  const readUsageCount = async (): Promise<number> => (await findKey(core, key._id)).usageCount;
  /** Runs a script as the edge's user. @returns the output of the script */
  const runAsEdge = (script: string): string => {
    const { stdout, stderr } = spawnSync('setpriv', [...AS_EDGE, process.execPath, '-e', script], {
      encoding: 'utf8',
      cwd: join(__dirname, '../../../../..'),
    });
    return stdout + stderr;
  };

  beforeAll(async () => {
    core = new Core();
    chownSync(core.folder, 0, DATA_GROUP);
    chmodSync(core.folder, 0o2750);
    mkdirSync(join(core.folder, 'edge'), { mode: 0o700 });
    chownSync(join(core.folder, 'edge'), EDGE_USER, EDGE_USER);
    await core.start();
    upstream = await listen((_request, response) => response.end('ok'));
    const { _id } = await core.create('/gateway/admin/services', { name: 'dados', host: upstream.url });
    const route = { serviceId: _id, origin: '/dados', destination: '/', methods: ['GET'], permission: 'dados:ler' };
    await core.create('/gateway/admin/routes', route);
    key = await createKey(core);
    await createSubdomain(core, 'loja', { port: 9 });
    [port = 0, adminPort = 0] = await findFreePorts(2);
    await startEdge();
  });
  afterAll(async () => {
    await edge?.end();
    await core?.stop();
    await upstream?.stop();
  });

  test('counts and the served revision reach the database through the core', async () => {
    // A save waits for the edge for a limited time, and the machine may be busy.
    await waitFor('the edge has reported the revision that it serves', async () => {
      const { body } = await core.request('PUT', '/subdomains/loja', { body: {} });
      return body.live.state === 'active';
    });
    const countBefore = await readUsageCount();
    expect(await requestStatus()).toBe(200);
    await waitFor('the call is counted', async () => (await readUsageCount()) === countBefore + 1);
    await waitFor('the call is listed', async () => {
      const { body } = await core.request('GET', '/gateway/admin/requests');
      return body.requests.length > 0;
    });
  });

  test('counts from a core outage survive a restart of the edge', async () => {
    const countBefore = await readUsageCount();
    await core.end('SIGTERM');
    for (let turn = 0; turn < 5; turn += 1) expect(await requestStatus()).toBe(200);
    await edge.end();
    await core.start();
    await startEdge();
    await waitFor('the calls are counted', async () => (await readUsageCount()) === countBefore + 5);
  });

  test.each([
    ['reads the secret that signs tokens', "fs.readFileSync('jwt.secret')"],
    [
      'replaces the secret that signs tokens',
      "fs.writeFileSync('edge/x', 'x'.repeat(64)); fs.renameSync('edge/x', 'jwt.secret')",
    ],
    ['creates a rollback journal that SQLite would apply', "fs.writeFileSync('studio.sqlite-journal', 'x')"],
    ['writes into the database file', "fs.writeFileSync('studio.sqlite', 'x', { flag: 'r+' })"],
    ['writes into the write-ahead log of the database', "fs.writeFileSync('studio.sqlite-wal', 'x', { flag: 'r+' })"],
    ['creates a file beside the database', "fs.writeFileSync('settings.key.new', 'x')"],
  ])('the user of the edge is refused when it %s', (_case, script) => {
    expect(runAsEdge(`process.chdir(${JSON.stringify(core.folder)}); ${script}; console.log('done')`)).toMatch(
      /EACCES/,
    );
  });

  test('the user of the edge is refused when it changes a password in the database', () => {
    const script = `new (require('sqlite3').Database)(${JSON.stringify(join(core.folder, 'studio.sqlite'))})
      .run("UPDATE accounts SET passwordHash = 'x'", (error) => console.log(error.code))`;
    expect(runAsEdge(script).trim()).toBe('SQLITE_READONLY');
    expect(statSync(join(core.folder, 'studio.sqlite')).mode & 0o777).toBe(0o640);
  });

  test('reports with a wrong token and malformed reports are refused', async () => {
    const post = async (token: string, body: object) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      return (await fetch(`${core.url}/edge-reports`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    expect(await post('wrong', { type: 'left', edgeId: 'x' })).toBe(401);
    const token = runAsEdge(
      `process.stdout.write(require('fs').readFileSync(${JSON.stringify(join(core.folder, 'edge.token'))}))`,
    );
    const minutes = [
      { minute: new Date().toISOString(), requests: '1, name = 1', errors4xx: 0, errors5xx: 0, durationMs: 0 },
    ];
    const usage = [{ dimension: 'key', entityId: key._id, lastUsedAt: new Date().toISOString(), minutes }];
    expect(await post(token, { type: 'usage', edgeId: 'x', sequence: 1, usage })).toBe(400);
    expect(await post(token, { type: 'left', edgeId: 'x' })).toBe(204);
  });

  // The core would respond to `/edge-reports` with 401. No BFF runs here, so studio paths outside of `/api` get 502.
  test.each([
    ['/edge-reports', { localhost: 502, 'api.localhost': 404, '127.0.0.1': 502 }],
    ['/api/edge-reports', { localhost: 404, 'api.localhost': 404, '127.0.0.1': 404 }],
    ['/api/../edge-reports', { localhost: 404, 'api.localhost': 400, '127.0.0.1': 404 }],
    ['/api/%2e%2e/edge-reports', { localhost: 404, 'api.localhost': 400, '127.0.0.1': 404 }],
  ])('no public host forwards %s to /edge-reports', async (path, statuses) => {
    const headers = [['Content-Type', 'application/json']] as const;
    for (const [host, status] of Object.entries(statuses)) {
      const response = await sendRequest(port, { method: 'POST', host, path, headers, body: '{}' });
      expect([host, response.status]).toEqual([host, status]);
    }
  });
});

describeAsRoot('a core that may not read the folder of the edge, with the permissions of INSTALL.md', () => {
  let folder: string;
  let port: number;
  const createEnvironment = () => ({
    DATA_DIR: folder,
    CORE_PORT: String(port),
    LOG_LEVEL: 'warn',
    HEALTH_INTERVAL_S: '0',
  });
  const startAsCore = (program: string, ...programArgs: string[]) => {
    const { args, cwd } = buildCommand('core-api', `bin/${program}`, 'source');
    const command = [...AS_CORE, process.execPath, ...args, ...programArgs];
    return new Program(program, command, { command: 'setpriv', cwd, environment: createEnvironment() });
  };
  async function startCore(): Promise<Program> {
    const core = startAsCore('core');
    await core.waitForUrl(`http://127.0.0.1:${port}/readyz`);
    return core;
  }

  beforeAll(async () => {
    port = await findFreePort();
    folder = mkdtempSync(join(tmpdir(), 'other-user-'));
    chownSync(folder, CORE_USER, DATA_GROUP);
    chmodSync(folder, 0o2750);
    mkdirSync(join(folder, 'edge'), { mode: 0o700 });
    writeFileSync(join(folder, 'edge/snapshot.json'), '{}');
    chownSync(join(folder, 'edge'), EDGE_USER, EDGE_USER);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('restores a backup, keeps the edge’s snapshot and prints the path of the snapshot', async () => {
    const core = await startCore();
    const file = join(folder, 'a.backup');
    expect(await startAsCore('backup', file).ended).toBe(0);
    await core.end();
    const restoreProgram = startAsCore('restore', file);
    expect([await restoreProgram.ended, restoreProgram.output]).toEqual([
      0,
      expect.stringContaining('edge/snapshot.json é da borda'),
    ]);
    await (await startCore()).end();
  });
});
