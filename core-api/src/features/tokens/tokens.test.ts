import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../scripts/testing/stack';
import { DAY_MS } from '../../platform/time/relative-time';
import { runCommand } from '../../testing/command';
import { Core } from '../../testing/core';
import { createSubdomain } from '../../testing/records';

const core = new Core({ TRUSTED_PROXIES: '127.0.0.1' });
/** Another core on the same database, which permits tokens without an expiry. */
let otherCore: Core;
let projectId: string;
let foreignProjectId: string;
beforeAll(async () => {
  await core.start();
  otherCore = new Core({ ...core.database, TRUSTED_PROXIES: '127.0.0.1', TOKEN_MAX_DAYS: '0' });
  otherCore.token = core.token;
  await otherCore.start();
  projectId = (await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 }))._id;
  foreignProjectId = (await core.create('/projects', { name: 'Agenda', type: 'proxy', apiPort: 4000 }))._id;
});
afterAll(async () => {
  await otherCore.stop();
  await core.stop();
});

const isoInMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const createAddressHeaders = (address: string) => ({ 'X-Forwarded-For': address });

let tokenCount = 0;
const createToken = (body: object) =>
  core.request('POST', '/tokens', {
    body: { name: `token ${++tokenCount}`, scopes: ['tenants:read'], expiresAt: isoInMs(DAY_MS), ...body },
  });
/** Creates a token and a function that sends requests with it. */
async function createTokenCaller(body: object = {}) {
  const response = await createToken(body);
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
  const { token, _id } = response.body as { token: string; _id: string };
  const requestAs = (
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
    atCore = core,
  ) => atCore.request(method, path, { token, ...options });
  return { token, _id, request: requestAs };
}

test('a token is shown once: neither the list, nor the files of the database, nor the log contain it', async () => {
  const { status, headers, body } = await createToken({ name: 'Relatórios' });
  expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(body.token).toMatch(/^stp_[\w-]{43}[0-9A-Za-z]{6}$/);
  expect(body).toMatchObject({
    name: 'Relatórios',
    prefix: body.token.slice(0, 12),
    scopes: ['tenants:read'],
    projects: null,
    site: null,
    allowedIps: [],
    disabled: false,
    lastUsedAt: null,
    account: { username: 'admin', kind: 'person' },
  });
  const listResponse = await core.request('GET', '/tokens');
  expect(listResponse.body.map(({ _id }: { _id: string }) => _id)).toContain(body._id);
  expect(JSON.stringify(listResponse.body)).not.toContain(body.token);
  for (const file of readdirSync(core.folder).filter((name) => name.startsWith('studio.sqlite')))
    expect(readFileSync(join(core.folder, file), 'latin1')).not.toContain(body.token);
  expect(core.output).not.toContain(body.token);
});

test('a token has only the rights of its scopes, where write and delete include read', async () => {
  const { request } = await createTokenCaller({ scopes: ['tenants:read', 'projects:write', 'keys:delete'] });
  expect((await request('GET', '/tenants')).status).toBe(200);
  expect((await request('GET', '/projects')).status).toBe(200);
  expect((await request('GET', '/gateway/admin/keys')).status).toBe(200);
  const response = await request('POST', '/tenants', { body: { name: 'x' } });
  expect([response.status, response.body]).toEqual([
    403,
    { error: 'Este token não tem o escopo necessário.', required: { role: 'operator', scope: 'tenants:write' } },
  ]);
  expect((await request('GET', '/subdomains')).body.required).toEqual({ role: 'viewer', scope: 'subdomains:read' });
  expect((await request('DELETE', `/projects/${projectId}`)).body.required.scope).toBe('projects:delete');
});

test('a token may not call operations for persons, for example sudo or the list of tokens', async () => {
  const { request } = await createTokenCaller({ scopes: ['settings:write', 'audit:read'] });
  for (const [method, path] of [
    ['POST', '/tokens'],
    ['GET', '/tokens'],
    ['POST', '/me/sudo'],
    ['GET', '/admins'],
    ['POST', '/logout'],
    ['PUT', '/me/password'],
  ] as const) {
    const { status, body } = await request(method, path, method === 'GET' ? {} : { body: {} });
    expect([method, path, status, body.error]).toEqual([
      method,
      path,
      403,
      'Só uma pessoa conectada pode fazer isto, não um token.',
    ]);
  }
});

