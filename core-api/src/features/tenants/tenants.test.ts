import { Core, getStatusAndFields } from '../../testing/core';
import { MISSING_ID } from '../../testing/records';

let core: Core;
let project: { _id: string; name: string };
beforeAll(async () => {
  core = await new Core().start();
  project = (
    await core.request('POST', '/projects', { body: { name: 'CRM', dbPrefix: 'crm__', type: 'proxy', apiPort: 4000 } })
  ).body;
});
afterAll(() => core.stop());

const createTenant = (body: object) => core.request('POST', '/tenants', { body: { project: project._id, ...body } });
const setDomain = (id: string, domain: unknown) => core.request('POST', `/tenants/${id}/domain`, { body: { domain } });
let tenantCount = 0;
const createNumberedTenant = async () =>
  (await createTenant({ name: `Cliente ${++tenantCount}`, subdomain: `cliente-${tenantCount}` })).body;

test('a tenant is created with its database name, listed, changed and removed', async () => {
  const { status, body: createdTenant } = await createTenant({
    name: ' Padaria do  Zé ',
    subdomain: 'Padaria',
    responsibleName: 'Zé',
    responsibleContact: '',
    _id: MISSING_ID,
    customDomain: 'roubado.com',
  });
  expect(status).toBe(201);
  expect(createdTenant).toEqual({
    _id: expect.not.stringContaining(MISSING_ID),
    name: 'Padaria do  Zé',
    project: { _id: project._id, name: 'CRM' },
    subdomain: 'padaria',
    dbName: 'crm_padaria_do_zé',
    customDomain: null,
    displayDomain: null,
    wwwMode: 'serve',
    domainCount: 0,
    domainStatus: null,
    responsibleName: 'Zé',
    responsibleContact: null,
    paused: false,
    healthCheck: true,
    health: { state: 'unknown', status: null, ms: null, checkedAt: null, reason: expect.any(String) },
    live: { state: 'pending', reason: expect.any(String) },
    source: 'project',
    versionId: null,
    version: 1,
  });
  expect((await core.request('GET', '/tenants')).body).toContainEqual({ ...createdTenant, live: null });

  const path = `/tenants/${createdTenant._id}`;
  const response = await core.request('PUT', path, {
    body: { name: 'Padaria', project: project._id, subdomain: 'padaria', responsibleName: null, dbName: 'outro' },
  });
  expect(response.body).toEqual({ ...createdTenant, name: 'Padaria', responsibleName: null, version: 2 });
  expect((await core.request('DELETE', path)).status).toBe(204);
  expect((await core.request('DELETE', path)).status).toBe(404);
  expect((await createTenant({ name: 'Outra', subdomain: 'padaria' })).status).toBe(201);
});

test('the list of tenants is sorted by name', async () => {
  for (const name of ['Zulu', 'Alfa']) await createTenant({ name, subdomain: name });
  const names: string[] = (await core.request('GET', '/tenants')).body.map((row: { name: string }) => row.name);
  expect(names.filter((name) => name === 'Alfa' || name === 'Zulu')).toEqual(['Alfa', 'Zulu']);
});

test.each([
  [{}, ['name', 'subdomain']],
  [{ name: 'a', subdomain: 'www' }, ['subdomain']],
  [{ name: 'a', subdomain: 'a.b' }, ['subdomain']],
  [{ name: 'a', subdomain: 'a', project: MISSING_ID }, ['project']],
  [{ name: 'a', subdomain: 'a', project: '' }, ['project']],
  [{ name: 'a/b', subdomain: 'a' }, ['name']],
  [{ name: 'é'.repeat(40), subdomain: 'a' }, ['name']],
  [{ name: 'é'.repeat(40), subdomain: 'a', dbName: `crm_${'é'.repeat(40)}` }, ['name']],
  [{ name: 'a', subdomain: 'a', dbName: 'a b' }, ['dbName']],
  [{ name: 'a', subdomain: 'a', dbName: 'é'.repeat(40) }, ['dbName']],
  [{ name: 'a', subdomain: 'a', paused: 'sim' }, ['paused']],
  [{ name: 'a'.repeat(101), subdomain: 'a' }, ['name']],
])('the tenant %j is refused because of its fields %j', async (body, fields) =>
  expect(getStatusAndFields(await createTenant(body))).toEqual([400, fields]),
);

