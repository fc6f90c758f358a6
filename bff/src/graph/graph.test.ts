import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../testing/ask';
import { ADMINISTRATOR, startCore } from '../testing/core';
import { json } from '../testing/core-double';
import { listen, type Running, startBff } from '../testing/servers';
import { documents } from '../testing/whole-graph';

const MISSING = '019a0000-0000-7000-8000-000000000000';
const NEW_PASSWORD = 'outra senha de teste';

const asked = new Set<string>();
let core: Running & { folder: string };
let outside: Running;
let bff: Running;
let token: string;

beforeAll(async () => {
  // The outside world: a service with a manifest, and Telegram.
  outside = await listen((request, response) => {
    const manifest = request.url === '/.well-known/gateway-manifest.json';
    const routes = [
      { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Um pedido' },
      { method: 'POST', path: '/pedidos' },
    ];
    json(200, manifest ? { routes } : { ok: true, result: {} })(request, response);
  });
  core = await startCore({ TELEGRAM_API_URL: outside.url });
  bff = await startBff(core.url, { environment: { SERVER_IP: '203.0.113.1' } });
  token = (await succeed<{ token: string }>('login', ADMINISTRATOR)).token;
});

afterAll(async () => {
  await bff.stop();
  await core.stop();
  await outside.stop();
});

const run = (field: string, variables: Record<string, unknown> = {}, as = token) => {
  const query = documents.get(field);
  if (!query) throw new Error(`the graph has no field ${field}`);
  return ask(bff.url, { query, variables, token: as });
};

/** Runs one field with everything below it selected, and gives what it answered. */
async function succeed<Value>(field: string, variables?: Record<string, unknown>): Promise<Value> {
  const { status, data, errors } = await run(field, variables);
  expect(errors).toEqual([]);
  expect(status).toBe(200);
  asked.add(field);
  const values: Record<string, Value> = JSON.parse(JSON.stringify(data));
  const value = values[field];
  if (value === undefined) throw new Error(`${field} answered nothing`);
  return value;
}

interface Entity {
  _id: string;
}

test('installation and account', async () => {
  expect(await succeed('installation')).toEqual({
    brandName: 'Estúdio Sete',
    baseDomain: 'localhost',
    serverIp: '203.0.113.1',
  });
  expect(await succeed('me')).toEqual({ _id: expect.any(String), username: 'admin' });
});

test('subdomains', async () => {
  mkdirSync(join(core.folder, 'site'));
  const common = { _id: expect.any(String), createdAt: expect.stringMatching(/Z$/) };
  const empty = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };
  const proxy = { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 8080 };
  const files = {
    subdomain: 'site',
    description: 'Site',
    type: 'static',
    staticPath: join(core.folder, 'site'),
    apiPort: 9090,
  };
  const tunnel = {
    subdomain: 'tunel',
    description: 'Túnel',
    type: 'tunnel',
    targetHost: 'example.com',
    targetPort: 443,
  };
  for (const input of [proxy, files, tunnel]) {
    expect(await succeed('createSubdomain', { input })).toEqual({ ...common, ...empty, ...input });
  }
  const changed = await succeed('updateSubdomain', {
    subdomain: 'loja',
    input: { description: 'Loja nova', port: 8081 },
  });
  expect(changed).toMatchObject({ subdomain: 'loja', description: 'Loja nova', port: 8081 });
  expect(await succeed('subdomains', { page: 1, limit: 2, search: null })).toMatchObject({
    total: 3,
    subdomains: [{ subdomain: 'tunel' }, { subdomain: 'site' }],
  });
  expect(await succeed('subdomains', { page: 1, limit: 15, search: 'nova' })).toMatchObject({ total: 1 });
  expect(await succeed('deleteSubdomain', { subdomain: 'tunel' })).toBe(true);
  const suggestion = { description: 'Um proxy para a API de pedidos na porta 4321', existingSubdomains: ['pedidos'] };
  expect(await succeed('suggestSubdomain', suggestion)).toMatchObject({ type: 'proxy', port: 4321, source: 'local' });
});