test('GET /me describes the token that calls it', async () => {
  const { request, _id } = await createTokenCaller({ scopes: ['tenants:read'], projects: [projectId] });
  expect((await request('GET', '/me')).body).toMatchObject({
    username: 'admin',
    role: 'administrator',
    projects: [projectId],
    sudoUntil: null,
    token: { _id, scopes: ['tenants:read'], projects: [projectId] },
  });
});

describe('a token is refused', () => {
  test('from an address that is not in its list', async () => {
    const { request } = await createTokenCaller({ allowedIps: ['203.0.113.0/24'] });
    expect((await request('GET', '/tenants', { headers: createAddressHeaders('203.0.113.9') })).status).toBe(200);
    const response = await request('GET', '/tenants', { headers: createAddressHeaders('198.51.100.1') });
    expect([response.status, response.body.error]).toEqual([403, 'Este endereço não pode usar este token.']);
  });

  test('after it has expired', async () => {
    const { request } = await createTokenCaller({ expiresAt: isoInMs(2_000) });
    expect((await request('GET', '/tenants')).status).toBe(200);
    await waitFor('the expiry of the token', async () => (await request('GET', '/tenants')).status === 401);
    expect((await request('GET', '/tenants')).body.error).toBe('Este token venceu.');
  });

  test('while it is disabled', async () => {
    const { request, _id } = await createTokenCaller();
    expect((await request('GET', '/tenants')).status).toBe(200);
    expect((await core.request('PUT', `/tokens/${_id}`, { body: { disabled: true } })).status).toBe(200);
    expect((await request('GET', '/tenants')).status).toBe(401);
    expect((await core.request('PUT', `/tokens/${_id}`, { body: { disabled: false } })).status).toBe(200);
    expect((await request('GET', '/tenants')).status).toBe(200);
  });

  test('after it was revoked, on every core', async () => {
    const { request, _id } = await createTokenCaller();
    expect((await request('GET', '/tenants', {}, otherCore)).status).toBe(200);
    expect((await core.request('DELETE', `/tokens/${_id}`)).status).toBe(204);
    expect((await request('GET', '/tenants')).status).toBe(401);
    await waitFor(
      'a refusal by the other core',
      async () => (await request('GET', '/tenants', {}, otherCore)).status === 401,
    );
  });

  test('with a wrong checksum, length or prefix', async () => {
    const { token } = await createTokenCaller();
    const otherLastCharacter = token.endsWith('0') ? '1' : '0';
    for (const wrongToken of [
      token.slice(0, -1) + otherLastCharacter,
      token.slice(0, -1),
      `sts_${token.slice(4)}`,
      'stp_x',
    ])
      expect((await core.request('GET', '/tenants', { token: wrongToken })).status).toBe(401);
  });
});

test('after a rotation, the old secret is valid for the grace period only', async () => {
  const { request, _id } = await createTokenCaller();
  const rotation = await core.request('POST', `/tokens/${_id}/rotate`, { body: { graceSeconds: 2 } });
  expect([rotation.status, rotation.body._id]).toEqual([201, _id]);
  const requestWithNewSecret = () => core.request('GET', '/tenants', { token: rotation.body.token });
  expect([(await request('GET', '/tenants')).status, (await requestWithNewSecret()).status]).toEqual([200, 200]);
  await waitFor('the end of the old secret', async () => (await request('GET', '/tenants')).status === 401);
  expect((await requestWithNewSecret()).status).toBe(200);
  const secondRotation = await core.request('POST', `/tokens/${_id}/rotate`, { body: { graceSeconds: 0 } });
  expect([(await requestWithNewSecret()).status, secondRotation.status]).toEqual([401, 201]);
});

