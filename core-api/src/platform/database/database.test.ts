import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { until } from '../../../../scripts/testing/program';
import { entities } from '../../app/entities';
import { Core, createPostgresDatabase } from '../../testing/core';
import { createDatabase } from './database';
import { migrations } from './migrations';

const onPostgres = Boolean(process.env.TEST_ON_POSTGRES);

test('an acknowledged write survives a kill of the process', async () => {
  const core = await new Core().start();
  const acknowledged: string[] = [];
  const write = async (name: string) => {
    const body = { subdomain: name, description: 'x', type: 'proxy', port: 4000 };
    const answer = await core.ask('POST', '/subdomains', { body }).catch(() => undefined);
    if (answer?.status === 201) acknowledged.push(name);
  };
  const writer = async (worker: number) => {
    for (let index = 0; index < 200; index += 1) await write(`k${worker}-${index}`);
  };
  const writing = Promise.all([0, 1, 2, 3].map(writer));
  await until('a hundred are acknowledged', () => acknowledged.length >= 100);
  await core.end('SIGKILL');
  await writing;
  await core.start();
  const stored: string[] = [];
  for (let page = 1; ; page += 1) {
    const { subdomains } = (await core.ask('GET', `/subdomains?limit=100&page=${page}`)).body;
    if (subdomains.length === 0) break;
    stored.push(...subdomains.map(({ subdomain }: { subdomain: string }) => subdomain));
  }
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  await core.stop();
});

test('an older schema with rows is migrated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-old-'));
  const url = await createPostgresDatabase('older_schema');
  const old = await new DataSource({
    ...(url ? { type: 'postgres', url } : { type: 'sqlite', database: join(folder, 'studio.sqlite') }),
    migrations: migrations.slice(0, 1),
  }).initialize();
  await old.runMigrations({ transaction: 'each' });
  await old.query(
    `INSERT INTO subdomains (_id, subdomain, description, type, port, "createdAt") VALUES ('s1', 'antiga', 'Água', 'proxy', 4000, '2026-01-01T00:00:00.000Z')`,
  );
  await old.query(`INSERT INTO host_claims (host, "subdomainId") VALUES ('antiga', 's1')`);
  await old.destroy();

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

test('migrations derive the same search texts and keys of targets as saves do', async () => {
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
  const { DATABASE_URL: url, DATA_DIR } = core.database;
  const source = await new DataSource({
    ...(url ? { type: 'postgres', url } : { type: 'sqlite', database: join(DATA_DIR, 'studio.sqlite') }),
    migrations,
  }).initialize();
  const searchTexts = async () => {
    const texts: string[] = [];
    for (const table of ['projects', 'tenants', 'api_keys'])
      texts.push((await source.query(`SELECT "searchText" FROM ${table}`))[0].searchText);
    return texts;
  };
  const targetKeys = () => source.query('SELECT subdomain, "targetKey" FROM subdomains ORDER BY subdomain');
  const [written, keys] = [await searchTexts(), await targetKeys()];
  const key = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(keys.map(({ targetKey }: { targetKey: string | null }) => targetKey)).toEqual([key, key, null, key, key]);
  expect(written).toEqual([
    expect.stringContaining('sao joao'),
    expect.stringContaining('acai'),
    expect.stringContaining('itens:gravar'),
  ]);
  const newer = migrations.length - migrations.findIndex(({ name }) => name === 'SearchTexts1700000000140');
  for (let undone = 0; undone < newer; undone += 1) await source.undoLastMigration({ transaction: 'each' });
  await source.runMigrations({ transaction: 'each' });
  expect([await searchTexts(), await targetKeys()]).toEqual([written, keys]);
  await source.destroy();
  await core.stop();
});

// These tests concern the SQLite file; the PostgreSQL run skips them.
(onPostgres ? describe.skip : describe)('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('failing transactions in the queue do not affect the others', async () => {
    const database = createDatabase({ DATA_DIR: join(folder, 'queue'), DATABASE_URL: undefined }, entities);
    await database.open({ migrate: true });
    const insert = (host: string, fail: boolean) =>
      database.concurrentWrite(async (manager) => {
        await manager.query('INSERT INTO host_claims (host) VALUES (?)', [host]);
        if (fail) throw new Error('on purpose');
      });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => insert(`h${index}`, index % 3 === 0)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
    expect(await database.read.query('SELECT COUNT(*) AS count FROM host_claims')).toEqual([{ count: 40 }]);
    await database.close();
  });

  test('processes that read and then write at the same time all succeed', async () => {
    const both = [
      createDatabase({ DATA_DIR: join(folder, 'both') }, entities),
      createDatabase({ DATA_DIR: join(folder, 'both') }, entities),
    ];
    for (const database of both) await database.open({ migrate: true });
    const revisionOf = async ({ read }: (typeof both)[number]) =>
      (await read.query('SELECT value FROM configuration_revision WHERE id = 1'))[0].value;
    const [first] = both;
    if (!first) throw new Error('no database');
    const before = await revisionOf(first);
    const add = (database: (typeof both)[number]) =>
      database.concurrentWrite(async (manager) => {
        const [{ value }] = await manager.query('SELECT value FROM configuration_revision WHERE id = 1');
        await manager.query('UPDATE configuration_revision SET value = ? WHERE id = 1', [value + 1]);
      });
    await Promise.all(both.flatMap((database) => Array.from({ length: 50 }, () => add(database))));
    expect(await revisionOf(first)).toBe(before + 100);
    for (const database of both) await database.close();
  });

  test('while another process writes, reads continue and a write waits; after the time limit it fails with a message', async () => {
    const core = await new Core().start();
    const foreign = await core.foreign();
    await foreign.query('BEGIN EXCLUSIVE');
    const write = core.ask('PUT', '/settings', { body: { telegramChatId: '42' } });
    expect((await core.ask('GET', '/projects')).status).toBe(200);
    const { status, body, headers } = await write;
    expect([status, body.error]).toEqual([503, 'Serviço indisponível no momento. Tente novamente em instantes.']);
    expect(headers.get('retry-after')).toBe('5');
    await foreign.query('COMMIT');
    await foreign.destroy();
    expect((await core.ask('PUT', '/settings', { body: { telegramChatId: '42' } })).status).toBe(200);
    await core.stop();
  });
});
