import type { RequestListener } from 'node:http';
import { ADMINISTRATOR, Core, listen } from '../testing/core';

/** Each operation of the document with the statuses that it declares and those that the running server gave. */
const declared = new Map<string, string[]>();
const given = new Map<string, Set<string>>();
const MISSING = '019a0000-0000-7000-8000-000000000000';
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Telegram's API and a customer's service in one. */
const outside: RequestListener = (request, response) => {
  response.setHeader('Content-Type', 'application/json');
  if (request.url === '/manifest') response.end('[{"method":"GET","path":"/pedidos"}]');
  else if (request.url?.startsWith('/bot123:')) response.end('{"ok":true,"result":{}}');
  else response.writeHead(404).end('{"ok":false,"description":"Not Found"}');
};

let core: Core;
let double: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  double = await listen(outside);
  core = await new Core({ TELEGRAM_API_URL: double.url }).start();
  const { paths } = (await core.ask('GET', '/openapi.json', { token: null })).body;
  for (const [path, item] of Object.entries<Record<string, { responses: object }>>(paths)) {
    for (const [method, { responses }] of Object.entries(item)) {
      declared.set(`${method.toUpperCase()} ${path}`, Object.keys(responses));
    }
  }
});
afterAll(async () => {
  await core.stop();
  await double.stop();
});

interface Asked {
  body?: unknown;
  token?: null;
}

/** @param operation as in the document; its parameter is filled with `id` */
async function ask(operation: string, id = MISSING, { query = '', ...asked }: Asked & { query?: string } = {}) {
  const [method = '', path = ''] = operation.split(' ');
  const answer = await core.ask(method, path.replace(/\{\w+\}/, id) + query, asked);
  note(operation, answer.status);
  return answer.body;
}
const send = (operation: string, body: unknown, id?: string) => ask(operation, id, { body });
const note = (operation: string, status: number) =>
  given.set(operation, (given.get(operation) ?? new Set()).add(String(status)));

async function sendText(operation: string, body: string, headers: Record<string, string>) {
  const [method = '', path = ''] = operation.split(' ');
  const authorised = { Authorization: `Bearer ${core.token}`, ...headers };
  const url = `${core.url}/api${path.replace(/\{\w+\}/, MISSING)}`;
  note(operation, (await fetch(url, { method, headers: authorised, body })).status);
}

/** What every operation of a kind answers: no token, bad bodies and queries, ids that are not there. */
async function provokeGeneralFailures() {
  for (const [operation, statuses] of declared) {
    const hasBody = statuses.includes('415');
    const empty = hasBody ? { body: {} } : {};
    if (statuses.includes('401')) await ask(operation, MISSING, { token: null, ...empty });
    if (operation.includes('{')) await ask(operation, MISSING, empty);
    if (hasBody) {
      await sendText(operation, '{', JSON_TYPE);
      await sendText(operation, `{"name":"${'x'.repeat(110_000)}"}`, JSON_TYPE);
      await sendText(operation, 'a=1', { 'Content-Type': 'text/plain' });
    } else if (statuses.includes('400') && operation.startsWith('GET')) {
      await ask(operation, MISSING, { query: '?page=0&sortBy=x&range=x' });
    }
    if (operation.startsWith('GET') && !operation.includes('{')) await ask(operation);
  }
}

