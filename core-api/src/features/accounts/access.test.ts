import { waitFor } from '../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../scripts/testing/stack';
import { Core } from '../../testing/core';
import { generateTotp } from '../../testing/totp';

const core = new Core({ TRUSTED_PROXIES: '127.0.0.1' });
/** Another core on the same database. Its sudo ends after a second. */
let otherCore: Core;
let projectId: string;
let foreignProjectId: string;
beforeAll(async () => {
  await core.start();
  otherCore = new Core({ ...core.database, TRUSTED_PROXIES: '127.0.0.1', SUDO_TTL: '1s' });
  otherCore.token = core.token;
  await otherCore.start();
  projectId = (await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 }))._id;
  foreignProjectId = (await core.create('/projects', { name: 'Agenda', type: 'proxy', apiPort: 4000 }))._id;
});
afterAll(async () => {
  await otherCore.stop();
  await core.stop();
});

const PASSWORD = 'uma senha bem longa';
let addressCount = 0;
/** Headers of a request from an address that no other request uses. */
const createAddressHeaders = () => ({ 'X-Forwarded-For': `198.51.100.${++addressCount}` });

const login = async (username: string, password = PASSWORD, code?: string, atCore = core): Promise<string> =>
  (
    await atCore.request('POST', '/login', {
      body: { username, password, code },
      token: null,
      headers: createAddressHeaders(),
    })
  ).body.token;

/** Creates an account with these rights and logs it in. */
async function createAccount(username: string, rights: { role?: string; projects?: string[] } = {}) {
  const { _id, setupToken } = await core.create('/admins', { username, ...rights });
  await core.request('POST', '/setup', {
    body: { token: setupToken, password: PASSWORD },
    token: null,
    headers: createAddressHeaders(),
  });
  const token = await login(username);
  const requestAs = (method: string, path: string, body?: object, atCore = core) =>
    atCore.request(method, path, { token, body, headers: createAddressHeaders() });
  return { _id, token, request: requestAs };
}

const listUsernames = async () =>
  (await core.request('GET', '/admins')).body.map(({ username }: { username: string }) => username);

describe('sudo', () => {
  const requestWithoutSudo = async (method: string, path: string, body?: object) =>
    core.request(method, path, { token: await login('admin', ADMINISTRATOR.password), body, sudo: false });

  test('is required before an invitation creates an account', async () => {
    const response = await requestWithoutSudo('POST', '/admins', { username: 'sem-senha' });
    expect([response.status, response.body]).toEqual([
      403,
      { error: 'Confirme a sua senha para continuar.', sudoRequired: true },
    ]);
    expect(await listUsernames()).not.toContain('sem-senha');
    const token = await login('admin', ADMINISTRATOR.password);
    const sudoResponse = await core.request('POST', '/me/sudo', { token, body: { password: ADMINISTRATOR.password } });
    expect([sudoResponse.status, Date.parse(sudoResponse.body.sudoUntil) > Date.now()]).toEqual([200, true]);
    expect((await core.request('GET', '/me', { token })).body.sudoUntil).toBe(sudoResponse.body.sudoUntil);
    const creation = await core.request('POST', '/admins', { token, body: { username: 'com-senha' }, sudo: false });
    expect(creation.status).toBe(201);
  });

  test('holds only for the session that confirmed the password', async () => {
    const token = await login('admin', ADMINISTRATOR.password);
    await core.request('POST', '/me/sudo', { token, body: { password: ADMINISTRATOR.password } });
    expect((await requestWithoutSudo('POST', '/admins', { username: 'x' })).status).toBe(403);
  });

  test('refuses a wrong password and names its field', async () => {
    const response = await core.request('POST', '/me/sudo', { body: { password: 'errada' } });
    expect([response.status, Object.keys(response.body.fields)]).toEqual([400, ['password']]);
  });

  test('ends after SUDO_TTL', async () => {
    const token = await login('admin', ADMINISTRATOR.password);
    const confirmation = { token, body: { password: ADMINISTRATOR.password } };
    const { body } = await otherCore.request('POST', '/me/sudo', confirmation);
    await waitFor('the confirmation has expired', async () => Date.now() > Date.parse(body.sudoUntil));
    const response = await otherCore.request('POST', '/tokens', { token, body: {}, sudo: false });
    expect([response.status, response.body.sudoRequired]).toEqual([403, true]);
  });

  test('is checked before the body of the call is validated', async () => {
    const token = await login('admin', ADMINISTRATOR.password);
    const response = await fetch(`${core.url}/api/admins`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: '{',
    });
    expect(response.status).toBe(403);
  });

  test('that was confirmed with a code permits the removal of the second factor without another code', async () => {
    const person = await createAccount('totp');
    await person.request('POST', '/me/sudo', { password: PASSWORD });
    const { secret } = (await person.request('POST', '/me/totp')).body;
    await person.request('PUT', '/me/totp', { code: generateTotp(secret) });
    const withoutCode = await person.request('POST', '/me/sudo', { password: PASSWORD });
    expect([withoutCode.status, withoutCode.body.codeRequired, Object.keys(withoutCode.body.fields)]).toEqual([
      400,
      true,
      ['code'],
    ]);
    const unconfirmedRemoval = await core.request('DELETE', '/me/totp', { token: person.token, body: {} });
    expect([unconfirmedRemoval.status, Object.keys(unconfirmedRemoval.body.fields)]).toEqual([400, ['code']]);
    expect(
      (await person.request('POST', '/me/sudo', { password: PASSWORD, code: generateTotp(secret, 1) })).status,
    ).toBe(200);
    expect((await person.request('DELETE', '/me/totp', {})).status).toBe(204);
  });
});

