import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import { Edge, sendRequest } from '../../../testing/edge';
import { createTar, sendPackage } from '../../sites/testing/packages';

const core = new Core({ TRUSTED_PROXIES: '127.0.0.1' });
/** Another core on the same database. */
let otherCore: Core;
beforeAll(async () => {
  await core.start();
  otherCore = new Core({ ...core.database, TRUSTED_PROXIES: '127.0.0.1' });
  otherCore.token = core.token;
  await otherCore.start();
});
afterAll(async () => {
  await otherCore?.stop();
  await core?.stop();
});

const PASSWORD = 'uma senha bem longa';
const EXPIRES_AT = new Date(Date.now() + 86_400_000).toISOString();
let personCount = 0;

/** Creates a person with these rights, logs in and confirms the password. */
async function createPerson(rights: { role?: string; projects?: string[] } = {}) {
  personCount += 1;
  const username = `pessoa-${personCount}`;
  const headers = { 'X-Forwarded-For': `198.51.100.${personCount}` };
  const { _id, setupToken } = await core.create('/admins', { username, ...rights });
  const requestFromAddress = (
    method: string,
    path: string,
    body?: object,
    token: string | null = null,
    atCore = core,
  ) => atCore.request(method, path, { body, token, headers, sudo: false });
  await requestFromAddress('POST', '/setup', { token: setupToken, password: PASSWORD });
  const { token } = (await requestFromAddress('POST', '/login', { username, password: PASSWORD })).body;
  const requestAs = (method: string, path: string, body?: object, atCore = core) =>
    requestFromAddress(method, path, body, token, atCore);
  await requestAs('POST', '/me/sudo', { password: PASSWORD });
  return { _id, username, token: token as string, request: requestAs };
}
type Person = Awaited<ReturnType<typeof createPerson>>;

const createApiToken = async (person: Person, body: object): Promise<{ _id: string; token: string }> => {
  const response = await person.request('POST', '/tokens', { name: 'programa', expiresAt: EXPIRES_AT, ...body });
  expect([response.status, response.body.error]).toEqual([201, undefined]);
  return response.body;
};

const waitForStatus = async (clientRequest: ClientRequest): Promise<number> => {
  const [response]: IncomingMessage[] = await once(clientRequest, 'response');
  response?.resume();
  return response?.statusCode ?? 0;
};

