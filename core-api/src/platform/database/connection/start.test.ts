import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { entities } from '../../../app/entities';
import { Core, createPostgresDatabase } from '../../../testing/core';
import { createCommandContext, createDatabase } from '../database';

const onPostgres = Boolean(process.env.TEST_ON_POSTGRES);
const context = createCommandContext('test');

test('two cores can start with one empty database at the same moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-two-'));
  const environment: Record<string, string> = { DATA_DIR: folder };
  const url = await createPostgresDatabase('two_first_starts');
  if (url) environment.DATABASE_URL = url;
  const cores = [new Core(environment), new Core(environment)];
  await Promise.all(cores.map((core) => core.start()));
  for (const core of cores) expect((await core.request('GET', '/me')).status).toBe(200);
  for (const core of cores) await core.stop();
  rmSync(folder, { recursive: true });
});

// This test concerns SQLite, because PostgreSQL has a migration lock. Only three connections are opened, because each
// connection that waits for the file blocks one of libuv's four threads.
(onPostgres ? test.skip : test)(
  'if several connections migrate one empty SQLite file, each migration runs once',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'database-several-'));
    // TypeORM prints a migration that fails.
    const consoleLog = jest.spyOn(console, 'log');
    const databases = [1, 2, 3].map(() => createDatabase({ DATA_DIR: folder }, entities));
    await Promise.all(databases.map((database) => database.open({ migrate: true })));
    expect(consoleLog.mock.calls).toEqual([]);
    consoleLog.mockRestore();
    for (const database of databases) expect(await database.isReady()).toBe(true);
    for (const database of databases) await database.close();
    rmSync(folder, { recursive: true });
  },
);

test('a core refuses a newer database with one line that names the newest migrations of core and database', async () => {
  const core = new Core();
  await core.createDatabase({ isMigrated: true });
  const database = createDatabase(core.database, entities);
  await database.open({ migrate: true });
  await database.concurrentWrite((manager) =>
    manager.query(`INSERT INTO migrations (timestamp, name) VALUES (1900000000000, 'Future1900000000000')`),
  );
  const newestKnownName = (await database.read.query('SELECT name FROM migrations ORDER BY timestamp DESC'))[1].name;
  await database.close();
  await expect(core.start()).rejects.toThrow('core ended');
  const lines = core.output.trim().split('\n');
  expect(lines).toEqual([expect.stringMatching(onPostgres ? /^DATABASE_URL: / : /^DATA_DIR: /)]);
  expect(lines[0]).toContain('Future1900000000000');
  expect(lines[0]).toContain(newestKnownName);
  await core.stop();
});

test('a database is ready only after the newest migration, so that an edge does not lock tables during migrations', async () => {
  const core = new Core();
  await core.createDatabase({ isMigrated: true });
  const database = createDatabase(core.database, entities);
  await database.open({ migrate: true });
  expect(await database.isReady()).toBe(true);
  await database.concurrentWrite((manager) =>
    manager.query('DELETE FROM migrations WHERE timestamp = (SELECT MAX(timestamp) FROM migrations)'),
  );
  expect(await database.isReady()).toBe(false);
  await database.close();
  await core.stop();
});

describe('writes of one database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-one-'));
  let database: ReturnType<typeof createDatabase>;
  const insertHostSql = (host: string) => `INSERT INTO host_claims (host) VALUES ('${host}')`;
  const listHosts = async () =>
    (await database.read.query('SELECT host FROM host_claims ORDER BY host')).map(({ host }: { host: string }) => host);

  beforeAll(async () => {
    database = createDatabase({ DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase('one_write') }, entities);
    await database.open({ migrate: true });
  });
  beforeEach(() => database.concurrentWrite((manager) => manager.query('DELETE FROM host_claims')));
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('a write inside a write throws and rolls back the outer write', async () => {
    const writeInside = () => database.concurrentWrite((manager) => manager.query(insertHostSql('inner')));
    await expect(
      database.serializedWrite(context, async (manager) => {
        await manager.query(insertHostSql('outer'));
        await writeInside();
      }),
    ).rejects.toThrow('a write inside a write');
    expect(await listHosts()).toEqual([]);
  });

  test('work that continues after its write has ended may start another write', async () => {
    let background: Promise<unknown> = Promise.resolve();
    let endWrite = () => {};
    const whenWriteEnds = new Promise<void>((resolve) => {
      endWrite = resolve;
    });
    await database.serializedWrite(context, async (manager) => {
      await manager.query(insertHostSql('outer'));
      background = whenWriteEnds.then(() => database.concurrentWrite((later) => later.query(insertHostSql('later'))));
    });
    endWrite();
    await background;
    expect(await listHosts()).toEqual(['later', 'outer']);
  });

  test('a write that rolls back its own transaction fails, even if it throws no error', async () => {
    await expect(
      database.concurrentWrite(async (manager) => {
        await manager.query(insertHostSql('lost'));
        await manager.query('ROLLBACK');
      }),
    ).rejects.toThrow();
    expect(await listHosts()).toEqual([]);
  });

  test('after a failed COMMIT and ROLLBACK, a later write is stored and visible to other connections', async () => {
    for (const key of ['a', 'b', 'c']) {
      const brokenWrite = database.concurrentWrite(async (manager) => {
        await manager.query(insertHostSql(`broken-${key}`));
        await manager.query('ROLLBACK');
      });
      await expect(brokenWrite).rejects.toThrow();
      await database.concurrentWrite((manager) => manager.query(insertHostSql(key))).catch(() => undefined); // May fail
    }
    await waitFor('the failed connection is replaced and a write succeeds', () =>
      database
        .concurrentWrite((manager) => manager.query(insertHostSql('last')))
        .then(
          () => true,
          () => false,
        ),
    );
    expect(await listHosts()).toContain('last');
    expect(await database.isReady()).toBe(true);
  });

  (onPostgres ? test.skip : test)('SQLite files have mode 0600', () => {
    const modes = ['studio.sqlite', 'studio.sqlite-wal'].map((file) => statSync(join(folder, file)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });
});
