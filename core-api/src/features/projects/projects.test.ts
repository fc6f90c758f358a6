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

test('a project of type proxy is created in canonical form and without a folder', async () => {
  const { status, body } = await createProject({
    name: ' Vendas ',
    dbPrefix: 'vendas___',
    type: 'proxy',
    apiPort: '4000',
    staticPath: '/etc',
  });
  expect([status, body]).toEqual([
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
});

test('projects are listed by name', async () => {
  for (const name of ['Vendas', 'Agenda']) await createProject({ name, type: 'proxy', apiPort: 4000 });
  expect(await listProjectNames()).toEqual(['Agenda', 'Vendas']);
});

test('a change of a project keeps the fields that are absent from the request', async () => {
  const { body: createdProject } = await createProject({ name: 'Vendas', type: 'proxy', apiPort: 4000 });
  const folder = join(core.sites, 'site');
  const { body: staticProject } = await updateProject(createdProject._id, {
    type: 'static',
    staticPath: folder,
    apiPort: '',
  });
  const target = { type: 'static', apiPort: null, staticPath: folder };
  expect(staticProject).toEqual({ ...createdProject, ...target, version: 2 });
  const changes = { name: 'Vendas 2', spaFallback: false };
  const { body: renamedProject } = await updateProject(createdProject._id, changes);
  expect(renamedProject).toEqual({ ...staticProject, ...changes, version: 3 });
  expect((await core.request('GET', `/projects/${createdProject._id}`)).body).toMatchObject({ ...changes, version: 3 });
});

test('a removed project, like one that never existed, cannot be read, changed or removed', async () => {
  const { body: project } = await createProject({ name: 'Vendas', type: 'proxy', apiPort: 4000 });
  expect((await core.request('DELETE', `/projects/${project._id}`)).status).toBe(204);
  for (const id of [project._id, MISSING_ID]) {
    expect((await core.request('GET', `/projects/${id}`)).status).toBe(404);
    expect((await updateProject(id, { name: 'x' })).status).toBe(404);
    expect((await core.request('DELETE', `/projects/${id}`)).status).toBe(404);
  }
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