async function walkStudio() {
  const proxy = { description: 'Loja', type: 'proxy', port: 4000 };
  for (let turn = 0; turn < 2; turn += 1) await send('POST /subdomains', { subdomain: 'loja', ...proxy });
  await send('PUT /subdomains/{subdomain}', { port: 4001 }, 'loja');
  await ask('DELETE /subdomains/{subdomain}', 'loja');
  await send('POST /ai/suggest', { description: 'Loja de bolos' });

  const project = await send('POST /projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
  const other = await send('POST /projects', { name: 'Agenda', type: 'proxy', apiPort: 4000 });
  await send('POST /projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
  await send('PUT /projects/{id}', { dbPrefix: 'agenda' }, other._id);
  await send('PUT /projects/{id}', { name: 'CRM' }, other._id);

  const tenant = await send('POST /tenants', { name: 'Padaria', project: project._id, subdomain: 'padaria' });
  const second = await send('POST /tenants', { name: 'Bar', project: project._id, subdomain: 'bar' });
  await send('POST /tenants', { name: 'Outro', project: project._id, subdomain: 'bar' });
  await send('PUT /tenants/{id}', { name: 'Padaria do Zé' }, tenant._id);
  for (const { _id } of [tenant, second]) await send('POST /tenants/{id}/domain', { domain: 'padaria.com.br' }, _id);
  await send('POST /tenants/{id}/domain', { domain: 'padaria.com.br' });
  await ask('DELETE /tenants/{id}/domain', tenant._id);
  await ask('DELETE /projects/{id}', project._id);
  await ask('DELETE /projects/{id}', other._id);
  await ask('DELETE /tenants/{id}', second._id);
  return { projects: project._id, tenants: tenant._id };
}

async function walkGateway() {
  const service = await send('POST /gateway/admin/services', { name: 'vendas', host: double.url });
  const silent = await send('POST /gateway/admin/services', { name: 'muda', host: `${double.url}/nada` });
  await send('POST /gateway/admin/services', { name: 'vendas', host: double.url });
  await send('PUT /gateway/admin/services/{id}', { host: `${double.url}/x` }, silent._id);
  await send('PUT /gateway/admin/services/{id}', { name: 'vendas' }, silent._id);
  for (const { _id } of [service, silent]) await ask('GET /gateway/admin/services/{id}/manifest', _id);
  await ask('DELETE /gateway/admin/services/{id}', silent._id);

  const route = { serviceId: service._id, destination: '/x', methods: ['GET'], permission: 'pedidos:ler' };
  const first = await send('POST /gateway/admin/routes', { ...route, origin: '/a' });
  const last = await send('POST /gateway/admin/routes', { ...route, origin: '/b' });
  await send('POST /gateway/admin/routes', { ...route, origin: '/a' });
  const routes = [{ method: 'GET', path: '/pedidos', permission: 'pedidos:ler' }];
  for (let turn = 0; turn < 2; turn += 1) {
    await send('POST /gateway/admin/routes/import', { serviceId: service._id, routes });
  }
  await send('PUT /gateway/admin/routes/{id}', { permission: 'pedidos:ver' }, first._id);
  await send('PUT /gateway/admin/routes/{id}', { origin: '/a' }, last._id);
  await ask('DELETE /gateway/admin/routes/{id}', last._id);

  const key = await send('POST /gateway/admin/keys', { name: 'Aplicativo', permissions: ['*'] });
  const spare = await send('POST /gateway/admin/keys', { name: 'Outra', permissions: ['*'] });
  await send('PUT /gateway/admin/keys/{id}', { name: 'Celular' }, key._id);
  await ask('DELETE /gateway/admin/keys/{id}', spare._id);
  return { services: service._id, routes: first._id, keys: key._id };
}

async function walkSettingsAndContact() {
  await ask('POST /settings/test');
  for (const telegramBotToken of ['9:nega', '123:aceita']) {
    await send('PUT /settings', { telegramBotToken, telegramChatId: '42' });
    await ask('POST /settings/test');
  }
  const message = { name: 'Ana', email: 'ana@exemplo.com.br', message: 'Olá' };
  for (let turn = 0; turn < 11; turn += 1) await send('POST /contact', message);
}

async function walkAccounts() {
  await ask('POST /login', MISSING, { token: null, body: ADMINISTRATOR });
  for (let turn = 0; turn < 21; turn += 1) {
    await ask('POST /login', MISSING, { token: null, body: { username: 'ninguem', password: 'errada' } });
  }
  const change = { currentPassword: ADMINISTRATOR.password, newPassword: ADMINISTRATOR.password };
  await send('PUT /me/password', change);
  core.token = (await ask('POST /login', MISSING, { token: null, body: ADMINISTRATOR })).token;
}

/** Statuses that depend on a database in trouble (`database.test.ts`) are no part of the walk. */
const UNAVAILABLE = '503';

test('every status that the document declares is answered, and no other', async () => {
  await provokeGeneralFailures();
  const ids: Record<string, string> = { ...(await walkStudio()), ...(await walkGateway()) };
  await walkSettingsAndContact();

  // An id of another kind names nothing, and nothing changes.
  const before = await core.ask('GET', '/projects');
  for (const operation of [...declared.keys()].filter((name) => name.includes('{id}'))) {
    const kind = /(\w+)\/\{id\}/.exec(operation)?.[1] ?? '';
    for (const [, id] of Object.entries(ids).filter(([other]) => other !== kind)) {
      const [method = '', path = ''] = operation.split(' ');
      const body = method === 'POST' ? { domain: 'alheio.com.br' } : {};
      const { status } = await core.ask(method, path.replace('{id}', id), method === 'GET' ? {} : { body });
      expect([operation, status]).toEqual([operation, 404]);
    }
  }
  expect((await core.ask('GET', '/projects')).body).toEqual(before.body);

  await walkAccounts();
  const table = (entries: Iterable<[string, Iterable<string>]>) =>
    Object.fromEntries(
      [...entries].map(([operation, all]) => [operation, [...all].filter((one) => one !== UNAVAILABLE).sort()]),
    );
  expect(table(given)).toEqual(table(declared));
}, 90_000);
