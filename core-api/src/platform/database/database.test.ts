import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { entities } from '../../app/entities';
import { Core, createPostgresDatabase } from '../../testing/core';
import { createOlderDatabase } from '../../testing/older-database';
import { createDatabase } from './database';
import { Studio1700000000002 } from './migrations/1700000000002-studio';
import { SearchTexts1700000000140 } from './migrations/1700000000140-search-texts';

const onPostgres = Boolean(process.env.TEST_ON_POSTGRES);

test('an acknowledged write survives a kill of the process', async () => {
  const core = await new Core().start();
  const acknowledgedNames: string[] = [];
  const write = async (name: string) => {
    const body = { subdomain: name, description: 'x', type: 'proxy', port: 4000 };
    const response = await core.request('POST', '/subdomains', { body }).catch(() => undefined); // Fails at the kill.
    if (response?.status === 201) acknowledgedNames.push(name);
  };
  const writeMany = async (worker: number) => {
    for (let index = 0; index < 200; index += 1) await write(`k${worker}-${index}`);
  };
  const writing = Promise.all([0, 1, 2, 3].map(writeMany));
  await waitFor('a hundred writes are acknowledged', () => acknowledgedNames.length >= 100);
  await core.end('SIGKILL');
  await writing;
  await core.start();
  const storedNames: string[] = [];
  for (let page = 1; ; page += 1) {
    const { subdomains } = (await core.request('GET', `/subdomains?limit=100&page=${page}`)).body;
    if (subdomains.length === 0) break;
    storedNames.push(...subdomains.map(({ subdomain }: { subdomain: string }) => subdomain));
  }
  expect(storedNames).toEqual(expect.arrayContaining(acknowledgedNames));
  await core.stop();
});

test('a migration keeps the rows and host claims of an older database, and adds a search text to each row', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-old-'));
  const url = await createPostgresDatabase('older_schema');
  const olderSource = await createOlderDatabase({ DATA_DIR: folder, DATABASE_URL: url }, Studio1700000000002);
  await olderSource.query(
    `INSERT INTO subdomains (_id, subdomain, description, type, port, "createdAt") VALUES ('s1', 'antiga', 'Água', 'proxy', 4000, '2026-01-01T00:00:00.000Z')`,
  );
  await olderSource.query(`INSERT INTO host_claims (host, "subdomainId") VALUES ('antiga', 's1')`);
  await olderSource.destroy();

  const database = createDatabase({ DATA_DIR: folder, DATABASE_URL: url }, entities);
  await database.open({ migrate: true });
  expect(await database.read.query('SELECT host, "subdomainId" FROM host_claims')).toEqual([
    { host: 'antiga', subdomainId: 's1' },
  ]);
  expect(await database.read.query('SELECT "searchText" FROM subdomains')).toEqual([{ searchText: 'antiga\nagua' }]);
  await database.concurrentWrite((manager) => manager.query(`DELETE FROM subdomains WHERE _id = 's1'`));
  expect(await database.read.query('SELECT host FROM host_claims')).toEqual([]);
  await database.close();
  rmSync(folder, { recursive: true });
});

