import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { entities } from '../../app/entities';
import { createDatabase } from '../../platform/database/database';
import { loadSecrets } from '../../platform/secrets/load-secrets';
import { runCommand } from '../../testing/command';
import { Core, createPostgresDatabase } from '../../testing/core';
import { restore } from './restore';

const onPostgres = Boolean(process.env.TEST_ON_POSTGRES);
const folder = mkdtempSync(join(tmpdir(), 'backup-'));
const file = join(folder, 'whole.backup');
const cores: Core[] = [];
let core: Core;
let backupResult: Awaited<ReturnType<typeof runCommand>>;
/** Starts a core and backs it up while it runs. */
beforeAll(async () => {
  core = await new Core().start();
  cores.push(core);
  for (const name of ['um', 'dois']) await createSubdomain(name);
  await core.request('PUT', '/settings', { body: { telegramBotToken: '1:segredo', telegramChatId: '42' } });
  const staticPath = join(core.folder, 'sites/cardapio');
  mkdirSync(staticPath, { recursive: true });
  await core.create('/projects', { name: 'Cardápios', type: 'static', staticPath });
  backupResult = await runCommand('backup', [file], core.database);
});
afterAll(async () => {
  for (const runningCore of cores) await runningCore.stop();
  rmSync(folder, { recursive: true });
});

const createSubdomainBody = (name: string) => ({ subdomain: name, description: 'Água', type: 'proxy', port: 4000 });
const createSubdomain = (name: string) => core.request('POST', '/subdomains', { body: createSubdomainBody(name) });
const listSubdomainNames = async (sourceCore: Core) =>
  (await sourceCore.request('GET', '/subdomains?limit=100')).body.subdomains.map(
    (row: { subdomain: string }) => row.subdomain,
  );
