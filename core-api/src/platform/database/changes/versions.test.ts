import { Core } from '../../../testing/core';
import { createKey, createSubdomain } from '../../../testing/records';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

const update = (path: string, body: object, version?: string) =>
  core.request('PUT', path, { body, ...(version !== undefined && { headers: { 'If-Match': version } }) });

/** Each editable entity with two changes. The second change has at least the fields of the first change. */
const cases: [name: string, list: string, create: () => Promise<string>, firstChange: object, secondChange: object][] =
  [
    [
      'subdomain',
      '/subdomains',
      async () => {
        await createSubdomain(core, 'loja', { port: 1 });
        return '/subdomains/loja';
      },
      { port: 4001 },
      { port: 4002, description: 'y' },
    ],
    [
      'project',
      '/projects',
      async () => `/projects/${(await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 }))._id}`,
      { apiPort: 4001 },
      { apiPort: 4002, name: 'CRM 2' },
    ],
    [
      'tenant',
      '/tenants',
      async () => {
        const project = (await core.create('/projects', { name: 'ERP', type: 'proxy', apiPort: 4000 }))._id;
        return `/tenants/${(await core.create('/tenants', { name: 'Padaria', project, subdomain: 'padaria' }))._id}`;
      },
      { name: 'Padaria 2' },
      { name: 'Padaria 3', responsibleName: 'Zé' },
    ],
    ['settings', '/settings', async () => '/settings', { telegramChatId: '1' }, { telegramChatId: '2' }],
    [
      'service',
      '/gateway/admin/services',
      async () =>
        `/gateway/admin/services/${(await core.create('/gateway/admin/services', { name: 's', host: 'http://127.0.0.1:4000' }))._id}`,
      { name: 's2' },
      { name: 's3', host: 'http://127.0.0.1:4001' },
    ],
    [
      'route',
      '/gateway/admin/routes',
      async () => {
        const service = await core.create('/gateway/admin/services', { name: 'r', host: 'http://127.0.0.1:4000' });
        const body = { serviceId: service._id, origin: '/a', destination: '/a', methods: ['GET'], permission: 'a:b' };
        return `/gateway/admin/routes/${(await core.create('/gateway/admin/routes', body))._id}`;
      },
      { permission: 'a:c' },
      { permission: 'a:d', methods: ['GET', 'POST'] },
    ],
    [
      'key',
      '/gateway/admin/keys',
      async () => `/gateway/admin/keys/${(await createKey(core, { permissions: ['a:b'] }))._id}`,
      { name: 'k2' },
      { name: 'k3', permissions: ['a:c'] },
    ],
  ];

test.each(cases)(
  'a second save of the same version is answered with 412 (%s)',
  async (_name, list, create, firstChange, secondChange) => {
    const path = await create();
    expect((await update(path, firstChange, '"1"')).body).toMatchObject({ ...firstChange, version: 2 });
    const response = await update(path, secondChange, '"1"');
    expect([response.status, response.body]).toEqual([
      412,
      { error: 'Outra pessoa alterou este registro enquanto você o editava. Nada foi salvo.' },
    ]);
    const listed = (await core.request('GET', list)).body;
    const rows: Record<string, unknown>[] = Array.isArray(listed) ? listed : (listed.subdomains ?? [listed]);
    const storedRow = rows.find(
      ({ _id, subdomain }) => path === list || path.endsWith(`/${_id ?? ''}`) || path.endsWith(`/${subdomain}`),
    );
    expect(storedRow).toMatchObject({ ...firstChange, version: 2 });
    expect((await update(path, secondChange, '"2"')).body).toMatchObject({
      ...firstChange,
      ...secondChange,
      version: 3,
    });
    // A PUT without If-Match overwrites.
    expect((await update(path, firstChange)).body).toMatchObject({ ...firstChange, version: 4 });
    expect((await update(path, secondChange, '*')).body).toMatchObject({ ...secondChange, version: 5 });
    // A save of the stored values is not a change.
    for (const body of [{}, secondChange]) expect((await update(path, body, '"5"')).body).toMatchObject({ version: 5 });
  },
);

test.each(['2', 'W/"1"', '"x"', '', '"1", "2"'])('If-Match: %s matches no version', async (version) => {
  const { _id } = await core.create('/projects', {
    name: `P ${version.length} ${version}`,
    type: 'proxy',
    apiPort: 4000,
  });
  expect((await update(`/projects/${_id}`, { apiPort: 4001 }, version)).status).toBe(412);
});

test('exactly one of ten simultaneous saves of the same version succeeds', async () => {
  const { _id } = await core.create('/projects', { name: 'Disputado', type: 'proxy', apiPort: 4000 });
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) => update(`/projects/${_id}`, { apiPort: 5000 + index }, '"1"')),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
});

test('a change of a tenant’s domain and a refused save do not raise the version of the tenant', async () => {
  const project = (await core.create('/projects', { name: 'Sites', type: 'proxy', apiPort: 4000 }))._id;
  const { _id } = await core.create('/tenants', { name: 'Site', project, subdomain: 'site' });
  const domainResponse = await core.request('POST', `/tenants/${_id}/domain`, { body: { domain: 'site.com.br' } });
  expect(domainResponse.body.version).toBe(1);
  expect((await core.request('DELETE', `/tenants/${_id}/domain`)).body.version).toBe(1);
  expect((await update(`/tenants/${_id}`, { name: '' })).status).toBe(400);
  expect((await update(`/tenants/${_id}`, { name: 'Site 2' }, '"1"')).body.version).toBe(2);
});