describe('roles', () => {
  test('a viewer reads, an operator also writes, and an administrator also manages accounts', async () => {
    const viewer = await createAccount('vera', { role: 'viewer' });
    const operator = await createAccount('otto', { role: 'operator' });
    const body = { subdomain: 'papel', description: 'x', type: 'proxy', port: 4000 };
    expect((await viewer.request('GET', '/subdomains')).status).toBe(200);
    const response = await viewer.request('POST', '/subdomains', body);
    expect([response.status, response.body]).toEqual([
      403,
      { error: 'Seu papel não permite fazer isto.', required: { role: 'operator', scope: 'subdomains:write' } },
    ]);
    expect((await operator.request('POST', '/subdomains', body)).status).toBe(201);
    expect((await operator.request('GET', '/admins')).body.required).toEqual({ role: 'administrator', scope: null });
    expect((await operator.request('GET', '/settings')).status).toBe(403);
  });

  test('a viewer may test a route, but not call its service in the test', async () => {
    const viewer = await createAccount('valdo', { role: 'viewer' });
    expect((await viewer.request('POST', '/gateway/admin/test', { method: 'GET', path: '/a' })).status).toBe(200);
    const callResponse = await viewer.request('POST', '/gateway/admin/test', { method: 'GET', path: '/a', call: true });
    expect([callResponse.status, callResponse.body.required]).toEqual([
      403,
      { role: 'operator', scope: 'gateway:write' },
    ]);
  });

  test('the audit trail hides entries of accounts, tokens and logins from an operator', async () => {
    const operator = await createAccount('olga', { role: 'operator' });
    const { entries } = (await operator.request('GET', '/audit?limit=100')).body;
    const kinds = new Set(entries.map(({ entity }: { entity: string }) => entity));
    expect([kinds.has('project'), kinds.has('admin'), kinds.has('login')]).toEqual([true, false, false]);
    expect((await operator.request('GET', '/audit?entity=login')).body.total).toBe(0);
  });

  test('a demotion takes effect on every core, for sessions and tokens', async () => {
    const person = await createAccount('dora');
    await person.request('POST', '/me/sudo', { password: PASSWORD });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const createdToken = await person.request('POST', '/tokens', { name: 'x', scopes: ['settings:read'], expiresAt });
    const requestSettingsStatuses = async () => [
      (await person.request('GET', '/settings')).status,
      (await person.request('GET', '/settings', undefined, otherCore)).status,
      (await core.request('GET', '/settings', { token: createdToken.body.token })).status,
      (await otherCore.request('GET', '/settings', { token: createdToken.body.token })).status,
    ];
    expect(await requestSettingsStatuses()).toEqual([200, 200, 200, 200]);
    const demotionResponse = await core.request('PUT', `/admins/${person._id}`, { body: { role: 'viewer' } });
    expect([demotionResponse.status, demotionResponse.body]).toMatchObject([200, { role: 'viewer', projects: null }]);
    await waitFor('a refusal by both cores', async () =>
      (await requestSettingsStatuses()).every((status) => status === 403),
    );
    expect((await person.request('GET', '/subdomains')).status).toBe(200);
  });

  test('the reset and the removal of an account end its API tokens', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const [name, method, suffix] of [
      ['rita', 'POST', '/reset'],
      ['raul', 'DELETE', ''],
    ] as const) {
      const person = await createAccount(name);
      await person.request('POST', '/me/sudo', { password: PASSWORD });
      const createdToken = await person.request('POST', '/tokens', { name: 'x', scopes: ['tenants:read'], expiresAt });
      const read = () => core.request('GET', '/tenants', { token: createdToken.body.token });
      expect((await read()).status).toBe(200);
      await core.request(method, `/admins/${person._id}${suffix}`);
      expect((await read()).status).toBe(401);
    }
  });

  test.each([
    [{ role: 'chefe' }, 'role'],
    [{ projects: ['019a0000-0000-7000-8000-000000000000'] }, 'projects'],
    [{ projects: 'CRM' }, 'projects'],
  ])('a change of an account to %j is refused', async (body, field) => {
    const { _id } = (await core.request('GET', '/admins')).body[0];
    const { status, body: responseBody } = await core.request('PUT', `/admins/${_id}`, { body });
    expect([status, Object.keys(responseBody.fields)]).toEqual([400, [field]]);
  });
});

