import { connect } from 'node:net';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';

const ROUTE_COUNT = 1_300;

let core: Core;
let serviceId: string;
let projectId: string;

beforeAll(async () => {
  core = await new Core().start();
  const create = async (path: string, body: object) => (await core.request('POST', path, { body })).body;
  for (const name of ['Água', 'Maçã', 'maca'])
    await create('/gateway/admin/keys', { name, permissions: ['*'], allowedIps: [] });
  await create('/gateway/admin/keys', { name: 'Pêra', permissions: ['caixa:*'], allowedIps: [], disabled: true });
  const project = await create('/projects', { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 });
  projectId = project._id;
  await create('/projects', { name: 'Estoque', dbPrefix: 'estoque', type: 'proxy', apiPort: 4001 });
  for (const name of ['Padaria', 'Açougue', 'Livraria'])
    await create('/tenants', { name, project: project._id, subdomain: name.toLowerCase().replace('ç', 'c') });
  const fiscal = await create('/projects', { name: 'Fiscal', dbPrefix: 'fx', type: 'proxy', apiPort: 4002 });
  const workshop = { name: 'oficina', project: fiscal._id, subdomain: 'borracha', responsibleName: 'Zé' };
  const { _id: workshopId } = await create('/tenants', workshop);
  await create(`/tenants/${workshopId}/domain`, { domain: 'pneusdoze.com.br' });
  const { body: bakeries } = await core.request('GET', '/tenants?search=padaria');
  await create(`/tenants/${bakeries[0]._id}/domain`, { domain: 'pão-quente.com.br' });
  serviceId = (await create('/gateway/admin/services', { name: 'loja', host: 'http://127.0.0.1:9' }))._id;
  const routes = Array.from({ length: ROUTE_COUNT }, (_, index) => ({
    method: index % 2 === 0 ? 'GET' : 'POST',
    path: `/${String(index).padStart(5, '0')}`,
    permission: 'loja:ler',
  }));
  await create('/gateway/admin/routes/import', { serviceId, routes });
});
afterAll(() => core.stop());

const readList = async (path: string) => {
  const { status, body, headers } = await core.request('GET', path);
  expect(status).toBe(200);
  return { rows: body, total: Number(headers.get('x-total-count')) };
};
const listNames = (rows: { name: string }[]) => rows.map(({ name }) => name);

test('without `limit`, a list is sent whole and sorted, with the number of rows in `X-Total-Count`', async () => {
  const { rows, total } = await readList('/gateway/admin/routes');
  expect([rows.length, total]).toEqual([ROUTE_COUNT, ROUTE_COUNT]);
  const origins = rows.map(({ origin }: { origin: string }) => origin);
  expect(origins).toEqual(origins.toSorted());
  expect(rows[700]).toMatchObject({ methods: ['GET'], service: { _id: serviceId, name: 'loja' } });
});

test('`after` with the id of the last row of a page selects the next page', async () => {
  const origins: string[] = [];
  for (let after = ''; ; ) {
    const { rows, total } = await readList(`/gateway/admin/routes?limit=600${after && `&after=${after}`}`);
    expect(total).toBe(ROUTE_COUNT);
    origins.push(...rows.map(({ origin }: { origin: string }) => origin));
    if (rows.length < 600) break;
    after = rows.at(-1)._id;
  }
  expect(origins).toEqual(
    (await readList('/gateway/admin/routes')).rows.map(({ origin }: { origin: string }) => origin),
  );
});

test.each([
  ['/tenants?', ['Açougue', 'Livraria', 'Padaria', 'oficina']],
  ['/tenants?sortBy=name', undefined],
  ['/tenants?sortBy=project&order=desc', undefined],
  ['/tenants?sortBy=customDomain', undefined],
  ['/tenants?sortBy=responsibleName&order=desc', undefined],
  ['/projects?', ['CRM', 'Estoque', 'Fiscal']],
  ['/projects?sortBy=type&order=desc', undefined],
  ['/projects?sortBy=dbPrefix', undefined],
  ['/gateway/admin/keys?sortBy=createdAt&order=asc', ['Água', 'Maçã', 'maca', 'Pêra']],
  ['/gateway/admin/keys?sortBy=createdAt&order=desc', ['Pêra', 'maca', 'Maçã', 'Água']],
  ['/gateway/admin/keys?sortBy=name&order=asc', undefined],
  ['/gateway/admin/keys?sortBy=name&order=desc', undefined],
  ['/gateway/admin/keys?sortBy=lastUsedAt&order=asc', undefined],
  ['/gateway/admin/keys?sortBy=lastUsedAt&order=desc', undefined],
  ['/gateway/admin/keys?sortBy=usageCount&order=desc', undefined],
])('the list GET %s has the same order when it is read in pages of one row', async (path, expected) => {
  const { rows } = await readList(path);
  expect(listNames(rows)).toEqual(expected ?? expect.any(Array));
  const pagedNames: string[] = [];
  for (let after = ''; pagedNames.length < rows.length; ) {
    const page = await readList(`${path}&limit=1${after && `&after=${after}`}`);
    expect([page.rows.length, page.total]).toEqual([1, rows.length]);
    pagedNames.push(page.rows[0].name);
    after = page.rows[0]._id;
  }
  expect(pagedNames).toEqual(listNames(rows));
});

