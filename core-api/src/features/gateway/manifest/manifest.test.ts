import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { findFreePort } from '../../../../../scripts/testing/program';
import { Core, listen, type RestResponse } from '../../../testing/core';

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

const respondWithJson =
  (body: unknown, status = 200): Responder =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const respondNotFound = respondWithJson({}, 404);

let core: Core;
let service: Awaited<ReturnType<typeof listen>>;
let responses: Record<string, Responder> = {};
let requestedPaths: string[] = [];

/** Both reads start before the tests, because each read takes as long as its time limit. */
let slowReads: { silent: Promise<Outcome>; dripping: Promise<Outcome>; stop(): Promise<unknown> };

beforeAll(async () => {
  service = await listen((request, response) => {
    requestedPaths.push(request.url ?? '');
    (responses[request.url ?? ''] ?? respondNotFound)(request, response);
  });
  core = await new Core().start();
  const silent = await listen(() => undefined);
  const dripping = await listen((_request, response) => {
    response.write('[');
    const timer = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(timer));
  });
  slowReads = {
    silent: readManifest(silent.url),
    dripping: readManifest(dripping.url),
    stop: () => Promise.all([silent.stop(), dripping.stop()]),
  };
});
afterAll(async () => {
  await core.stop();
  await service.stop();
  await slowReads.stop();
});

type Outcome = Pick<RestResponse, 'status' | 'body'>;
let serviceCount = 0;
async function readManifest(host: string, path = 'manifest'): Promise<Outcome> {
  const response = await core.request('POST', '/gateway/admin/services', {
    body: { name: `s${++serviceCount}`, host },
  });
  const { status, body } = await core.request('GET', `/gateway/admin/services/${response.body._id}/${path}`);
  return { status, body };
}
function readResponses(responders: Record<string, Responder>, host = service.url, path = 'manifest') {
  responses = responders;
  requestedPaths = [];
  return readManifest(host, path);
}
const readDocument = (document: unknown) => readResponses({ '/manifest': respondWithJson(document) });
/** Reads a document for an import. Routes are `METHOD path`, and skipped operations have their reason. */
async function readForImport(document: unknown, host = service.url) {
  const { pathname } = new URL(host);
  const path = `${pathname.replace(/\/$/, '')}/manifest`;
  const { status, body } = await readResponses({ [path]: respondWithJson(document) }, host, 'manifest/reading');
  expect(status).toBe(200);
  const routes: { method: string; path: string }[] = body.routes;
  const skipped: { method?: string; path: string; reason: string }[] = body.skipped;
  return {
    body,
    routes: routes.map(({ method, path }) => `${method} ${path}`),
    skipped: skipped.map(({ method = '-', path, reason }) => [`${method} ${path}`, reason]),
  };
}
const createOpenApiDocument = (paths: object, fields: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'x', version: '1' },
  ...fields,
  paths,
});

const createExpectedFailure = (details: RegExp) => ({
  status: 502,
  body: { error: 'Não foi possível ler o manifesto do serviço.', details: expect.stringMatching(details) },
});

