import type { RequestListener } from 'node:http';
import { startMailbox } from '../../../../../scripts/testing/mailbox';
import { waitFor } from '../../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../../scripts/testing/stack';
import { Core, listen } from '../../../testing/core';
import { MISSING_ID } from '../../../testing/records';
import { generateTotp } from '../../../testing/totp';

/** The declared and the returned statuses of each operation. */
const declaredStatuses = new Map<string, string[]>();
const returnedStatuses = new Map<string, Set<string>>();
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Responds like Telegram's API, and like a service of a customer. */
const answerIntegration: RequestListener = (request, response) => {
  response.setHeader('Content-Type', 'application/json');
  if (request.url === '/manifest') response.end('[{"method":"GET","path":"/pedidos"}]');
  else if (request.url?.startsWith('/bot123:')) response.end('{"ok":true,"result":{}}');
  else response.writeHead(404).end('{"ok":false,"description":"Not Found"}');
};

let core: Core;
let integrations: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  integrations = await listen(answerIntegration);
  core = await new Core({ TELEGRAM_API_URL: integrations.url }).start();
  // The password is confirmed first. Otherwise each call that requires sudo would only return 403.
  await core.request('POST', '/me/sudo', { body: { password: ADMINISTRATOR.password } });
  const { paths } = (await core.request('GET', '/openapi.json', { token: null })).body;
  for (const [path, item] of Object.entries<Record<string, { responses: object }>>(paths)) {
    for (const [method, { responses }] of Object.entries(item)) {
      declaredStatuses.set(`${method.toUpperCase()} ${path}`, Object.keys(responses));
    }
  }
});
afterAll(async () => {
  await core.stop();
  await integrations.stop();
});

interface CallOptions {
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
}

/** Calls an operation of the document, such as `GET /tenants/{id}`. @param id value of the parameter in the path */
async function requestOperation(
  operation: string,
  id = MISSING_ID,
  { query = '', ...options }: CallOptions & { query?: string } = {},
) {
  const [method = '', path = ''] = operation.split(' ');
  const response = await core.request(method, path.replace(/\{\w+\}/, id) + query, options);
  recordStatus(operation, response.status);
  return response.body;
}
/** Sends a change. If the document declares 412, sends it again with a version that never matches. */
async function send(operation: string, body: unknown, id?: string) {
  const response = await requestOperation(operation, id, { body });
  if (declaredStatuses.get(operation)?.includes('412'))
    await requestOperation(operation, id, { body, headers: { 'If-Match': '"0"' } });
  return response;
}
const recordStatus = (operation: string, status: number) =>
  returnedStatuses.set(operation, (returnedStatuses.get(operation) ?? new Set()).add(String(status)));

async function sendText(operation: string, body: string, headers: Record<string, string>) {
  const [method = '', path = ''] = operation.split(' ');
  const requestHeaders = { Authorization: `Bearer ${core.token}`, ...headers };
  const url = `${core.url}/api${path.replace(/\{\w+\}/, MISSING_ID)}`;
  recordStatus(operation, (await fetch(url, { method, headers: requestHeaders, body })).status);
}

/** Operations of imports, whose bodies may have 4 MB. */
const ACCEPTS_LARGE_BODY = /^POST .*\/(import|manifest\/reading)$/;

/** Calls each operation without a token, with invalid bodies and queries, and with unknown ids. */
async function provokeGeneralFailures() {
  for (const [operation, statuses] of declaredStatuses) {
    const hasBody = statuses.includes('415');
    const empty = hasBody ? { body: {} } : {};
    if (statuses.includes('401')) await requestOperation(operation, MISSING_ID, { token: null, ...empty });
    if (operation.includes('{')) await requestOperation(operation, MISSING_ID, empty);
    if (hasBody) {
      await sendText(operation, '{', JSON_TYPE);
      await sendText(
        operation,
        `{"name":"${'x'.repeat(ACCEPTS_LARGE_BODY.test(operation) ? 4_300_000 : 110_000)}"}`,
        JSON_TYPE,
      );
      await sendText(operation, 'a=1', { 'Content-Type': 'text/plain' });
    } else if (statuses.includes('400') && operation.startsWith('GET')) {
      await requestOperation(operation, MISSING_ID, {
        query: '?page=0&limit=0&sortBy=x&range=x&status=x&account=x&state=x&days=0',
      });
    }
    if (operation.startsWith('GET') && !operation.includes('{')) await requestOperation(operation);
  }
}

