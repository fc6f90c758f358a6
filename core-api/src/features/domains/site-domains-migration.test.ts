import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrations } from '../../platform/database/migrations';
import { SiteDomains1700000000110 } from '../../platform/database/migrations/1700000000110-site-domains';
import { Core } from '../../testing/core';

/** Reverts the database to its state when a tenant had one domain, and a subdomain none. */
async function undoSiteDomains({ DATA_DIR, DATABASE_URL }: Core['database']): Promise<void> {
  const source = await new DataSource({
    ...(DATABASE_URL
      ? { type: 'postgres', url: DATABASE_URL }
      : { type: 'sqlite', database: join(DATA_DIR, 'studio.sqlite') }),
    migrations,
  }).initialize();
  const later = migrations.length - migrations.indexOf(SiteDomains1700000000110);
  for (let undone = 0; undone < later; undone += 1) await source.undoLastMigration({ transaction: 'each' });
  await source.destroy();
}

test('the domains of an older installation become primary domains, with the state of their DNS', async () => {
  const core = await new Core().start();
  const create = async (path: string, body: object) => (await core.ask('POST', path, { body })).body;
  const project = await create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
  const tenant = await create('/tenants', { name: 'Padaria', subdomain: 'padaria', project: project._id });
  await create(`/tenants/${tenant._id}/domain`, { domain: 'padaria.com.br', www: 'to-apex' });
  await create(`/tenants/${tenant._id}/domains`, { host: 'antiga.com.br', role: 'redirect' });
  await core.end('SIGTERM');

  await undoSiteDomains(core.database);
  expect(await core.query('SELECT "customDomain", "wwwMode" FROM tenants')).toEqual([
    { customDomain: 'padaria.com.br', wwwMode: 'to-apex' },
  ]);
  expect(await core.query(`SELECT host FROM domain_status WHERE "tenantId" = '${tenant._id}'`)).toHaveLength(2);
  await core.start();
  const status = ['padaria.com.br', 'www.padaria.com.br'].map((host) => ({ host, checkedAt: expect.any(String) }));
  expect((await core.ask('GET', `/tenants/${tenant._id}`)).body).toMatchObject({
    ...{ customDomain: 'padaria.com.br', wwwMode: 'to-apex', domainStatus: status },
  });
  expect((await core.ask('GET', `/tenants/${tenant._id}/domains`)).body).toMatchObject([
    { host: 'padaria.com.br', role: 'primary', status },
  ]);
  await core.stop();
});