describe('documents', () => {
  test('a manifest is a list of routes or an object with such a list, and invalid entries are left out', async () => {
    const routes = [
      { method: 'get', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Um pedido' },
      { method: 'POST', path: '/pedidos/{id}/itens', permission: 'não é permissão' },
      { method: 'DELETE', path: 'sem-barra' },
      { method: 'TRACE', path: '/a' },
    ];
    const expectedRoutes = [
      { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Um pedido' },
      { method: 'POST', path: '/pedidos/:id/itens', permission: '' },
    ];
    expect(await readDocument(routes)).toEqual({ status: 200, body: expectedRoutes });
    expect(await readDocument({ routes })).toEqual({ status: 200, body: expectedRoutes });
    expect(await readDocument([])).toEqual({ status: 200, body: [] });
  });

  test('each operation of OpenAPI 3 becomes a route below the path of the first server, with its permission', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      servers: [{ url: 'https://api.exemplo.com/v2/' }, { url: '/outro' }],
      paths: {
        '/itens/{item_id}': {
          summary: 'não é operação',
          parameters: [],
          get: { summary: 'Um item', 'x-permission': 'itens:ler' },
          delete: { security: [{ oauth: ['itens:remover'] }] },
          trace: {},
        },
        '/dois': { post: { security: [{ oauth: ['a:b', 'c:d'] }] }, put: { security: [{ chave: [] }] } },
      },
    };
    expect(await readDocument(document)).toEqual({
      status: 200,
      body: [
        { method: 'GET', path: '/v2/itens/:item_id', permission: 'itens:ler', summary: 'Um item' },
        { method: 'DELETE', path: '/v2/itens/:item_id', permission: 'itens:remover' },
        { method: 'POST', path: '/v2/dois', permission: '' },
        { method: 'PUT', path: '/v2/dois', permission: '' },
      ],
    });
    expect((await readDocument({ ...document, servers: [{ url: '/rel' }] })).body[0].path).toBe('/rel/itens/:item_id');
    expect((await readDocument({ ...document, servers: undefined })).body[0].path).toBe('/itens/:item_id');
  });

  test('the manifest is read from the first URL that does not respond with 404', async () => {
    const firstManifest = respondWithJson([{ method: 'GET', path: '/um' }]);
    const secondManifest = respondWithJson([{ method: 'GET', path: '/dois' }]);
    const paths = ['/.well-known/gateway-manifest.json', '/manifest', '/openapi.json'];
    expect((await readResponses({ '/manifest': firstManifest, '/openapi.json': secondManifest })).body[0].path).toBe(
      '/um',
    );
    expect(requestedPaths).toEqual(paths.slice(0, 2));
    expect((await readResponses({ '/openapi.json': secondManifest })).body[0].path).toBe('/dois');
    expect(await readResponses({})).toEqual(createExpectedFailure(/não oferece um manifesto/));
    expect(requestedPaths).toEqual(paths);
    expect(
      await readResponses({
        '/.well-known/gateway-manifest.json': respondWithJson({}, 500),
        '/manifest': firstManifest,
      }),
    ).toEqual(createExpectedFailure(/status 500/));
  });

  test('a document is looked for below the path of the service', async () => {
    const responders = { '/v1/manifest': respondWithJson([{ method: 'GET', path: '/a' }]) };
    expect((await readResponses(responders, `${service.url}/v1`)).status).toBe(200);
  });

  test.each([[{ openapi: '2.0', paths: {} }], ['texto'], [null], [{ routes: [{ method: 'GET' }] }]])(
    'the document %j is refused as an unknown format',
    async (document) =>
      expect(await readDocument(document)).toEqual(
        createExpectedFailure(/formato conhecido.* Endereço tentado: http:.*manifest/),
      ),
  );

  test('a document that is neither JSON nor YAML is refused with that reason', async () => {
    const respondHtml: Responder = (_request, response) => void response.end('<html>segredo interno</html>');
    expect(await readResponses({ '/manifest': respondHtml })).toEqual(
      createExpectedFailure(/^O documento não é um JSON nem um YAML válido\. Endereço tentado: http:\S+\/manifest\.$/),
    );
  });

  const respondWithYaml =
    (text: string): Responder =>
    (_request, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/yaml' }).end(text);

  test.each([
    [
      'openapi: 3.1.0',
      'paths:',
      '  /caixas/{id}:',
      '    get:',
      '      summary: Uma caixa',
      '      x-permission: caixas:ler',
    ],
    ['# Estoque', '- method: GET', '  path: /caixas/:id', '  permission: caixas:ler', '  summary: Uma caixa'],
  ])('a YAML document that begins with %j is read from the URL of the service', async (...lines) => {
    const { status, body } = await readResponses({ '/manifest': respondWithYaml(lines.join('\n')) });
    const route = { method: 'GET', path: '/caixas/:id', permission: 'caixas:ler', summary: 'Uma caixa' };
    expect([status, body]).toEqual([200, [route]]);
  });

  test('a mistake in a YAML document is reported with its line', async () => {
    expect(await readResponses({ '/manifest': respondWithYaml('openapi: 3.1.0\npaths:\n  /caixas: ]\n') })).toEqual(
      createExpectedFailure(/^O YAML tem um erro na linha 3\. Endereço tentado: http:\S+\/manifest\.$/),
    );
  });

  test('a YAML document whose aliases expand exponentially is refused', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`)}]`,
    );
    expect(
      await readResponses({ '/manifest': respondWithYaml(['openapi: 3.1.0', 'a0: &a0 [x]', ...levels].join('\n')) }),
    ).toEqual(createExpectedFailure(/^O documento não é um YAML válido\. /));
  });
});

