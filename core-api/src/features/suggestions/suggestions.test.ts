import type { RequestListener } from 'node:http';
import { Core, listen } from '../../testing/core';

/** Handlers of the next requests to the model. Without a handler, the model answers 500. */
const modelHandlers: RequestListener[] = [];
let modelCalls: { authorization: string | undefined; body: string }[] = [];
let model: Awaited<ReturnType<typeof listen>>;
let core: Core;

beforeAll(async () => {
  model = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      modelCalls.push({ authorization: request.headers.authorization, body });
      (modelHandlers.shift() ?? (() => response.writeHead(500).end()))(request, response);
    });
  });
  core = await new Core({ AI_BASE_URL: `${model.url}/v1`, AI_API_KEY: 'chave-secreta', AI_MODEL: 'modelo' }).start();
});
beforeEach(() => {
  modelCalls = [];
  modelHandlers.length = 0;
});
afterAll(async () => {
  await core.stop();
  await model.stop();
});

const suggest = async (description: unknown, existingSubdomains: unknown = []) =>
  core.request('POST', '/ai/suggest', { body: { description, existingSubdomains } });
const respondWithCompletion =
  (content: string): RequestListener =>
  (_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'modelo',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
      }),
    );
  };
const emptyFields = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };

test("a suggestion is the model's proposal with a free label", async () => {
  await core.request('POST', '/subdomains', {
    body: { subdomain: 'loja', description: 'x', type: 'proxy', port: 4000 },
  });
  modelHandlers.push(
    respondWithCompletion(
      JSON.stringify({ subdomain: 'Loja', description: 'Loja virtual', type: 'proxy', ...emptyFields, port: 4100 }),
    ),
  );
  const { status, body } = await suggest('Uma loja', ['loja-2']);
  expect([status, body]).toEqual([
    200,
    { subdomain: 'loja-3', description: 'Loja virtual', type: 'proxy', ...emptyFields, port: 4100, source: 'ai' },
  ]);
  expect(modelCalls[0]?.authorization).toBe('Bearer chave-secreta');
  expect(JSON.parse(modelCalls[0]?.body ?? '{}')).toMatchObject({
    model: 'modelo',
    response_format: { type: 'json_schema' },
  });
});

test.each<[string, RequestListener]>([
  ['fails', (_request, response) => void response.writeHead(500).end('{}')],
  ['sends invalid JSON', respondWithCompletion('isto não é JSON')],
  ['proposes invalid fields', respondWithCompletion('{"subdomain": 7}')],
  ['closes the connection', (request) => void request.socket.destroy()],
])('the local suggester answers when the model %s', async (_name, respond) => {
  modelHandlers.push(respond);
  expect((await suggest('Painel de vendas na porta 4500')).body).toEqual({
    subdomain: 'painel-vendas',
    description: 'Painel de vendas na porta 4500',
    type: 'proxy',
    ...emptyFields,
    port: 4500,
    source: 'local',
  });
  expect(core.output).not.toContain('chave-secreta');
});

test.each([
  [
    'Site estático em /var/www/bolos com api na porta 8080',
    { type: 'static', staticPath: '/var/www/bolos', apiPort: 8080 },
  ],
  ['Túnel para 10.0.0.5:8080 do ERP', { type: 'tunnel', targetHost: '10.0.0.5', targetPort: 8080 }],
  ['Encaminhar para https://erp.cliente.com.br', { type: 'tunnel', targetHost: 'erp.cliente.com.br', targetPort: 443 }],
  ['Agenda rodando em localhost:5001', { type: 'proxy', port: 5001 }],
])('the local suggester reads the target from %j', async (description, target) => {
  expect((await suggest(description)).body).toMatchObject({ ...emptyFields, ...target, source: 'local' });
});

test.each([
  ['Site estático em /srv/padaria-central/public', 'padaria-central'],
  ['Encaminhar para https://erp.cliente.com.br', 'erp'],
  ['Túnel para www.cliente.com.br:8080', 'cliente'],
  ['Túnel para 10.0.0.5:8080', 'servico'],
])('for %j, the local suggester proposes the label %j', async (description, subdomain) => {
  expect((await suggest(description)).body).toMatchObject({ subdomain, source: 'local' });
});

test('a suggested label is neither in use nor reserved', async () => {
  expect((await suggest('api', [])).body.subdomain).not.toBe('api');
  expect((await suggest('padaria', ['padaria', 'padaria-2'])).body.subdomain).toBe('padaria-3');
});

test.each([
  ['', []],
  [undefined, []],
  ['x'.repeat(501), []],
  ['loja', 'loja'],
  ['loja', [7]],
])(
  'a suggestion for the description %j with the existing labels %j is refused',
  async (description, existingLabels) => {
    expect((await suggest(description, existingLabels)).status).toBe(400);
  },
);

test('the test of the model reports only the status of a refusal', async () => {
  const proposal = { subdomain: 'loja', description: 'Loja', type: 'proxy', ...emptyFields, port: 4500 };
  modelHandlers.push(respondWithCompletion(JSON.stringify(proposal)));
  expect((await core.request('GET', '/integrations')).body).toEqual({ email: false, ai: true });
  expect((await core.request('POST', '/integrations/ai/test')).status).toBe(204);
  modelHandlers.push((_request, response) =>
    response.writeHead(401).end('{"error":{"message":"bad key chave-secreta"}}'),
  );
  const refusal = await core.request('POST', '/integrations/ai/test');
  expect([refusal.status, refusal.body.details]).toEqual([502, 'O modelo respondeu com o status 401.']);
});