test.each([
  ['/gateway/admin/keys?search=MACA&sortBy=createdAt&order=asc', ['Maçã', 'maca'], 2],
  ['/gateway/admin/keys?search=maca&limit=1&sortBy=createdAt&order=asc', ['Maçã'], 2],
  ['/gateway/admin/keys?search=nenhuma', [], 0],
  ['/gateway/admin/keys?search=%25', [], 0],
  ['/tenants?search=acougue', ['Açougue'], 1],
  ['/tenants?search=PNEUSDOZE', ['oficina'], 1],
  [`/tenants?search=${encodeURIComponent('PÃO-Q')}`, ['Padaria'], 1],
  ['/tenants?search=pao-q', ['Padaria'], 1],
  ['/tenants?search=xn--po-quente', ['Padaria'], 1],
  ['/tenants?search=fiscal', ['oficina'], 1],
  ['/tenants?search=ze', ['oficina'], 1],
  ['/gateway/admin/keys?status=active&sortBy=createdAt&order=asc&limit=2', ['Água', 'Maçã'], 3],
  ['/gateway/admin/keys?status=disabled', ['Pêra'], 1],
  ['/gateway/admin/keys?permission=loja:ler&search=agua', ['Água'], 1],
  ['/gateway/admin/keys?permission=loja:ler&search=pera', [], 0],
  ['/gateway/admin/keys?permission=caixa:ler&search=pera', ['Pêra'], 1],
  ['/gateway/admin/keys?permission=caixas&search=pera', [], 0],
  ['/projects?search=ESTO', ['Estoque'], 1],
])('GET %s finds %j (a search ignores case and diacritics)', async (path, expected, total) => {
  const list = await readList(path);
  expect([listNames(list.rows), list.total]).toEqual([expected, total]);
});

test.each([
  ['/tenants?sortBy=name', ['Açougue', 'Livraria', 'oficina', 'Padaria']],
  ['/tenants?sortBy=name&order=desc', ['Padaria', 'oficina', 'Livraria', 'Açougue']],
  ['/tenants?sortBy=subdomain', ['Açougue', 'oficina', 'Livraria', 'Padaria']],
  ['/tenants?sortBy=project&order=desc&limit=1', ['oficina']],
  ['/tenants?sortBy=customDomain&order=desc&limit=2', ['Padaria', 'oficina']],
  ['/tenants?sortBy=responsibleName&order=desc&limit=1', ['oficina']],
  ['/projects?sortBy=dbPrefix&order=desc', ['Fiscal', 'Estoque', 'CRM']],
])('GET %s lists %j in this order', async (path, expected) =>
  expect(listNames((await readList(path)).rows)).toEqual(expected),
);

test('a list of tenants can be restricted to a project, and a sorted list of routes to a service', async () => {
  const { rows, total } = await readList(`/tenants?project=${projectId}&limit=2`);
  expect([listNames(rows), total]).toEqual([['Açougue', 'Livraria'], 3]);
  const routes = await readList(`/gateway/admin/routes?service=${serviceId}&sortBy=destination&order=desc&limit=1`);
  expect([routes.rows[0].destination, routes.total]).toEqual([`/0${ROUTE_COUNT - 1}`, ROUTE_COUNT]);
});

test.each(['00012', 'LOJA:ler', 'get', 'loja'])(
  'a search for %j finds a route by its origin, permission, method or service',
  async (search) => {
    expect((await readList(`/gateway/admin/routes?search=${search}&limit=1`)).rows).toMatchObject([
      { methods: ['GET'] },
    ]);
  },
);

