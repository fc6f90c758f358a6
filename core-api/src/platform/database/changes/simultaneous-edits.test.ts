import { Core } from '../../../testing/core';
import { createKey, createSubdomain } from '../../../testing/records';

let core: Core;

beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

const ROUNDS = 20;

/** Repeatedly saves two different fields of one row at the same moment, and expects that both are stored. */
async function expectBothStored(
  path: string,
  firstChange: (round: number) => object,
  secondChange: (round: number) => object,
  listPath = '',
) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const changes = [firstChange(round), secondChange(round)];
    const responses = await Promise.all(changes.map((body) => core.request('PUT', path, { body })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await core.request('GET', listPath || path);
    const rows: { _id: string; subdomain?: string }[] = Array.isArray(body) ? body : (body.subdomains ?? [body]);
    const storedRow = rows.find(
      ({ _id, subdomain }) => !listPath || path.endsWith(`/${_id}`) || path.endsWith(`/${subdomain}`),
    );
    expect(storedRow).toMatchObject({ ...changes[0], ...changes[1] });
  }
}

test('a key keeps the new name and the new permissions of two simultaneous saves', async () => {
  const { _id } = await createKey(core, { permissions: ['a:b'] });
  await expectBothStored(
    `/gateway/admin/keys/${_id}`,
    (round) => ({ name: `nome ${round}` }),
    (round) => ({ permissions: [`recurso:acao${round}`] }),
    '/gateway/admin/keys',
  );
});

test('a subdomain keeps the new description and the new port of two simultaneous saves', async () => {
  await createSubdomain(core, 'loja', { port: 4000 });
  await expectBothStored(
    '/subdomains/loja',
    (round) => ({ description: `texto ${round}` }),
    (round) => ({ port: 5000 + round }),
    '/subdomains',
  );
});

test('a service keeps the new name and the new host of two simultaneous saves', async () => {
  const { _id } = await core.create('/gateway/admin/services', { name: 's', host: 'http://127.0.0.1:4000' });
  await expectBothStored(
    `/gateway/admin/services/${_id}`,
    (round) => ({ name: `servico-${round}` }),
    (round) => ({ host: `http://127.0.0.1:${5000 + round}` }),
    '/gateway/admin/services',
  );
});

test('the settings keep the new bot token and the new chat of two simultaneous saves', async () => {
  await expectBothStored(
    '/settings',
    (round) => ({ telegramBotToken: `${100_000 + round}:abcdefghijklmnopqrstuvwxyz123456789` }),
    (round) => ({ telegramChatId: String(round + 1) }),
  );
});

test('a project keeps the new name and the new port of two simultaneous saves', async () => {
  const { _id } = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
  await expectBothStored(
    `/projects/${_id}`,
    (round) => ({ name: `projeto ${round}` }),
    (round) => ({ apiPort: 5000 + round }),
    '/projects',
  );
});

test('a tenant keeps the new name and the new contact of two simultaneous saves', async () => {
  const project = (await core.create('/projects', { name: 'ERP', type: 'proxy', apiPort: 4000 }))._id;
  const { _id } = await core.create('/tenants', { name: 'Padaria', project, subdomain: 'padaria' });
  await expectBothStored(
    `/tenants/${_id}`,
    (round) => ({ name: `nome ${round}` }),
    (round) => ({ responsibleContact: `contato ${round}` }),
    '/tenants',
  );
});

test('a route keeps the new methods and the new permission of two simultaneous saves, without a conflict', async () => {
  const serviceId = (await core.create('/gateway/admin/services', { name: 'rotas', host: 'http://127.0.0.1:4000' }))
    ._id;
  const route = { serviceId, origin: '/a', destination: '/a', methods: ['GET'], permission: 'a:b' };
  const { _id } = await core.create('/gateway/admin/routes', route);
  await expectBothStored(
    `/gateway/admin/routes/${_id}`,
    (round) => ({ methods: round % 2 ? ['GET', 'POST'] : ['GET', 'PUT'] }),
    (round) => ({ permission: `recurso:acao${round}` }),
    '/gateway/admin/routes',
  );
});

test('if a tenant gets two domains at the same moment, the tenant can claim the replaced domain again', async () => {
  const project = (await core.create('/projects', { name: 'Sites', type: 'proxy', apiPort: 4000 }))._id;
  const tenant = await core.create('/tenants', { name: 'um', project, subdomain: 'dominio-um' });
  const setDomain = (domain: string) => core.request('POST', `/tenants/${tenant._id}/domain`, { body: { domain } });
  for (let round = 0; round < ROUNDS; round += 1) {
    const domains = [`a${round}.exemplo.com.br`, `b${round}.exemplo.com.br`];
    await Promise.all(domains.map(setDomain));
    const rows: { _id: string; customDomain: string }[] = (await core.request('GET', '/tenants')).body;
    const storedDomain = rows.find(({ _id }) => _id === tenant._id)?.customDomain;
    const replacedDomain = domains.find((domain) => domain !== storedDomain) ?? '';
    // The same tenant may claim the domain again; another tenant would have to prove ownership (contract §7).
    expect([round, (await setDomain(replacedDomain)).status]).toEqual([round, 200]);
  }
});

test('if two tenants with the same database name are created at the same moment, one is refused with an error at dbName', async () => {
  const project = (await core.create('/projects', { name: 'Bancos', type: 'proxy', apiPort: 4000 }))._id;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bodies = ['um', 'outro'].map((name) => ({
      name,
      project,
      subdomain: `banco-${name}-${round}`,
      dbName: `banco_${round}`,
    }));
    const responses = await Promise.all(bodies.map((body) => core.request('POST', '/tenants', { body })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refusal = responses.find(({ status }) => status === 409)?.body;
    expect(Object.keys(refusal.fields)).toEqual(['dbName']);
  }
});