test('the audit entry of a change has token and client address, and the token list shows the last use', async () => {
  const { request, _id } = await createTokenCaller({ name: 'Migração', scopes: ['projects:write'] });
  const headers = createAddressHeaders('192.0.2.44');
  expect((await request('PUT', `/projects/${projectId}`, { body: { dbPrefix: 'crm' }, headers })).status).toBe(200);
  const [entry] = (await core.request('GET', '/audit?entity=project&limit=1')).body.entries;
  expect(entry).toMatchObject({ actor: 'admin', address: '192.0.2.44', tokenId: _id, tokenName: 'Migração' });
  const findOwnToken = async () =>
    (await core.request('GET', '/tokens')).body.find((token: { _id: string }) => token._id === _id) as Record<
      string,
      unknown
    >;
  await waitFor('the stored use', async () => (await findOwnToken()).lastUsedAt !== null);
  expect(await findOwnToken()).toMatchObject({ lastUsedFrom: '192.0.2.44', version: 1 });
});

test.each([
  [{ name: '' }, 'name'],
  [{ scopes: [] }, 'scopes'],
  [{ scopes: ['*'] }, 'scopes'],
  [{ scopes: ['metrics:write'] }, 'scopes'],
  [{ expiresAt: undefined }, 'expiresAt'],
  [{ expiresAt: null }, 'expiresAt'],
  [{ expiresAt: isoInMs(-1_000) }, 'expiresAt'],
  [{ expiresAt: isoInMs(400 * DAY_MS) }, 'expiresAt'],
  [{ allowedIps: ['300.1.1.1'] }, 'allowedIps'],
  [{ projects: ['019a0000-0000-7000-8000-000000000000'] }, 'projects'],
  [{ account: '019a0000-0000-7000-8000-000000000000' }, 'account'],
  [{ scopes: ['deploy'] }, 'site'],
  [{ scopes: ['deploy', 'tenants:read'], site: { type: 'subdomain', label: 'x' } }, 'scopes'],
  [{ scopes: ['deploy'], site: { type: 'subdomain', label: 'nao-existe' } }, 'site'],
  [{ site: { type: 'subdomain', label: 'x' } }, 'site'],
])('the token %j is refused because of its field %s', async (body, field) => {
  const { status, body: responseBody } = await createToken(body);
  expect([status, Object.keys(responseBody.fields)]).toEqual([400, [field]]);
});

test('two tokens of one account cannot have the same name', async () => {
  await createTokenCaller({ name: 'Único' });
  const duplicateNameResponse = await createToken({ name: 'Único' });
  expect([duplicateNameResponse.status, Object.keys(duplicateNameResponse.body.fields)]).toEqual([409, ['name']]);
});

test('an account has 200 tokens at most', async () => {
  const { _id: accountId } = await core.create('/service-accounts', { name: 'Esteira', role: 'viewer' });
  const { _id } = await createTokenCaller({ account: accountId });
  const columns = 'scopes, "projectIds", site, prefix, "allowedIps", "expiresAt", disabled, "createdAt", version';
  await core.query(`INSERT INTO api_tokens (_id, "accountId", name, digest, ${columns})
    WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < 199)
    SELECT 'copia-' || n, "accountId", 'copia-' || n, 'copia-' || n, ${columns} FROM api_tokens, copies WHERE _id = '${_id}'`);
  const response = await createToken({ name: 'mais um', account: accountId });
  expect([response.status, response.body.error]).toEqual([
    409,
    'Esta conta já tem 200 tokens. Remova um que não é mais usado.',
  ]);
  expect((await core.request('DELETE', `/tokens/${_id}`)).status).toBe(204);
  expect((await createToken({ name: 'mais um', account: accountId })).status).toBe(201);
  expect((await core.request('DELETE', `/service-accounts/${accountId}`)).status).toBe(204);
});

