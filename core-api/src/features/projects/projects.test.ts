import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Core, getStatusAndFields } from '../../testing/core';
import { MISSING_ID, removeAll } from '../../testing/records';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
  mkdirSync(join(core.sites, 'site'), { recursive: true });
});
/** Each test begins without projects. */
beforeEach(async () => {
  for (const list of ['/tenants', '/projects']) await removeAll(core, list);
});
afterAll(() => core.stop());

const createProject = (body: object) => core.request('POST', '/projects', { body });
const updateProject = (id: string, body: object) => core.request('PUT', `/projects/${id}`, { body });
const listProjectNames = async () =>
  (await core.request('GET', '/projects')).body.map(({ name }: { name: string }) => name);

test('a project is created, listed by name, changed and removed', async () => {
  const { status, body: createdProject } = await createProject({
    name: ' Vendas ',
    dbPrefix: 'vendas___',
    type: 'proxy',
    apiPort: '4000',
    staticPath: '/etc',
  });
  expect([status, createdProject]).toEqual([
    201,
    {
      _id: expect.any(String),
      name: 'Vendas',
      dbPrefix: 'vendas',
      type: 'proxy',
      apiPort: 4000,
      staticPath: null,
      spaFallback: true,
      source: 'folder',
      versionId: null,
      version: 1,
    },
  ]);
  await createProject({ name: 'Agenda', type: 'proxy', apiPort: 4001 });
  expect(await listProjectNames()).toEqual(['Agenda', 'Vendas']);

  const folder = join(core.sites, 'site');
  const staticProject = await updateProject(createdProject._id, { type: 'static', staticPath: folder, apiPort: '' });
  expect(staticProject.body).toEqual({
    ...createdProject,
    type: 'static',
    apiPort: null,
    staticPath: folder,
    version: 2,
  });
  expect((await updateProject(createdProject._id, { name: 'Vendas 2', spaFallback: false })).body).toEqual({
    ...staticProject.body,
    name: 'Vendas 2',
    spaFallback: false,
    version: 3,
  });
  expect((await core.request('GET', `/projects/${createdProject._id}`)).body).toMatchObject({
    name: 'Vendas 2',
    version: 3,
  });
  expect((await core.request('DELETE', `/projects/${createdProject._id}`)).status).toBe(204);
  expect((await core.request('GET', `/projects/${createdProject._id}`)).status).toBe(404);
  expect((await core.request('DELETE', `/projects/${createdProject._id}`)).status).toBe(404);
  expect((await updateProject(createdProject._id, { name: 'x' })).status).toBe(404);
  expect((await core.request('DELETE', `/projects/${MISSING_ID}`)).status).toBe(404);
});

test.each([
  [{}, ['name', 'type']],
  [{ name: 'a', type: 'proxy' }, ['apiPort']],
  [{ name: 'a', type: 'static' }, ['staticPath']],
  [{ name: 'a', type: 'static', staticPath: '/etc' }, ['staticPath']],
  [{ name: 'a', type: 'proxy', apiPort: '80abc' }, ['apiPort']],
  [{ name: 'a', type: 'proxy', apiPort: 4000, dbPrefix: 'a-b' }, ['dbPrefix']],
  [{ name: 'a', type: 'tunnel', apiPort: 4000 }, ['type']],
  [{ name: 'x'.repeat(101), type: 'proxy', apiPort: 4000 }, ['name']],
])('the project %j is refused because of its fields %j', async (body, fields) =>
  expect(getStatusAndFields(await createProject(body))).toEqual([400, fields]),
);

test('a project cannot take the name of another project', async () => {
  await createProject({ name: 'Único', type: 'proxy', apiPort: 4000 });
  expect(getStatusAndFields(await createProject({ name: 'Único', type: 'proxy', apiPort: 4000 }))).toEqual([
    409,
    ['name'],
  ]);
  const otherProject = await createProject({ name: 'Outro', type: 'proxy', apiPort: 4000 });
  expect(getStatusAndFields(await updateProject(otherProject.body._id, { name: 'Único' }))).toEqual([409, ['name']]);
});

test('a project with tenants cannot be removed, and the message gives the number of tenants', async () => {
  const { _id } = (await createProject({ name: 'Em uso', type: 'proxy', apiPort: 4000 })).body;
  for (const name of ['a', 'b']) {
    await core.request('POST', '/tenants', { body: { name: `Uso ${name}`, subdomain: `uso-${name}`, project: _id } });
  }
  const response = await core.request('DELETE', `/projects/${_id}`);
  expect([response.status, response.body.error]).toEqual([
    409,
    'O projeto é usado por 2 tenants e não pode ser removido.',
  ]);
  expect(await listProjectNames()).toEqual(['Em uso']);
});
