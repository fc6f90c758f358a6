import { join } from 'node:path';
import { ROOT } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import {
  createExpectedFailure,
  createServicePath,
  ManifestPublisher,
  type Responder,
  respondWithJson,
} from './testing/manifest-publisher';

let core: Core;
let publisher: ManifestPublisher;
beforeAll(async () => {
  // A busy machine needs more than eight seconds for the largest documents.
  const timeLimits = join(ROOT, 'scripts/testing/long-time-limits.cjs');
  core = await new Core({ NODE_OPTIONS: `--require ${timeLimits}` }).start();
  publisher = await ManifestPublisher.start(core);
});
afterAll(async () => {
  await core?.stop();
  await publisher?.stop();
});

const createOpenApiDocument = (paths: object, fields: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'x', version: '1' },
  ...fields,
  paths,
});
const GET_ITEM = { get: {} };

test('an entry that is not a route is listed with its reason and does not affect the other routes', async () => {
  const list = [{ method: 'GET', path: '/a' }, { method: 'GET' }, { method: 7, path: '/b' }, null, 'GET /c'];
  const reason = 'A entrada não tem método e caminho em texto.';
  expect(await publisher.readForImport(list)).toMatchObject({
    routes: [expect.stringContaining('GET /a')],
    skipped: [
      ['GET [1]', reason],
      ['- /b', reason],
      ['- [3]', reason],
      ['- [4]', reason],
    ],
  });
});

test('an operation that cannot become a route is listed with its reason and does not affect the others', async () => {
  const { routes, skipped } = await publisher.readForImport(
    createOpenApiDocument({
      'x-nota': 'extensão',
      '/a': { get: {}, trace: {}, put: 'texto', query: {}, 'x-y': {}, description: 'a' },
      '/repos/{base}...{head}': GET_ITEM,
      '/#Alvo=X': { post: {} },
      '/busca?q={q}': GET_ITEM,
      '//dobro': GET_ITEM,
      '/a;b': GET_ITEM,
      '/a/../b': GET_ITEM,
      [`/${'longo'.repeat(250)}`]: GET_ITEM,
      '/A/': GET_ITEM,
      '/nulo': null,
    }),
  );
  expect(routes).toEqual(['GET /a']);
  expect(skipped.map(([operation, reason = '']) => [operation, reason.split(' ').slice(0, 8).join(' ')])).toEqual([
    ['TRACE /a', 'O método TRACE não pode ser usado em'],
    ['PUT /a', 'A descrição da operação não é um objeto.'],
    ['QUERY /a', 'O método QUERY não pode ser usado em'],
    ['GET /repos/{base}...{head}', 'O trecho {base}...{head} mistura texto e parâmetro.'],
    ['POST /#Alvo=X', 'O caminho tem um #, que nunca chega'],
    ['GET /busca?q={q}', 'O caminho tem uma consulta (?): rotas não'],
    ['GET //dobro', 'O caminho tem barras repetidas.'],
    ['GET /a;b', 'O caminho tem caracteres ou trechos que o'],
    ['GET /a/../b', 'O caminho tem caracteres ou trechos que o'],
    [`GET /${'longo'.repeat(250)}`.slice(0, 304), 'O caminho é longo demais.'],
    ['GET /A/', 'É a mesma rota que GET /a.'],
    ['- /nulo', 'A descrição da operação não é um objeto.'],
  ]);
});

test('parameters get valid names that are unique in their path', async () => {
  const { routes, skipped } = await publisher.readForImport(
    createOpenApiDocument({
      '/pets/{pet-id}': GET_ITEM,
      '/a/{x}/b/{x}': GET_ITEM,
      '/b/{um-id}/{um_id}/{1st}/{ção}/{}': GET_ITEM,
      '/c/:express/{express}': GET_ITEM,
      'sem-barra/{id}': GET_ITEM,
      '/com espaço/"x"': GET_ITEM,
    }),
  );
  expect(skipped).toEqual([]);
  expect(routes).toEqual([
    'GET /pets/:pet_id',
    'GET /a/:x/b/:x_2',
    'GET /b/:um_id/:um_id_2/:_1st/:__o/:param',
    'GET /c/:express/:express_2',
    'GET /sem-barra/:id',
    'GET /com%20espa%C3%A7o/%22x%22',
  ]);
});

test('a route begins with the path of its server, whose variables take their defaults', async () => {
  const servers = [
    {
      url: 'https://{host}:{port}/{base}/v1/',
      variables: { host: {}, port: { default: '443' }, base: { default: 'api' } },
    },
  ];
  const { body, routes } = await publisher.readForImport(
    createOpenApiDocument(
      {
        '/a': GET_ITEM,
        '/b': { servers: [{ url: '/b2' }], get: {}, post: { servers: [{ url: 'https://uploads.exemplo.com/' }] } },
      },
      { servers },
    ),
  );
  expect(routes).toEqual(['GET /api/v1/a', 'GET /b2/b', 'POST /b']);
  expect(body.routes.map(({ otherServer }: { otherServer?: string }) => otherServer)).toEqual([
    undefined,
    undefined,
    'uploads.exemplo.com',
  ]);
  const unsetVariableReading = await publisher.readForImport(
    createOpenApiDocument({ '/a': GET_ITEM }, { servers: [{ url: '/{versao}' }] }),
  );
  expect(unsetVariableReading.skipped).toEqual([
    ['GET /a', 'A variável {versao} do endereço do servidor não tem valor padrão.'],
  ]);
});

