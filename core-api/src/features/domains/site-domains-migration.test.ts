import { SiteDomains1700000000110 } from '../../platform/database/migrations/1700000000110-site-domains';
import { Core } from '../../testing/core';
import { createOlderDatabase } from '../../testing/older-database';

const AT = '2026-01-01T00:00:00.000Z';
const PROJECT = '01900000-0000-7000-8000-000000000001';
const TENANT = '01900000-0000-7000-8000-000000000002';
const INSERTS_SQL = [
  `INSERT INTO projects (_id, name, "dbPrefix", type, "apiPort", "createdAt")
    VALUES ('${PROJECT}', 'CRM', 'crm', 'proxy', 4000, '${AT}')`,
  `INSERT INTO tenants (_id, name, "projectId", subdomain, "dbName", "customDomain", "wwwMode", "createdAt")
    VALUES ('${TENANT}', 'Padaria', '${PROJECT}', 'padaria', 'crm_padaria', 'padaria.com.br', 'to-apex', '${AT}')`,
  `INSERT INTO host_claims (host, "tenantId") VALUES ('padaria', '${TENANT}'), ('padaria.com.br', '${TENANT}')`,
  ...['padaria.com.br', 'www.padaria.com.br'].map(
    (host) =>
      `INSERT INTO domain_status (host, "tenantId", dns, found, "certificateState", "checkedAt", "watchedSince", checks)
        VALUES ('${host}', '${TENANT}', 'ok', '[]', 'active', '${AT}', '${AT}', 1)`,
  ),
];

test('the migration makes each custom domain a primary domain, and keeps the state of its DNS', async () => {
  const core = new Core();
  await core.createDatabase();
  const olderDatabase = await createOlderDatabase(core.database, SiteDomains1700000000110);
  for (const sql of INSERTS_SQL) await olderDatabase.query(sql);
  await olderDatabase.destroy();
  await core.start();
  const status = ['padaria.com.br', 'www.padaria.com.br'].map((host) => ({ host, dns: 'ok', checkedAt: AT }));
  expect((await core.request('GET', `/tenants/${TENANT}`)).body).toMatchObject({
    customDomain: 'padaria.com.br',
    wwwMode: 'to-apex',
    domainStatus: status,
  });
  expect((await core.request('GET', `/tenants/${TENANT}/domains`)).body).toMatchObject([
    { host: 'padaria.com.br', role: 'primary', status },
  ]);
  await core.stop();
});
