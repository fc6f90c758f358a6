import { Core } from '../../testing/core';
import { createKey } from '../../testing/records';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

const BOT_TOKEN = '123456:abcdefghijklmnopqrstuvwxyz123456789';

const listEntries = async (query = '') => (await core.request('GET', `/audit${query}`)).body;
const findNewestEntry = async () => (await listEntries('?limit=1')).entries[0];

test('the audit entries of a subdomain have actor, action, changes, time and request', async () => {
  const { _id } = await core.create('/subdomains', {
    subdomain: 'loja',
    description: 'Loja',
    type: 'proxy',
    port: 4000,
  });
  expect(await findNewestEntry()).toEqual({
    _id: expect.any(String),
    at: expect.stringMatching(/Z$/),
    actor: 'admin',
    action: 'create',
    entity: 'subdomain',
    entityId: _id,
    name: 'loja',
    changes: expect.objectContaining({
      subdomain: { before: null, after: 'loja' },
      port: { before: null, after: 4000 },
    }),
    requestId: expect.any(String),
    address: '127.0.0.1',
    tokenId: null,
    tokenName: null,
    count: 1,
  });
  const response = await core.request('PUT', '/subdomains/loja', { body: { port: 4001, description: 'Loja' } });
  const update = await findNewestEntry();
  expect(update).toMatchObject({ action: 'update', entityId: _id, changes: { port: { before: 4000, after: 4001 } } });
  expect(Object.keys(update.changes)).toEqual(['port']);
  expect(update.requestId).toBe(response.headers.get('x-request-id'));
  await core.request('DELETE', '/subdomains/loja');
  expect(await findNewestEntry()).toMatchObject({
    action: 'delete',
    entityId: _id,
    name: 'loja',
    changes: { subdomain: { before: 'loja', after: null }, port: { before: 4001, after: null } },
  });
});

test('a save without a change and a refused save create no audit entry', async () => {
  await core.create('/subdomains', { subdomain: 'nada', description: 'Nada', type: 'proxy', port: 4000 });
  const { total } = await listEntries();
  expect((await core.request('PUT', '/subdomains/nada', { body: { port: 4000 } })).status).toBe(200);
  expect((await core.request('PUT', '/subdomains/nada', { body: { port: 0 } })).status).toBe(400);
  const takenLabelBody = { subdomain: 'nada', description: 'x', type: 'proxy', port: 1 };
  expect((await core.request('POST', '/subdomains', { body: takenLabelBody })).status).toBe(409);
  expect((await listEntries()).total).toBe(total);
});

test('changes of a project, a tenant and its domain are recorded', async () => {
  const project = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
  const { _id } = await core.create('/tenants', { name: 'Padaria', project: project._id, subdomain: 'padaria' });
  await core.request('POST', `/tenants/${_id}/domain`, { body: { domain: 'padaria.com.br' } });
  expect(await findNewestEntry()).toMatchObject({
    entity: 'domain',
    name: 'padaria.com.br',
    changes: { host: { before: null, after: 'padaria.com.br' }, role: { before: null, after: 'primary' } },
  });
  await core.request('PUT', `/tenants/${_id}`, { body: { name: 'Padaria do Zé' } });
  expect(await findNewestEntry()).toMatchObject({ name: 'Padaria do Zé', changes: { name: { before: 'Padaria' } } });
  await core.request('PUT', `/projects/${project._id}`, { body: { apiPort: 4001 } });
  expect(await findNewestEntry()).toMatchObject({
    entity: 'project',
    changes: { apiPort: { before: 4000, after: 4001 } },
  });
});

test('a page of the audit trail names each entity to which a change refers, even a removed entity', async () => {
  const oldProject = await core.create('/projects', { name: 'Antigo', type: 'proxy', apiPort: 4000 });
  const { _id: newProjectId } = await core.create('/projects', { name: 'Novo', type: 'proxy', apiPort: 4001 });
  const tenant = await core.create('/tenants', { name: 'Movido', project: oldProject._id, subdomain: 'movido' });
  await core.request('PUT', `/projects/${newProjectId}`, { body: { name: 'Mais novo' } });
  await core.request('PUT', `/tenants/${tenant._id}`, { body: { project: newProjectId } });
  const page = await listEntries('?limit=1');
  expect(page.entries[0].changes).toEqual({ projectId: { before: oldProject._id, after: newProjectId } });
  expect(page.names).toEqual({ [oldProject._id]: 'Antigo', [newProjectId]: 'Mais novo' });
  await core.request('DELETE', `/projects/${oldProject._id}`);
  expect((await listEntries('?limit=1&page=2')).names).toEqual({
    [oldProject._id]: 'Antigo',
    [newProjectId]: 'Mais novo',
  });
});

