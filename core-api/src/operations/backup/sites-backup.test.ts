import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Program, waitFor } from '../../../../scripts/testing/program';
import { buildCommand } from '../../../../scripts/testing/stack';
import { createTar, sendPackage } from '../../features/sites/testing/packages';
import { runCommand } from '../../testing/command';
import { Core, createPostgresDatabase } from '../../testing/core';
import { Edge, sendRequest } from '../../testing/edge';

const folder = mkdtempSync(join(tmpdir(), 'sites-backup-'));
const toBackupPath = (name: string) => join(folder, `${name}.backup`);
let core: Core;
/** Ids of the three versions of a site, the oldest first. */
const versionIds: string[] = [];
let liveBackup: Awaited<ReturnType<typeof backUp>>;
beforeAll(async () => {
  core = await new Core().start();
  const body = { subdomain: 'loja', description: 'x', type: 'static', source: 'versions' };
  await core.request('POST', '/subdomains', { body });
  for (const text of ['um', 'dois', 'três']) {
    const files = { 'index.html': `<p>${text}</p>`.repeat(400), 'vazio.txt': '' };
    versionIds.push((await sendPackage(core, '/subdomains/loja/versions', 'gzip', await createTar(files))).body._id);
  }
  mkdirSync(join(core.sites, 'pasta/css'), { recursive: true });
  writeFileSync(join(core.sites, 'pasta/index.html'), 'da pasta');
  writeFileSync(join(core.sites, 'pasta/css/a.css'), 'a{}');
  const staticPath = join(core.sites, 'pasta');
  await core.request('POST', '/subdomains', {
    body: { subdomain: 'pasta', description: 'x', type: 'static', staticPath },
  });
  liveBackup = await backUp('live');
});
afterAll(async () => {
  await core?.stop();
  rmSync(folder, { recursive: true });
});

const backUp = (name: string, ...options: string[]) =>
  runCommand('backup', [toBackupPath(name), ...options], core.database);

/** Restores a backup into an empty folder and serves the restored installation. */
async function restoreAndServe(
  name: string,
  check: (other: Core, get: (host: string) => Promise<[number, string]>) => Promise<void>,
) {
  const DATA_DIR = join(folder, `data-${name}`);
  const url = await createPostgresDatabase(`sites_backup_${name}`);
  const target = { DATA_DIR, ...(url && { DATABASE_URL: url }) };
  const restoreResult = await runCommand('restore', [toBackupPath(name)], target);
  expect(restoreResult).toMatchObject({ code: 0, stderr: '' });
  const restoredCore = await new Core({ ...target, STATIC_ROOTS: join(DATA_DIR, 'sites') }).start();
  // The restored row has the path of the folder in the original installation.
  const staticPath = join(DATA_DIR, 'sites/pasta');
  await restoredCore.request('PUT', '/subdomains/pasta', { body: { staticPath } });
  const edge = await new Edge(restoredCore, {
    ...target,
    EDGE_WORKERS: '1',
    STATIC_ROOTS: join(DATA_DIR, 'sites'),
  }).start();
  try {
    await check(restoredCore, async (host) => {
      const { status, text } = await sendRequest(edge.port, { host: `${host}.localhost` });
      return [status, text];
    });
  } finally {
    await edge.stop();
    await restoredCore.stop();
  }
  return restoreResult.stdout;
}

test('a backup restores the current and the previous version, and the folder of sites', async () => {
  expect(liveBackup).toMatchObject({ code: 0, stdout: expect.stringContaining('Sites: ') });
  const stdout = await restoreAndServe('live', async (restoredCore, get) => {
    expect(await get('loja')).toEqual([200, '<p>três</p>'.repeat(400)]);
    expect(await get('pasta')).toEqual([200, 'da pasta']);
    const activate = (id = '') => restoredCore.request('POST', `/versions/${id}/activate`);
    expect((await activate(versionIds[1])).status).toBe(200);
    expect(await get('loja')).toEqual([200, '<p>dois</p>'.repeat(400)]);
    expect((await activate(versionIds[0])).status).toBe(409);
  });
  expect(stdout).toContain('arquivos restaurados');
  expect(readFileSync(join(folder, 'data-live/sites/pasta/css/a.css'), 'utf8')).toBe('a{}');
});