async function callSiteOperations() {
  const proxy = { description: 'Loja', type: 'proxy', port: 4000 };
  for (let turn = 0; turn < 2; turn += 1) await send('POST /subdomains', { subdomain: 'loja', ...proxy });
  await send('PUT /subdomains/{subdomain}', { port: 4001 }, 'loja');
  await requestOperation('GET /subdomains/{subdomain}', 'loja');
  await requestOperation('GET /subdomains/{subdomain}/policy', 'loja');
  await send('PUT /subdomains/{subdomain}/policy', { noindex: true }, 'loja');
  await send('PUT /subdomains/{subdomain}/policy', { noindex: 1 }, 'loja');
  await send('POST /hosts/test', { url: 'http://loja.localhost/' });
  for (const name of ['loja', 'nao-existe'])
    await requestOperation('GET /uptime', MISSING_ID, { query: `?subdomain=${name}` });
  for (const query of ['?subdomains=loja,nao-existe', '?subdomains=loja&tenants='])
    await requestOperation('GET /uptimes', MISSING_ID, { query });
  await requestOperation('POST /subdomains/{subdomain}/check', 'loja');
  await callDomainOperations('subdomains/{subdomain}', 'loja');
  await requestOperation('GET /static-folders');
  await send('POST /static-folders', { path: `${core.sites}/nova` });
  await send('POST /static-folders', { path: '/' });
  await send('POST /subdomains/test', { type: 'proxy', port: 4001 });
  await requestOperation('DELETE /subdomains/{subdomain}', 'loja');
  await send('POST /ai/suggest', { description: 'Loja de bolos' });

  const project = await send('POST /projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
  const otherProject = await send('POST /projects', { name: 'Agenda', type: 'proxy', apiPort: 4000 });
  await send('POST /projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
  await send('PUT /projects/{id}', { dbPrefix: 'agenda' }, otherProject._id);
  await send('PUT /projects/{id}', { name: 'CRM' }, otherProject._id);

  const tenant = await send('POST /tenants', { name: 'Padaria', project: project._id, subdomain: 'padaria' });
  const otherTenant = await send('POST /tenants', { name: 'Bar', project: project._id, subdomain: 'bar' });
  await send('POST /tenants', { name: 'Outro', project: project._id, subdomain: 'bar' });
  await send('PUT /tenants/{id}', { name: 'Padaria do Zé' }, tenant._id);
  await requestOperation('POST /tenants/{id}/check', tenant._id);
  for (const { _id } of [tenant, otherTenant])
    await send('POST /tenants/{id}/domain', { domain: 'padaria.com.br' }, _id);
  await send('POST /tenants/{id}/domain', { domain: 'padaria.com.br' });
  await requestOperation('DELETE /tenants/{id}/domain', tenant._id);
  await callDomainOperations('tenants/{id}', tenant._id);
  for (const [kind, id] of [
    ['projects', project._id],
    ['tenants', tenant._id],
  ]) {
    await requestOperation(`GET /${kind}/{id}/policy`, id);
    await send(`PUT /${kind}/{id}/policy`, { noindex: true }, id);
    await send(`PUT /${kind}/{id}/policy`, { noindex: 1 }, id);
  }
  await requestOperation('DELETE /projects/{id}', project._id);
  await requestOperation('DELETE /projects/{id}', otherProject._id);
  await requestOperation('DELETE /tenants/{id}', otherTenant._id);
  await requestOperation('GET /projects/{id}', project._id);
  await requestOperation('GET /tenants/{id}', tenant._id);
  return { projects: project._id, tenants: tenant._id };
}

/** Calls the operations of domains. The wildcard causes a conflict, because its ownership is not proved. */
async function callDomainOperations(path: string, id: string) {
  const domain = `${path.slice(0, 6)}.com.br`; // Each kind of site has a separate domain.
  for (const host of [domain, `*.${domain}`]) await send(`POST /${path}/domains`, { host }, id);
  await send(`POST /${path}/domains`, { host: domain });
  await requestOperation(`GET /${path}/domains`, id);
  const removal = `/${path.replace(/\{\w+\}/, id)}/domains/${domain}`;
  recordStatus(`DELETE /${path}/domains/{host}`, (await core.request('DELETE', removal)).status);
}

async function callGatewayOperations() {
  const service = await send('POST /gateway/admin/services', { name: 'vendas', host: integrations.url });
  const brokenService = await send('POST /gateway/admin/services', { name: 'muda', host: `${integrations.url}/nada` });
  await send('POST /gateway/admin/services', { name: 'vendas', host: integrations.url });
  await send('PUT /gateway/admin/services/{id}', { host: `${integrations.url}/x` }, brokenService._id);
  await send('PUT /gateway/admin/services/{id}', { name: 'vendas' }, brokenService._id);
  for (const operation of ['manifest', 'manifest/reading']) {
    for (const { _id } of [service, brokenService])
      await requestOperation(`GET /gateway/admin/services/{id}/${operation}`, _id);
  }
  const reading = 'POST /gateway/admin/services/{id}/manifest/reading';
  for (const address of [`${integrations.url}/manifest`, `${integrations.url}/nada`])
    await requestOperation(reading, service._id, { body: { address } });
  await requestOperation(reading, MISSING_ID, { body: { address: integrations.url } });
  await requestOperation('GET /gateway/admin/services/{id}', service._id);
  await requestOperation('GET /gateway/admin/services/{id}/dependents', service._id);
  await requestOperation('DELETE /gateway/admin/services/{id}', brokenService._id);

  const route = { serviceId: service._id, destination: '/x', methods: ['GET'], permission: 'pedidos:ler' };
  const keptRoute = await send('POST /gateway/admin/routes', { ...route, origin: '/a' });
  const removedRoute = await send('POST /gateway/admin/routes', { ...route, origin: '/b' });
  await send('POST /gateway/admin/routes', { ...route, origin: '/a' });
  const routes = [{ method: 'GET', path: '/pedidos', permission: 'pedidos:ler' }];
  await send('POST /gateway/admin/routes/import', { serviceId: service._id, routes });
  const repeatedRoutes = [...routes, ...routes];
  await send('POST /gateway/admin/routes/import', { serviceId: service._id, routes: repeatedRoutes });
  await send('PUT /gateway/admin/routes/{id}', { permission: 'pedidos:ver' }, keptRoute._id);
  await send('PUT /gateway/admin/routes/{id}', { origin: '/a' }, removedRoute._id);
  await requestOperation('GET /gateway/admin/routes/{id}', keptRoute._id);
  await requestOperation('DELETE /gateway/admin/routes/{id}', removedRoute._id);

  await send('POST /gateway/admin/test', { method: 'GET', path: '/a' });

  const key = await send('POST /gateway/admin/keys', { name: 'Aplicativo', permissions: ['*'] });
  const spareKey = await send('POST /gateway/admin/keys', { name: 'Outra', permissions: ['*'] });
  await send('PUT /gateway/admin/keys/{id}', { name: 'Celular' }, key._id);
  await requestOperation('GET /gateway/admin/keys/{id}', key._id);
  for (const { _id } of [key, { _id: MISSING_ID }]) {
    await send('POST /gateway/admin/keys/{id}/rotate', { graceSeconds: 60 }, _id);
  }
  await requestOperation('DELETE /gateway/admin/keys/{id}', spareKey._id);
  return { services: service._id, routes: keptRoute._id, keys: key._id };
}

async function callSettingsAndContactOperations() {
  await requestOperation('POST /settings/test');
  for (const telegramBotToken of ['9:nega', '123:aceita']) {
    await send('PUT /settings', { telegramBotToken, telegramChatId: '42' });
    await requestOperation('POST /settings/test');
  }
  const message = { name: 'Ana', email: 'ana@exemplo.com.br', message: 'Olá' };
  const { _id } = await send('POST /contact', message);
  for (const id of [_id, MISSING_ID]) await send('PUT /contact/{id}', { handled: true }, id);
  await requestOperation('DELETE /contact/{id}', _id);
  for (let turn = 0; turn < 11; turn += 1) await send('POST /contact', message); // Ten messages are allowed.
}

async function callAdministratorOperations() {
  const ownId = (await requestOperation('GET /me'))._id;
  const invitedAdmin = await send('POST /admins', { username: 'ana' });
  await send('POST /admins', { username: 'ana' });
  await requestOperation('POST /admins/{id}/reset', ownId);
  for (const id of [invitedAdmin._id, ownId]) await send('PUT /admins/{id}', { role: 'operator' }, id);
  const { setupToken } = await requestOperation('POST /admins/{id}/reset', invitedAdmin._id);
  const password = 'uma senha longa';
  await requestOperation('POST /setup', MISSING_ID, { token: null, body: { token: setupToken, password } });
  const { token } = await requestOperation('POST /login', MISSING_ID, {
    token: null,
    body: { username: 'ana', password },
  });
  const requestAsAna = (operation: string, code: string) =>
    requestOperation(operation, MISSING_ID, { token, body: { code } });
  await requestAsAna('PUT /me/totp', '000000');
  await requestAsAna('DELETE /me/totp', '000000');
  const { secret } = await requestOperation('POST /me/totp', MISSING_ID, { token });
  await requestAsAna('PUT /me/totp', generateTotp(secret));
  await requestOperation('POST /me/totp', MISSING_ID, { token });
  await requestAsAna('DELETE /me/totp', generateTotp(secret, 1));
  const nextSecret = (await requestOperation('POST /me/totp', MISSING_ID, { token })).secret;
  await requestAsAna('PUT /me/totp', generateTotp(nextSecret));
  for (let guess = 0; guess < 21; guess += 1) await requestAsAna('DELETE /me/totp', '000000'); // Ten are allowed.
  for (let guess = 0; guess < 21; guess += 1)
    await requestOperation('POST /setup', MISSING_ID, { token: null, body: { token: 'errado', password } });
  for (const id of [ownId, invitedAdmin._id]) await requestOperation('DELETE /admins/{id}', id);
}

async function callTokenOperations() {
  const account = await send('POST /service-accounts', { name: 'pipeline' });
  const spareAccount = await send('POST /service-accounts', { name: 'outra' });
  await send('POST /service-accounts', { name: 'pipeline' });
  await send('PUT /service-accounts/{id}', { role: 'viewer' }, account._id);
  await send('PUT /service-accounts/{id}', { name: 'outra' }, account._id);
  await requestOperation('DELETE /service-accounts/{id}', spareAccount._id);
  const body = { scopes: ['tenants:read'], expiresAt: new Date(Date.now() + 86_400_000).toISOString() };
  const token = await send('POST /tokens', { name: 'a', ...body });
  const otherToken = await send('POST /tokens', { name: 'b', ...body });
  await send('POST /tokens', { name: 'a', ...body });
  await send('PUT /tokens/{id}', { disabled: true }, token._id);
  await send('PUT /tokens/{id}', { name: 'b' }, token._id);
  for (const id of [token._id, MISSING_ID]) await send('POST /tokens/{id}/rotate', { graceSeconds: 0 }, id);
  await requestOperation('DELETE /tokens/{id}', otherToken._id);
  return { 'service-accounts': account._id, tokens: token._id };
}

async function callAccountOperations() {
  const { token } = await requestOperation('POST /login', MISSING_ID, { token: null, body: ADMINISTRATOR });
  await requestOperation('POST /logout', MISSING_ID, { token });
  for (let turn = 0; turn < 21; turn += 1) {
    await requestOperation('POST /login', MISSING_ID, {
      token: null,
      body: { username: 'ninguem', password: 'errada' },
    });
  }
  const change = { currentPassword: ADMINISTRATOR.password, newPassword: ADMINISTRATOR.password };
  await send('PUT /me/password', change);
  core.token = (await requestOperation('POST /login', MISSING_ID, { token: null, body: ADMINISTRATOR })).token;
  await send('PUT /me/password', { ...change, keepSession: true });
  core.token = (await requestOperation('POST /login', MISSING_ID, { token: null, body: ADMINISTRATOR })).token;
  await send('POST /me/sudo', { password: ADMINISTRATOR.password });
  const guess = { ...change, currentPassword: 'errada' };
  for (let turn = 0; turn < 21; turn += 1) await send('PUT /me/password', guess); // Ten guesses are allowed.
  for (let turn = 0; turn < 21; turn += 1) await send('POST /me/sudo', { password: 'errada' });
}

const SUGGESTION = {
  subdomain: 'loja',
  description: 'Loja',
  type: 'proxy',
  port: 4500,
  staticPath: null,
  apiPort: null,
  targetHost: null,
  targetPort: null,
};
const COMPLETION = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'modelo',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify(SUGGESTION) } }],
};

