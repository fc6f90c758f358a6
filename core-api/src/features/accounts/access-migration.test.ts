import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrations } from '../../platform/database/migrations';
import { Access1700000000080 } from '../../platform/database/migrations/1700000000080-access';
import { Core } from '../../testing/core';

/** Reverts the database to its state before there were roles. */
async function undoAccess({ DATA_DIR, DATABASE_URL }: Core['database']): Promise<void> {
  const source = await new DataSource({
    ...(DATABASE_URL
      ? { type: 'postgres', url: DATABASE_URL }
      : { type: 'sqlite', database: join(DATA_DIR, 'studio.sqlite') }),
    migrations,
  }).initialize();
  const later = migrations.length - migrations.indexOf(Access1700000000080);
  for (let undone = 0; undone < later; undone += 1) await source.undoLastMigration({ transaction: 'each' });
  await source.destroy();
}

test('accounts of an older installation become administrators of everything, and their sessions stay valid', async () => {
  const core = await new Core().start();
  await core.end('SIGTERM');
  await undoAccess(core.database);
  expect((await core.query('SELECT * FROM accounts'))[0]).not.toHaveProperty('role');
  await core.start();
  const me = await core.ask('GET', '/me');
  expect([me.status, me.body]).toMatchObject([200, { kind: 'person', role: 'administrator', projects: null }]);
  expect((await core.ask('POST', '/admins', { body: { username: 'ana' } })).status).toBe(201);
  await core.stop();
});
