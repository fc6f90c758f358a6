import { Core } from '../../testing/core';
import { createService } from '../../testing/records';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core.stop());

interface Entity {
  _id: string;
  [field: string]: unknown;
}
interface Item {
  method: string;
  path: string;
  permission: string;
}

const post = (path: string, body: unknown) => core.request('POST', `/gateway/admin/${path}`, { body });
const listRoutes = async (serviceId: string): Promise<Entity[]> =>
  (await core.request('GET', '/gateway/admin/routes')).body.filter(
    ({ service }: { service: { _id: string } }) => service._id === serviceId,
  );
const createItem = (method: string, path: string, permission = 'itens:ler'): Item => ({ method, path, permission });

test('a second import changes, keeps, adds and removes routes', async () => {
  const { _id: serviceId, name } = await createService(core);
  const first = await post('routes/import', {
    serviceId,
    routes: [
      createItem('GET', '/igual/:id'),
      createItem('GET', '/muda/:id'),
      createItem('DELETE', '/nomes/:id'),
      createItem('GET', '/sai'),
    ],
  });
  expect(first.status).toBe(201);
  const [unchangedRoute, changedRoute, renamedRoute, removedRoute]: Entity[] = first.body;
  const routes = [
    createItem('POST', '/nova', 'itens:criar'),
    createItem('GET', '/muda/:id', 'itens:ver'),
    createItem('GET', '/igual/:id'),
    createItem('DELETE', '/nomes/:outro'),
  ];
  const second = await post('routes/import', { serviceId, routes, remove: [removedRoute?._id] });
  expect([second.status, second.body]).toEqual([
    201,
    [
      expect.objectContaining({ origin: `/${name}/nova`, permission: 'itens:criar', methods: ['POST'] }),
      { ...changedRoute, permission: 'itens:ver', version: 2 },
      unchangedRoute,
      { ...renamedRoute, origin: `/${name}/nomes/:outro`, destination: '/nomes/:outro', version: 2 },
    ],
  ]);
  expect(await listRoutes(serviceId)).toEqual([...second.body].sort((a, b) => (a.origin < b.origin ? -1 : 1)));
  const { entries } = (await core.request('GET', '/audit?entity=route&limit=4')).body;
  expect(entries.map((entry: { action: string; name: string }) => `${entry.action} ${entry.name}`).sort()).toEqual([
    `create /${name}/nova`,
    `delete /${name}/sai`,
    `update /${name}/muda/:id`,
    `update /${name}/nomes/:outro`,
  ]);
});

test('if an import differs in one method of a route, a new route takes over this method', async () => {
  const { _id: serviceId, name } = await createService(core);
  const routeOfSeveralMethods = {
    serviceId,
    origin: `/${name}/itens`,
    destination: '/itens',
    methods: ['GET', 'PUT', 'DELETE'],
    permission: 'itens:ler',
  };
  const unchanged = (await post('routes', routeOfSeveralMethods)).body;
  const routes = [createItem('GET', '/itens'), createItem('PUT', '/itens', 'itens:alterar')];
  const { body } = await post('routes/import', { serviceId, routes });
  expect(body).toMatchObject([
    { _id: unchanged._id, methods: ['GET', 'DELETE'], permission: 'itens:ler' },
    { methods: ['PUT'], permission: 'itens:alterar' },
  ]);
  const items = ['GET', 'PUT', 'DELETE'].map((method) => createItem(method, '/itens', 'itens:todos'));
  const last = (await post('routes/import', { serviceId, routes: items })).body;
  expect(last.map(({ methods, permission }: Entity) => [methods, permission])).toEqual([
    [['GET'], 'itens:todos'],
    [['PUT'], 'itens:todos'],
    [['DELETE'], 'itens:todos'],
  ]);
  expect(await listRoutes(serviceId)).toHaveLength(3);
});

test("an import that would take or remove another service's route changes nothing", async () => {
  const [{ _id: serviceId, name }, otherService] = [await createService(core), await createService(core)];
  const foreignRoute = (
    await post('routes', {
      serviceId: otherService._id,
      origin: `/${name}/tomada/:x`,
      destination: '/',
      methods: ['GET'],
      permission: 'a:b',
    })
  ).body;
  const response = await post('routes/import', {
    serviceId,
    routes: [createItem('GET', '/nova'), createItem('GET', '/tomada/:id')],
  });
  expect([response.status, response.body.error]).toEqual([
    409,
    `Já existe uma rota com este método e a origem /${name}/tomada/:id.`,
  ]);
  const removal = await post('routes/import', {
    serviceId,
    routes: [createItem('GET', '/nova')],
    remove: [foreignRoute._id],
  });
  expect([removal.status, Object.keys(removal.body.fields)]).toEqual([400, ['remove']]);
  expect(await listRoutes(serviceId)).toEqual([]);
  expect(await listRoutes(otherService._id)).toHaveLength(1);
});

test('an import may only remove routes, and ignores routes that are already removed', async () => {
  const { _id: serviceId } = await createService(core);
  const [route]: Entity[] = (await post('routes/import', { serviceId, routes: [createItem('GET', '/a')] })).body;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, body } = await post('routes/import', { serviceId, routes: [], remove: [route?._id] });
    expect([status, body]).toEqual([201, []]);
  }
  expect(await listRoutes(serviceId)).toEqual([]);
});

test('an import accepts 5,000 routes, and refuses 5,001 routes or more than 4 MB', async () => {
  const { _id: serviceId } = await createService(core);
  const createItems = (count: number, permission: string) =>
    Array.from({ length: count }, (_, index) =>
      createItem('GET', `/recurso-${index}/${'x'.repeat(500)}/:id`, permission),
    );
  const created = await post('routes/import', { serviceId, routes: createItems(5_000, 'r:ler') });
  expect([created.status, created.body.length]).toEqual([201, 5_000]);
  const changed = await post('routes/import', { serviceId, routes: createItems(5_000, 'r:ver') });
  expect(changed.body.map(({ _id }: Entity) => _id)).toEqual(created.body.map(({ _id }: Entity) => _id));
  expect(changed.body[4_999]).toMatchObject({ permission: 'r:ver' });
  expect((await post('routes/import', { serviceId, routes: createItems(5_001, 'r:ler') })).status).toBe(400);
  const large = [createItem('GET', `/${'x'.repeat(4_200_000)}`)];
  expect((await post('routes/import', { serviceId, routes: large })).status).toBe(413);
  expect(await listRoutes(serviceId)).toHaveLength(5_000);
});