describe('the last administrator', () => {
  let freshCore: Core;
  let administratorId: string;
  beforeEach(async () => {
    freshCore = await new Core().start();
    administratorId = (await freshCore.request('GET', '/me')).body._id;
  });
  afterEach(() => freshCore.stop());

  test('gets neither another role nor a limit to projects', async () => {
    for (const body of [{ role: 'operator' }, { projects: [] }]) {
      const response = await freshCore.request('PUT', `/admins/${administratorId}`, { body });
      expect([response.status, response.body.error]).toEqual([409, expect.stringContaining('último administrador')]);
      expect((await freshCore.request('GET', '/admins')).status).toBe(200);
    }
  });

  test('remains if two administrators demote each other at the same time', async () => {
    const { _id, setupToken } = (await freshCore.request('POST', '/admins', { body: { username: 'ana' } })).body;
    await freshCore.request('POST', '/setup', { body: { token: setupToken, password: PASSWORD }, token: null });
    const credentials = { username: 'ana', password: PASSWORD };
    const { token } = (await freshCore.request('POST', '/login', { body: credentials, token: null })).body;
    await freshCore.request('POST', '/me/sudo', { token, body: { password: PASSWORD } });
    await freshCore.request('POST', '/me/sudo', { body: { password: ADMINISTRATOR.password } });
    const body = { role: 'operator' };
    const responses = await Promise.all([
      freshCore.request('PUT', `/admins/${_id}`, { body }),
      freshCore.request('PUT', `/admins/${administratorId}`, { token, body }),
    ]);
    // The later demotion gets 403 if it is admitted after the earlier demotion, because its author has lost the role.
    // If both are admitted before one is stored, the later demotion gets the 409 that protects the last administrator.
    const [acceptedStatus, refusedStatus] = responses.map(({ status }) => status).sort();
    expect(acceptedStatus).toBe(200);
    expect([403, 409]).toContain(refusedStatus);
  });
});