test('changes of a service and its routes are recorded, with the methods of a route', async () => {
  const service = await core.create('/gateway/admin/services', { name: 'vendas', host: 'http://127.0.0.1:4000' });
  const body = { serviceId: service._id, origin: '/a', destination: '/a', methods: ['GET'], permission: 'a:b' };
  const { _id } = await core.create('/gateway/admin/routes', body);
  expect(await findNewestEntry()).toMatchObject({
    entity: 'route',
    name: '/a',
    changes: { methods: { before: null, after: ['GET'] } },
  });
  await core.request('PUT', `/gateway/admin/routes/${_id}`, { body: { methods: ['GET', 'POST'] } });
  expect(await findNewestEntry()).toMatchObject({
    action: 'update',
    changes: { methods: { before: ['GET'], after: ['GET', 'POST'] } },
  });
  await core.request('DELETE', `/gateway/admin/services/${service._id}`);
  expect(await findNewestEntry()).toMatchObject({ entity: 'service', action: 'delete', name: 'vendas' });
});

test('changed keys, passwords and bot tokens are recorded with masked values', async () => {
  const { key, _id } = await createKey(core);
  await core.request('PUT', `/gateway/admin/keys/${_id}`, { body: { permissions: ['a:b'] } });
  await core.request('PUT', '/settings', { body: { telegramBotToken: BOT_TOKEN, telegramChatId: '42' } });
  expect(await findNewestEntry()).toMatchObject({
    entity: 'settings',
    changes: {
      telegramBotToken: { before: expect.anything(), after: '••••••••' },
      telegramChatId: { before: expect.anything(), after: '42' },
    },
  });
  const { total } = await listEntries();
  // The token has not changed, so the save creates no entry.
  await core.request('PUT', '/settings', { body: { telegramBotToken: BOT_TOKEN } });
  expect((await listEntries()).total).toBe(total);
  // `$argon2` begins every hash of a password, and `v1.` every encrypted text.
  const allEntries = JSON.stringify(await listEntries('?limit=100'));
  for (const secret of [key, BOT_TOKEN, '$argon2', 'v1.']) expect(allEntries).not.toContain(secret);
  expect((await listEntries('?entity=admin')).entries.at(-1)).toMatchObject({
    actor: 'core',
    action: 'create',
    name: 'admin',
    changes: { username: { before: null, after: 'admin' }, passwordHash: { before: null, after: '••••••••' } },
  });
});

test('audit entries are listed in pages, newest first, and filtered by entity and actor', async () => {
  const keyIds: string[] = [];
  for (let count = 0; count < 4; count += 1) keyIds.unshift((await createKey(core))._id);
  const { entries, total } = await listEntries('?limit=100');
  expect(total).toBe(entries.length);
  const times: string[] = entries.map(({ at }: { at: string }) => at);
  expect(times).toEqual([...times].sort().reverse());
  expect((await listEntries('?limit=2&page=2')).entries).toEqual(entries.slice(2, 4));
  const keyEntries = entries.filter(({ entity }: { entity: string }) => entity === 'key');
  expect(keyEntries.slice(0, 4).map(({ entityId }: { entityId: string }) => entityId)).toEqual(keyIds);
  expect(await listEntries('?entity=key&actor=Admin&limit=100')).toMatchObject({
    entries: keyEntries,
    total: keyEntries.length,
  });
  expect((await listEntries('?actor=core')).total).toBe(1);
  expect((await listEntries('?actor=ninguem')).total).toBe(0);
  expect((await core.request('GET', '/audit?entity=nada')).status).toBe(400);
  expect((await core.request('GET', '/audit', { token: null })).status).toBe(401);
});