test('the option --sites selects all versions or no files of sites', async () => {
  expect(await backUp('all', '--sites', 'all')).toMatchObject({ code: 0 });
  expect(await backUp('none', '--sites=none')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--sites none'),
  });
  expect(await backUp('other', '--sites', 'some')).toMatchObject({ code: 1, stderr: expect.stringContaining('Uso: ') });
  expect(statSync(toBackupPath('all')).size).toBeGreaterThan(statSync(toBackupPath('none')).size);
  await restoreAndServe('all', async (restoredCore, get) => {
    expect((await restoredCore.request('POST', `/versions/${versionIds[0]}/activate`)).status).toBe(200);
    // The activation does not wait for an edge that has just started and has not reported to the core yet.
    await waitFor('the version is served', async () => (await get('loja'))[1] === '<p>um</p>'.repeat(400));
  });
});

test.each([
  // The path of uncompressed content has 83 characters.
  [
    'damaged content',
    `UPDATE backup_files SET bytes = x'00' WHERE path LIKE 'content/%' AND length(path) = 83`,
    /danificado/,
  ],
  [
    'a damaged compressed copy',
    `UPDATE backup_files SET bytes = substr(bytes, 1, length(bytes) - 8) WHERE path LIKE 'content/%.br'`,
    /danificado/,
  ],
  [
    'a compressed copy of other content',
    `UPDATE backup_files SET bytes = (SELECT MIN(bytes) FROM backup_files WHERE path LIKE 'content/%.gz')
      WHERE path LIKE 'content/%.gz'`,
    /danificado/,
  ],
  [
    'a path outside of the folders of sites',
    `UPDATE backup_files SET path = 'sites/../jwt.secret' WHERE path LIKE 'sites/%html'`,
    /contém/,
  ],
  ['another file of DATA_DIR', `UPDATE backup_files SET path = 'settings.key' WHERE path LIKE 'sites/%html'`, /contém/],
])('a restore of a backup with %s is refused', async (_case, statement, sentence) => {
  const tamperedFile = toBackupPath('tampered');
  writeFileSync(tamperedFile, readFileSync(toBackupPath('live')));
  const source = await new DataSource({ type: 'sqlite', database: tamperedFile }).initialize();
  await source.query(statement);
  await source.destroy();
  const DATA_DIR = join(folder, 'refused');
  const url = await createPostgresDatabase(`sites_backup_refused_${Date.now()}`);
  const result = await runCommand('restore', [tamperedFile], { DATA_DIR, ...(url && { DATABASE_URL: url }) });
  expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
});

test('a backup fails if the folder of sites cannot be read', async () => {
  // The tests may run as root, who may read every folder. A file in place of the folder cannot be listed either.
  const movedFolder = `${core.sites}-moved`;
  renameSync(core.sites, movedFolder);
  writeFileSync(core.sites, '');
  try {
    expect(await backUp('unreadable')).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOTDIR') });
  } finally {
    rmSync(core.sites);
    renameSync(movedFolder, core.sites);
  }
});

test('a restore that cannot write a whole file of a site fails, and does not replace the folder of sites', async () => {
  const MIB = 1024 * 1024;
  // The limit `--fsize` is within the last part of 1 MiB. The system writes the bytes below the limit without an error.
  writeFileSync(join(core.sites, 'pasta/filme.mp4'), randomBytes(4.75 * MIB));
  expect(await backUp('large')).toMatchObject({ code: 0 });
  const DATA_DIR = join(folder, 'data-large');
  const url = await createPostgresDatabase('sites_backup_large');
  const { args } = buildCommand('core-api', 'bin/restore', 'source');
  const limitedArgs = [`--fsize=${4.5 * MIB}`, process.execPath, ...args, toBackupPath('large')];
  const environment = { DATA_DIR, ...(url && { DATABASE_URL: url }) };
  const restore = new Program('restore', limitedArgs, { command: 'prlimit', environment });
  expect(await restore.ended).toBe(1);
  expect(restore.output).toContain('EFBIG');
  expect(existsSync(join(DATA_DIR, 'sites'))).toBe(false);
});