/** Returns the expected result of a refused command, which prints one line. */
const createExpectedRefusal = (sentence: RegExp) => ({
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^[^\n]*${sentence.source}[^\n]*\n$`)),
});

describe('an installation', () => {
  test('is backed up while it runs, to a file that only its user can read', () => {
    expect(backupResult).toEqual({ code: 0, stdout: expect.stringContaining(file), stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is not backed up to a file that exists, or to a folder that does not exist', async () => {
    expect(await runCommand('backup', [file], core.database)).toEqual(createExpectedRefusal(/já existe/));
    const missingFolder = join(folder, 'missing');
    expect(await runCommand('backup', [join(missingFolder, 'a.backup')], core.database)).toEqual(
      createExpectedRefusal(new RegExp(`A pasta ${missingFolder} não existe; nada foi feito\\.`)),
    );
  });

  test('is not restored while it runs', async () => {
    await createSubdomain('durante');
    expect(await runCommand('restore', [file], core.database)).toEqual(createExpectedRefusal(/em execução/));
    expect(await listSubdomainNames(core)).toContain('durante');
  });

  test('is restored with secrets and sessions after it was killed and damaged', async () => {
    await createSubdomain('depois');
    await core.end('SIGKILL');
    const database = join(core.folder, 'studio.sqlite');
    if (!onPostgres) {
      expect(existsSync(`${database}-wal`)).toBe(true);
      truncateSync(database, 5_000);
    }
    for (const secret of ['jwt.secret', 'settings.key']) rmSync(join(core.folder, secret));
    const restoreResult = await runCommand('restore', [file], core.database);
    expect(restoreResult).toEqual({ code: 0, stdout: expect.stringContaining('before-restore-'), stderr: '' });
    if (!onPostgres) {
      const previousDataFolder = readdirSync(core.folder).find((name) => name.startsWith('before-restore-')) ?? '';
      expect(readdirSync(join(core.folder, previousDataFolder))).toContain('studio.sqlite');
      // `settings.key` is a file beside the database. No row contains the key.
      expect(readFileSync(database).includes(readFileSync(join(core.folder, 'settings.key')))).toBe(false);
    }
    const { token } = core;
    await core.start();
    expect(await listSubdomainNames(core)).toEqual(['dois', 'um']);
    expect((await core.request('GET', '/me', { token })).status).toBe(200);
    expect((await core.request('GET', '/settings')).body.telegramBotToken).toBe('1:segredo');
    expect((await createSubdomain('depois')).status).toBe(201);
  });

  test.each([
    ['a trigger', 'CREATE TRIGGER keep BEFORE DELETE ON accounts BEGIN SELECT RAISE(IGNORE); END', 'keep'],
    ['a view', 'CREATE VIEW planted AS SELECT 1', 'planted'],
    ['an unknown table', 'CREATE TABLE planted (a TEXT PRIMARY KEY)', 'planted'],
  ])('is not restored from a backup with %s', async (_name, statement, object) => {
    const tamperedFile = join(folder, 'tampered.backup');
    copyFileSync(file, tamperedFile);
    const source = await new DataSource({ type: 'sqlite', database: tamperedFile }).initialize();
    await source.query(statement);
    await source.destroy();
    const url = await createPostgresDatabase(`tampered_${randomUUID().replaceAll('-', '')}`);
    const target = { DATA_DIR: join(folder, randomUUID()), ...(url && { DATABASE_URL: url }) };
    expect(await runCommand('restore', [tamperedFile], target)).toEqual(
      createExpectedRefusal(new RegExp(`contém ${object}`)),
    );
    expect(existsSync(target.DATA_DIR)).toBe(false);
  });

  test('is restored four times in a row, and each restore keeps the previous data under a new name', async () => {
    const url = await createPostgresDatabase('restored_often');
    const installation = {
      DATA_DIR: join(folder, 'often'),
      DATABASE_URL: url,
      JWT_SECRET: undefined,
      SETTINGS_KEY: undefined,
    };
    const previousData: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) previousData.push(...(await restore(installation, file)).previousData);
    // The first restore finds no data. On PostgreSQL each of the other restores keeps a schema and a folder of secrets.
    expect(previousData).toHaveLength(onPostgres ? 6 : 3);
    expect(new Set(previousData).size).toBe(previousData.length);
  });

  test('is restored on another machine with the variables of a file (--env-file)', async () => {
    const url = await createPostgresDatabase('restored_elsewhere');
    const installation = { DATA_DIR: join(folder, 'elsewhere'), ...(url && { DATABASE_URL: url }) };
    const settings = join(folder, 'studio.env');
    writeFileSync(
      settings,
      Object.entries(installation)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const otherSecret = { JWT_SECRET: 'um segredo que não é o da cópia, mas longo' };
    expect(await runCommand('restore', [file, '--env-file', settings], otherSecret)).toEqual(
      createExpectedRefusal(/^JWT_SECRET/),
    );
    const restoreResult = await runCommand('restore', [file, '--env-file', settings], {});
    const staticPath = join(core.folder, 'sites/cardapio');
    expect(restoreResult).toMatchObject({ code: 0, stdout: expect.stringContaining(`não permite: ${staticPath}.`) });
    const otherCore = new Core(installation);
    otherCore.token = core.token;
    cores.push(otherCore);
    await otherCore.start();
    expect(await listSubdomainNames(otherCore)).toEqual(['dois', 'um']);
  });
});

// The run on PostgreSQL skips these tests, because their installation has no database or a SQLite file on both.
(onPostgres ? describe.skip : describe)('a refused command changes nothing:', () => {
  const listCreatedDataFolders = () => readdirSync(folder).filter((name) => name === 'new');

  /** Copies the backup and runs `statement` in the copy. */
  async function createChangedCopy(name: string, statement: string): Promise<string> {
    const path = join(folder, name);
    copyFileSync(file, path);
    const source = await new DataSource({ type: 'sqlite', database: path }).initialize();
    await source.query(statement);
    await source.destroy();
    return path;
  }

  test.each([
    ['a missing file', async () => join(folder, 'missing'), /não é uma cópia/],
    [
      'a text file',
      async () => {
        writeFileSync(join(folder, 'text'), 'não é uma cópia');
        return join(folder, 'text');
      },
      /não é uma cópia/,
    ],
    ['another SQLite file', () => createChangedCopy('other', 'DROP TABLE backup_manifest'), /não é uma cópia/],
    [
      'a truncated backup',
      async () => {
        copyFileSync(file, join(folder, 'half'));
        truncateSync(join(folder, 'half'), Math.floor(statSync(file).size / 2));
        return join(folder, 'half');
      },
      /danificado/,
    ],
    [
      'a backup from a newer version of the product',
      () =>
        createChangedCopy(
          'newer',
          `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`,
        ),
      /mais nova \(Later9999999999999\) do que esta/,
    ],
    [
      'a backup whose SETTINGS_KEY is empty',
      () => createChangedCopy('empty', `UPDATE backup_manifest SET value = '' WHERE name = 'SETTINGS_KEY'`),
      /danificado/,
    ],
  ])('a restore of %s is refused', async (_name, createFile, sentence) => {
    const path = await createFile();
    const installation = {
      DATA_DIR: join(folder, 'new'),
      DATABASE_URL: undefined,
      JWT_SECRET: undefined,
      SETTINGS_KEY: undefined,
    };
    await expect(restore(installation, path)).rejects.toThrow(sentence);
    expect(listCreatedDataFolders()).toEqual([]);
  });

  test('no command creates a missing database', async () => {
    const withoutDatabase = { DATA_DIR: join(folder, 'new') };
    expect(await runCommand('backup', [join(folder, 'none')], withoutDatabase)).toEqual(
      createExpectedRefusal(/Não há banco de dados em/),
    );
    expect(await runCommand('move', ['postgres://localhost:1/x'], withoutDatabase)).toEqual(
      createExpectedRefusal(/Não há banco de dados em/),
    );
    const adminResult = await runCommand('admin', ['list'], withoutDatabase);
    expect(adminResult).toEqual(createExpectedRefusal(/Não há banco de dados em/));
    expect(listCreatedDataFolders()).toEqual([]);
  });
});

// The run on PostgreSQL skips these tests, because they restore a SQLite file.
(onPostgres ? describe.skip : describe)('a restore that is killed', () => {
  /** Module for `--require` that kills the process before the file at `KILL_BEFORE` is replaced. */
  const killer = join(folder, 'killer.cjs');
  writeFileSync(
    killer,
    `const fs = require('node:fs');
     const { renameSync } = fs;
     fs.renameSync = (from, to) => {
       if (to === process.env.KILL_BEFORE) process.kill(process.pid, 'SIGKILL');
       renameSync(from, to);
     };`,
  );
  const installation = { DATA_DIR: join(folder, 'killed'), DATABASE_URL: undefined };
  const config = { ...installation, JWT_SECRET: undefined, SETTINGS_KEY: undefined };
  const readInstallation = async () => {
    const database = createDatabase(installation, entities);
    await database.open({ migrate: true });
    const secrets = await loadSecrets(config, database);
    const rows: { subdomain: string }[] = await database.read.query('SELECT subdomain FROM subdomains ORDER BY 1');
    await database.close();
    return { secrets, names: rows.map((row) => row.subdomain) };
  };

  // A restore replaces the database first. If it is killed later, the next start replaces the remaining secrets.
  test.each([
    ['studio.sqlite', false],
    ['jwt.secret', true],
    ['settings.key', true],
  ])('before it replaces %s leaves an installation that starts (restored: %s)', async (name, isRestored) => {
    rmSync(installation.DATA_DIR, { recursive: true, force: true });
    const installationBefore = await readInstallation();
    const restoreResult = await runCommand('restore', [file], {
      DATA_DIR: installation.DATA_DIR,
      NODE_OPTIONS: `--require ${killer}`,
      KILL_BEFORE: join(installation.DATA_DIR, name),
    });
    expect(restoreResult).toEqual({ code: null, stdout: '', stderr: '' });
    const installationAfter = await readInstallation();
    expect(installationAfter.names).toEqual(isRestored ? ['dois', 'um'] : []);
    expect(installationAfter.secrets.jwt === installationBefore.secrets.jwt).toBe(!isRestored);
    expect(installationAfter.secrets.settings.equals(installationBefore.secrets.settings)).toBe(!isRestored);
    expect((await runCommand('restore', [file], { DATA_DIR: installation.DATA_DIR })).code).toBe(0);
    expect((await readInstallation()).names).toEqual(['dois', 'um']);
    expect(readdirSync(installation.DATA_DIR).filter((fileName) => /restoring|new/.test(fileName))).toEqual([]);
  });
});

(onPostgres ? describe : describe.skip)('an installation on SQLite', () => {
  test('moves to PostgreSQL with every row, unless the product runs or the target is not empty', async () => {
    const sqliteCore = await new Core({ DATABASE_URL: '' }).start();
    cores.push(sqliteCore);
    for (const name of ['um', 'dois'])
      await sqliteCore.request('POST', '/subdomains', { body: createSubdomainBody(name) });
    await sqliteCore.request('PUT', '/settings', { body: { telegramBotToken: '1:segredo' } });
    const url = (await createPostgresDatabase('moved')) ?? '';
    const installation = { DATA_DIR: sqliteCore.folder };
    expect(await runCommand('move', [url], installation)).toEqual(createExpectedRefusal(/em execução/));
    await sqliteCore.end('SIGTERM');
    const result = await runCommand('move', [url], installation);
    expect(result).toEqual({ code: 0, stdout: expect.stringContaining('conferidas'), stderr: '' });
    expect(result.stdout).not.toContain('studio:studio@');
    expect(await runCommand('move', [url], installation)).toEqual(createExpectedRefusal(/não está vazio/));
    const postgresCore = new Core({ ...installation, DATABASE_URL: url });
    postgresCore.token = sqliteCore.token;
    cores.push(postgresCore);
    await postgresCore.start();
    expect(await listSubdomainNames(postgresCore)).toEqual(['dois', 'um']);
    expect((await postgresCore.request('GET', '/settings')).body.telegramBotToken).toBe('1:segredo');
    expect((await postgresCore.request('POST', '/subdomains', { body: createSubdomainBody('tres') })).status).toBe(201);
  });
});
