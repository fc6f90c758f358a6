import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, waitFor } from '../../../../scripts/testing/program';
import type { ConfigUpdate, RowChange } from '../../routing/config-snapshot';
import { sendRequest } from '../../testing/edge';
import { getSnapshotPath, SnapshotFile } from '../config-sync/snapshot-file';
import { splitIntoPages } from '../ipc/config-pages';
import type { ToPrimary } from '../ipc/messages';
import { ListeningSocket } from './listening/listening-socket';

const ROOT = join(__dirname, '../../../..');
const REGISTER = ['--require', join(ROOT, 'scripts/testing/register.cjs')];

const folder = mkdtempSync(join(tmpdir(), 'worker-'));
let socket: ListeningSocket;
let port: number;
let worker: ChildProcess;
let receivedTypes: ToPrimary['type'][];

const createSubdomainChange = (label: string): RowChange => ({
  entity: 'subdomain',
  id: label,
  row: {
    id: label,
    subdomain: label,
    type: 'static',
    port: null,
    staticPath: '/srv/none',
    apiPort: null,
    targetHost: null,
    targetPort: null,
    paused: true,
  },
});
const isPaused = async (label: string) =>
  (await sendRequest(port, { host: `${label}.localhost` })).text.includes('em pausa');
const send = (update: ConfigUpdate) => {
  for (const page of splitIntoPages(update)) worker.send(page);
};

beforeAll(async () => {
  port = await findFreePort();
  socket = await ListeningSocket.open({ port, host: '127.0.0.1' });
});
beforeEach(() => {
  const types: ToPrimary['type'][] = [];
  receivedTypes = types;
  worker = fork(join(ROOT, 'core-api/src/bin/edge-worker.ts'), {
    execArgv: REGISTER,
    cwd: join(ROOT, 'core-api'),
    env: { ...process.env, LOG_LEVEL: 'silent', DATA_DIR: folder },
    stdio: ['ignore', 'inherit', 'inherit', 'ignore', socket.fd, 'ignore', 'ipc'],
  });
  worker.on('message', (message: ToPrimary) => types.push(message.type));
});
afterEach(() => {
  worker.kill('SIGKILL');
});
afterAll(() => {
  socket?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a worker that receives only changes asks for a complete configuration and serves it', async () => {
  send({ revision: 7, isComplete: false, changes: [createSubdomainChange('nova')] });
  await waitFor('the worker asks for its configuration', async () => receivedTypes.includes('config-missing'));
  expect(receivedTypes).not.toContain('serving');

  // The update is larger than one message.
  const changes = Array.from({ length: 5_000 }, (_, index) => createSubdomainChange(`site-${index}`));
  send({ revision: 7, isComplete: true, changes });
  await waitFor('the worker serves', async () => receivedTypes.includes('serving'));
  for (const label of ['site-0', 'site-2500', 'site-4999'])
    expect([label, await isPaused(label)]).toEqual([label, true]);

  send({ revision: 8, isComplete: false, changes: [createSubdomainChange('outra')] });
  await waitFor('the change is in force', () => isPaused('outra'));
  expect(await isPaused('site-0')).toBe(true);
});

// TypeORM would add a third to the CPU time of a worker's start, and 17 MB to its memory.
test('a worker loads no database code', () => {
  const program = `require(${JSON.stringify(join(__dirname, 'worker.ts'))}); console.log(Object.keys(require.cache).join(' ')); process.exit()`;
  const loaded = execFileSync(process.execPath, [...REGISTER, '--eval', program], { encoding: 'utf8' });
  expect(loaded).toContain('config-sync/state-files.schema.ts');
  expect(loaded).not.toMatch(/typeorm|\.entity\.ts/);
});

/** Writes a snapshot file, lets the worker load it, and waits until the worker serves a configuration. */
async function loadSnapshot(revision: number, labels: readonly string[]): Promise<void> {
  const file = new SnapshotFile(getSnapshotPath(folder));
  const base = await file.startBase(undefined);
  for (let start = 0; start < labels.length; start += 1_000)
    await base.add(labels.slice(start, start + 1_000).map(createSubdomainChange));
  await base.finish({ revision, lastChange: null });
  file.discard();
  worker.send({ type: 'load-snapshot' });
  await waitFor('the worker serves', () => receivedTypes.includes('serving'));
}

test('a configuration of many rows takes effect in one step, and requests are answered while it is compiled', async () => {
  await loadSnapshot(20, ['antiga', 'fica']);
  await waitFor('the first file is in force', () => isPaused('antiga'));
  const manyLabels = Array.from({ length: 30_000 }, (_, index) => `muitas-${index}`);
  await loadSnapshot(21, ['primeira', 'fica', ...manyLabels, 'ultima']);
  // Changes that arrive while the file is being compiled apply to the new configuration.
  send({ revision: 22, isComplete: false, changes: [createSubdomainChange('depois')] });
  const observedStates = new Set<string>();
  await waitFor('the second file is in force', async () => {
    const [hasFirst, hasLast, hasOld] = [
      await isPaused('primeira'),
      await isPaused('ultima'),
      await isPaused('antiga'),
    ];
    expect(await isPaused('fica')).toBe(true);
    // The configuration may be replaced between these requests, but it is never partly in force.
    if (hasFirst) expect(hasLast).toBe(true);
    if (!hasOld && !hasLast) expect(await isPaused('ultima')).toBe(true);
    observedStates.add(hasOld ? 'before' : 'after');
    return hasFirst && hasLast && !hasOld;
  });
  expect(observedStates).toContain('before');
  await waitFor('the change is in force', () => isPaused('depois'));
});

test('a worker that cannot load the snapshot file asks for the configuration, and continues to serve', async () => {
  await loadSnapshot(30, ['servida']);
  writeFileSync(getSnapshotPath(folder), 'no snapshot');
  worker.send({ type: 'load-snapshot' });
  await waitFor('the worker asks for its configuration', async () => receivedTypes.includes('config-missing'));
  expect(await isPaused('servida')).toBe(true);
});
