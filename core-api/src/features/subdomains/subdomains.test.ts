import { mkdirSync, symlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { findFreePort } from '../../../../scripts/testing/program';
import { Core, getStatusAndFields } from '../../testing/core';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
  mkdirSync(join(core.sites, 'site'), { recursive: true });
});
afterAll(() => core.stop());

const createBody = (subdomain: unknown, fields: object = {}) => ({
  subdomain,
  description: 'Serviço',
  type: 'proxy',
  port: 4000,
  ...fields,
});
const createSubdomain = (body: unknown) => core.request('POST', '/subdomains', { body });
const updateSubdomain = (name: string, body: unknown) => core.request('PUT', `/subdomains/${name}`, { body });
const listSubdomains = async (query = '') => (await core.request('GET', `/subdomains${query}`)).body;

test('a subdomain is created in canonical form, and fields that the server sets are ignored', async () => {
  const { status, body } = await createSubdomain(
    createBody(' Loja ', { description: '  Loja  ', port: '4000', _id: 'x', createdAt: 'y', total: 1 }),
  );
  expect(status).toBe(201);
  expect(body).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    subdomain: 'loja',
    description: 'Loja',
    type: 'proxy',
    port: 4000,
    staticPath: null,
    apiPort: null,
    targetHost: null,
    targetPort: null,
    spaFallback: true,
    source: 'folder',
    versionId: null,
    paused: false,
    healthCheck: true,
    health: { state: 'unknown', status: null, ms: null, checkedAt: null, reason: expect.any(String) },
    live: { state: 'pending', reason: expect.any(String) },
    createdAt: expect.stringMatching(/Z$/),
    version: 1,
  });
});

test('a subdomain is listed, and read by its name in any case or by its id', async () => {
  const { body: createdSubdomain } = await createSubdomain(createBody('mercado'));
  const expectedRow = { ...createdSubdomain, live: null };
  expect(await listSubdomains('?search=MERC')).toEqual({ subdomains: [expectedRow], total: 1 });
  expect((await listSubdomains()).subdomains).toContainEqual(expectedRow);
  for (const name of ['mercado', 'MERCADO', createdSubdomain._id]) {
    expect((await core.request('GET', `/subdomains/${name}`)).body).toEqual(expectedRow);
  }
  expect((await core.request('GET', '/subdomains/nenhum')).status).toBe(404);
});

test('a change of a subdomain keeps the other fields, but a new type clears the target of the old type', async () => {
  const { body: createdSubdomain } = await createSubdomain(createBody('mutante'));
  const { body: tunnel } = await updateSubdomain('mutante', {
    type: 'tunnel',
    targetHost: 'Exemplo.com',
    targetPort: 443,
  });
  const target = { type: 'tunnel', port: null, targetHost: 'exemplo.com', targetPort: 443 };
  expect(tunnel).toEqual({ ...createdSubdomain, ...target, version: 2 });
  const { body: describedTunnel } = await updateSubdomain('mutante', { description: 'Outra' });
  expect(describedTunnel).toEqual({ ...tunnel, description: 'Outra', version: 3 });
});

test('a subdomain is removed by name or id, and its label can be used again', async () => {
  await createSubdomain(createBody('breve'));
  expect((await core.request('DELETE', '/subdomains/breve')).status).toBe(204);
  expect((await core.request('DELETE', '/subdomains/breve')).status).toBe(404);
  const { status, body: recreatedSubdomain } = await createSubdomain(createBody('breve'));
  expect(status).toBe(201);
  expect((await core.request('DELETE', `/subdomains/${recreatedSubdomain._id}`)).status).toBe(204);
});

test('the list of subdomains is paged, newest first', async () => {
  for (const name of ['um', 'dois', 'tres', 'quatro']) await createSubdomain(createBody(`pagina-${name}`));
  const toNames = ({ subdomains }: { subdomains: { subdomain: string }[] }) =>
    subdomains.map(({ subdomain }) => subdomain);
  const firstPage = await listSubdomains('?limit=3&search=pagina-');
  const secondPage = await listSubdomains('?limit=3&page=2&search=pagina-');
  expect([firstPage.total, toNames(firstPage)]).toEqual([4, ['pagina-quatro', 'pagina-tres', 'pagina-dois']]);
  expect([secondPage.total, toNames(secondPage)]).toEqual([4, ['pagina-um']]);
});

test('a search takes a percent sign literally', async () => {
  await createSubdomain(createBody('desconto', { description: '10 % em tudo' }));
  await createSubdomain(createBody('sem-desconto', { description: 'Nada em tudo' }));
  const { subdomains } = await listSubdomains('?search=%25%20em%20tudo');
  expect(subdomains).toMatchObject([{ subdomain: 'desconto' }]);
});

test('the list of subdomains is filtered by state, also together with a search and in pages', async () => {
  const port = await findFreePort();
  for (const name of ['estado-a', 'estado-b', 'estado-c']) await createSubdomain(createBody(name, { port }));
  await createSubdomain(createBody('estado-parado', { port, paused: true }));
  await createSubdomain(createBody('estado-novo', { port: await findFreePort() }));
  expect((await core.request('POST', '/subdomains/estado-a/check')).body.health.state).toBe('down');
  const listNames = async (query: string) => {
    const { subdomains, total } = await listSubdomains(`?search=estado-${query}`);
    return [subdomains.map(({ subdomain }: { subdomain: string }) => subdomain), total];
  };
  expect(await listNames('&state=down')).toEqual([['estado-c', 'estado-b', 'estado-a'], 3]);
  expect(await listNames('&state=down&limit=2&page=2')).toEqual([['estado-a'], 3]);
  expect(await listNames('&state=paused')).toEqual([['estado-parado'], 1]);
  expect(await listNames('&state=unknown')).toEqual([['estado-novo'], 1]);
  expect(await listNames('&state=up')).toEqual([[], 0]);
  expect((await core.request('GET', '/subdomains?state=outro')).status).toBe(400);
});