test.each(['Dra. Ana Paula', 'Clínica Vida & Saúde', "Sant'Anna", 'Café 😀 (centro)', 'a;b, c'])(
  'a tenant may have the name %j',
  async (name) => {
    const { status, body } = await createTenant({ name, subdomain: `nome-${++tenantCount}` });
    expect([status, body.dbName]).toEqual([201, `crm_${name.toLowerCase().replaceAll(' ', '_')}`]);
  },
);

test('a tenant whose database name is too long is refused with the length of that name', async () => {
  const { body } = await createTenant({ name: 'é'.repeat(40), subdomain: 'a' });
  expect(body.fields.name).toContain('84 bytes');
});

test('a tenant moves to another project and keeps its database name', async () => {
  const otherProject = (
    await core.request('POST', '/projects', { body: { name: 'Agenda', dbPrefix: 'ag', type: 'proxy', apiPort: 4001 } })
  ).body;
  const { _id, dbName } = await createNumberedTenant();
  const response = await core.request('PUT', `/tenants/${_id}`, { body: { project: otherProject._id } });
  expect([response.status, response.body.project, response.body.dbName]).toEqual([
    200,
    { _id: otherProject._id, name: 'Agenda' },
    dbName,
  ]);
  expect((await core.request('GET', '/tenants')).body).toContainEqual({ ...response.body, live: null });
});

test('a change of a tenant to an unknown project or to another subdomain is refused', async () => {
  const { _id } = await createNumberedTenant();
  for (const [field, value] of [
    ['project', MISSING_ID],
    ['subdomain', 'outro'],
  ] as const) {
    expect(getStatusAndFields(await core.request('PUT', `/tenants/${_id}`, { body: { [field]: value } }))).toEqual([
      400,
      [field],
    ]);
  }
});

test('a project that is removed during the creation of tenants leaves no tenant behind', async () => {
  for (let round = 0; round < 8; round += 1) {
    const body = { name: `Passageiro ${round}`, type: 'proxy', apiPort: 4000 };
    const { _id } = (await core.request('POST', '/projects', { body })).body;
    const removeProject = () => core.request('DELETE', `/projects/${_id}`);
    const [removal, ...creations] = await Promise.all([
      removeProject(),
      ...[0, 1, 2].map((index) =>
        createTenant({
          name: `P${round}${index}`,
          subdomain: `p${round}${index}`,
          dbName: `p${round}${index}`,
          project: _id,
        }),
      ),
    ]);
    // The removal may come first (204) or after a tenant (409). PostgreSQL may end either side of a deadlock (503).
    expect([204, 409, 503]).toContain(removal.status);
    // A creation comes before the removal (201) or after it (400).
    for (const { status } of creations) expect([201, 400, 503]).toContain(status);
    const stored = await core.query(`SELECT _id FROM tenants WHERE "projectId" = '${_id}'`);
    expect(stored.map((row) => row._id).sort()).toEqual(
      creations.flatMap((creation) => (creation.status === 201 ? [creation.body._id] : [])).sort(),
    );
    // A second removal has no race, so that the rows decide its outcome.
    const secondRemoval = await removeProject();
    if (removal.status === 204) expect([stored, secondRemoval.status]).toEqual([[], 404]);
    else expect(secondRemoval.status).toBe(stored.length > 0 ? 409 : 204);
  }
});