test('migrations and saves derive the same search texts and target keys', async () => {
  const core = await new Core().start();
  const { _id: project } = await core.create('/projects', {
    name: 'Padaria São João',
    type: 'proxy',
    apiPort: 4000,
    dbPrefix: 'padaria',
  });
  await core.create('/tenants', { name: 'Confeitaria Açaí', project, subdomain: 'acai', dbName: 'acai' });
  await core.create('/gateway/admin/keys', { name: 'Órgão', permissions: ['itens:ler', 'itens:gravar'] });
  const targets = [
    { type: 'proxy', port: 4000 },
    { type: 'static', staticPath: join(core.sites, 'loja') },
    { type: 'static', source: 'versions' },
    { type: 'tunnel', targetHost: '203.0.113.5', targetPort: 443 },
    { type: 'tunnel', targetHost: '203.0.113.5', targetPort: 8080 },
  ];
  for (const [index, target] of targets.entries())
    await core.create('/subdomains', { subdomain: `alvo-${index}`, description: 'x', ...target });
  await core.end('SIGTERM');
  const olderCore = new Core();
  await olderCore.createDatabase();
  const source = await createOlderDatabase(olderCore.database, SearchTexts1700000000140);
  const runner = source.createQueryRunner();
  for (const name of ['projects', 'tenants', 'api_keys', 'subdomains']) {
    const columns = (await runner.getTable(name))?.columns.map((column) => `"${column.name}"`).join(', ');
    for (const row of await core.query(`SELECT ${columns} FROM ${name}`)) {
      const placeholders = Object.keys(row).map((_, index) => `$${index + 1}`);
      await runner.query(`INSERT INTO ${name} (${columns}) VALUES (${placeholders.join(', ')})`, Object.values(row));
    }
  }
  await source.destroy();
  const database = createDatabase(olderCore.database, entities);
  await database.open({ migrate: true });
  await database.close();

  const readDerived = async (from: Core) => [
    await from.query(
      `SELECT 1 AS place, "searchText" FROM projects UNION ALL SELECT 2, "searchText" FROM tenants
        UNION ALL SELECT 3, "searchText" FROM api_keys ORDER BY place`,
    ),
    await from.query('SELECT subdomain, "targetKey" FROM subdomains ORDER BY subdomain'),
  ];
  const [texts, keys] = await readDerived(core);
  expect(texts).toMatchObject([
    { searchText: expect.stringContaining('sao joao') },
    { searchText: expect.stringContaining('acai') },
    { searchText: expect.stringContaining('itens:gravar') },
  ]);
  const key = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(keys?.map(({ targetKey }) => targetKey)).toEqual([key, key, null, key, key]);
  expect(await readDerived(olderCore)).toEqual([texts, keys]);
  await olderCore.stop();
  await core.stop();
});

// These tests concern the SQLite file; the PostgreSQL run skips them.
(onPostgres ? describe.skip : describe)('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('failing transactions in the queue do not affect other transactions', async () => {
    const database = createDatabase({ DATA_DIR: join(folder, 'queue'), DATABASE_URL: undefined }, entities);
    await database.open({ migrate: true });
    const insert = (host: string, shouldFail: boolean) =>
      database.concurrentWrite(async (manager) => {
        await manager.query('INSERT INTO host_claims (host) VALUES (?)', [host]);
        if (shouldFail) throw new Error('on purpose');
      });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => insert(`h${index}`, index % 3 === 0)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
    expect(await database.read.query('SELECT COUNT(*) AS count FROM host_claims')).toEqual([{ count: 40 }]);
    await database.close();
  });

  test('while two writers use the file, every transaction that reads and then writes succeeds', async () => {
    const databases = [
      createDatabase({ DATA_DIR: join(folder, 'two-writers') }, entities),
      createDatabase({ DATA_DIR: join(folder, 'two-writers') }, entities),
    ];
    for (const database of databases) await database.open({ migrate: true });
    const readRevision = async ({ read }: (typeof databases)[number]) =>
      (await read.query('SELECT value FROM configuration_revision WHERE id = 1'))[0].value;
    const [reader] = databases;
    if (!reader) throw new Error('no database');
    const earlierRevision = await readRevision(reader);
    const raiseRevision = ({ concurrentWrite }: (typeof databases)[number]) =>
      concurrentWrite(async (manager) => {
        const [{ value }] = await manager.query('SELECT value FROM configuration_revision WHERE id = 1');
        await manager.query('UPDATE configuration_revision SET value = ? WHERE id = 1', [value + 1]);
      });
    await Promise.all(databases.flatMap((writer) => Array.from({ length: 50 }, () => raiseRevision(writer))));
    expect(await readRevision(reader)).toBe(earlierRevision + 100);
    for (const { close } of databases) await close();
  });

  test('while another process holds the write lock, reads continue and a write gets 503 after a time-out', async () => {
    const core = await new Core().start();
    const foreignConnection = await core.connectToDatabase();
    await foreignConnection.query('BEGIN EXCLUSIVE');
    const write = core.request('PUT', '/settings', { body: { telegramChatId: '42' } });
    expect((await core.request('GET', '/projects')).status).toBe(200);
    const { status, body, headers } = await write;
    expect([status, body.error]).toEqual([503, 'Serviço indisponível no momento. Tente novamente em instantes.']);
    expect(headers.get('retry-after')).toBe('5');
    await foreignConnection.query('COMMIT');
    await foreignConnection.destroy();
    expect((await core.request('PUT', '/settings', { body: { telegramChatId: '42' } })).status).toBe(200);
    await core.stop();
  });
});