test('the search finds a changed row by its new text', async () => {
  const [tenant] = (await readList('/tenants?search=livraria')).rows;
  await core.request('PUT', `/tenants/${tenant._id}`, { body: { name: 'Papelaria' } });
  expect((await readList('/tenants?search=papelaria')).total).toBe(1);
  await core.request('PUT', `/tenants/${tenant._id}`, { body: { name: 'Livraria' } });
  const service = await core.create('/gateway/admin/services', { name: 'balcao', host: 'http://127.0.0.1:9' });
  const routes = [{ method: 'GET', path: '/fila', permission: 'fila:ler' }];
  await core.request('POST', '/gateway/admin/routes/import', { body: { serviceId: service._id, routes } });
  expect((await readList('/gateway/admin/routes?search=/balcao/fila')).total).toBe(1);
  const path = `/gateway/admin/services/${service._id}`;
  await core.request('PUT', path, { body: { name: 'caixa', renameRoutes: true } });
  expect((await readList('/gateway/admin/routes?search=/caixa/fila')).total).toBe(1);
  expect((await core.request('DELETE', path)).status).toBe(204);
});

test('a list of up to `wholeUpTo` rows ignores the parameter `limit`', async () => {
  const { rows, total } = await readList('/gateway/admin/keys?limit=1&wholeUpTo=4');
  expect([rows.length, total]).toEqual([4, 4]);
  expect((await readList('/gateway/admin/keys?limit=1&wholeUpTo=3')).rows).toHaveLength(1);
});

test('the key summary has the number of keys', async () => {
  expect((await core.request('GET', '/gateway/admin/key-summary')).body).toEqual({
    keys: 4,
    usageCount: 0,
    mostUsed: null,
  });
});

test('the rows that a search finds can be read in pages', async () => {
  const path = '/gateway/admin/keys?search=maca&limit=1&sortBy=createdAt&order=asc';
  const { rows: firstRows } = await readList(path);
  const { rows: nextRows } = await readList(`${path}&after=${firstRows[0]._id}`);
  expect([...listNames(firstRows), ...listNames(nextRows)]).toEqual(['Maçã', 'maca']);
});

test('with the parameter `fields`, rows have their id and only the selected fields', async () => {
  const { rows } = await readList('/tenants?fields=name,project&limit=1');
  expect(rows).toEqual([
    { _id: expect.any(String), name: 'Açougue', project: { _id: expect.any(String), name: 'CRM' } },
  ]);
});

test.each(['/tenants', '/projects', '/gateway/admin/keys', '/gateway/admin/routes'])(
  'GET %s refuses invalid parameters',
  async (path) => {
    for (const query of [
      'limit=0',
      'limit=1001',
      'wholeUpTo=2001',
      'order=up',
      'sortBy=digest',
      'after=x',
      `after=${serviceId}`,
      'fields=digest',
      'fields=',
      'limit=1&limit=2',
    ])
      expect([query, (await core.request('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
  },
);

test('an account that is limited to projects gets only rows of its projects', async () => {
  const [{ _id: permittedProjectId }] = (await readList('/projects?search=estoque')).rows;
  const password = 'uma senha bem longa';
  const { body } = await core.request('POST', '/admins', {
    body: { username: 'bia', role: 'viewer', projects: [permittedProjectId] },
  });
  await core.request('POST', '/setup', { body: { token: body.setupToken, password }, token: null });
  const login = await core.request('POST', '/login', { body: { username: 'bia', password }, token: null });
  const readAsLimited = async (path: string) => (await core.request('GET', path, { token: login.body.token })).body;
  expect(listNames(await readAsLimited('/projects'))).toEqual(['Estoque']);
  expect(await readAsLimited('/tenants?limit=1')).toEqual([]);
});

test('a caller that disconnects in the middle of a list does not affect the core', async () => {
  const { port, hostname } = new URL(core.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /api/gateway/admin/routes HTTP/1.1\r\nHost: core\r\nAuthorization: Bearer ${core.token}\r\nConnection: close\r\n\r\n`,
  );
  let receivedBytes = 0;
  socket.on('data', (data) => {
    receivedBytes += data.length;
    socket.destroy();
  });
  await waitFor('the first bytes have arrived', () => receivedBytes > 0);
  expect((await readList('/gateway/admin/routes?limit=1')).rows).toHaveLength(1);
});