describe('labels and database names are unique', () => {
  test('a subdomain and a tenant cannot have the same label', async () => {
    await core.request('POST', '/subdomains', {
      body: { subdomain: 'ocupado', description: 'x', type: 'proxy', port: 4000 },
    });
    expect(getStatusAndFields(await createTenant({ name: 'Ocupado', subdomain: 'ocupado' }))).toEqual([
      409,
      ['subdomain'],
    ]);
    const { subdomain } = await createNumberedTenant();
    const body = { subdomain, description: 'x', type: 'proxy', port: 4000 };
    expect(getStatusAndFields(await core.request('POST', '/subdomains', { body }))).toEqual([409, ['subdomain']]);
  });

  test('exactly one of ten simultaneous requests for the same label succeeds, and nothing else is stored', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2
          ? createTenant({ name: `Corrida ${index}`, subdomain: 'corrida' })
          : core.request('POST', '/subdomains', {
              body: { subdomain: 'corrida', description: 'x', type: 'proxy', port: 4000 },
            }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const tenants = (await core.request('GET', '/tenants')).body.filter(
      (row: { subdomain: string }) => row.subdomain === 'corrida',
    );
    const { total } = (await core.request('GET', '/subdomains?search=corrida')).body;
    expect(tenants.length + total).toBe(1);
  });

  test('two tenants cannot have the same database name', async () => {
    await createTenant({ name: 'Um', subdomain: 'banco-um', dbName: 'banco' });
    expect(getStatusAndFields(await createTenant({ name: 'Dois', subdomain: 'banco-dois', dbName: 'banco' }))).toEqual([
      409,
      ['dbName'],
    ]);
  });
});

describe('custom domains of tenants', () => {
  test('a custom domain is stored in punycode without www, replaced and removed', async () => {
    const { _id } = await createNumberedTenant();
    expect((await setDomain(_id, ' WWW.Café.com.br. ')).body.customDomain).toBe('xn--caf-dma.com.br');
    expect((await setDomain(_id, 'cliente.com.br')).body.customDomain).toBe('cliente.com.br');
    const otherTenant = await createNumberedTenant();
    expect((await setDomain(otherTenant._id, 'cliente.com.br')).body.heldBy).toEqual({
      kind: 'tenant',
      id: _id,
      name: expect.any(String),
    });
    for (const domain of ['www.cliente.com.br', 'www.WWW.cliente.com.br'])
      expect(getStatusAndFields(await setDomain(otherTenant._id, domain))).toEqual([409, ['domain']]);
    const response = await core.request('DELETE', `/tenants/${_id}/domain`);
    expect([response.status, response.body.customDomain]).toEqual([200, null]);
    expect(getStatusAndFields(await setDomain(otherTenant._id, 'cliente.com.br'))).toEqual([409, ['domain']]);
    expect((await setDomain(_id, 'cliente.com.br')).status).toBe(200);
  });

  test('a custom domain needs a proof of ownership after its tenant was removed', async () => {
    const { _id } = await createNumberedTenant();
    await setDomain(_id, 'passageiro.com.br');
    await core.request('DELETE', `/tenants/${_id}`);
    const { status, body } = await setDomain((await createNumberedTenant())._id, 'passageiro.com.br');
    expect([status, body.details]).toEqual([409, expect.stringContaining('_studio-proof.passageiro.com.br')]);
  });

  test.each([
    '',
    'localhost',
    'loja.localhost',
    'a',
    '1.2.3.4',
    '[::1]',
    '0x7f.1',
    'javascript:alert(1)',
    'http://a.com',
    'a b.com',
    '-a.com',
    'com',
    'com.br',
    'a.com:80',
    'a.com/x',
    '*.a.com',
    'a..com',
    'servidor.local',
    null,
    7,
  ])('the custom domain %j is refused', async (domain) => {
    const { _id } = await createNumberedTenant();
    expect(getStatusAndFields(await setDomain(_id, domain))).toEqual([400, ['domain']]);
  });

  test('a custom domain cannot be set or removed for an unknown tenant', async () => {
    expect((await setDomain(MISSING_ID, 'cliente2.com.br')).status).toBe(404);
    expect((await core.request('DELETE', `/tenants/${MISSING_ID}/domain`)).status).toBe(404);
  });
});