describe('an account that is limited to projects', () => {
  let limitedAccount: Awaited<ReturnType<typeof createAccount>>;
  let ownTenantId: string;
  let foreignTenantId: string;
  beforeAll(async () => {
    ownTenantId = (await core.create('/tenants', { name: 'Padaria', project: projectId, subdomain: 'padaria' }))._id;
    foreignTenantId = (await core.create('/tenants', { name: 'Bar', project: foreignProjectId, subdomain: 'bar' }))._id;
    limitedAccount = await createAccount('lia', { role: 'operator', projects: [projectId] });
  });

  test('lists only its projects and their tenants', async () => {
    const list = async (path: string) =>
      (await limitedAccount.request('GET', path)).body as { _id: string; project?: { _id: string } }[];
    expect((await list('/projects')).map(({ _id }) => _id)).toEqual([projectId]);
    const tenants = await list('/tenants');
    expect(tenants).toContainEqual(expect.objectContaining({ _id: ownTenantId }));
    expect(new Set(tenants.map(({ project }) => project?._id))).toEqual(new Set([projectId]));
  });

  test('neither finds nor changes another project or tenant', async () => {
    for (const [method, path] of [
      ['GET', `/tenants/${foreignTenantId}`],
      ['PUT', `/tenants/${foreignTenantId}`],
      ['DELETE', `/tenants/${foreignTenantId}`],
      ['POST', `/tenants/${foreignTenantId}/check`],
      ['POST', `/tenants/${foreignTenantId}/domain`],
      ['DELETE', `/tenants/${foreignTenantId}/domain`],
      ['GET', `/projects/${foreignProjectId}`],
      ['PUT', `/projects/${foreignProjectId}`],
    ] as const) {
      const body = method === 'PUT' || path.endsWith('domain') ? { name: 'x', domain: 'exemplo.com.br' } : undefined;
      expect([method, path, (await limitedAccount.request(method, path, body)).status]).toEqual([method, path, 404]);
    }
    expect((await core.request('GET', `/tenants/${foreignTenantId}`)).body.name).toBe('Bar');
  });

  test('cannot name another project or its tenants in a request body', async () => {
    const body = { name: 'Novo', project: foreignProjectId, subdomain: 'novo' };
    const unknownProjectResponse = await limitedAccount.request('POST', '/tenants', {
      ...body,
      project: '019a0000-0000-7000-8000-000000000000',
    });
    const response = await limitedAccount.request('POST', '/tenants', body);
    expect([response.status, response.body]).toEqual([unknownProjectResponse.status, unknownProjectResponse.body]);
    expect(response.status).toBe(400);
    expect((await limitedAccount.request('PUT', `/tenants/${ownTenantId}`, { project: foreignProjectId })).status).toBe(
      400,
    );
    await limitedAccount.request('POST', '/me/sudo', { password: PASSWORD });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const tokenBody = { name: 'x', scopes: ['tenants:read'], expiresAt };
    expect(
      (await limitedAccount.request('POST', '/tokens', { ...tokenBody, projects: [foreignProjectId] })).status,
    ).toBe(400);
    const site = { type: 'tenant', id: foreignTenantId };
    expect((await limitedAccount.request('POST', '/tokens', { ...tokenBody, scopes: ['deploy'], site })).status).toBe(
      400,
    );
  });

  test('changes its project, and creates and changes tenants of the project', async () => {
    const body = { name: 'Quitanda', project: projectId, subdomain: 'quitanda' };
    expect((await limitedAccount.request('POST', '/tenants', body)).status).toBe(201);
    expect((await limitedAccount.request('PUT', `/tenants/${ownTenantId}`, { responsibleName: 'Zé' })).status).toBe(
      200,
    );
    expect((await limitedAccount.request('PUT', `/projects/${projectId}`, { dbPrefix: 'crm' })).status).toBe(200);
  });

  test('can neither read data that belongs to no project nor create a project', async () => {
    for (const path of [
      '/subdomains',
      '/audit',
      '/gateway/admin/keys',
      '/gateway/admin/requests',
      '/contact',
      '/admins',
    ])
      expect([path, (await limitedAccount.request('GET', path)).status]).toEqual([path, 403]);
    expect(
      (await limitedAccount.request('POST', '/projects', { name: 'x', type: 'proxy', apiPort: 4000 })).status,
    ).toBe(403);
  });

  test('can test the hosts of its projects, while any other host gets the result of an unknown host', async () => {
    await core.create('/subdomains', { subdomain: 'avulsa', description: 'Avulsa', type: 'proxy', port: 4555 });
    const testHost = async (host: string) => {
      const { status, body } = await limitedAccount.request('POST', '/hosts/test', {
        url: `https://${host}/`,
        method: 'GET',
      });
      return [status, body.status, body.steps.at(-1).step];
    };
    const unknownHostResult = [200, 404, 'host'];
    expect(await testHost('padaria.localhost')).toEqual([200, null, 'target']);
    for (const host of ['bar.localhost', 'avulsa.localhost', 'localhost', 'api.localhost', 'nada.localhost'])
      expect([host, await testHost(host)]).toEqual([host, unknownHostResult]);
  });

  test('does not learn which site has a taken label', async () => {
    const body = { name: 'Bar 2', project: projectId, subdomain: 'bar' };
    const response = await limitedAccount.request('POST', '/tenants', body);
    expect([response.status, response.body.heldBy]).toEqual([409, undefined]);
  });

  test('gets an overview of its projects only', async () => {
    const now = new Date().toISOString();
    await core.query(`INSERT INTO alerts (_id, kind, severity, "subjectType", "subjectId", "subjectName", "machineId", reason, since, "firedAt")
      VALUES ('019a0000-0000-7000-8000-00000000000a', 'target_down', 'critical', 'tenant', '${foreignTenantId}', 'Bar', '', 'x', '${now}', '${now}')`);
    const { body } = await limitedAccount.request('GET', '/overview');
    const tenantCount = (await limitedAccount.request('GET', '/tenants')).body.length;
    expect(body).toMatchObject({ subdomains: 0, projects: 1, tenants: tenantCount, faults: 0, unread: 0, alerts: 0 });
  });
});

test('a change of the password with keepSession returns a token of a new session', async () => {
  const person = await createAccount('paula');
  const body = { currentPassword: PASSWORD, newPassword: 'outra senha bem longa', keepSession: true };
  const response = await person.request('PUT', '/me/password', body);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await core.request('GET', '/me', { token: response.body.token })).body.username).toBe('paula');
  expect((await person.request('GET', '/me')).status).toBe(401);
});
