import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RowChange } from '../../routing/config-snapshot';
import { getSnapshotPath, SnapshotFile } from './snapshot-file';

const createServiceChange = (id: string, host = 'http://127.0.0.1:1'): RowChange => ({
  entity: 'service',
  id,
  row: { id, host },
});
const listHosts = (changes: readonly RowChange[]) =>
  changes.map(({ entity, id, row }) => [id, entity === 'service' ? (row?.host ?? null) : entity]);

let folder: string;
let path: string;
const openedFiles: SnapshotFile[] = [];
function openFile(): SnapshotFile {
  const file = new SnapshotFile(path);
  openedFiles.push(file);
  return file;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
  path = getSnapshotPath(folder);
});
afterEach(() => {
  for (const file of openedFiles.splice(0)) file.discard();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the configuration that an edge loads from the file at its start. */
async function restoreConfig() {
  const changes: RowChange[] = [];
  const file = openFile();
  const restoredFile = await file.restore((rows) => changes.push(...rows));
  const position = typeof restoredFile === 'object' ? restoredFile.position : restoredFile;
  return { file, position, rows: listHosts(changes) };
}

/** Creates a file with a base and two updates. */
async function createStoredFile() {
  const file = openFile();
  const base = await file.startBase('ours');
  await base.add([createServiceChange('a'), createServiceChange('b')]);
  await base.add([createServiceChange('ç')]);
  await base.finish({ revision: 3, lastChange: 'ç' });
  const bytesAfterBase = readFileSync(path).length;
  await file.append([createServiceChange('a', 'http://127.0.0.1:2')], { revision: 4, lastChange: 'a' });
  const bytesAfterFirstUpdate = readFileSync(path).length;
  await file.append([{ entity: 'service', id: 'b', row: null }], { revision: 5, lastChange: 'b' });
  await file.flush();
  return { file, bytesAfterBase, bytesAfterFirstUpdate };
}

const BASE = [
  ['a', 'http://127.0.0.1:1'],
  ['b', 'http://127.0.0.1:1'],
  ['ç', 'http://127.0.0.1:1'],
];
const CHANGED = ['a', 'http://127.0.0.1:2'];

test('a snapshot contains the base and each later update', async () => {
  await createStoredFile();
  const { file, position, rows } = await restoreConfig();
  expect([position, rows]).toEqual([{ revision: 5, lastChange: 'b' }, [...BASE, CHANGED, ['b', null]]]);
  expect(file.isCurrent).toBe(true);
  await file.append([createServiceChange('d')], { revision: 6, lastChange: 'd' });
  expect((await restoreConfig()).position).toEqual({ revision: 6, lastChange: 'd' });
});

test('all complete updates of a truncated snapshot file are loaded', async () => {
  const { bytesAfterBase, bytesAfterFirstUpdate } = await createStoredFile();
  const bytes = readFileSync(path);
  for (let length = bytes.length - 1; length >= bytesAfterBase; length -= 5) {
    writeFileSync(path, bytes.subarray(0, length));
    const { file, position, rows } = await restoreConfig();
    const revision = length >= bytesAfterFirstUpdate ? 4 : 3;
    expect([length, position]).toMatchObject([length, { revision }]);
    expect(rows).toEqual(revision === 4 ? [...BASE, CHANGED] : BASE);
    // The rest of the truncated update must not precede the next appended update.
    await file.append([createServiceChange('d')], { revision: 9, lastChange: 'd' });
    expect((await restoreConfig()).position).toMatchObject({ revision: 9 });
  }
});

test('a file without a complete base is renamed to *.invalid', async () => {
  const { bytesAfterBase } = await createStoredFile();
  const bytes = readFileSync(path);
  for (const content of [
    bytes.subarray(0, bytesAfterBase - 2),
    bytes.subarray(0, 10),
    Buffer.alloc(0),
    Buffer.from('{}'),
  ]) {
    writeFileSync(path, content);
    expect((await restoreConfig()).position).toBe('invalid');
    expect([existsSync(path), existsSync(`${path}.invalid`)]).toEqual([false, true]);
  }
  expect((await restoreConfig()).position).toBeUndefined();
});

test('after a damaged line, only the complete updates before it are loaded', async () => {
  const { bytesAfterFirstUpdate } = await createStoredFile();
  const bytes = readFileSync(path);
  bytes.write('#', bytesAfterFirstUpdate);
  writeFileSync(path, bytes);
  expect(await restoreConfig()).toMatchObject({ position: { revision: 4 }, rows: [...BASE, CHANGED] });
});

test('the format of earlier builds is loaded, and replaced by the next base', async () => {
  mkdirSync(dirname(path), { recursive: true });
  const changes = [createServiceChange('a'), createServiceChange('b'), createServiceChange('ç')];
  writeFileSync(path, JSON.stringify({ version: 1, revision: 7, isComplete: true, changes, installationId: 'ours' }));
  const { file, position, rows } = await restoreConfig();
  expect([position, rows]).toEqual([{ revision: 7, lastChange: null }, BASE]);
  expect([file.isCurrent, file.needsNewBase]).toEqual([true, true]);
  // An earlier file is one JSON text, to which nothing can be appended.
  await file.append([createServiceChange('d')], { revision: 8, lastChange: 'd' });
  expect(file.isCurrent).toBe(false);
  expect((await restoreConfig()).position).toMatchObject({ revision: 7 });
  const base = await file.startBase('ours');
  await base.add(changes);
  await base.finish({ revision: 8, lastChange: 'd' });
  expect([file.isCurrent, file.needsNewBase, (await restoreConfig()).position]).toMatchObject([
    true,
    false,
    { revision: 8 },
  ]);
});

test('a new base contains updates that arrive while it is written', async () => {
  const { file } = await createStoredFile();
  const base = await file.startBase('ours');
  await base.add([createServiceChange('a'), createServiceChange('d')]);
  await file.append([createServiceChange('e')], { revision: 6, lastChange: 'e' });
  const whenFinished = base.finish({ revision: 5, lastChange: 'b' });
  await file.append([createServiceChange('f')], { revision: 7, lastChange: 'f' });
  await whenFinished;
  await file.append([createServiceChange('g')], { revision: 8, lastChange: 'g' });
  const { position, rows } = await restoreConfig();
  expect([position, rows.map(([id]) => id)]).toEqual([{ revision: 8, lastChange: 'g' }, ['a', 'd', 'e', 'f', 'g']]);
});

test.each(['succeeds', 'fails'])(
  'an update whose write %s after a new base has replaced the file is stored once',
  async (outcome) => {
    const { file } = await createStoredFile();
    const base = await file.startBase('ours');
    await base.add([createServiceChange('a')]);
    const handle = await open(path);
    const prototype: FileHandle = Object.getPrototypeOf(handle);
    await handle.close();
    const write = prototype.write;
    let markReplaced: () => void = () => undefined;
    const whenReplaced = new Promise<void>((resolve) => {
      markReplaced = resolve;
    });
    jest.spyOn(prototype, 'write').mockImplementationOnce(async function (this: FileHandle, ...args: unknown[]) {
      const result = await Reflect.apply(write, this, args);
      await whenReplaced;
      if (outcome === 'fails') throw new Error('no space');
      return result;
    });
    const whenAppended = file.append([createServiceChange('e')], { revision: 6, lastChange: 'e' });
    await base.finish({ revision: 5, lastChange: 'b' });
    markReplaced();
    await whenAppended;
    await file.append([createServiceChange('f')], { revision: 7, lastChange: 'f' });
    const { position, rows } = await restoreConfig();
    expect([position, rows.map(([id]) => id)]).toEqual([{ revision: 7, lastChange: 'f' }, ['a', 'e', 'f']]);
  },
);

test('updates after a base are in the file, not in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const { file } = await createStoredFile();
  const append = (revision: number) =>
    file.append([createServiceChange('a', 'x'.repeat(1_000_000))], { revision, lastChange: 'a' });
  await append(6);
  collectGarbage();
  const heapBytesBefore = process.memoryUsage().heapUsed;
  for (let revision = 7; revision < 37; revision += 1) await append(revision);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - heapBytesBefore).toBeLessThan(10_000_000);
});

test('a base whose write is abandoned does not change the loaded configuration', async () => {
  const { file } = await createStoredFile();
  const base = await file.startBase('ours');
  await base.add([createServiceChange('x')]);
  await base.abandon();
  await file.append([createServiceChange('d')], { revision: 6, lastChange: 'd' });
  truncateSync(`${path}.new`, 0);
  expect((await restoreConfig()).rows).toEqual([...BASE, CHANGED, ['b', null], ['d', 'http://127.0.0.1:1']]);
});

test('an abandoned base on a full disk leaves no file open', async () => {
  const { file } = await createStoredFile();
  symlinkSync('/dev/full', `${path}.new`);
  const base = await file.startBase('ours').catch(() => undefined);
  await base?.add([createServiceChange('x')]).catch(() => undefined);
  await base?.abandon();
  const openFiles = readdirSync('/proc/self/fd').map((fd) => join('/proc/self/fd', fd));
  expect(openFiles.filter((link) => existsSync(link) && readlinkSync(link) === '/dev/full')).toEqual([]);
});