/** Tests e-mail and AI while they are not configured, while they work, and while they are unreachable. */
async function callIntegrationOperations() {
  const tests = ['POST /integrations/email/test', 'POST /integrations/ai/test'];
  for (const operation of tests) await requestOperation(operation);

  const model = await listen((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(COMPLETION));
  });
  const mailbox = await startMailbox();
  const unconfiguredCore = core;
  core = await new Core({
    SMTP_URL: mailbox.url,
    CONTACT_EMAIL_FROM: 'site@exemplo.com',
    CONTACT_EMAIL_TO: 'estudio@exemplo.com',
    AI_BASE_URL: model.url,
    AI_API_KEY: 'chave',
  }).start();
  for (const operation of tests) await requestOperation(operation);
  await model.stop();
  await mailbox.stop();
  for (const operation of tests) await requestOperation(operation);
  await core.stop();
  core = unconfiguredCore;
}

/** Inserts an alert of the kind `database`, which no check of the core resolves. */
async function storeAlert(id: string, resolvedAt: string | null) {
  const end = resolvedAt ? `'${resolvedAt}'` : 'NULL';
  await core.query(
    `INSERT INTO alerts (_id, kind, severity, "subjectType", "subjectId", "subjectName", "machineId", reason, since, "firedAt", "resolvedAt")
      VALUES ('${id}', 'database', 'critical', 'installation', '${id}', 'x', '', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', ${end})`,
  );
}

