import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { findFreePort } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import {
  createExpectedFailure,
  ManifestPublisher,
  type Outcome,
  type Responder,
  readManifest,
  respondWithJson,
} from './testing/manifest-publisher';

let core: Core;
let publisher: ManifestPublisher;

/** Both reads start before the tests, because each read takes as long as its time limit. */
let slowReads: { silent: Promise<Outcome>; dripping: Promise<Outcome>; stop(): Promise<unknown> };

beforeAll(async () => {
  core = await new Core().start();
  publisher = await ManifestPublisher.start(core);
  const silent = await listen(() => undefined);
  const dripping = await listen((_request, response) => {
    response.write('[');
    const timer = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(timer));
  });
  slowReads = {
    silent: readManifest(core, silent.url),
    dripping: readManifest(core, dripping.url),
    stop: () => Promise.all([silent.stop(), dripping.stop()]),
  };
});
afterAll(async () => {
  await core?.stop();
  await publisher?.stop();
  await slowReads?.stop();
});

describe('documents', () => {
  test('the valid entries of a manifest are read from a list, or from an object with such a list', async () => {
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
    expect(await publisher.readDocument(routes)).toEqual({ status: 200, body: expectedRoutes });
    expect(await publisher.readDocument({ routes })).toEqual({ status: 200, body: expectedRoutes });
    expect(await publisher.readDocument([])).toEqual({ status: 200, body: [] });
  });

  test('an OpenAPI operation becomes a route below the path of the first server, with its permission', async () => {
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
    expect(await publisher.readDocument(document)).toEqual({
      status: 200,
      body: [
        { method: 'GET', path: '/v2/itens/:item_id', permission: 'itens:ler', summary: 'Um item' },
        { method: 'DELETE', path: '/v2/itens/:item_id', permission: 'itens:remover' },
        { method: 'POST', path: '/v2/dois', permission: '' },
        { method: 'PUT', path: '/v2/dois', permission: '' },
      ],
    });
    expect((await publisher.readDocument({ ...document, servers: [{ url: '/rel' }] })).body[0].path).toBe(
      '/rel/itens/:item_id',
    );
    expect((await publisher.readDocument({ ...document, servers: undefined })).body[0].path).toBe('/itens/:item_id');
  });

  test('the manifest is read from the first URL that does not respond with 404', async () => {
    const firstManifest = respondWithJson([{ method: 'GET', path: '/um' }]);
    const secondManifest = respondWithJson([{ method: 'GET', path: '/dois' }]);
    const paths = ['/.well-known/gateway-manifest.json', '/manifest', '/openapi.json'];
    expect(
      (await publisher.readResponses({ '/manifest': firstManifest, '/openapi.json': secondManifest })).body[0].path,
    ).toBe('/um');
    expect(publisher.requestedPaths).toEqual(paths.slice(0, 2));
    expect((await publisher.readResponses({ '/openapi.json': secondManifest })).body[0].path).toBe('/dois');
    expect(await publisher.readResponses({})).toEqual(createExpectedFailure(/não oferece um manifesto/));
    expect(publisher.requestedPaths).toEqual(paths);
    expect(
      await publisher.readResponses({
        '/.well-known/gateway-manifest.json': respondWithJson({}, 500),
        '/manifest': firstManifest,
      }),
    ).toEqual(createExpectedFailure(/status 500/));
  });

  test('a document is looked for below the path of the service', async () => {
    const responders = { '/v1/manifest': respondWithJson([{ method: 'GET', path: '/a' }]) };
    expect((await publisher.readResponses(responders, `${publisher.url}/v1`)).status).toBe(200);
  });

  test.each([[{ openapi: '2.0', paths: {} }], ['texto'], [null], [{ routes: [{ method: 'GET' }] }]])(
    'the document %j is refused as an unknown format',
    async (document) =>
      expect(await publisher.readDocument(document)).toEqual(
        createExpectedFailure(/formato conhecido.* Endereço tentado: http:.*manifest/),
      ),
  );

  test('a document that is neither JSON nor YAML is refused with that reason', async () => {
    const respondHtml: Responder = (_request, response) => void response.end('<html>segredo interno</html>');
    expect(await publisher.readResponses({ '/manifest': respondHtml })).toEqual(
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
    const { status, body } = await publisher.readResponses({ '/manifest': respondWithYaml(lines.join('\n')) });
    const route = { method: 'GET', path: '/caixas/:id', permission: 'caixas:ler', summary: 'Uma caixa' };
    expect([status, body]).toEqual([200, [route]]);
  });

  test('a mistake in a YAML document is reported with its line', async () => {
    expect(
      await publisher.readResponses({ '/manifest': respondWithYaml('openapi: 3.1.0\npaths:\n  /caixas: ]\n') }),
    ).toEqual(createExpectedFailure(/^O YAML tem um erro na linha 3\. Endereço tentado: http:\S+\/manifest\.$/));
  });

  test('a YAML document whose aliases expand exponentially is refused', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`)}]`,
    );
    expect(
      await publisher.readResponses({
        '/manifest': respondWithYaml(['openapi: 3.1.0', 'a0: &a0 [x]', ...levels].join('\n')),
      }),
    ).toEqual(createExpectedFailure(/^O documento não é um YAML válido\. /));
  });
});

describe('failing services', () => {
  test('a redirect is followed on the same host only', async () => {
    const redirectTo =
      (location: string): Responder =>
      (_request, response) =>
        void response.writeHead(302, { Location: location }).end();
    expect((await publisher.readResponses({ '/manifest': redirectTo('/la'), '/la': respondWithJson([]) })).status).toBe(
      200,
    );
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      `http://localhost:${publisher.port}/la`,
      'file:///etc/passwd',
      '//outro.example/la',
    ]) {
      expect(await publisher.readResponses({ '/manifest': redirectTo(location), '/la': respondWithJson([]) })).toEqual(
        createExpectedFailure(/redireciona/),
      );
    }
    expect(await publisher.readResponses({ '/manifest': redirectTo('/manifest') })).toEqual(
      createExpectedFailure(/redireciona/),
    );
  });

  test('a document of more than 16 MB is refused, compressed or not', async () => {
    const largeDocument = Buffer.alloc(100 * 1024 * 1024, 0x20);
    // The compression runs outside of this thread, which serves the slow documents.
    const bomb = await promisify(gzip)(largeDocument);
    const respondCompressed: Responder = (_request, response) =>
      void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    expect(await publisher.readResponses({ '/manifest': respondCompressed })).toEqual(createExpectedFailure(/16 MB/));
    const respondPlain: Responder = (_request, response) =>
      void response.end(largeDocument.subarray(0, 17 * 1024 * 1024));
    expect(await publisher.readResponses({ '/manifest': respondPlain })).toEqual(createExpectedFailure(/16 MB/));
  });

  test('a silent service times out after 5 s, a slow document after 20 s', async () => {
    expect(await slowReads.silent).toEqual(createExpectedFailure(/5 segundos/));
    expect(await slowReads.dripping).toEqual(createExpectedFailure(/20 segundos/));
  });

  test('if a service is unreachable or its response breaks off, the error has details', async () => {
    expect(await publisher.readResponses({}, `http://127.0.0.1:${await findFreePort()}`)).toEqual(
      createExpectedFailure(/./),
    );
    const breakOff: Responder = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('[');
      setTimeout(() => response.destroy(), 50);
    };
    expect(await publisher.readResponses({ '/manifest': breakOff })).toEqual(createExpectedFailure(/./));
    expect(await publisher.readResponses({}, 'http://nome-que-nao-existe.invalid')).toEqual(createExpectedFailure(/./));
  });
});
