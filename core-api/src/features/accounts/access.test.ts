import { waitFor } from '../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../scripts/testing/stack';
import { Core } from '../../testing/core';
import { generateTotp } from '../../testing/totp';

const core = new Core({ TRUSTED_PROXIES: '127.0.0.1' });
/** Another core on the same database. */
let otherCore: Core;
let project: string;
let foreignProject: string;
beforeAll(async () => {
  await core.start();
  otherCore = new Core({ ...core.database, TRUSTED_PROXIES: '127.0.0.1' });
  otherCore.token = core.token;
  await otherCore.start();
  project = (await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 }))._id;
  foreignProject = (await core.create('/projects', { name: 'Agenda', type: 'proxy', apiPort: 4000 }))._id;
});
afterAll(async () => {
  await otherCore.stop();
  await core.stop();
});

const PASSWORD = 'uma senha bem longa';
let visitors = 0;
/** Headers of a request from an address that no other request uses. */
const fromNewAddress = () => ({ 'X-Forwarded-For': `198.51.100.${++visitors}` });

const login = async (username: string, password = PASSWORD, code?: string, at = core): Promise<string> =>
  (await at.request('POST', '/login', { body: { username, password, code }, token: null, headers: fromNewAddress() }))
    .body.token;

/** Creates an account with these rights and logs it in. */
async function createAccount(username: string, rights: { role?: string; projects?: string[] } = {}) {
  const { _id, setupToken } = await core.create('/admins', { username, ...rights });
  await core.request('POST', '/setup', {
    body: { token: setupToken, password: PASSWORD },
    token: null,
    headers: fromNewAddress(),
  });
  const token = await login(username);
  const requestAs = (method: string, path: string, body?: object, at = core) =>
    at.request(method, path, { token, body, headers: fromNewAddress() });
  return { _id, token, as: requestAs };
}

const listUsernames = async () =>
  (await core.request('GET', '/admins')).body.map(({ username }: { username: string }) => username);

describe('a call with sudo', () => {
  const requestWithoutSudo = async (method: string, path: string, body?: object) =>
    core.request(method, path, { token: await login('admin', ADMINISTRATOR.password), body, sudo: false });

  test('requires the password again, and changes nothing before', async () => {
    const refused = await requestWithoutSudo('POST', '/admins', { username: 'sem-senha' });
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: 'Confirme a sua senha para continuar.', sudoRequired: true },
    ]);
    expect(await listUsernames()).not.toContain('sem-senha');
    const token = await login('admin', ADMINISTRATOR.password);
    const sudoResponse = await core.request('POST', '/me/sudo', { token, body: { password: ADMINISTRATOR.password } });
    expect([sudoResponse.status, Date.parse(sudoResponse.body.sudoUntil) > Date.now()]).toEqual([200, true]);
    expect((await core.request('GET', '/me', { token })).body.sudoUntil).toBe(sudoResponse.body.sudoUntil);
    const created = await core.request('POST', '/admins', { token, body: { username: 'com-senha' }, sudo: false });
    expect(created.status).toBe(201);
  });

  test('requires the password in each session of a person', async () => {
    const token = await login('admin', ADMINISTRATOR.password);
    await core.request('POST', '/me/sudo', { token, body: { password: ADMINISTRATOR.password } });
    expect((await requestWithoutSudo('POST', '/admins', { username: 'x' })).status).toBe(403);
  });

  test('refuses a wrong password at its field', async () => {
    const refused = await core.request('POST', '/me/sudo', { body: { password: 'errada' } });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['password']]);
  });

  test('requires the password once more after SUDO_TTL', async () => {
    const shortCore = await new Core({ SUDO_TTL: '1s' }).start();
    const { body } = await shortCore.request('POST', '/me/sudo', { body: { password: ADMINISTRATOR.password } });
    await waitFor('the confirmation has expired', async () => Date.now() > Date.parse(body.sudoUntil));
    const refused = await shortCore.request('POST', '/tokens', { body: {}, sudo: false });
    expect([refused.status, refused.body.sudoRequired]).toEqual([403, true]);
    await shortCore.stop();
  });

  test('requires the password before the body is validated', async () => {
    const token = await login('admin', ADMINISTRATOR.password);
    const response = await fetch(`${core.url}/api/admins`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: '{',
    });
    expect(response.status).toBe(403);
  });

  test('may be confirmed with a code of the second factor, which can then be removed without another code', async () => {
    const { as, token } = await createAccount('totp');
    await as('POST', '/me/sudo', { password: PASSWORD });
    const { secret } = (await as('POST', '/me/totp')).body;
    await as('PUT', '/me/totp', { code: generateTotp(secret) });
    const withoutCode = await as('POST', '/me/sudo', { password: PASSWORD });
    expect([withoutCode.status, withoutCode.body.codeRequired, Object.keys(withoutCode.body.fields)]).toEqual([
      400,
      true,
      ['code'],
    ]);
    const unconfirmedRemoval = await core.request('DELETE', '/me/totp', { token, body: {} });
    expect([unconfirmedRemoval.status, Object.keys(unconfirmedRemoval.body.fields)]).toEqual([400, ['code']]);
    expect((await as('POST', '/me/sudo', { password: PASSWORD, code: generateTotp(secret, 1) })).status).toBe(200);
    expect((await as('DELETE', '/me/totp', {})).status).toBe(204);
  });
});

