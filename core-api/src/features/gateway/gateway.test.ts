import { Core, type RestResponse } from '../../testing/core';
import { createService, MISSING_ID, removeAll } from '../../testing/records';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core.stop());

let routeCount = 0;
/** Returns the body of a response. @throws if the response has another status */
const expectStatus = async (response: Promise<RestResponse>, status: number) => {
  const { status: actualStatus, body } = await response;
  if (actualStatus !== status) throw new Error(`status ${actualStatus} instead of ${status}: ${JSON.stringify(body)}`);
  return body;
};
const post = (path: string, body: unknown) => core.request('POST', `/gateway/admin/${path}`, { body });
const put = (path: string, body: unknown) => core.request('PUT', `/gateway/admin/${path}`, { body });
const get = (path: string) => expectStatus(core.request('GET', `/gateway/admin/${path}`), 200);

describe('services', () => {
  test('are created, listed by name, changed and removed', async () => {
    const service = await createService(core, { name: 'zeta', host: 'HTTP://LocalHost:4000/v1/' });
    expect(service).toEqual({
      _id: expect.any(String),
      name: 'zeta',
      host: 'http://localhost:4000/v1',
      extraHosts: [],
      healthPath: null,
      timeoutSeconds: 60,
      maxBodyMb: 100,
      cors: null,
      createdAt: expect.stringMatching(INSTANT),
      version: 1,
    });
    await createService(core, { name: 'alfa' });
    const services: { name: string }[] = await get('services');
    expect(services.map(({ name }) => name)).toEqual([...services.map(({ name }) => name)].sort());
    expect(await expectStatus(put(`services/${service._id}`, { host: 'https://exemplo.com' }), 200)).toEqual({
      ...service,
      host: 'https://exemplo.com',
      version: 2,
    });
    await expectStatus(core.request('DELETE', `/gateway/admin/services/${service._id}`), 204);
    await expectStatus(core.request('DELETE', `/gateway/admin/services/${service._id}`), 404);
    await expectStatus(put(`services/${service._id}`, { name: 'x' }), 404);
  });

  test('the name of a service is unique, even after a change or ten simultaneous requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => post('services', { name: 'disputado', host: 'http://localhost:4000' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const otherService = await createService(core);
    const conflict = await put(`services/${otherService._id}`, { name: 'disputado' });
    expect([conflict.status, conflict.body]).toEqual([
      409,
      { error: 'Já existe um serviço chamado disputado.', fields: { name: expect.any(String) } },
    ]);
  });

  test.each([
    [{}, ['name', 'host']],
    [{ name: ' ', host: 'http://localhost:4000' }, ['name']],
    [{ name: 'Maiúsculo', host: 'http://localhost:4000' }, ['name']],
    [{ name: 'a/b', host: 'http://localhost:4000' }, ['name']],
    [{ name: ['a'], host: {} }, ['name', 'host']],
    [{ name: 'a', host: 'localhost:4000' }, ['host']],
    [{ name: 'a', host: 'http://localhost:4000?x=1' }, ['host']],
    [{ name: 'a', host: 'http://u:p@localhost:4000' }, ['host']],
    [{ name: 'a', host: 'http://169.254.169.254' }, ['host']],
    [{ name: 'a', host: 'http://[::ffff:a9fe:a9fe]' }, ['host']],
    [{ name: 'a', host: 'http://localhost:3000' }, ['host']],
    ...[
      { extraHosts: ['http://localhost:4000', 'http://169.254.169.254'] },
      { extraHosts: ['http://localhost:3000'] },
      { extraHosts: ['http://localhost:4000/v2'] },
      { extraHosts: 'http://localhost:4000' },
      { healthPath: 'healthz' },
      { healthPath: '/a/../b' },
      { healthPath: '/a?b c' },
      { timeoutSeconds: 0 },
      { timeoutSeconds: 601 },
      { timeoutSeconds: 1.5 },
      { maxBodyMb: 0 },
      { maxBodyMb: 1025 },
      { cors: '*' },
      { cors: {} },
      { cors: { origins: [] } },
      { cors: { origins: ['app.exemplo.com'] } },
      { cors: { origins: ['https://app.exemplo.com/pagina'] } },
      { cors: { origins: ['null'] } },
      { cors: { origins: '*', credentials: true } },
      { cors: { origins: ['*'], credentials: true } },
      { cors: { origins: '*', headers: ['a b'] } },
      { cors: { origins: '*', maxAgeSeconds: -1 } },
    ].map((wrongFields): [object, string[]] => [
      { name: 'a', host: 'http://localhost:4000', ...wrongFields },
      Object.keys(wrongFields),
    ]),
  ])('the service %j is refused with an error at %j', async (body, fields) => {
    const response = await post('services', body);
    expect([response.status, Object.keys(response.body.fields).sort()]).toEqual([400, [...fields].sort()]);
  });

  const extendedService = {
    host: 'http://localhost:4000',
    extraHosts: ['http://localhost:4001'],
    healthPath: '/healthz?a=b',
    timeoutSeconds: 5,
    maxBodyMb: 1,
  };

  test('the optional fields of a service are stored in canonical form', async () => {
    const body = {
      ...extendedService,
      name: 'com-tudo',
      extraHosts: ['http://localhost:4001/', 'http://LOCALHOST:4001', 'http://localhost:4000/'],
      healthPath: ' /healthz?a=b ',
      cors: {
        origins: ['HTTPS://App.Exemplo.com/', 'https://app.exemplo.com', 'http://localhost:5173'],
        headers: ['X-Pedido', 'x-pedido'],
      },
    };
    expect(await expectStatus(post('services', body), 201)).toEqual({
      ...extendedService,
      name: 'com-tudo',
      _id: expect.any(String),
      createdAt: expect.stringMatching(INSTANT),
      version: 1,
      cors: {
        origins: ['https://app.exemplo.com', 'http://localhost:5173'],
        headers: ['X-Pedido'],
        credentials: false,
        maxAgeSeconds: 600,
      },
    });
  });

  test('the optional fields of a service change independently, and null or an empty list clears a field', async () => {
    const service = await createService(core, { ...extendedService, cors: { origins: ['https://app.exemplo.com'] } });
    const path = `services/${service._id}`;
    const changedService = await expectStatus(put(path, { timeoutSeconds: 9 }), 200);
    expect(changedService).toEqual({ ...service, timeoutSeconds: 9, version: 2 });
    const clearedFields = { cors: null, healthPath: null, extraHosts: [] };
    const clearedService = { ...changedService, ...clearedFields, version: 3 };
    expect(await expectStatus(put(path, clearedFields), 200)).toEqual(clearedService);
    expect(await get('services')).toContainEqual(clearedService);
  });

  test('new CORS settings of a service replace all earlier ones', async () => {
    const cors = { origins: ['https://app.exemplo.com'], headers: ['X-Pedido'] };
    const { _id } = await createService(core, { cors });
    const origins = ['https://outro.exemplo.com'];
    const changedService = await expectStatus(put(`services/${_id}`, { cors: { origins } }), 200);
    expect(changedService.cors).toEqual({ origins, headers: [], credentials: false, maxAgeSeconds: 600 });
  });

  test.each(['*', ['*']])('the CORS origins %j of a service are stored as "*"', async (origins) => {
    expect((await createService(core, { cors: { origins } })).cors.origins).toBe('*');
  });

  test('an extra host that becomes the host of its service is removed from the extra hosts', async () => {
    const { _id } = await createService(core, extendedService);
    const movedService = await expectStatus(put(`services/${_id}`, { host: 'http://localhost:4001' }), 200);
    expect([movedService.host, movedService.extraHosts]).toEqual(['http://localhost:4001', []]);
  });

  test('a new name of a service moves the origins below the old name only if `renameRoutes` is true', async () => {
    const { _id: serviceId } = await createService(core, { name: 'antigo' });
    const route = { serviceId, destination: '/', methods: ['GET'], permission: 'a:b' };
    for (const origin of ['/antigo', '/antigo/:id', '/antigos/x', '/outra']) {
      await expectStatus(post('routes', { ...route, origin }), 201);
    }
    const listOrigins = async () =>
      (await get('routes'))
        .filter(({ service }: { service: { _id: string } }) => service._id === serviceId)
        .map(({ origin }: { origin: string }) => origin);
    await expectStatus(put(`services/${serviceId}`, { name: 'novo' }), 200);
    expect(await listOrigins()).toEqual(['/antigo', '/antigo/:id', '/antigos/x', '/outra']);
    await expectStatus(put(`services/${serviceId}`, { name: 'antigo', renameRoutes: true }), 200);
    expect(await listOrigins()).toEqual(['/antigo', '/antigo/:id', '/antigos/x', '/outra']);

    const otherService = await createService(core);
    await expectStatus(post('routes', { ...route, serviceId: otherService._id, origin: '/novo/:outro' }), 201);
    const conflict = await put(`services/${serviceId}`, { name: 'novo', renameRoutes: true });
    expect([conflict.status, Object.keys(conflict.body.fields)]).toEqual([409, ['name']]);
    expect(await listOrigins()).toContain('/antigo/:id');
    await expectStatus(core.request('DELETE', `/gateway/admin/services/${otherService._id}`), 204);
    await expectStatus(put(`services/${serviceId}`, { name: 'novo', renameRoutes: true }), 200);
    expect(await listOrigins()).toEqual(['/antigos/x', '/novo', '/novo/:id', '/outra']);
    expect((await post('routes', { ...route, origin: '/novo/:x' })).status).toBe(409);
    expect((await post('routes', { ...route, origin: '/antigo' })).status).toBe(201);
  });

  test('a rename moves an origin whatever its case, and raises the version of its route', async () => {
    const { _id: serviceId } = await createService(core, { name: 'minusculo' });
    const route = { serviceId, origin: '/Minusculo/x', destination: '/', methods: ['GET'], permission: 'a:b' };
    const { _id } = (await post('routes', route)).body;
    await expectStatus(put(`services/${serviceId}`, { name: 'renomeado', renameRoutes: true }), 200);
    expect(await get(`routes/${_id}`)).toMatchObject({ origin: '/renomeado/x', version: 2 });
    const headers = { 'If-Match': '"1"' };
    await expectStatus(core.request('PUT', `/gateway/admin/routes/${_id}`, { body: { origin: '/x' }, headers }), 412);
  });

  test('the dependents of a service are its routes and the keys that may call them', async () => {
    await removeAll(core, '/gateway/admin/keys');
    const service = await createService(core);
    const path = `services/${service._id}/dependents`;
    expect(await get(path)).toEqual({ routes: 0, keys: 0 });
    const route = { serviceId: service._id, destination: '/', methods: ['GET'] };
    await expectStatus(
      post('routes', { ...route, origin: `/dep-${++routeCount}`, permission: 'dependentes:ler' }),
      201,
    );
    await expectStatus(post('routes', { ...route, origin: `/dep-${++routeCount}`, public: true }), 201);
    for (const permission of ['dependentes:ler', 'dependentes:*', 'dependentes:criar', 'outra:ler']) {
      await expectStatus(post('keys', { name: 'dependente', permissions: [permission] }), 201);
    }
    expect(await get(path)).toEqual({ routes: 2, keys: 2 });
    await expectStatus(core.request('GET', `/gateway/admin/services/${MISSING_ID}/dependents`), 404);
  });

  test('the removal of a service removes its routes, and another service can use their origins', async () => {
    const service = await createService(core);
    const route = { serviceId: service._id, origin: '/some', destination: '/', methods: ['GET'], permission: 'a:b' };
    const { _id } = await expectStatus(post('routes', route), 201);
    await expectStatus(core.request('DELETE', `/gateway/admin/services/${service._id}`), 204);
    expect((await get('routes')).map((row: { _id: string }) => row._id)).not.toContain(_id);
    const nextService = await createService(core);
    await expectStatus(post('routes', { ...route, serviceId: nextService._id }), 201);
  });
});

