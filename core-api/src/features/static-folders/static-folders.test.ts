import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Core } from '../../testing/core';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core.stop());

const createFolder = (path: unknown) => core.request('POST', '/static-folders', { body: { path } });

test('the list of allowed folders says whether each folder exists', async () => {
  const listFolders = async () => (await core.request('GET', '/static-folders')).body;
  rmSync(core.sites, { recursive: true, force: true });
  expect(await listFolders()).toEqual([{ path: core.sites, exists: false }]);
  mkdirSync(core.sites);
  expect(await listFolders()).toEqual([{ path: core.sites, exists: true }]);
});

test('a folder is created below an allowed folder, and an existing folder stays', async () => {
  const path = join(core.sites, 'nova', 'loja');
  for (let turn = 0; turn < 2; turn += 1) {
    const { status, body } = await createFolder(`${path}/`);
    expect([status, body]).toEqual([201, { path, exists: true }]);
    expect(statSync(path).isDirectory()).toBe(true);
  }
});

test('a folder outside of the allowed folders, behind a link or at the path of a file is refused', async () => {
  mkdirSync(core.sites, { recursive: true });
  const outside = join(core.sites, '..', 'fora');
  symlinkSync(join(core.sites, '..'), join(core.sites, 'atalho'));
  writeFileSync(join(core.sites, 'arquivo'), '');
  for (const path of [
    outside,
    'relativo',
    '',
    7,
    join(core.sites, 'atalho/fora'),
    `${core.sites}/../fora`,
    join(core.sites, 'arquivo'),
    join(core.sites, 'arquivo/dentro'),
  ]) {
    const { status, body } = await createFolder(path);
    expect([path, status, Object.keys(body.fields)]).toEqual([path, 400, ['path']]);
  }
  expect(existsSync(outside)).toBe(false);
});