test('projects and tenants', async () => {
  const input = { name: 'CRM', dbPrefix: 'crm_', type: 'proxy', apiPort: 7070, staticPath: null };
  const project = await succeed<Entity>('createProject', { input });
  expect(project).toEqual({
    _id: expect.any(String),
    name: 'CRM',
    dbPrefix: 'crm',
    type: 'proxy',
    apiPort: 7070,
    staticPath: null,
  });
  const changes = { ...input, name: 'CRM Dois', apiPort: 7071 };
  expect(await succeed('updateProject', { id: project._id, input: changes })).toMatchObject({
    name: 'CRM Dois',
    apiPort: 7071,
  });

  const tenant = await succeed<Entity>('createTenant', {
    input: {
      name: 'Padaria do Zé',
      project: project._id,
      subdomain: 'padaria',
      dbName: null,
      responsibleName: 'Zé',
      responsibleContact: null,
    },
  });
  expect(tenant).toMatchObject({
    project: { _id: project._id, name: 'CRM Dois' },
    subdomain: 'padaria',
    customDomain: null,
    responsibleName: 'Zé',
  });
  const renamed = { id: tenant._id, input: { name: 'Padaria', responsibleContact: 'ze@example.com' } };
  expect(await succeed('updateTenant', renamed)).toMatchObject({
    name: 'Padaria',
    responsibleName: 'Zé',
    responsibleContact: 'ze@example.com',
  });
  const domain = { id: tenant._id, domain: 'www.padaria.com.br' };
  expect(await succeed('setTenantDomain', domain)).toMatchObject({ customDomain: 'padaria.com.br' });
  expect(await succeed('tenants')).toMatchObject([{ _id: tenant._id, customDomain: 'padaria.com.br' }]);
  expect(await succeed('projects')).toMatchObject([{ _id: project._id }]);
  expect(await succeed('removeTenantDomain', { id: tenant._id })).toMatchObject({ customDomain: null });

  const conflict = await run('deleteProject', { id: project._id });
  expect(conflict.errors).toMatchObject([{ extensions: { code: 'CONFLICT', error: expect.any(String) } }]);
  expect(await succeed('deleteTenant', { id: tenant._id })).toBe(true);
  expect(await succeed('deleteProject', { id: project._id })).toBe(true);
});

test('settings and contact', async () => {
  expect(await succeed('settings')).toEqual({ telegramBotToken: '', telegramChatId: '' });
  const input = { telegramBotToken: '123456789:AAExampleExampleExampleExampleExample', telegramChatId: '42' };
  expect(await succeed('updateSettings', { input })).toEqual(input);
  expect(await succeed('sendTestMessage')).toBe(true);
  const message = { name: 'Ana', email: 'ana@example.com', contactInfo: null, message: 'Olá' };
  const receipt = await succeed<Entity>('sendContactMessage', { input: message, website: '' });
  expect(await succeed('contactMessages', { page: 1, limit: 15 })).toMatchObject({
    total: 1,
    messages: [{ _id: receipt._id, name: 'Ana', deliveries: [{ channel: 'telegram' }] }],
  });
});