/** Sends half of a body after the core has admitted the request. `end` sends the rest. */
async function sendHalfOfBody(method: string, path: string, token: string | null, contentType: string, body: Buffer) {
  const clientRequest = request(`${core.url}/api${path}`, {
    method,
    headers: {
      'Content-Type': contentType,
      'Content-Length': body.length,
      Expect: '100-continue',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
  });
  clientRequest.flushHeaders();
  await once(clientRequest, 'continue');
  const statusPromise = waitForStatus(clientRequest);
  const half = Math.floor(body.length / 2);
  clientRequest.write(body.subarray(0, half));
  return {
    end: () => {
      clientRequest.end(body.subarray(half));
      return statusPromise;
    },
  };
}

const toJsonBuffer = (body: object) => Buffer.from(JSON.stringify(body));

describe('a request whose body arrives slowly', () => {
  const createSubdomainBody = (label: string) => ({ subdomain: label, description: 'x', type: 'proxy', port: 4000 });
  const subdomainExists = async (label: string) => (await core.request('GET', `/subdomains/${label}`)).status === 200;

  test.each([
    ['demoted', 'PUT', '', { role: 'viewer' }, 403],
    ['limited to projects', 'PUT', '', { projects: [] }, 403],
    ['reset', 'POST', '/reset', undefined, 401],
    ['removed', 'DELETE', '', undefined, 401],
  ])('is refused if the account of its sender is %s meanwhile', async (name, method, suffix, change, status) => {
    const person = await createPerson({ role: 'operator' });
    const label = `tarde-${name.split(' ')[0]}`;
    const slowRequest = await sendHalfOfBody(
      'POST',
      '/subdomains',
      person.token,
      'application/json',
      toJsonBuffer(createSubdomainBody(label)),
    );
    expect((await core.request(method, `/admins/${person._id}${suffix}`, { body: change })).status).toBeLessThan(300);
    expect(await slowRequest.end()).toBe(status);
    expect(await subdomainExists(label)).toBe(false);
  });

  test('is refused if its token is revoked meanwhile', async () => {
    const person = await createPerson({ role: 'operator' });
    const { _id, token } = await createApiToken(person, { scopes: ['subdomains:write'] });
    const slowRequest = await sendHalfOfBody(
      'POST',
      '/subdomains',
      token,
      'application/json',
      toJsonBuffer(createSubdomainBody('tarde-token')),
    );
    expect((await person.request('DELETE', `/tokens/${_id}`)).status).toBe(204);
    expect(await slowRequest.end()).toBe(401);
    expect(await subdomainExists('tarde-token')).toBe(false);
  });
});

/** Finds writes that wait in this database only, because other tests use other databases of the same server. */
const WAITERS_SQL = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Takes the lock for which serialized writes of every core wait. On PostgreSQL it is the lock of `postgres.ts`. */
async function lockWrites() {
  const dataSource = await core.connectToDatabase();
  const runner = dataSource.createQueryRunner();
  const isPostgres = Boolean(core.database.DATABASE_URL);
  await runner.query(isPostgres ? 'BEGIN' : 'BEGIN IMMEDIATE');
  if (isPostgres) await runner.query('SELECT pg_advisory_xact_lock(7, 1)');
  return {
    query: (sql: string) => runner.query(sql),
    /** Returns whether a write of the other core waits for the lock. */
    async hasWaiter(): Promise<boolean> {
      if (!isPostgres) return (await countWaitingWrites(otherCore)) > 0;
      return (await runner.query(WAITERS_SQL)).length > 0;
    },
    async release() {
      await runner.query('COMMIT');
      await runner.release();
      await dataSource.destroy();
    },
  };
}

const countWaitingWrites = async (atCore: Core): Promise<number> =>
  Number(/^core_database_writes_pending (\d+)$/m.exec(await (await fetch(`${atCore.url}/metrics`)).text())?.[1]);

/** Starts a write at the other core, and revokes rights while the write waits for the lock. */
async function revokeDuring(startWrite: () => Promise<{ status: number }>, revokeSql: string): Promise<number> {
  const writeLock = await lockWrites();
  const responsePromise = startWrite();
  await waitFor('the write waits', writeLock.hasWaiter);
  await writeLock.query(revokeSql);
  await writeLock.release();
  return (await responsePromise).status;
}

describe('a waiting write is refused', () => {
  const createDemotionSql = ({ _id }: Person) => `UPDATE accounts SET role = 'viewer' WHERE _id = '${_id}'`;
  const createResetSql = ({ _id }: Person) =>
    `UPDATE accounts SET "tokenVersion" = "tokenVersion" + 1, "passwordHash" = '' WHERE _id = '${_id}'`;

  test('if the person who creates a token is reset', async () => {
    const person = await createPerson();
    const body = { name: 'fica', scopes: ['audit:read'], expiresAt: EXPIRES_AT };
    expect(await revokeDuring(() => person.request('POST', '/tokens', body, otherCore), createResetSql(person))).toBe(
      401,
    );
    expect((await core.request('GET', `/tokens?account=${person._id}`)).body).toEqual([]);
  });

  test('if the person who creates a token for a service account is demoted', async () => {
    const person = await createPerson();
    const accountId = (await core.create('/service-accounts', { name: 'robo', role: 'administrator' }))._id;
    const body = { name: 'fica', scopes: ['settings:write'], expiresAt: EXPIRES_AT, account: accountId };
    expect(
      await revokeDuring(() => person.request('POST', '/tokens', body, otherCore), createDemotionSql(person)),
    ).toBe(403);
    expect((await core.request('GET', `/tokens?account=${accountId}`)).body).toEqual([]);
  });

  test('if the person who changes the password is reset', async () => {
    const person = await createPerson();
    const body = { currentPassword: PASSWORD, newPassword: 'outra senha bem longa' };
    const status = await revokeDuring(
      () => person.request('PUT', '/me/password', body, otherCore),
      createResetSql(person),
    );
    // On SQLite the write that counts the guess also waits, so the password is compared after the reset.
    expect(status).toBe(core.database.DATABASE_URL ? 401 : 400);
    const login = { username: person.username, password: body.newPassword };
    expect((await core.request('POST', '/login', { body: login, token: null })).status).toBe(401);
  });

  test('if the administrator who invites another is demoted', async () => {
    const person = await createPerson();
    const invite = () => person.request('POST', '/admins', { username: 'cumplice' }, otherCore);
    expect(await revokeDuring(invite, createDemotionSql(person))).toBe(403);
    const names = (await core.request('GET', '/admins')).body.map((row: { username: string }) => row.username);
    expect(names).not.toContain('cumplice');
  });

  test('if the token that changes a project loses its scope', async () => {
    const person = await createPerson({ role: 'operator' });
    const projectId = (await core.create('/projects', { name: 'Antes', type: 'proxy', apiPort: 4000 }))._id;
    const { _id, token } = await createApiToken(person, { scopes: ['projects:write'] });
    const change = () => otherCore.request('PUT', `/projects/${projectId}`, { body: { name: 'Depois' }, token });
    const narrowScopesSql = `UPDATE api_tokens SET scopes = '["tenants:write"]' WHERE _id = '${_id}'`;
    expect(await revokeDuring(change, narrowScopesSql)).toBe(403);
    expect((await core.request('GET', `/projects/${projectId}`)).body.name).toBe('Antes');
  });
});

test('no session survives the removal of its account, even if the person logs in at the same time', async () => {
  const statuses = new Set<number>();
  for (let round = 0; round < 4; round += 1) {
    const person = await createPerson();
    const credentials = { username: person.username, password: PASSWORD };
    const headers = { 'X-Forwarded-For': `192.0.2.${round}` };
    const attempts = Array.from({ length: 6 }, () =>
      core.request('POST', '/login', { body: credentials, token: null, headers }),
    );
    const confirmations = Array.from({ length: 3 }, () => person.request('POST', '/me/sudo', { password: PASSWORD }));
    expect((await core.request('DELETE', `/admins/${person._id}`)).status).toBe(204);
    const responses = await Promise.all([...attempts, ...confirmations]);
    for (const { status } of responses) statuses.add(status);
    for (const { body } of responses)
      if (body.token) expect((await core.request('GET', '/me', { token: body.token })).status).toBe(401);
  }
  // The status is 200 before the removal and 401 after it. On PostgreSQL the removal may also
  // interrupt a statement, which gives 503.
  const possibleStatuses = core.database.DATABASE_URL ? [200, 401, 503] : [200, 401];
  expect([...statuses].filter((status) => !possibleStatuses.includes(status))).toEqual([]);
});

describe('publications', () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  });
  afterAll(() => edge?.stop());

  const fetchSite = async (label: string) =>
    (await sendRequest(edge.port, { host: `${label}.localhost`, path: '/' })).text;
  let siteCount = 0;
  async function createSite(): Promise<string> {
    siteCount += 1;
    const subdomain = `publicada-${siteCount}`;
    await core.create('/subdomains', { subdomain, description: 'x', type: 'static', source: 'versions' });
    const publication = await sendPackage(
      core,
      `/subdomains/${subdomain}/versions`,
      'gzip',
      await createTar({ 'index.html': 'um' }),
    );
    expect([publication.status, publication.body.live]).toEqual([201, { state: 'active' }]);
    return subdomain;
  }
  const countVersions = async (label: string) =>
    (await core.request('GET', `/subdomains/${label}/versions`)).body.length;

  test('a token with the scope deploy cannot publish after the demotion of its owner to viewer', async () => {
    const label = await createSite();
    const person = await createPerson({ role: 'operator' });
    const body = { scopes: ['deploy'], site: { type: 'subdomain', label } };
    const { token } = await createApiToken(person, body);
    const archive = await createTar({ 'index.html': 'dois' });
    expect((await sendPackage(core, '/deploy', 'gzip', archive, token)).status).toBe(201);
    await core.request('PUT', `/admins/${person._id}`, { body: { role: 'viewer' } });
    const response = await sendPackage(core, '/deploy', 'gzip', await createTar({ 'index.html': 'três' }), token);
    expect([response.status, response.body.required]).toEqual([403, { role: 'operator', scope: 'deploy' }]);
    expect(await fetchSite(label)).toBe('dois');
  });

  test('a package is not published if its sender is demoted during the transfer', async () => {
    const label = await createSite();
    const person = await createPerson({ role: 'operator' });
    const path = `/subdomains/${label}/versions`;
    const archive = await createTar({ 'index.html': 'dois' });
    const slowRequest = await sendHalfOfBody('POST', path, person.token, 'application/gzip', archive);
    await core.request('PUT', `/admins/${person._id}`, { body: { role: 'viewer' } });
    expect(await slowRequest.end()).toBe(403);
    expect([await fetchSite(label), await countVersions(label)]).toEqual(['um', 1]);
  });

  test('a package is not published if its token is given another site during the transfer', async () => {
    const label = await createSite();
    const otherSite = { type: 'subdomain', label: await createSite() };
    const person = await createPerson({ role: 'operator' });
    const { _id, token } = await createApiToken(person, { scopes: ['deploy'], site: { type: 'subdomain', label } });
    const archive = await createTar({ 'index.html': 'dois' });
    const slowRequest = await sendHalfOfBody('POST', '/deploy', token, 'application/gzip', archive);
    expect((await person.request('PUT', `/tokens/${_id}`, { site: otherSite })).status).toBe(200);
    expect(await slowRequest.end()).toBe(403);
    expect([await fetchSite(label), await countVersions(label)]).toEqual(['um', 1]);
  });

  test('a package is not published if its tenant was moved meanwhile to a project that the sender may not see', async () => {
    const createProject = async (name: string) =>
      (await core.create('/projects', { name, dbPrefix: '', type: 'static', source: 'versions' }))._id;
    const project = await createProject('De antes');
    const tenant = await core.create('/tenants', {
      project,
      name: 'Mudança',
      subdomain: 'mudanca',
      source: 'versions',
    });
    const path = `/tenants/${tenant._id}/versions`;
    const person = await createPerson({ role: 'operator', projects: [project] });
    const archive = await createTar({ 'index.html': 'dois' });
    const slowRequest = await sendHalfOfBody('POST', path, person.token, 'application/gzip', archive);
    const move = { project: await createProject('De depois') };
    expect((await core.request('PUT', `/tenants/${tenant._id}`, { body: move })).status).toBe(200);
    expect(await slowRequest.end()).toBe(404);
    expect((await core.request('GET', path)).body).toEqual([]);
  });

  async function createUpload(person: Person, label: string): Promise<string> {
    const response = await person.request('POST', `/subdomains/${label}/uploads`, {});
    expect(response.status).toBe(201);
    return response.body.path.slice('/api'.length);
  }

  test.each([
    ['demoted', 'PUT', '', { role: 'viewer' }],
    ['reset', 'POST', '/reset', undefined],
    ['removed', 'DELETE', '', undefined],
  ])('an upload is not published if its creator is %s during the transfer', async (_name, method, suffix, change) => {
    const label = await createSite();
    const person = await createPerson({ role: 'operator' });
    const path = await createUpload(person, label);
    const slowRequest = await sendHalfOfBody(
      'POST',
      path,
      null,
      'application/gzip',
      await createTar({ 'index.html': 'dois' }),
    );
    expect((await core.request(method, `/admins/${person._id}${suffix}`, { body: change })).status).toBeLessThan(300);
    expect(await slowRequest.end()).toBe(404);
    expect([await fetchSite(label), await countVersions(label)]).toEqual(['um', 1]);
  });

  test('an upload URL becomes invalid when the sessions of its creator end', async () => {
    const label = await createSite();
    const archive = await createTar({ 'index.html': 'dois' });
    const resetPerson = await createPerson({ role: 'operator' });
    const resetPersonPath = await createUpload(resetPerson, label);
    await core.request('POST', `/admins/${resetPerson._id}/reset`);
    const person = await createPerson({ role: 'operator' });
    const earlierPath = await createUpload(person, label);
    await person.request('PUT', '/me/password', { currentPassword: PASSWORD, newPassword: 'outra senha bem longa' });
    for (const path of [resetPersonPath, earlierPath])
      expect((await sendPackage(core, path, 'gzip', archive)).status).toBe(404);
    expect(await fetchSite(label)).toBe('um');
  });

  test('an API token cannot create an upload URL', async () => {
    const label = await createSite();
    const { token } = await createApiToken(await createPerson(), { scopes: ['subdomains:write'] });
    const response = await core.request('POST', `/subdomains/${label}/uploads`, { body: {}, token });
    expect(response.status).toBe(403);
  });

  test('the removal of a site during the transfer of its package leaves no version', async () => {
    const label = await createSite();
    const path = `/subdomains/${label}/versions`;
    const slowRequest = await sendHalfOfBody(
      'POST',
      path,
      core.token,
      'application/gzip',
      await createTar({ 'index.html': 'dois' }),
    );
    await waitFor(
      'the first half of the package',
      async () => readdirSync(join(core.folder, 'content/incoming')).length > 0,
    );
    expect((await core.request('DELETE', `/subdomains/${label}`)).status).toBe(204);
    expect(await slowRequest.end()).toBe(404);
    expect(await core.query(`SELECT number FROM site_versions WHERE name LIKE '${label} #%'`)).toEqual([]);
  });
});
