import { Core, type RestResponse } from '../../testing/core';
import { createService, MISSING_ID } from '../../testing/records';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core.stop());

interface Entity {
  _id: string;
  [field: string]: unknown;
}
interface ImportItem {
  method: string;
  path: string;
  permission: string;
}

const post = (path: string, body: unknown) => core.request('POST', `/gateway/admin/${path}`, { body });
const put = (path: string, body: unknown) => core.request('PUT', `/gateway/admin/${path}`, { body });
/** Returns the body of a response. @throws if the response has another status */
const expectStatus = async (response: Promise<RestResponse>, status: number) => {
  const { status: actualStatus, body } = await response;
  if (actualStatus !== status) throw new Error(`status ${actualStatus} instead of ${status}: ${JSON.stringify(body)}`);
  return body;
};
const listAllRoutes = () => expectStatus(core.request('GET', '/gateway/admin/routes'), 200);
const listRoutes = async (serviceId: string): Promise<Entity[]> =>
  (await listAllRoutes()).filter(({ service }: { service: { _id: string } }) => service._id === serviceId);
const createImportItem = (method: string, path: string, permission = 'itens:ler'): ImportItem => ({
  method,
  path,
  permission,
});

describe('routes', () => {
  let service: { _id: string; name: string };
  let routeCount = 0;
  const createRouteBody = (changes: object) => ({
    serviceId: service._id,
    origin: `/rota-${++routeCount}`,
    destination: '/',
    methods: ['GET'],
    permission: 'pedidos:ler',
    ...changes,
  });
  beforeAll(async () => {
    service = await createService(core, { name: 'pedidos' });
  });

  test('with a parameter in braces, as in OpenAPI, are refused with a message about the right notation', async () => {
    for (const field of ['origin', 'destination']) {
      const refusal = await expectStatus(post('routes', createRouteBody({ [field]: '/pedidos/{id}' })), 400);
      expect(JSON.stringify(refusal)).toContain('aceita :parametro, não {parametro}');
    }
  });

  test('are stored in canonical form', async () => {
    const body = createRouteBody({
      origin: '/Loja/:id/*/',
      destination: '/v1/:id/*',
      methods: ['POST', 'GET', 'POST'],
    });
    expect(await expectStatus(post('routes', body), 201)).toEqual({
      _id: expect.any(String),
      origin: '/Loja/:id/*',
      destination: '/v1/:id/*',
      methods: ['GET', 'POST'],
      permission: 'pedidos:ler',
      public: false,
      service: { _id: service._id, name: 'pedidos' },
      createdAt: expect.stringMatching(INSTANT),
      version: 1,
    });
    expect((await expectStatus(post('routes', createRouteBody({ destination: '/barra/' })), 201)).destination).toBe(
      '/barra/',
    );
  });

  test('of the same method and origin conflict, whatever their case, parameter names and trailing slash', async () => {
    const { _id } = await expectStatus(
      post('routes', createRouteBody({ origin: '/a/:x', methods: ['GET', 'POST'] })),
      201,
    );
    for (const origin of ['/a/:x', '/A/:y', '/a/:outro/']) {
      const conflict = await post('routes', createRouteBody({ origin, methods: ['PUT', 'GET'] }));
      expect([conflict.status, Object.keys(conflict.body.fields)]).toEqual([409, ['origin']]);
    }
    const { _id: otherId } = await expectStatus(
      post('routes', createRouteBody({ origin: '/a/:y', methods: ['PUT'] })),
      201,
    );
    await expectStatus(post('routes', createRouteBody({ origin: '/a/*' })), 201);
    await expectStatus(post('routes', createRouteBody({ origin: '/a/x' })), 201);
    const conflict = await put(`routes/${otherId}`, { methods: ['PUT', 'POST'] });
    expect(conflict.status).toBe(409);
    const otherRoute = (await listAllRoutes()).find((row: { _id: string }) => row._id === otherId);
    expect(otherRoute.methods).toEqual(['PUT']);
    await expectStatus(core.request('DELETE', `/gateway/admin/routes/${_id}`), 204);
    expect((await expectStatus(put(`routes/${otherId}`, { methods: ['PUT', 'POST'] }), 200)).methods).toEqual([
      'POST',
      'PUT',
    ]);
  });

  test('one of ten simultaneous creations with the same origin succeeds', async () => {
    const body = createRouteBody({ origin: '/disputada/:x' });
    const responses = await Promise.all(Array.from({ length: 10 }, () => post('routes', body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('only a public route may lack a permission', async () => {
    const publicRoute = await expectStatus(
      post('routes', createRouteBody({ permission: undefined, public: true })),
      201,
    );
    expect(publicRoute).toMatchObject({ permission: '', public: true });
    const refusal = await put(`routes/${publicRoute._id}`, { public: false });
    expect([refusal.status, Object.keys(refusal.body.fields)]).toEqual([400, ['permission']]);
    expect(
      await expectStatus(put(`routes/${publicRoute._id}`, { public: false, permission: 'a:b' }), 200),
    ).toMatchObject({
      permission: 'a:b',
      public: false,
    });
    expect((await put(`routes/${publicRoute._id}`, { permission: '' })).status).toBe(400);
    expect((await put(`routes/${publicRoute._id}`, { public: true, permission: '' })).status).toBe(200);
  });

  test('a change keeps absent fields and may move the route to another service', async () => {
    const createdRoute = await expectStatus(post('routes', createRouteBody({})), 201);
    const otherService = await createService(core);
    const changedRoute = await expectStatus(
      put(`routes/${createdRoute._id}`, { serviceId: otherService._id, permission: 'x:y' }),
      200,
    );
    expect(changedRoute).toEqual({
      ...createdRoute,
      permission: 'x:y',
      service: { _id: otherService._id, name: otherService.name },
      version: 2,
    });
    expect((await put(`routes/${createdRoute._id}`, { destination: '/:falta' })).status).toBe(400);
    expect((await put(`routes/${MISSING_ID}`, {})).status).toBe(404);
    expect((await put(`routes/${createdRoute._id}`, { _id: MISSING_ID, createdAt: 'x' })).body).toEqual({
      ...changedRoute,
      version: 2,
    });
  });

  test.each([
    [{ serviceId: MISSING_ID }, 'serviceId'],
    [{ serviceId: undefined }, 'serviceId'],
    [{ origin: 'sem-barra' }, 'origin'],
    [{ origin: '/a/../b' }, 'origin'],
    [{ origin: '/:a/:a' }, 'origin'],
    [{ origin: '/*/a' }, 'origin'],
    [{ origin: `/${'a'.repeat(1024)}` }, 'origin'],
    [{ destination: '/:x' }, 'destination'],
    [{ destination: '/*' }, 'destination'],
    [{ destination: 'http://outro' }, 'destination'],
    [{ methods: [] }, 'methods'],
    [{ methods: ['TRACE'] }, 'methods'],
    [{ methods: 'GET' }, 'methods'],
    [{ permission: '' }, 'permission'],
    [{ permission: undefined }, 'permission'],
    [{ permission: '', public: false }, 'permission'],
    [{ public: 'sim' }, 'public'],
    [{ permission: '*' }, 'permission'],
    [{ permission: 'pedidos:*' }, 'permission'],
  ])('the route %j is refused with an error at %s', async (changes, field) => {
    const response = await post('routes', createRouteBody(changes));
    expect([response.status, Object.keys(response.body.fields)]).toEqual([400, [field]]);
  });
});

test('an import creates all routes below the name of the service, or none', async () => {
  const { _id: serviceId, name } = await createService(core);
  const createdRoutes = await expectStatus(
    post('routes/import', {
      serviceId,
      routes: [createImportItem('GET', '/'), createImportItem('GET', '/itens/:id'), createImportItem('POST', '/x/')],
    }),
    201,
  );
  expect(createdRoutes.map((row: Record<string, unknown>) => [row.origin, row.destination, row.methods])).toEqual([
    [`/${name}`, '/', ['GET']],
    [`/${name}/itens/:id`, '/itens/:id', ['GET']],
    [`/${name}/x`, '/x/', ['POST']],
  ]);
  const earlierCount = (await listAllRoutes()).length;
  for (const [routes, status] of [
    [[createImportItem('GET', '/novo'), createImportItem('GET', '/novo/')], 409],
    [[createImportItem('GET', '/novo'), { method: 'GET' }], 400],
    [[], 400],
  ] as const) {
    expect((await post('routes/import', { serviceId, routes })).status).toBe(status);
  }
  expect((await listAllRoutes()).length).toBe(earlierCount);
});

test('a second import changes, keeps, adds and removes routes', async () => {
  const { _id: serviceId, name } = await createService(core);
  const firstImport = await post('routes/import', {
    serviceId,
    routes: [
      createImportItem('GET', '/igual/:id'),
      createImportItem('GET', '/muda/:id'),
      createImportItem('DELETE', '/nomes/:id'),
      createImportItem('GET', '/sai'),
    ],
  });
  expect(firstImport.status).toBe(201);
  const [unchangedRoute, changedRoute, renamedRoute, removedRoute]: Entity[] = firstImport.body;
  const routes = [
    createImportItem('POST', '/nova', 'itens:criar'),
    createImportItem('GET', '/muda/:id', 'itens:ver'),
    createImportItem('GET', '/igual/:id'),
    createImportItem('DELETE', '/nomes/:outro'),
  ];
  const secondImport = await post('routes/import', { serviceId, routes, remove: [removedRoute?._id] });
  expect([secondImport.status, secondImport.body]).toEqual([
    201,
    [
      expect.objectContaining({ origin: `/${name}/nova`, permission: 'itens:criar', methods: ['POST'] }),
      { ...changedRoute, permission: 'itens:ver', version: 2 },
      unchangedRoute,
      { ...renamedRoute, origin: `/${name}/nomes/:outro`, destination: '/nomes/:outro', version: 2 },
    ],
  ]);
  expect(await listRoutes(serviceId)).toEqual([...secondImport.body].sort((a, b) => (a.origin < b.origin ? -1 : 1)));
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
  const existingRoute = (await post('routes', routeOfSeveralMethods)).body;
  const routes = [createImportItem('GET', '/itens'), createImportItem('PUT', '/itens', 'itens:alterar')];
  const { body } = await post('routes/import', { serviceId, routes });
  const outdatedChange = await core.request('PUT', `/gateway/admin/routes/${existingRoute._id}`, {
    body: { destination: '/outro' },
    headers: { 'If-Match': `"${existingRoute.version}"` },
  });
  expect(outdatedChange.status).toBe(412);
  expect(body).toMatchObject([
    { _id: existingRoute._id, methods: ['GET', 'DELETE'], permission: 'itens:ler' },
    { methods: ['PUT'], permission: 'itens:alterar' },
  ]);
  const items = ['GET', 'PUT', 'DELETE'].map((method) => createImportItem(method, '/itens', 'itens:todos'));
  const importedRoutes = (await post('routes/import', { serviceId, routes: items })).body;
  expect(importedRoutes.map(({ methods, permission }: Entity) => [methods, permission])).toEqual([
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
    routes: [createImportItem('GET', '/nova'), createImportItem('GET', '/tomada/:id')],
  });
  expect([response.status, response.body.error]).toEqual([
    409,
    `Já existe uma rota com este método e a origem /${name}/tomada/:id.`,
  ]);
  const removal = await post('routes/import', {
    serviceId,
    routes: [createImportItem('GET', '/nova')],
    remove: [foreignRoute._id],
  });
  expect([removal.status, Object.keys(removal.body.fields)]).toEqual([400, ['remove']]);
  expect(await listRoutes(serviceId)).toEqual([]);
  expect(await listRoutes(otherService._id)).toHaveLength(1);
});

test('an import may consist of removals only, and ignores routes that are already removed', async () => {
  const { _id: serviceId } = await createService(core);
  const [route]: Entity[] = (await post('routes/import', { serviceId, routes: [createImportItem('GET', '/a')] })).body;
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
      createImportItem('GET', `/recurso-${index}/${'x'.repeat(500)}/:id`, permission),
    );
  const response = await post('routes/import', { serviceId, routes: createItems(5_000, 'r:ler') });
  expect([response.status, response.body.length]).toEqual([201, 5_000]);
  const changeResponse = await post('routes/import', { serviceId, routes: createItems(5_000, 'r:ver') });
  expect(changeResponse.body.map(({ _id }: Entity) => _id)).toEqual(response.body.map(({ _id }: Entity) => _id));
  expect(changeResponse.body[4_999]).toMatchObject({ permission: 'r:ver' });
  expect((await post('routes/import', { serviceId, routes: createItems(5_001, 'r:ler') })).status).toBe(400);
  const largeItems = [createImportItem('GET', `/${'x'.repeat(4_200_000)}`)];
  expect((await post('routes/import', { serviceId, routes: largeItems })).status).toBe(413);
  expect(await listRoutes(serviceId)).toHaveLength(5_000);
});