test('TOKEN_MAX_DAYS=0 permits tokens without an expiry', async () => {
  const body = { name: 'sem fim', scopes: ['audit:read'], expiresAt: null };
  await otherCore.request('POST', '/me/sudo', { body: { password: ADMINISTRATOR.password } });
  const response = await otherCore.request('POST', '/tokens', { body });
  expect([response.status, response.body.expiresAt]).toEqual([201, null]);
  expect((await core.request('POST', '/tokens', { body: { ...body, name: 'sem fim aqui' } })).status).toBe(400);
});

test('a token that is limited to projects reads and changes only these projects', async () => {
  const ownTenant = await core.create('/tenants', { name: 'Padaria', project: projectId, subdomain: 'padaria' });
  const foreignTenant = await core.create('/tenants', { name: 'Bar', project: foreignProjectId, subdomain: 'bar' });
  const { request } = await createTokenCaller({
    scopes: ['tenants:write', 'subdomains:read', 'metrics:read'],
    projects: [projectId],
  });
  expect((await request('GET', '/tenants')).body.map(({ _id }: { _id: string }) => _id)).toEqual([ownTenant._id]);
  expect((await request('GET', `/tenants/${ownTenant._id}`)).status).toBe(200);
  for (const method of ['GET', 'PUT'])
    expect((await request(method, `/tenants/${foreignTenant._id}`, method === 'PUT' ? { body: {} } : {})).status).toBe(
      404,
    );
  const response = await request('PUT', `/tenants/${ownTenant._id}`, { body: { project: foreignProjectId } });
  expect([response.status, Object.keys(response.body.fields)]).toEqual([400, ['project']]);
  expect((await request('GET', '/subdomains')).status).toBe(403);
  expect((await request('GET', '/overview')).body).toMatchObject({ subdomains: 0, projects: 1, tenants: 1 });
});

test('a token with the scope deploy has rights to its site only', async () => {
  await createSubdomain(core, 'vitrine', { port: 4000 });
  const { request } = await createTokenCaller({ scopes: ['deploy'], site: { type: 'subdomain', label: 'vitrine' } });
  const [token] = (await core.request('GET', '/tokens')).body.filter(
    ({ scopes }: { scopes: string[] }) => scopes[0] === 'deploy',
  );
  expect(token.site).toEqual({ type: 'subdomain', id: expect.any(String), label: 'vitrine' });
  expect((await request('GET', '/subdomains')).status).toBe(403);
  expect((await request('GET', '/me')).status).toBe(200);
});

describe('service accounts', () => {
  test('can use tokens but no password, and lose their tokens when they are removed', async () => {
    const account = await core.create('/service-accounts', { name: 'Pipeline', role: 'viewer' });
    expect(account).toMatchObject({ name: 'pipeline', role: 'viewer', projects: null });
    const login = { username: 'pipeline', password: 'uma senha longa' };
    expect((await core.request('POST', '/login', { body: login, token: null })).status).toBe(401);
    const { token, request } = await createTokenCaller({ account: account._id, scopes: ['tenants:write'] });
    expect(token).toMatch(/^sts_/);
    expect((await request('GET', '/tenants')).status).toBe(200);
    expect((await request('POST', '/tenants', { body: {} })).body.required.role).toBe('operator');
    await core.request('PUT', `/service-accounts/${account._id}`, { body: { role: 'operator' } });
    expect((await request('POST', '/tenants', { body: {} })).status).toBe(400);
    expect((await core.request('GET', `/tokens?account=${account._id}`)).body).toHaveLength(1);
    for (const path of [`/admins/${account._id}`, `/admins/${account._id}/reset`])
      expect((await core.request(path.endsWith('reset') ? 'POST' : 'DELETE', path)).status).toBe(404);
    expect((await core.request('GET', '/admins')).body).toHaveLength(1);
    expect((await core.request('DELETE', `/service-accounts/${account._id}`)).status).toBe(204);
    expect((await request('GET', '/tenants')).status).toBe(401);
    expect((await core.request('GET', '/service-accounts')).body).toEqual([]);
  });

  test('cannot have the name of a person', async () => {
    expect((await core.request('POST', '/service-accounts', { body: { name: 'ADMIN' } })).status).toBe(409);
  });
});