async function callAlertOperations() {
  const [openId, resolvedId] = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002'];
  await storeAlert(openId, null);
  await storeAlert(resolvedId, '2026-01-01T01:00:00.000Z');
  for (const id of [openId, resolvedId]) await send('POST /alerts/{id}/acknowledge', { note: 'x' }, id);

  await send('POST /subdomains', { subdomain: 'avisado', description: 'x', type: 'proxy', port: 4000 });
  for (const name of ['avisado', 'ausente'])
    await requestOperation('GET /uptime', MISSING_ID, { query: `?subdomain=${name}` });
  const subject = { type: 'subdomain', id: 'avisado' };
  const generalRule = (await requestOperation('GET /alert-rules')).find(
    ({ kind }: { kind: string }) => kind === 'errors',
  );
  const rule = await send('POST /alert-rules', { kind: 'errors', subject });
  const spareRule = await send('POST /alert-rules', { kind: 'target_down', subject });
  await send('POST /alert-rules', { kind: 'errors', subject });
  await send('PUT /alert-rules/{id}', { severity: 'critical' }, rule._id);
  for (const { _id } of [spareRule, generalRule]) await requestOperation('DELETE /alert-rules/{id}', _id);

  const hook = { type: 'webhook', url: `${integrations.url}/bot123:/hook` };
  const channel = await send('POST /alert-channels', { name: 'Gancho', ...hook });
  const mail = await send('POST /alert-channels', { name: 'Correio', type: 'email' });
  const spareChannel = await send('POST /alert-channels', { name: 'Outro', type: 'email' });
  await send('POST /alert-channels', { name: 'Gancho', ...hook });
  await send('PUT /alert-channels/{id}', { minSeverity: 'warning' }, channel._id);
  await send('PUT /alert-channels/{id}', { name: 'Correio' }, channel._id);
  for (const { _id } of [channel, mail]) {
    await requestOperation('POST /alert-channels/{id}/test', _id);
    await send('POST /alert-channels/{id}/rotate-secret', { graceSeconds: 60 }, _id);
  }
  await requestOperation('DELETE /alert-channels/{id}', spareChannel._id);

  const toIsoInHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const mute = await send('POST /mutes', { subject, until: toIsoInHours(1), reason: 'x' });
  await requestOperation('DELETE /mutes/{id}', mute._id);
  const times = { startsAt: toIsoInHours(1), endsAt: toIsoInHours(2), weekdays: [] };
  const window = await send('POST /maintenance-windows', { title: 'Obras', subjects: [subject], ...times });
  const spareWindow = await send('POST /maintenance-windows', { title: 'Outras', subjects: [subject], ...times });
  await send('PUT /maintenance-windows/{id}', { title: 'Reforma' }, window._id);
  await requestOperation('DELETE /maintenance-windows/{id}', spareWindow._id);
  return { alerts: openId, 'alert-rules': rule._id, 'alert-channels': channel._id, 'maintenance-windows': window._id };
}