describe('roles', () => {
  test('a viewer reads, an operator writes, an administrator manages people', async () => {
    const viewer = await createAccount('vera', { role: 'viewer' });
    const operator = await createAccount('otto', { role: 'operator' });
    const body = { subdomain: 'papel', description: 'x', type: 'proxy', port: 4000 };
    expect((await viewer.as('GET', '/subdomains')).status).toBe(200);
    const refused = await viewer.as('POST', '/subdomains', body);
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: 'Seu papel não permite fazer isto.', required: { role: 'operator', scope: 'subdomains:write' } },
    ]);
    expect((await operator.as('POST', '/subdomains', body)).status).toBe(201);
    expect((await operator.as('GET', '/admins')).body.required).toEqual({ role: 'administrator', scope: null });
    expect((await operator.as('GET', '/settings')).status).toBe(403);
  });

  test('a viewer tests a route, and only an operator calls it', async () => {
    const viewer = await createAccount('valdo', { role: 'viewer' });
    expect((await viewer.as('POST', '/gateway/admin/test', { method: 'GET', path: '/a' })).status).toBe(200);
    const called = await viewer.as('POST', '/gateway/admin/test', { method: 'GET', path: '/a', call: true });
    expect([called.status, called.body.required]).toEqual([403, { role: 'operator', scope: 'gateway:write' }]);
  });

  test('an operator reads the audit trail without accounts, tokens and logins', async () => {
    const operator = await createAccount('olga', { role: 'operator' });
    const { entries } = (await operator.as('GET', '/audit?limit=100')).body;
    const kinds = new Set(entries.map(({ entity }: { entity: string }) => entity));
    expect([kinds.has('project'), kinds.has('admin'), kinds.has('login')]).toEqual([true, false, false]);
    expect((await operator.as('GET', '/audit?entity=login')).body.total).toBe(0);
  });

  test('a demotion takes effect on every core, for sessions and tokens', async () => {
    const person = await createAccount('dora');
    await person.as('POST', '/me/sudo', { password: PASSWORD });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const createdToken = await person.as('POST', '/tokens', { name: 'x', scopes: ['settings:read'], expiresAt });
    const statuses = async () => [
      (await person.as('GET', '/settings')).status,
      (await person.as('GET', '/settings', undefined, otherCore)).status,
      (await core.request('GET', '/settings', { token: createdToken.body.token })).status,
      (await otherCore.request('GET', '/settings', { token: createdToken.body.token })).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const demoted = await core.request('PUT', `/admins/${person._id}`, { body: { role: 'viewer' } });
    expect([demoted.status, demoted.body]).toMatchObject([200, { role: 'viewer', projects: null }]);
    await waitFor('both cores know', async () => (await statuses()).every((status) => status === 403));
    expect((await person.as('GET', '/subdomains')).status).toBe(200);
  });

  test('a reset and a removal end the tokens of the person', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const [name, method, suffix] of [
      ['rita', 'POST', '/reset'],
      ['raul', 'DELETE', ''],
    ] as const) {
      const person = await createAccount(name);
      await person.as('POST', '/me/sudo', { password: PASSWORD });
      const createdToken = await person.as('POST', '/tokens', { name: 'x', scopes: ['tenants:read'], expiresAt });
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
  ])('an account does not change to %j', async (body, field) => {
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

  test.each([[{ role: 'operator' }], [{ projects: [] }]])('does not become %j', async (body) => {
    const refused = await freshCore.request('PUT', `/admins/${administratorId}`, { body });
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('último administrador')]);
    expect((await freshCore.request('GET', '/admins')).status).toBe(200);
  });

  test('remains if two administrators demote each other at once', async () => {
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
    // The second demotion is refused as that of the last administrator, or because the first one took the author's
    // rights.
    const [first, second] = responses.map(({ status }) => status).sort();
    expect(first).toBe(200);
    expect([403, 409]).toContain(second);
  });
});

