import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Core, listen } from '../../testing/core';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const notFound = json({}, 404);

let core: Core;
let service: Awaited<ReturnType<typeof listen>>;
let answers: Record<string, Answer> = {};
let asked: string[] = [];

beforeAll(async () => {
  service = await listen((request, response) => {
    asked.push(request.url ?? '');
    (answers[request.url ?? ''] ?? notFound)(request, response);
  });
  core = await new Core().start();
});
afterAll(async () => {
  await core.stop();
  await service.stop();
});

let names = 0;
async function manifestOf(given: Record<string, Answer>, host = service.url) {
  answers = given;
  asked = [];
  const created = await core.ask('POST', '/gateway/admin/services', { body: { name: `s${++names}`, host } });
  const { status, body } = await core.ask('GET', `/gateway/admin/services/${created.body._id}/manifest`);
  return { status, body };
}
const manifest = (document: unknown) => manifestOf({ '/manifest': json(document) });

const failure = (details: RegExp) => ({
  status: 502,
  body: { error: 'Não foi possível ler o manifesto do serviço.', details: expect.stringMatching(details) },
});

describe('documents', () => {
  test('a list of routes, or an object that holds it; routes that none could be are left out', async () => {
    const routes = [
      { method: 'get', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Um pedido' },
      { method: 'POST', path: '/pedidos/{id}/itens', permission: 'não é permissão' },
      { method: 'DELETE', path: 'sem-barra' },
    ];
    const read = [
      { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Um pedido' },
      { method: 'POST', path: '/pedidos/:id/itens', permission: '' },
    ];
    expect(await manifest(routes)).toEqual({ status: 200, body: read });
    expect(await manifest({ routes })).toEqual({ status: 200, body: read });
    expect(await manifest([])).toEqual({ status: 200, body: [] });
  });

  test('OpenAPI 3: each operation, below the path of the first server, with its permission', async () => {
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
    expect(await manifest(document)).toEqual({
      status: 200,
      body: [
        { method: 'GET', path: '/v2/itens/:item_id', permission: 'itens:ler', summary: 'Um item' },
        { method: 'DELETE', path: '/v2/itens/:item_id', permission: 'itens:remover' },
        { method: 'POST', path: '/v2/dois', permission: '' },
        { method: 'PUT', path: '/v2/dois', permission: '' },
      ],
    });
    expect((await manifest({ ...document, servers: [{ url: '/rel' }] })).body[0].path).toBe('/rel/itens/:item_id');
    expect((await manifest({ ...document, servers: undefined })).body[0].path).toBe('/itens/:item_id');
  });

  test('the first address that is not 404 counts', async () => {
    const one = json([{ method: 'GET', path: '/um' }]);
    const two = json([{ method: 'GET', path: '/dois' }]);
    const paths = ['/.well-known/gateway-manifest.json', '/manifest', '/openapi.json'];
    expect((await manifestOf({ '/manifest': one, '/openapi.json': two })).body[0].path).toBe('/um');
    expect(asked).toEqual(paths.slice(0, 2));
    expect((await manifestOf({ '/openapi.json': two })).body[0].path).toBe('/dois');
    expect(await manifestOf({})).toEqual(failure(/não oferece um manifesto/));
    expect(asked).toEqual(paths);
    expect(await manifestOf({ '/.well-known/gateway-manifest.json': json({}, 500), '/manifest': one })).toEqual(
      failure(/status 500/),
    );
  });

  test('below the path of the service', async () => {
    const given = { '/v1/manifest': json([{ method: 'GET', path: '/a' }]) };
    expect((await manifestOf(given, `${service.url}/v1`)).status).toBe(200);
  });

  test.each([[{ openapi: '2.0', paths: {} }], ['texto'], [null], [{ routes: [{ method: 'TRACE', path: '/a' }] }]])(
    '%j is not understood',
    async (document) => expect(await manifest(document)).toEqual(failure(/formato conhecido/)),
  );

  test('what is no JSON is said so', async () => {
    const html: Answer = (_request, response) => void response.end('<html>segredo interno</html>');
    expect(await manifestOf({ '/manifest': html })).toEqual(failure(/^O manifesto não é um JSON válido\.$/));
  });
});

describe('services that misbehave', () => {
  test('a redirect is followed on the same host only', async () => {
    const to =
      (location: string): Answer =>
      (_request, response) =>
        void response.writeHead(302, { Location: location }).end();
    expect((await manifestOf({ '/manifest': to('/la'), '/la': json([]) })).status).toBe(200);
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      `http://localhost:${service.port}/la`,
      'file:///etc/passwd',
      '//outro.example/la',
    ]) {
      expect(await manifestOf({ '/manifest': to(location), '/la': json([]) })).toEqual(failure(/redireciona/));
    }
    expect(await manifestOf({ '/manifest': to('/manifest') })).toEqual(failure(/redireciona/));
  });

  test('more than 1 MB is not read, compressed or not', async () => {
    const large = Buffer.alloc(50 * 1024 * 1024, 0x20);
    const bomb = gzipSync(large);
    const zipped: Answer = (_request, response) =>
      void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    expect(await manifestOf({ '/manifest': zipped })).toEqual(failure(/1 MB/));
    const plain: Answer = (_request, response) => void response.end(large.subarray(0, 3_000_000));
    expect(await manifestOf({ '/manifest': plain })).toEqual(failure(/1 MB/));
  });

  test('five seconds are all that three addresses get together', async () => {
    const slowly =
      (after: number, answer: Answer): Answer =>
      (request, response) =>
        void setTimeout(() => answer(request, response), after);
    const started = Date.now();
    const slow = slowly(2_500, notFound);
    const drip: Answer = (_request, response) => {
      response.write('[');
      const timer = setInterval(() => response.write(' '), 200);
      response.on('close', () => clearInterval(timer));
    };
    expect(await manifestOf({ '/.well-known/gateway-manifest.json': slow, '/manifest': drip })).toEqual(
      failure(/5 segundos/),
    );
    expect(Date.now() - started).toBeLessThan(6_500);
  });

  test('a service that is not there, or breaks off, is said so', async () => {
    const gone = await listen(() => undefined);
    await gone.stop();
    expect(await manifestOf({}, gone.url)).toEqual(failure(/./));
    const cut: Answer = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('[');
      setTimeout(() => response.destroy(), 50);
    };
    expect(await manifestOf({ '/manifest': cut })).toEqual(failure(/./));
    expect(await manifestOf({}, 'http://nome-que-nao-existe.invalid')).toEqual(failure(/./));
  });
});