/** Calls the operations of backups. The core stores its backups in its own folder, without a passphrase. */
async function callBackupOperations() {
  await send('PUT /backup-plan', { keepDaily: 7 });
  await send('PUT /backup-plan', { schedule: '* * * * *' });
  const { _id } = await requestOperation('POST /backups');
  await requestOperation('POST /backups');
  await requestOperation('POST /backups/{id}/verify', _id);
  await waitFor('the end of the backup', async () => {
    const { backups } = await requestOperation('GET /backups');
    return backups[0].state !== 'running';
  });
  await requestOperation('POST /backups/{id}/verify', _id);
  return { backups: _id };
}

/** Statuses that other tests cover: missing rights (`access.test.ts`) and a database outage (`database.test.ts`). */
const STATUSES_OF_OTHER_TESTS = ['403', '503'];
/** `features/sites` tests the calls whose bodies are packages. */
const WITH_PACKAGES = /\/(?:versions|deploy|uploads)(?:\/|\.|$)/;

/**
 * Each function `call…Operations` calls the operations of a feature. Where an empty body gives 400, it sends a valid
 * body with `MISSING_ID` for the 404. It may return one id per entity, under the path segment before `{id}`. The test
 * then sends each id to the operations of the other entities. Loops of 11 or 21 calls exceed a limit (429).
 */