describe('reading for an import', () => {
  const GET_ITEM = { get: {} };

  test('an entry that is not a route is listed with its reason and does not affect the other routes', async () => {
    const list = [{ method: 'GET', path: '/a' }, { method: 'GET' }, { method: 7, path: '/b' }, null, 'GET /c'];
    const reason = 'A entrada não tem método e caminho em texto.';
    expect(await readForImport(list)).toMatchObject({
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
    const { routes, skipped } = await readForImport(
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
    const { routes, skipped } = await readForImport(
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

  test('a route begins with the path of its server, in which variables have their defaults', async () => {
    const servers = [
      {
        url: 'https://{host}:{port}/{base}/v1/',
        variables: { host: {}, port: { default: '443' }, base: { default: 'api' } },
      },
    ];
    const { body, routes } = await readForImport(
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
    const unsetVariableReading = await readForImport(
      createOpenApiDocument({ '/a': GET_ITEM }, { servers: [{ url: '/{versao}' }] }),
    );
    expect(unsetVariableReading.skipped).toEqual([
      ['GET /a', 'A variável {versao} do endereço do servidor não tem valor padrão.'],
    ]);
  });

  test.each([
    ['//api.exemplo.com/v1', '/v1/a'],
    ['api.exemplo.com/v1', '/v1/a'],
    ['v1', '/v1/a'],
    ['', '/a'],
    ['Endereço da sua API', '/a'],
  ])('with the server %j, the operation at /a becomes a route with the path %s', async (url, path) => {
    expect((await readForImport(createOpenApiDocument({ '/a': GET_ITEM }, { servers: [{ url }] }))).routes).toEqual([
      `GET ${path}`,
    ]);
  });

  test('the path of the service is not repeated in the routes', async () => {
    const readBelowV1 = (url: string) =>
      readForImport(createOpenApiDocument({ '/a': GET_ITEM }, { servers: [{ url }] }), `${service.url}/v1`);
    expect((await readBelowV1('https://api.exemplo.com/v1')).routes).toEqual(['GET /a']);
    expect((await readBelowV1('/v1/loja')).routes).toEqual(['GET /loja/a']);
    expect((await readBelowV1('/v10')).routes).toEqual(['GET /v10/a']);
    expect((await readBelowV1('')).routes).toEqual(['GET /a']);
  });

  test('references within the document are resolved, and other references are listed with a reason', async () => {
    const { routes, skipped } = await readForImport(
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
    expect((await readForImport(createDocument('/v2'))).body).toEqual({
      routes: [{ method: 'GET', path: '/v2/pets/:petId', permission: 'pets:ler', summary: 'Um' }],
      skipped: [],
    });
    expect((await readForImport(createDocument('v2/'))).routes).toEqual(['GET /v2/pets/:petId']);
    expect((await readForImport(createDocument())).routes).toEqual(['GET /pets/:petId']);
  });

  test('a permission that the document lacks is suggested only if the document is read for an import', async () => {
    const document = createOpenApiDocument({
      '/v1/pedidos/{id}/itens': { get: {}, post: {}, put: {}, patch: {}, delete: {} },
      '/{org}': GET_ITEM,
      '/API/2.1/Açaí com leite': GET_ITEM,
      '/dado': { get: { 'x-permission': 'dado:ver' } },
    });
    const { body } = await readForImport(document);
    const routes: { permission: string; suggestedPermission?: string }[] = body.routes;
    expect(routes.map(({ permission, suggestedPermission }) => permission || suggestedPermission)).toEqual([
      ...['pedidos:ler', 'pedidos:criar', 'pedidos:alterar', 'pedidos:alterar', 'pedidos:remover'],
      expect.stringMatching(/^s\d+:ler$/),
      'açaí-com-leite:ler',
      'dado:ver',
    ]);
    expect(routes.at(-1)).not.toHaveProperty('suggestedPermission');
    const publishedRoutes = (await readDocument(document)).body;
    expect(publishedRoutes[0]).toEqual({ method: 'GET', path: '/v1/pedidos/:id/itens', permission: '' });
  });

  test('a suggested permission that another service or a key already uses gets the service’s name as a prefix', async () => {
    const document = createOpenApiDocument({
      '/faturas': { get: {}, post: {} },
      '/lojas': { get: {}, delete: {} },
      '/notas': { get: {} },
    });
    const readSuggestions = async () => {
      const routes: { suggestedPermission: string }[] = (await readForImport(document)).body.routes;
      return routes.map(({ suggestedPermission }) => suggestedPermission);
    };
    expect(await readSuggestions()).toEqual([
      'faturas:ler',
      'faturas:criar',
      'lojas:ler',
      'lojas:remover',
      'notas:ler',
    ]);
    const otherService = await core.request('POST', '/gateway/admin/services', {
      body: { name: 'antigo', host: service.url },
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
    responses = { '/docs/v1.json': respondWithJson(createOpenApiDocument({ '/itens': GET_ITEM })) };
    const { body: created } = await core.request('POST', '/gateway/admin/services', {
      body: { name: `s${++serviceCount}`, host: service.url },
    });
    const path = `/gateway/admin/services/${created._id}/manifest/reading`;
    const readSource = (body: object) => core.request('POST', path, { body });
    const document = JSON.stringify(createOpenApiDocument({ '/pedidos/{id}': GET_ITEM }));
    expect((await readSource({ document })).body.routes).toEqual([
      { method: 'GET', path: '/pedidos/:id', permission: '', suggestedPermission: 'pedidos:ler' },
    ]);
    expect((await readSource({ address: `${service.url}/docs/v1.json` })).body.routes).toHaveLength(1);
    expect(await readSource({ address: `${service.url}/nada` })).toMatchObject(createExpectedFailure(/status 404/));
    for (const [body, field] of [
      [{ document: 'não é JSON' }, 'document'],
      [{}, 'document'],
      [{ document, address: service.url }, 'document'],
      [{ address: 'ftp://exemplo.com' }, 'address'],
    ] as const) {
      const { status, body: responseBody } = await readSource(body);
      expect([status, Object.keys(responseBody.fields)]).toEqual([400, [field]]);
    }
    expect((await core.request('GET', path)).body.details).toContain(`${service.url}/openapi.json`);
  });

  test('5,000 operations in 15 MB are read while the core answers other calls; 5,001 operations are refused', async () => {
    const createPaths = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`/r${index}/{id}`, GET_ITEM]));
    const document = createOpenApiDocument(createPaths(5_000), { 'x-texto': 'a'.repeat(15 * 1024 * 1024) });
    let isRead = false;
    const reading = readForImport(document).finally(() => {
      isRead = true;
    });
    let answeredCount = 0;
    for (; !isRead; answeredCount += 1) expect((await core.request('GET', '/projects')).status).toBe(200);
    expect(answeredCount).toBeGreaterThan(3);
    expect((await reading).routes).toHaveLength(5_000);
    expect(await readDocument(createOpenApiDocument(createPaths(5_001)))).toEqual(
      createExpectedFailure(/tem 5\.001 operações; o limite é de 5\.000/),
    );
  });

  test('a document that exhausts the parser is refused, and the core continues', async () => {
    const respondWithNested: Responder = (_request, response) => void response.end('['.repeat(4_000_000));
    expect(await readResponses({ '/manifest': respondWithNested })).toEqual(
      createExpectedFailure(/YAML válido|complexo demais/),
    );
    const respondWithMany: Responder = (_request, response) =>
      void response.end(`[${'{"a":[]},'.repeat(1_800_000)}{}]`);
    expect(await readResponses({ '/manifest': respondWithMany })).toEqual(
      createExpectedFailure(/tem 1\.800\.001 operações|complexo demais/),
    );
    expect((await core.request('GET', '/projects')).status).toBe(200);
  });
});

describe('failing services', () => {
  test('a redirect is followed on the same host only', async () => {
    const redirectTo =
      (location: string): Responder =>
      (_request, response) =>
        void response.writeHead(302, { Location: location }).end();
    expect((await readResponses({ '/manifest': redirectTo('/la'), '/la': respondWithJson([]) })).status).toBe(200);
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      `http://localhost:${service.port}/la`,
      'file:///etc/passwd',
      '//outro.example/la',
    ]) {
      expect(await readResponses({ '/manifest': redirectTo(location), '/la': respondWithJson([]) })).toEqual(
        createExpectedFailure(/redireciona/),
      );
    }
    expect(await readResponses({ '/manifest': redirectTo('/manifest') })).toEqual(createExpectedFailure(/redireciona/));
  });

  test('a document of more than 16 MB is refused, compressed or not', async () => {
    const large = Buffer.alloc(100 * 1024 * 1024, 0x20);
    // The compression runs outside of this thread, which serves the slow documents.
    const bomb = await promisify(gzip)(large);
    const respondCompressed: Responder = (_request, response) =>
      void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    expect(await readResponses({ '/manifest': respondCompressed })).toEqual(createExpectedFailure(/16 MB/));
    const respondPlain: Responder = (_request, response) => void response.end(large.subarray(0, 17 * 1024 * 1024));
    expect(await readResponses({ '/manifest': respondPlain })).toEqual(createExpectedFailure(/16 MB/));
  });

  test('a silent service times out after 5 s, a slow document after 20 s', async () => {
    expect(await slowReads.silent).toEqual(createExpectedFailure(/5 segundos/));
    expect(await slowReads.dripping).toEqual(createExpectedFailure(/20 segundos/));
  });

  test('an unreachable service and a broken response are refused with their reason', async () => {
    expect(await readResponses({}, `http://127.0.0.1:${await findFreePort()}`)).toEqual(createExpectedFailure(/./));
    const breakOff: Responder = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('[');
      setTimeout(() => response.destroy(), 50);
    };
    expect(await readResponses({ '/manifest': breakOff })).toEqual(createExpectedFailure(/./));
    expect(await readResponses({}, 'http://nome-que-nao-existe.invalid')).toEqual(createExpectedFailure(/./));
  });
});

test('a long reference that every operation repeats is shortened in the response', async () => {
  const reference = `#/x/${'a'.repeat(8_000)}`;
  const paths = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`/p${index}`, { $ref: reference }]));
  const { body, skipped } = await readForImport(createOpenApiDocument(paths));
  expect(skipped).toHaveLength(1_000);
  expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
});