describe('keys', () => {
  test('a key is created, read without its secret, changed in its editable fields, and removed', async () => {
    const response = await post('keys', {
      name: ' Parceiro ',
      permissions: ['a:*', 'a:*'],
      allowedIps: [' 10.0.0.0/8 '],
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { key, ...entity } = response.body;
    expect(await get(`keys/${entity._id}`)).toEqual(entity);
    expect(key).toMatch(/^sk7_[\w-]{43}$/);
    expect(entity).toEqual({
      _id: expect.any(String),
      name: 'Parceiro',
      prefix: key.slice(0, 12),
      note: '',
      permissions: ['a:*'],
      allowedIps: ['10.0.0.0/8'],
      disabled: false,
      expiresAt: null,
      rateLimit: null,
      previousExpiresAt: null,
      usageCount: 0,
      createdAt: expect.stringMatching(INSTANT),
      lastUsedAt: null,
      version: 1,
    });
    expect(await get('keys')).toContainEqual(entity);
    const changedEntity = { ...entity, allowedIps: [], permissions: ['*'], version: 2 };
    const serverFields = { usageCount: 99, digest: 'x', createdAt: 'x', _id: MISSING_ID };
    expect(
      await expectStatus(put(`keys/${entity._id}`, { allowedIps: [], permissions: ['*'], ...serverFields }), 200),
    ).toEqual(changedEntity);
    await expectStatus(core.request('DELETE', `/gateway/admin/keys/${entity._id}`), 204);
    await expectStatus(put(`keys/${entity._id}`, { name: 'x' }), 404);
    await expectStatus(core.request('DELETE', `/gateway/admin/keys/${entity._id}`), 404);
  });

  test('a key may be disabled, and null clears its expiry, limit or note', async () => {
    const optionalFields = {
      note: ' Contrato 12 ',
      expiresAt: '2030-01-01T00:00:00-03:00',
      disabled: true,
      rateLimit: { requests: 1_000_000, seconds: 86_400 },
    };
    const { key: _key, ...createdKey } = await expectStatus(
      post('keys', { name: 'Limitada', permissions: ['*'], ...optionalFields }),
      201,
    );
    expect(createdKey).toMatchObject({ ...optionalFields, note: 'Contrato 12', expiresAt: '2030-01-01T03:00:00.000Z' });
    expect(await expectStatus(put(`keys/${createdKey._id}`, { disabled: false }), 200)).toEqual({
      ...createdKey,
      disabled: false,
      version: 2,
    });
    const clearedFields = { note: '', expiresAt: null, rateLimit: null };
    expect(await expectStatus(put(`keys/${createdKey._id}`, clearedFields), 200)).toEqual({
      ...createdKey,
      disabled: false,
      ...clearedFields,
      version: 3,
    });
    expect(await get('keys')).toContainEqual({ ...createdKey, disabled: false, ...clearedFields, version: 3 });
    await expectStatus(put(`keys/${createdKey._id}`, { note: 'x' }), 200);
    expect((await expectStatus(put(`keys/${createdKey._id}`, { note: null }), 200)).note).toBe('');
  });

  test('a rotation replaces the secret of a key, and returns when the previous secret expires', async () => {
    const { key: originalKey, ...createdKey } = await expectStatus(
      post('keys', { name: 'Girada', permissions: ['*'] }),
      201,
    );
    const earliestEnd = Date.now() + 3_600_000;
    const response = await post(`keys/${createdKey._id}/rotate`, { graceSeconds: 3600 });
    const latestEnd = Date.now() + 3_600_000;
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { key: newKey, ...rotatedKey } = response.body;
    expect(newKey).toMatch(/^sk7_[\w-]{43}$/);
    expect(newKey).not.toBe(originalKey);
    expect(rotatedKey).toEqual({
      ...createdKey,
      prefix: newKey.slice(0, 12),
      previousExpiresAt: expect.stringMatching(INSTANT),
    });
    expect(Date.parse(rotatedKey.previousExpiresAt)).toBeGreaterThanOrEqual(earliestEnd);
    expect(Date.parse(rotatedKey.previousExpiresAt)).toBeLessThanOrEqual(latestEnd);
    expect(await get('keys')).toContainEqual(rotatedKey);
    const { previousExpiresAt } = (await post(`keys/${createdKey._id}/rotate`, { graceSeconds: 0 })).body;
    expect(previousExpiresAt).toBeNull();
    for (const graceSeconds of [-1, 604_801, 1.5, '60', undefined]) {
      const refusal = await post(`keys/${createdKey._id}/rotate`, { graceSeconds });
      expect([refusal.status, Object.keys(refusal.body.fields)]).toEqual([400, ['graceSeconds']]);
    }
    expect((await post(`keys/${MISSING_ID}/rotate`, { graceSeconds: 0 })).status).toBe(404);
  });

  test('are sorted by the column and in the direction of the query', async () => {
    for (const name of ['b', 'c', 'a']) await expectStatus(post('keys', { name, permissions: ['*'] }), 201);
    const listSortedNames = async (query: string) =>
      (await get(`keys?${query}`))
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => /^[abc]$/.test(name));
    expect(await listSortedNames('sortBy=name&order=asc')).toEqual(['a', 'b', 'c']);
    expect(await listSortedNames('sortBy=name&order=desc')).toEqual(['c', 'b', 'a']);
    expect(await listSortedNames('sortBy=createdAt&order=asc')).toEqual(['b', 'c', 'a']);
    expect(await listSortedNames('')).toEqual(['a', 'c', 'b']);
    expect(await listSortedNames('sortBy=usageCount&order=desc')).toHaveLength(3);
    expect(await listSortedNames('sortBy=lastUsedAt&order=asc')).toHaveLength(3);
    expect((await core.request('GET', '/gateway/admin/keys?sortBy=digest')).status).toBe(400);
    expect((await core.request('GET', '/gateway/admin/keys?order=up')).status).toBe(400);
  });

  test.each([
    [{ name: '', permissions: ['*'] }, 'name', 'O nome é obrigatório'],
    [{ permissions: ['*'] }, 'name', 'O nome é obrigatório'],
    [{ name: 'a' }, 'permissions', expect.any(String)],
    [{ name: 'a', permissions: [] }, 'permissions', expect.any(String)],
    [{ name: 'a', permissions: ['a b'] }, 'permissions', expect.any(String)],
    [{ name: 'a', permissions: ['*'], allowedIps: ['10.0.0.0/33'] }, 'allowedIps', expect.any(String)],
    [{ name: 'a', permissions: ['*'], allowedIps: ['010.0.0.1'] }, 'allowedIps', expect.any(String)],
    [{ name: 'a', permissions: ['*'], allowedIps: '10.0.0.1' }, 'allowedIps', expect.any(String)],
    [{ name: 'a'.repeat(101), permissions: ['*'] }, 'name', expect.any(String)],
    ...[
      { note: 'a'.repeat(501) },
      { expiresAt: 'amanhã' },
      { expiresAt: '2030-01-01' },
      { expiresAt: '9999-12-31T23:59:59-05:00' },
      { disabled: 'sim' },
      { rateLimit: {} },
      { rateLimit: { requests: 0, seconds: 1 } },
      { rateLimit: { requests: 1_000_001, seconds: 1 } },
      { rateLimit: { requests: 1, seconds: 86_401 } },
      { rateLimit: { requests: 1.5, seconds: 1 } },
    ].map((wrongFields): [object, string, unknown] => [
      { name: 'a', permissions: ['*'], ...wrongFields },
      Object.keys(wrongFields)[0] ?? '',
      expect.any(String),
    ]),
  ])('the key %j is refused with an error at %s', async (body, field, message) => {
    const response = await post('keys', body);
    expect([response.status, response.body]).toEqual([400, { error: message, fields: { [field]: message } }]);
  });
});

test('the usage history covers its range in buckets of equal length', async () => {
  for (const [range, seconds, buckets] of [
    ['day', 900, 96],
    ['week', 7200, 84],
    ['month', 28_800, 90],
    ['year', 345_600, 92],
  ] as const) {
    const requestedAt = Date.now();
    const history = await get(`usage?range=${range}`);
    expect(history).toEqual({ range, bucketSeconds: seconds, from: expect.stringMatching(INSTANT), series: [] });
    // The last bucket contains the current time.
    const lastBucketStart = Date.parse(history.from) + (buckets - 1) * seconds * 1000;
    expect(lastBucketStart).toBeLessThanOrEqual(Date.now());
    expect(lastBucketStart + seconds * 1000).toBeGreaterThan(requestedAt);
  }
  expect((await core.request('GET', '/gateway/admin/usage?range=century')).status).toBe(400);
});

test("the gateway's administration cannot be read without a token", async () => {
  for (const path of ['services', 'routes', 'keys', 'usage', 'requests', `services/${MISSING_ID}/manifest`]) {
    const response = await core.request('GET', `/gateway/admin/${path}`, { token: null });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
});