describe('an account that is limited to projects', () => {
  let limited: Awaited<ReturnType<typeof createAccount>>;
  let ownTenantId: string;
  let foreignTenantId: string;
  beforeAll(async () => {
    ownTenantId = (await core.create('/tenants', { name: 'Padaria', project, subdomain: 'padaria' }))._id;
    foreignTenantId = (await core.create('/tenants', { name: 'Bar', project: foreignProject, subdomain: 'bar' }))._id;
    limited = await createAccount('lia', { role: 'operator', projects: [project] });
  });

  test('lists only its projects and their tenants', async () => {
    const ids = async (path: string) =>
      (await limited.as('GET', path)).body.map(({ _id }: { _id: string }) => _id) as string[];
    expect(await ids('/projects')).toEqual([project]);
    expect(await ids('/tenants')).toEqual([ownTenantId]);
  });

  test('neither finds nor changes another project or tenant', async () => {
    for (const [method, path] of [
      ['GET', `/tenants/${foreignTenantId}`],
      ['PUT', `/tenants/${foreignTenantId}`],
      ['DELETE', `/tenants/${foreignTenantId}`],
      ['POST', `/tenants/${foreignTenantId}/check`],
      ['POST', `/tenants/${foreignTenantId}/domain`],
      ['DELETE', `/tenants/${foreignTenantId}/domain`],
      ['GET', `/projects/${foreignProject}`],
      ['PUT', `/projects/${foreignProject}`],
    ] as const) {
      const body = method === 'PUT' || path.endsWith('domain') ? { name: 'x', domain: 'exemplo.com.br' } : undefined;
      expect([method, path, (await limited.as(method, path, body)).status]).toEqual([method, path, 404]);
    }
    expect((await core.request('GET', `/tenants/${foreignTenantId}`)).body.name).toBe('Bar');
  });

  test('cannot name another project in a body', async () => {
    const body = { name: 'Novo', project: foreignProject, subdomain: 'novo' };
    const unknown = await limited.as('POST', '/tenants', { ...body, project: '019a0000-0000-7000-8000-000000000000' });
    const created = await limited.as('POST', '/tenants', body);
    expect([created.status, created.body]).toEqual([unknown.status, unknown.body]);
    expect(created.status).toBe(400);
    expect((await limited.as('PUT', `/tenants/${ownTenantId}`, { project: foreignProject })).status).toBe(400);
    await limited.as('POST', '/me/sudo', { password: PASSWORD });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const token = { name: 'x', scopes: ['tenants:read'], expiresAt };
    expect((await limited.as('POST', '/tokens', { ...token, projects: [foreignProject] })).status).toBe(400);
    const site = { type: 'tenant', id: foreignTenantId };
    expect((await limited.as('POST', '/tokens', { ...token, scopes: ['deploy'], site })).status).toBe(400);
  });

  test('works within its project', async () => {
    const body = { name: 'Quitanda', project, subdomain: 'quitanda' };
    expect((await limited.as('POST', '/tenants', body)).status).toBe(201);
    expect((await limited.as('PUT', `/tenants/${ownTenantId}`, { responsibleName: 'Zé' })).status).toBe(200);
    expect((await limited.as('PUT', `/projects/${project}`, { dbPrefix: 'crm' })).status).toBe(200);
  });

  test('is refused everywhere else', async () => {
    for (const path of [
      '/subdomains',
      '/audit',
      '/gateway/admin/keys',
      '/gateway/admin/requests',
      '/contact',
      '/admins',
    ])
      expect([path, (await limited.as('GET', path)).status]).toEqual([path, 403]);
    expect((await limited.as('POST', '/projects', { name: 'x', type: 'proxy', apiPort: 4000 })).status).toBe(403);
  });

  test('tests the hosts of its projects; every other host is unknown to it', async () => {
    await core.create('/subdomains', { subdomain: 'avulsa', description: 'Avulsa', type: 'proxy', port: 4555 });
    const testHost = async (host: string) => {
      const { status, body } = await limited.as('POST', '/hosts/test', { url: `https://${host}/`, method: 'GET' });
      return [status, body.status, body.steps.at(-1).step];
    };
    const unknown = [200, 404, 'host'];
    expect(await testHost('padaria.localhost')).toEqual([200, null, 'target']);
    for (const host of ['bar.localhost', 'avulsa.localhost', 'localhost', 'api.localhost', 'nada.localhost'])
      expect([host, await testHost(host)]).toEqual([host, unknown]);
  });

  test('does not learn the owner of an address, and gets an overview of its projects', async () => {
    const takenResponse = await limited.as('POST', '/tenants', { name: 'Bar 2', project, subdomain: 'bar' });
    expect([takenResponse.status, takenResponse.body.heldBy]).toEqual([409, undefined]);
    const now = new Date().toISOString();
    await core.query(`INSERT INTO alerts (_id, kind, severity, "subjectType", "subjectId", "subjectName", "machineId", reason, since, "firedAt")
      VALUES ('019a0000-0000-7000-8000-00000000000a', 'target_down', 'critical', 'tenant', '${foreignTenantId}', 'Bar', '', 'x', '${now}', '${now}')`);
    const { body } = await limited.as('GET', '/overview');
    const tenants = (await limited.as('GET', '/tenants')).body.length;
    expect(body).toMatchObject({ subdomains: 0, projects: 1, tenants, faults: 0, unread: 0, alerts: 0 });
  });
});

test('a new password keeps the session of the person who asks for it', async () => {
  const person = await createAccount('paula');
  const body = { currentPassword: PASSWORD, newPassword: 'outra senha bem longa', keepSession: true };
  const changed = await person.as('PUT', '/me/password', body);
  expect([changed.status, changed.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await core.request('GET', '/me', { token: changed.body.token })).body.username).toBe('paula');
  expect((await person.as('GET', '/me')).status).toBe(401);
});
