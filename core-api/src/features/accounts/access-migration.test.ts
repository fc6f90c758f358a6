import { ADMINISTRATOR } from '../../../../scripts/testing/stack';
import { Access1700000000080 } from '../../platform/database/migrations/1700000000080-access';
import { Core } from '../../testing/core';
import { createOlderDatabase } from '../../testing/older-database';
import { hashPassword } from './passwords/passwords';
import { SessionTokens } from './sessions/session-tokens';

test('the migration makes every account an administrator of all projects, and keeps its sessions valid', async () => {
  const JWT_SECRET = 'um segredo de teste com mais de 32 bytes';
  const core = new Core({ JWT_SECRET });
  await core.createDatabase();
  const olderDatabase = await createOlderDatabase(core.database, Access1700000000080);
  const accountId = '01900000-0000-7000-8000-000000000001';
  await olderDatabase.query(
    `INSERT INTO accounts (_id, username, "passwordHash", "tokenVersion", "createdAt") VALUES
      ('${accountId}', '${ADMINISTRATOR.username}', '${await hashPassword(ADMINISTRATOR.password)}', 1, '2026-01-01T00:00:00.000Z')`,
  );
  await olderDatabase.destroy();
  await core.start();
  const token = new SessionTokens(JWT_SECRET, 3_600).issue({ accountId, version: 1 });
  const me = await core.request('GET', '/me', { token });
  expect([me.status, me.body]).toMatchObject([200, { kind: 'person', role: 'administrator', projects: null }]);
  expect((await core.request('POST', '/admins', { body: { username: 'ana' } })).status).toBe(201);
  await core.stop();
});