test('the core returns exactly the statuses that the OpenAPI document declares', async () => {
  await provokeGeneralFailures();
  const ids: Record<string, string> = {
    ...(await callSiteOperations()),
    ...(await callGatewayOperations()),
    ...(await callTokenOperations()),
    ...(await callAlertOperations()),
    ...(await callBackupOperations()),
  };
  await callSettingsAndContactOperations();
  await callIntegrationOperations();

  // Each operation answers an id of another kind of entity with 404, and changes nothing.
  const earlierProjects = (await core.request('GET', '/projects')).body;
  for (const operation of [...declaredStatuses.keys()].filter((name) => name.includes('{id}'))) {
    const kind = /([\w-]+)\/\{id\}/.exec(operation)?.[1] ?? '';
    for (const [, id] of Object.entries(ids).filter(([otherKind]) => otherKind !== kind)) {
      const [method = '', path = ''] = operation.split(' ');
      const body =
        method === 'POST'
          ? { domain: 'alheio.com.br', host: 'alheio.com.br', graceSeconds: 0, address: integrations.url }
          : { handled: true };
      const { status } = await core.request(method, path.replace('{id}', id), method === 'GET' ? {} : { body });
      expect([operation, status]).toEqual([operation, 404]);
    }
  }
  expect((await core.request('GET', '/projects')).body).toEqual(earlierProjects);

  await callAccountOperations();
  await callAdministratorOperations();
  const toComparable = (entries: Iterable<[string, Iterable<string>]>) =>
    Object.fromEntries(
      [...entries]
        .filter(([operation]) => !WITH_PACKAGES.test(operation))
        .map(([operation, statuses]) => [
          operation,
          [...statuses].filter((status) => !STATUSES_OF_OTHER_TESTS.includes(status)).sort(),
        ]),
    );
  expect(toComparable(returnedStatuses)).toEqual(toComparable(declaredStatuses));
});