test.each([
  ['//api.exemplo.com/v1', '/v1/a'],
  ['api.exemplo.com/v1', '/v1/a'],
  ['10.0.0.1:8080/v1', '/v1/a'],
  ['v1.0', '/v1.0/a'],
  ['v1', '/v1/a'],
  ['', '/a'],
  ['Endereço da sua API', '/a'],
])('with the server %j, the operation at /a becomes a route with the path %s', async (url, path) => {
  expect(
    (await publisher.readForImport(createOpenApiDocument({ '/a': GET_ITEM }, { servers: [{ url }] }))).routes,
  ).toEqual([`GET ${path}`]);
});

test('the path of the service is not repeated in the routes', async () => {
  const readBelowV1 = (url: string) =>
    publisher.readForImport(createOpenApiDocument({ '/a': GET_ITEM }, { servers: [{ url }] }), `${publisher.url}/v1`);
  expect((await readBelowV1('https://api.exemplo.com/v1')).routes).toEqual(['GET /a']);
  expect((await readBelowV1('/v1/loja')).routes).toEqual(['GET /loja/a']);
  expect((await readBelowV1('/v10')).routes).toEqual(['GET /v10/a']);
  expect((await readBelowV1('')).routes).toEqual(['GET /a']);
});

test('references within the document are resolved, and paths with other or broken references are skipped', async () => {
  const { routes, skipped } = await publisher.readForImport(
    createOpenApiDocument(
      {
        '/a': GET_ITEM,
        '/b': { $ref: '#/paths/~1a' },
        '/c': { $ref: '#/components/pathItems/Dois%20itens', delete: {} },
        '/d': { $ref: 'outro.json#/x' },
        '/e': { $ref: '#/components/nada' },
        '/f': { $ref: '#/paths/~1f' },
      },
      { components: { pathItems: { 'Dois itens': { get: {}, post: {} } } } },
    ),
  );
  expect(routes).toEqual(['GET /a', 'GET /b', 'GET /c', 'POST /c', 'DELETE /c']);
  expect(skipped).toEqual([
    ['- /d', 'A referência outro.json#/x aponta para fora do documento.'],
    ['- /e', 'A referência #/components/nada não leva a nada.'],
    ['- /f', 'A referência #/paths/~1f não leva a nada.'],
  ]);
});

test('the routes of a Swagger 2.0 document begin with its basePath', async () => {
  const createDocument = (basePath?: string) => ({
    swagger: '2.0',
    info: { title: 'x', version: '1' },
    host: 'loja.exemplo.com',
    basePath,
    schemes: ['https'],
    securityDefinitions: {},
    paths: { '/pets/{petId}': { get: { summary: 'Um', security: [{ oauth: ['pets:ler'] }] } } },
  });
  expect((await publisher.readForImport(createDocument('/v2'))).body).toEqual({
    routes: [{ method: 'GET', path: '/v2/pets/:petId', permission: 'pets:ler', summary: 'Um' }],
    skipped: [],
  });
  expect((await publisher.readForImport(createDocument('v2/'))).routes).toEqual(['GET /v2/pets/:petId']);
  expect((await publisher.readForImport(createDocument())).routes).toEqual(['GET /pets/:petId']);
});

test('a permission that the document lacks is suggested only if the document is read for an import', async () => {
  const document = createOpenApiDocument({
    '/v1/pedidos/{id}/itens': { get: {}, post: {}, put: {}, patch: {}, delete: {} },
    '/{org}': GET_ITEM,
    '/API/2.1/Açaí com leite': GET_ITEM,
    '/dado': { get: { 'x-permission': 'dado:ver' } },
  });
  const { body } = await publisher.readForImport(document);
  const routes: { permission: string; suggestedPermission?: string }[] = body.routes;
  expect(routes.map(({ permission, suggestedPermission }) => permission || suggestedPermission)).toEqual([
    ...['pedidos:ler', 'pedidos:criar', 'pedidos:alterar', 'pedidos:alterar', 'pedidos:remover'],
    expect.stringMatching(/^s\d+:ler$/),
    'açaí-com-leite:ler',
    'dado:ver',
  ]);
  expect(routes.at(-1)).not.toHaveProperty('suggestedPermission');
  const publishedRoutes = (await publisher.readDocument(document)).body;
  expect(publishedRoutes[0]).toEqual({ method: 'GET', path: '/v1/pedidos/:id/itens', permission: '' });
});