test("a request with a token gets a mask instead of the bot's token, and a save of the mask keeps the bot's token", async () => {
  const telegramBotToken = '123456:abcdefghijklmnopqrstuvwxyz123456789';
  await core.request('PUT', '/settings', { body: { telegramBotToken, telegramChatId: '42' } });
  const { request } = await createTokenCaller({ scopes: ['settings:write'] });
  const { body } = await request('GET', '/settings');
  expect(body).toMatchObject({ telegramBotToken: '••••••••', telegramChatId: '42' });
  const response = await request('PUT', '/settings', { body: { ...body, telegramChatId: '43' } });
  expect([response.status, response.body.telegramBotToken]).toEqual([200, '••••••••']);
  expect((await core.request('GET', '/settings')).body).toMatchObject({ telegramBotToken, telegramChatId: '43' });
});

test('the overview lists tokens that expire within 14 days', async () => {
  await createTokenCaller({ name: 'acaba logo', expiresAt: isoInMs(13 * DAY_MS) });
  await createTokenCaller({ name: 'acaba depois', expiresAt: isoInMs(15 * DAY_MS) });
  const tokensEnding = (await core.request('GET', '/overview')).body.tokensEnding;
  const expiringNames: string[] = (await core.request('GET', '/tokens')).body
    .filter(({ expiresAt }: { expiresAt: string }) => Date.parse(expiresAt) < Date.now() + 14 * DAY_MS)
    .filter(({ expiresAt }: { expiresAt: string }) => Date.parse(expiresAt) > Date.now())
    .map(({ name }: { name: string }) => name);
  expect(expiringNames).toContain('acaba logo');
  expect(expiringNames).not.toContain('acaba depois');
  expect(tokensEnding.total).toBe(expiringNames.length);
});

test('a request with a token gets an overview without the list of expiring tokens', async () => {
  await createTokenCaller({ name: 'acaba hoje', expiresAt: isoInMs(DAY_MS) });
  const { request } = await createTokenCaller({ scopes: ['metrics:read'] });
  expect((await request('GET', '/overview')).body.tokensEnding).toEqual({ total: 0, first: [] });
});

test('npm run admin -- token creates a token and prints it', async () => {
  const args = ['token', 'admin', '--scopes', 'tenants:read,projects:read', '--days', '90'];
  const { code, stdout } = await runCommand('admin', args, core.database);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^stp_[\w-]{49}\n$/)]);
  expect((await core.request('GET', '/projects', { token: stdout.trim() })).status).toBe(200);
  const [entry] = (await core.request('GET', '/audit?entity=token&limit=1')).body.entries;
  expect(entry).toMatchObject({ actor: 'npm run admin', action: 'create', tokenId: null });
  const failedCommand = await runCommand(
    'admin',
    ['token', 'admin', '--scopes', 'nada', '--days', '90'],
    core.database,
  );
  expect([failedCommand.code, failedCommand.stderr]).toEqual([1, expect.stringContaining('escopo')]);
});

test('npm run admin -- token refuses 9O (with the letter O) as days, also if tokens may be valid forever', async () => {
  const args = ['token', 'admin', '--scopes', 'tenants:read', '--days', '9O'];
  const { code, stderr } = await runCommand('admin', args, { ...core.database, TOKEN_MAX_DAYS: '0' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Informe até quando o token vale.')]);
});

test('the audit trail records the creation and removal of a token without its secret', async () => {
  const { _id, token } = await createTokenCaller({ name: 'Auditado' });
  await core.request('DELETE', `/tokens/${_id}`);
  const { entries } = (await core.request('GET', '/audit?entity=token&limit=2')).body;
  expect(entries.map(({ action, name }: { action: string; name: string }) => [action, name])).toEqual([
    ['delete', 'Auditado'],
    ['create', 'Auditado'],
  ]);
  expect(JSON.stringify(entries)).not.toContain(token);
  expect(entries[1].changes.digest).toEqual({ before: null, after: '••••••••' });
});