test('the gateway', async () => {
  const service = await succeed<Entity>('createGatewayService', { input: { name: 'pedidos', host: outside.url } });
  expect(service).toMatchObject({ name: 'pedidos', host: outside.url, createdAt: expect.stringMatching(/Z$/) });
  expect(await succeed('updateGatewayService', { id: service._id, input: { name: 'pedidos-2' } })).toMatchObject({
    name: 'pedidos-2',
  });
  expect(await succeed('gatewayServices')).toMatchObject([{ _id: service._id }]);
  expect(await succeed('serviceManifest', { serviceId: service._id })).toEqual([
    { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Um pedido' },
    { method: 'POST', path: '/pedidos', permission: '', summary: null },
  ]);

  const route = {
    serviceId: service._id,
    origin: '/p',
    destination: '/pedidos',
    methods: ['GET', 'POST'],
    permission: 'pedidos:ler',
  };
  const created = await succeed<Entity>('createGatewayRoute', { input: route });
  const { serviceId, ...shown } = route;
  expect(created).toMatchObject({ ...shown, service: { _id: serviceId, name: 'pedidos-2' } });
  const changes = { origin: '/q', methods: ['PUT'] };
  expect(await succeed('updateGatewayRoute', { id: created._id, input: changes })).toMatchObject({
    origin: '/q',
    methods: ['PUT'],
    destination: '/pedidos',
  });
  const routes = [{ method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler' }];
  expect(await succeed('importGatewayRoutes', { serviceId, routes })).toMatchObject([
    { origin: '/pedidos-2/pedidos/:id', methods: ['GET'] },
  ]);
  expect(await succeed('gatewayRoutes')).toHaveLength(2);

  const input = { name: 'Loja', permissions: ['pedidos:ler'], allowedIps: ['10.0.0.0/8'] };
  const key = await succeed<Entity & { key: string }>('createApiKey', { input });
  expect(key).toMatchObject({ ...input, usageCount: 0, lastUsedAt: null, key: expect.any(String) });
  expect(
    await succeed('updateApiKey', { id: key._id, input: { name: 'Loja 2', permissions: ['*'], allowedIps: [] } }),
  ).toMatchObject({ name: 'Loja 2', permissions: ['*'], allowedIps: [] });
  const keys = await succeed('apiKeys', { sortBy: 'usageCount', order: 'desc' });
  expect(keys).toMatchObject([{ _id: key._id }]);
  expect(JSON.stringify(keys)).not.toContain(key.key);
  expect(await succeed('usageHistory', { range: 'day' })).toMatchObject({
    range: 'day',
    bucketSeconds: expect.any(Number),
    series: [],
  });

  expect(await succeed('deleteApiKey', { id: key._id })).toBe(true);
  expect(await succeed('deleteGatewayRoute', { id: created._id })).toBe(true);
  expect(await succeed('deleteGatewayService', { id: service._id })).toBe(true);
  expect(await succeed('gatewayRoutes')).toEqual([]);
});

describe('errors of the core', () => {
  test('bad input names its fields', async () => {
    const { status, errors } = await run('createSubdomain', {
      input: { subdomain: 'a', description: 'x', type: 'proxy', port: 0 },
    });
    expect(status).toBe(200);
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'BAD_USER_INPUT',
          error: expect.any(String),
          fields: { port: expect.any(String) },
        },
      },
    ]);
  });

  test('a taken name is a conflict, an unknown id is not found', async () => {
    const taken = await run('createSubdomain', {
      input: { subdomain: 'loja', description: 'x', type: 'proxy', port: 8085 },
    });
    expect(taken.errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
    const gone = await run('deleteTenant', { id: MISSING });
    expect(gone.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  test('a service that does not answer is the outside failing', async () => {
    const service = await succeed<Entity>('createGatewayService', {
      input: { name: 'morto', host: 'http://127.0.0.1:9' },
    });
    const { errors } = await run('serviceManifest', { serviceId: service._id });
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_FAILED', error: expect.any(String), details: expect.any(String) } },
    ]);
  });

  test('a wrong password keeps its text', async () => {
    const { status, errors } = await run('login', { username: 'admin', password: 'errada' }, '');
    expect(status).toBe(401);
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', error: 'Usuário ou senha inválidos.' } }]);
  });

  test.each([...documents.keys()].filter((field) => !['installation', 'login', 'sendContactMessage'].includes(field)))(
    '%s needs a token',
    async (field) => {
      const samples: Record<string, unknown> = {
        page: 1,
        limit: 15,
        range: 'day',
        id: MISSING,
        serviceId: MISSING,
        subdomain: 'loja',
        domain: 'a.com',
        description: 'a',
        existingSubdomains: [],
        currentPassword: 'a',
        newPassword: 'b',
        routes: [],
        sortBy: 'name',
        order: 'asc',
        search: null,
      };
      const inputs: Record<string, unknown> = {
        createSubdomain: { subdomain: 'a', description: 'a', type: 'proxy' },
        createProject: { name: 'a', type: 'proxy' },
        updateProject: { name: 'a', type: 'proxy' },
        createTenant: { name: 'a', project: MISSING, subdomain: 'a' },
        createApiKey: { name: 'a', permissions: [] },
        createGatewayService: { name: 'a', host: 'a' },
        createGatewayRoute: { serviceId: MISSING, origin: '/a', destination: '/a', methods: [], permission: 'a:b' },
      };
      const { status, errors } = await run(field, { ...samples, input: inputs[field] ?? {} }, '');
      expect(errors).toMatchObject([{ path: [field], extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(status).toBe(401);
    },
  );
});

test('a new password ends every earlier token', async () => {
  expect(await succeed('changePassword', { currentPassword: ADMINISTRATOR.password, newPassword: NEW_PASSWORD })).toBe(
    true,
  );
  const { status } = await run('me');
  expect(status).toBe(401);
  token = (await succeed<{ token: string }>('login', { username: 'admin', password: NEW_PASSWORD })).token;
  await succeed('me');
});

test('every field of the graph was asked', () => {
  expect([...asked].sort()).toEqual([...documents.keys()].sort());
});