test('the name of the service precedes a suggested permission that a key or another service uses', async () => {
  const document = createOpenApiDocument({
    '/faturas': { get: {}, post: {} },
    '/lojas': { get: {}, delete: {} },
    '/notas': { get: {} },
  });
  const readSuggestions = async () => {
    const routes: { suggestedPermission: string }[] = (await publisher.readForImport(document)).body.routes;
    return routes.map(({ suggestedPermission }) => suggestedPermission);
  };
  expect(await readSuggestions()).toEqual(['faturas:ler', 'faturas:criar', 'lojas:ler', 'lojas:remover', 'notas:ler']);
  const otherService = await core.request('POST', '/gateway/admin/services', {
    body: { name: 'antigo', host: publisher.url },
  });
  const route = {
    serviceId: otherService.body._id,
    origin: '/antigo/faturas',
    destination: '/faturas',
    methods: ['GET'],
  };
  await core.request('POST', '/gateway/admin/routes', { body: { ...route, permission: 'faturas:ler' } });
  await core.request('POST', '/gateway/admin/keys', { body: { name: 'Parceiro', permissions: ['lojas:*'] } });
  await core.request('POST', '/gateway/admin/keys', { body: { name: 'Tudo', permissions: ['*'] } });
  const withPrefix = (permission: string) => expect.stringMatching(new RegExp(`^s\\d+-${permission}$`));
  expect(await readSuggestions()).toEqual([
    withPrefix('faturas:ler'),
    'faturas:criar',
    withPrefix('lojas:ler'),
    withPrefix('lojas:remover'),
    'notas:ler',
  ]);
});

test('a document is read from the text or from the URL in the request body', async () => {
  publisher.responders = { '/docs/v1.json': respondWithJson(createOpenApiDocument({ '/itens': GET_ITEM })) };
  const path = `${await createServicePath(core, publisher.url)}/manifest/reading`;
  const readSource = (body: object) => core.request('POST', path, { body });
  const document = JSON.stringify(createOpenApiDocument({ '/pedidos/{id}': GET_ITEM }));
  expect((await readSource({ document })).body.routes).toEqual([
    { method: 'GET', path: '/pedidos/:id', permission: '', suggestedPermission: 'pedidos:ler' },
  ]);
  expect((await readSource({ address: `${publisher.url}/docs/v1.json` })).body.routes).toHaveLength(1);
  expect(await readSource({ address: `${publisher.url}/nada` })).toMatchObject(createExpectedFailure(/status 404/));
  for (const [body, field] of [
    [{ document: 'não é JSON' }, 'document'],
    [{}, 'document'],
    [{ document, address: publisher.url }, 'document'],
    [{ address: 'ftp://exemplo.com' }, 'address'],
  ] as const) {
    const { status, body: responseBody } = await readSource(body);
    expect([status, Object.keys(responseBody.fields)]).toEqual([400, [field]]);
  }
  expect((await core.request('GET', path)).body.details).toContain(`${publisher.url}/openapi.json`);
});

test('up to 5,000 operations in 15 MB are read, while the core answers other calls', async () => {
  const createPaths = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`/r${index}/{id}`, GET_ITEM]));
  const document = createOpenApiDocument(createPaths(5_000), { 'x-texto': 'a'.repeat(15 * 1024 * 1024) });
  let isRead = false;
  const reading = publisher.readForImport(document).finally(() => {
    isRead = true;
  });
  let answeredCount = 0;
  for (; !isRead; answeredCount += 1) expect((await core.request('GET', '/projects')).status).toBe(200);
  expect(answeredCount).toBeGreaterThan(3);
  expect((await reading).routes).toHaveLength(5_000);
  expect(await publisher.readDocument(createOpenApiDocument(createPaths(5_001)))).toEqual(
    createExpectedFailure(/tem 5\.001 operações; o limite é de 5\.000/),
  );
});

test('a document that exhausts the parser is refused, and the core continues', async () => {
  const respondWithNested: Responder = (_request, response) => void response.end('['.repeat(4_000_000));
  expect(await publisher.readResponses({ '/manifest': respondWithNested })).toEqual(
    createExpectedFailure(/YAML válido|complexo demais/),
  );
  const respondWithMany: Responder = (_request, response) => void response.end(`[${'{"a":[]},'.repeat(1_800_000)}{}]`);
  expect(await publisher.readResponses({ '/manifest': respondWithMany })).toEqual(
    createExpectedFailure(/tem 1\.800\.001 operações|complexo demais/),
  );
  expect((await core.request('GET', '/projects')).status).toBe(200);
});

test('a long reference that every operation repeats is shortened in the response', async () => {
  const reference = `#/x/${'a'.repeat(8_000)}`;
  const paths = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`/p${index}`, { $ref: reference }]));
  const { body, skipped } = await publisher.readForImport(createOpenApiDocument(paths));
  expect(skipped).toHaveLength(1_000);
  expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
});