test('the search for subdomains ignores case and diacritics', async () => {
  await createSubdomain(createBody('nascente', { description: 'Distribuição de Água' }));
  for (const search of ['distribuicao', 'ÁGUA', 'agua', 'Água', 'NASC']) {
    expect([search, (await listSubdomains(`?search=${encodeURIComponent(search)}`)).total]).toEqual([search, 1]);
  }
  await updateSubdomain('nascente', { description: 'Óleos' });
  expect([(await listSubdomains('?search=agua')).total, (await listSubdomains('?search=oleos')).total]).toEqual([0, 1]);
});

test.each(['page=0', 'page=-1', 'page=x', 'limit=0', 'limit=101', 'limit=1e9', 'page=1&page=2'])(
  'the list of subdomains refuses the query ?%s',
  async (query) => {
    expect((await core.request('GET', `/subdomains?${query}`)).status).toBe(400);
  },
);

test.each([
  [{}],
  [{ subdomain: 'a' }],
  [{ description: 'a', type: 'proxy', port: 1 }],
  [createBody('')],
  [createBody('a', { description: '  ' })],
])('subdomain and description are required: %j is refused', async (body) => {
  const response = await createSubdomain(body);
  expect([response.status, response.body.error]).toEqual([400, 'Subdomínio e descrição são obrigatórios.']);
});

test.each([
  'www',
  'API',
  'localhost',
  '-a',
  'a-',
  'a..b',
  'a.b',
  'a_b',
  'á',
  '..',
  'x'.repeat(64),
  'a\0b',
  'a b',
  7,
  {},
  ['a'],
])('a subdomain with the label %j is refused', async (label) =>
  expect(getStatusAndFields(await createSubdomain(createBody(label)))).toEqual([400, ['subdomain']]),
);

test.each([0, 65_536, -1, '80abc', '1e3', 1.5, null, '', true, [80], '０'])(
  'a proxy to the port %j is refused',
  async (port) => {
    expect(getStatusAndFields(await createSubdomain(createBody('porta', { port })))).toEqual([400, ['port']]);
  },
);

test("a target on one of the installation's own ports is refused", async () => {
  expect(getStatusAndFields(await createSubdomain(createBody('porta', { port: core.port })))).toEqual([400, ['port']]);
  const localAddresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const ownAddresses = localAddresses.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
  const tunnel = { subdomain: 'tunel', description: 'x', type: 'tunnel', targetPort: core.port };
  for (const targetHost of ['127.0.0.1', '127.8.8.8', '::1', '[::ffff:127.0.0.1]', 'localhost', ...ownAddresses]) {
    expect([targetHost, ...getStatusAndFields(await createSubdomain({ ...tunnel, targetHost }))]).toEqual([
      targetHost,
      400,
      ['targetPort'],
    ]);
  }
  const { body: savedSubdomain } = await createSubdomain({ ...tunnel, targetHost: '127.0.0.1', targetPort: 9 });
  const response = await core.request('PUT', `/subdomains/${savedSubdomain.subdomain}`, {
    body: { targetPort: core.port },
  });
  expect(getStatusAndFields(response)).toEqual([400, ['targetPort']]);
  await core.request('DELETE', `/subdomains/${savedSubdomain.subdomain}`);
});

test.each([
  '169.254.169.254',
  '[::ffff:a9fe:a9fe]',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  'fe80::1',
  'metadata.google.internal',
  'http://x',
  'a b',
  '',
  null,
])('a tunnel to %j is refused', async (targetHost) => {
  const body = { subdomain: 'tunel', description: 'x', type: 'tunnel', targetHost, targetPort: 80 };
  expect(getStatusAndFields(await createSubdomain(body))).toEqual([400, ['targetHost']]);
});

test('a static folder must be in an allowed folder after links are resolved', async () => {
  const createStaticAt = (staticPath: unknown) =>
    createSubdomain({ subdomain: 'estatico', description: 'x', type: 'static', staticPath, apiPort: '' });
  symlinkSync('/etc', join(core.sites, 'fora'));
  for (const path of [
    '/etc',
    '/',
    'site',
    `${core.sites}/../etc`,
    join(core.sites, 'fora'),
    `${core.sites}/a\0`,
    core.folder,
    dirname(core.folder),
    join(core.folder, 'edge'),
    join(__dirname, '../../../..'),
    join(__dirname, '../../../../web'),
    '',
    null,
  ]) {
    expect(getStatusAndFields(await createStaticAt(path))).toEqual([400, ['staticPath']]);
  }
  const { status, body } = await createStaticAt(join(core.sites, 'site/'));
  expect([status, body.staticPath, body.apiPort]).toEqual([201, join(core.sites, 'site'), null]);
});

test('exactly one of ten simultaneous requests for the same label succeeds', async () => {
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) => createSubdomain(createBody(index % 2 ? 'disputado' : 'DISPUTADO'))),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  const refusal = responses.find(({ status }) => status === 409);
  expect(refusal?.body.heldBy).toEqual({ kind: 'subdomain', id: 'disputado', name: 'disputado' });
  expect((await listSubdomains('?search=disputado')).total).toBe(1);
});

test('a description that looks like code is stored and searched as text', async () => {
  const description = `'; DROP TABLE subdomains; -- <img onerror=alert(1)> %_ {"__proto__": 1}`;
  expect((await createSubdomain(createBody('literal', { description }))).body.description).toBe(description);
  expect((await listSubdomains(`?search=${encodeURIComponent('%_')}`)).total).toBe(1);
});
