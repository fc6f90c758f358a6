import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findFreePort } from '../../../scripts/testing/program';
import { type CoreDouble, respondWith, startCoreDouble } from '../testing/core-double';
import { requestGraph } from '../testing/graph-request';
import { type RunningServer, startBff } from '../testing/servers';

const ME = '{ me { _id username } }';
/** A field that needs no token. */
const LOGIN = 'mutation { login(username: "a", password: "b") { token } }';
const SUGGEST = 'mutation { suggestSubdomain(description: "a", existingSubdomains: []) { subdomain } }';
const UNAVAILABLE = 'Serviço indisponível. Tente novamente.';

const lines: string[] = [];
let core: CoreDouble;
let bff: RunningServer;

beforeAll(async () => {
  core = await startCoreDouble();
  bff = await startBff(core.url, { logTo: (line) => lines.push(line) });
});

beforeEach(() => {
  lines.length = 0;
});

afterAll(async () => {
  await bff.stop();
  await core.stop();
});

test.each([
  [400, 'BAD_USER_INPUT', 200],
  [401, 'UNAUTHENTICATED', 401],
  [403, 'FORBIDDEN', 200],
  [404, 'NOT_FOUND', 200],
  [409, 'CONFLICT', 200],
  [412, 'PRECONDITION_FAILED', 200],
  [413, 'BAD_USER_INPUT', 200],
  [429, 'TOO_MANY_REQUESTS', 200],
  [502, 'UPSTREAM_FAILED', 200],
])(
  'the status %s of the core becomes the code %s with HTTP status %s, and the error keeps the messages of the core',
  async (status, code, httpStatus) => {
    const body = { error: 'Não deu.', details: 'Porque não.', fields: { name: 'Nome ruim.' } };
    core.reset(respondWith(status, { ...body, stack: 'at core.ts:1', query: 'SELECT 1' }));
    const response = await requestGraph(bff.url, { query: ME, token: 't' });
    expect(response.status).toBe(httpStatus);
    expect(response.data ?? null).toBeNull();
    expect(response.errors).toEqual([
      { message: 'Não deu.', path: ['me'], locations: expect.anything(), extensions: { code, ...body } },
    ]);
  },
);

test.each([
  ['no body', (_: unknown, response: ServerResponse) => void response.writeHead(404).end()],
  ['a body that is not an object', respondWith(404, 'x')],
  ['messages of a wrong type', respondWith(404, { error: 5, details: null, fields: { a: 1 } })],
])('a 404 of the core with %s becomes the code NOT_FOUND', async (_name, response) => {
  core.reset(response);
  const { errors } = await requestGraph(bff.url, { query: ME, token: 't' });
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect(errors[0]?.extensions).not.toHaveProperty('details');
  expect(errors[0]?.extensions).not.toHaveProperty('error');
});

test('the error of a 409 contains record and heldBy of the core if they are well-formed', async () => {
  const record = { type: 'TXT', name: '_studio-proof.x.com.br', value: 'abc' };
  const heldBy = { kind: 'tenant', id: '1', name: 'Padaria' };
  core.reset(respondWith(409, { error: 'Não deu.', record, heldBy }));
  expect((await requestGraph(bff.url, { query: ME, token: 't' })).errors[0]?.extensions).toMatchObject({
    code: 'CONFLICT',
    record,
    heldBy,
  });
  core.reset(respondWith(409, { error: 'Não deu.', record: { type: 'TXT', name: 5 }, heldBy: 'x' }));
  expect((await requestGraph(bff.url, { query: ME, token: 't' })).errors[0]?.extensions).toEqual({
    code: 'CONFLICT',
    error: 'Não deu.',
  });
});

test('the error of a login without the code of the second factor contains codeRequired', async () => {
  core.reset(respondWith(401, { error: 'Informe o código.', codeRequired: true }));
  const response = await requestGraph(bff.url, { query: LOGIN });
  expect([response.status, response.errors]).toMatchObject([401, [{ extensions: { codeRequired: true } }]]);
});

test.each([
  [{ required: { role: 'operator', scope: 'tenants:write' } }],
  [{ required: { role: 'administrator', scope: null } }],
  [{ sudoRequired: true }],
])('the error of a 403 contains the requirement that the core names: %j', async (need) => {
  core.reset(respondWith(403, { error: 'Não.', ...need }));
  const { errors } = await requestGraph(bff.url, { query: ME, token: 't' });
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', error: 'Não.', ...need } }]);
});

test('the error of a failed login has the text of the core', async () => {
  core.reset(respondWith(401, { error: 'Usuário ou senha inválidos.' }));
  const response = await requestGraph(bff.url, { query: LOGIN });
  expect(response.status).toBe(401);
  expect(response.errors).toMatchObject([
    { extensions: { code: 'UNAUTHENTICATED', error: 'Usuário ou senha inválidos.' } },
  ]);
});

test.each([
  ['responds with 500', respondWith(500, { error: 'segredo', details: 'at core.ts:1' })],
  ['responds with 503', respondWith(503, { error: 'segredo' }, { 'Retry-After': '1' })],
  ['responds with HTML instead of JSON', (_: unknown, r: ServerResponse) => void r.end('<html>')],
  ['responds with an empty body', (_: unknown, r: ServerResponse) => void r.end()],
  [
    'breaks off its response',
    (_: unknown, r: ServerResponse) => {
      r.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"_id":');
      setImmediate(() => r.destroy());
    },
  ],
  ['closes the connection', (_: unknown, r: ServerResponse) => void r.destroy()],
  ['redirects', respondWith(302, {}, { Location: 'http://127.0.0.1:1/' })],
])('a core that %s is reported as unavailable, without details', async (_name, respond) => {
  core.reset(respond);
  const response = await requestGraph(bff.url, { query: ME, token: 't' });
  expect(response.status).toBe(503);
  expect(response.errors).toEqual([
    { message: UNAVAILABLE, path: ['me'], locations: expect.anything(), extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
  ]);
  expect(lines.join()).toContain(String(response.headers.get('x-request-id')));
});

test('a call to a hung core fails after 8 s, even in the middle of the body, but a suggestion may take longer', async () => {
  const slowCore = await startCoreDouble();
  const bffWithSlowCore = await startBff(slowCore.url);
  const callArrived = new Promise<() => void>((resolve) => {
    slowCore.reset((request, response) => resolve(() => respondWith(429, { error: 'Depois.' })(request, response)));
  });
  const suggestion = requestGraph(bffWithSlowCore.url, { query: SUGGEST, token: 't' });
  const answerSuggestion = await callArrived;
  core.reset((_, response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'));
  // A garbage collection must not cancel the request's time-out (regression).
  setFlagsFromString('--expose-gc');
  const garbageCollection = setInterval(runInNewContext('gc'), 500);
  // The timer shows that 7.5 s have passed. Timers of one process fire in order, however slow the machine is.
  let isNearlyOver = false;
  const nearlyOverTimer = setTimeout(() => {
    isNearlyOver = true;
  }, 7_500);
  const response = await requestGraph(bff.url, { query: ME, token: 't' }).finally(() =>
    clearInterval(garbageCollection),
  );
  clearTimeout(nearlyOverTimer);
  expect(response).toMatchObject({ status: 503, errors: [{ message: UNAVAILABLE }] });
  expect(isNearlyOver).toBe(true);
  answerSuggestion();
  expect((await suggestion).errors).toMatchObject([{ message: 'Depois.' }]);
  await bffWithSlowCore.stop();
  await slowCore.stop();
});

test('without a core, reads and writes fail with a message, but the installation can still be read', async () => {
  const bffWithoutCore = await startBff('http://127.0.0.1:1');
  for (const query of [ME, SUGGEST]) {
    expect(await requestGraph(bffWithoutCore.url, { query, token: 't' })).toMatchObject({
      status: 503,
      errors: [{ message: UNAVAILABLE }],
    });
  }
  const { status, data } = await requestGraph(bffWithoutCore.url, {
    query: '{ installation { brandName baseDomain sitesDomain serverIp serverIps } }',
  });
  expect(status).toBe(200);
  expect(data?.installation).toEqual({
    brandName: 'Estúdio Sete',
    baseDomain: 'localhost',
    sitesDomain: 'localhost',
    serverIp: null,
    serverIps: [],
  });
  await bffWithoutCore.stop();
});

test('a read succeeds if the core becomes available before the retry', async () => {
  const port = await findFreePort();
  const bffWithLateCore = await startBff(`http://127.0.0.1:${port}`);
  const lateCore = createServer(respondWith(200, { _id: '1', username: 'admin' }));
  const listen = () => void lateCore.listen(port, '127.0.0.1');
  // Undici publishes this event for each failed connection.
  subscribe('undici:client:connectError', listen);
  expect(await requestGraph(bffWithLateCore.url, { query: ME, token: 't' })).toMatchObject({
    status: 200,
    data: { me: { username: 'admin' } },
  });
  unsubscribe('undici:client:connectError', listen);
  expect(lateCore.listening).toBe(true);
  lateCore.close();
  lateCore.closeAllConnections();
  await bffWithLateCore.stop();
});

test('a read is sent again after the core has closed the connection, but a write is not', async () => {
  let requestCount = 0;
  core.reset((request, response) => {
    requestCount += 1;
    if (requestCount === 1) request.socket.destroy();
    else respondWith(200, { _id: '1', username: 'admin' })(request, response);
  });
  expect(await requestGraph(bff.url, { query: ME, token: 't' })).toMatchObject({ data: { me: { username: 'admin' } } });
  expect(core.calls).toHaveLength(2);
  core.reset((request) => void request.socket.destroy());
  expect(await requestGraph(bff.url, { query: SUGGEST, token: 't' })).toMatchObject({
    errors: [{ message: UNAVAILABLE }],
  });
  expect(core.calls).toHaveLength(1);
});

test('only the request headers that the core needs are forwarded to the core', async () => {
  core.reset(respondWith(200, { _id: '1', username: 'admin' }));
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const response = await requestGraph(bff.url, {
    query: ME,
    token: 'abc',
    headers: {
      'X-Request-Id': 'req-1',
      traceparent,
      Cookie: 'a=b',
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Host': 'evil.example',
      'X-Real-IP': '9.9.9.9',
    },
  });
  expect(response.headers.get('x-request-id')).toBe('req-1');
  const headers = core.lastHeaders();
  expect(headers).toMatchObject({
    authorization: 'Bearer abc',
    'x-request-id': 'req-1',
    traceparent,
    'x-forwarded-for': '203.0.113.7',
  });
  for (const name of ['cookie', 'x-forwarded-host', 'x-real-ip']) expect(headers).not.toHaveProperty(name);
});

test('an invalid request id and an invalid traceparent are replaced', async () => {
  core.reset(respondWith(200, { token: 't' }));
  const response = await requestGraph(bff.url, {
    query: LOGIN,
    headers: { 'X-Request-Id': 'a b"c', traceparent: 'junk' },
  });
  const id = response.headers.get('x-request-id');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(core.lastHeaders()['x-request-id']).toBe(id);
  expect(core.lastHeaders().traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  expect(core.lastHeaders()).not.toHaveProperty('authorization');
});

test.each(['..', '.', '../me', 'a/b', 'a?b', '%2e%2e', '', 'a'.repeat(65), 'é', 'a\nb'])(
  'the malformed id %j gives NOT_FOUND without a call to the core',
  async (id) => {
    core.reset(respondWith(204, null));
    const query = 'mutation ($id: ID!) { deleteTenant(id: $id) }';
    const { errors } = await requestGraph(bff.url, { query, variables: { id }, token: 't' });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', error: 'Registro não encontrado.' } }]);
    expect(core.calls).toEqual([]);
  },
);

test('/readyz asks the core once a second and, unlike /healthz, fails without a ready core or in a stop', async () => {
  core.reset(respondWith(200, {}));
  const freshBff = await startBff(core.url);
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  expect((await fetch(`${freshBff.url}/readyz`)).status).toBe(200);
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${freshBff.url}/readyz`)));
  expect(core.calls).toEqual(['GET /readyz']);
  clock.mockReturnValue(performance.now() + 1_000);
  await fetch(`${freshBff.url}/readyz`);
  expect(core.calls).toEqual(['GET /readyz', 'GET /readyz']);
  clock.mockRestore();
  await freshBff.stop();

  core.reset(respondWith(503, {}));
  const unreadyBff = await startBff(core.url);
  expect((await fetch(`${unreadyBff.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${unreadyBff.url}/healthz`)).status).toBe(200);
  await unreadyBff.stop();

  core.reset(respondWith(200, {}));
  const stoppingBff = await startBff(core.url, { isStopping: () => true });
  expect((await fetch(`${stoppingBff.url}/readyz`)).status).toBe(503);
  await stoppingBff.stop();
});

test('/readyz sends a core that hangs only one request at a time', async () => {
  let answerCore: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answerCore = resolve;
  });
  core.reset((request, response) => void answered.then(() => respondWith(200, {})(request, response)));
  let onRequest: () => void = () => undefined;
  const isStopping = () => {
    onRequest();
    return false;
  };
  const freshBff = await startBff(core.url, { isStopping });
  const requestReadiness = async () => {
    const arrived = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const response = fetch(`${freshBff.url}/readyz`);
    await arrived;
    return { response };
  };
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const first = await requestReadiness();
  clock.mockReturnValue(performance.now() + 1_500);
  const second = await requestReadiness();
  answerCore();
  const statuses = [(await first.response).status, (await second.response).status];
  clock.mockRestore();
  await freshBff.stop();
  expect(statuses).toEqual([200, 200]);
  expect(core.calls).toEqual(['GET /readyz']);
});

test('the log contains no password, token or request body', async () => {
  core.reset(respondWith(401, { error: 'Usuário ou senha inválidos.' }));
  await requestGraph(bff.url, {
    query: 'mutation Login($p: String!) { login(username: "canary-user", password: $p) { token } }',
    variables: { p: 'canary-password' },
    token: 'canary-token',
  });
  core.reset((_, response) => void response.destroy());
  await requestGraph(bff.url, { query: ME, token: 'canary-token' });
  await fetch(`${bff.url}/graphql?query=canary-query`);
  await fetch(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: 'canary',
  });
  expect(lines.length).toBeGreaterThanOrEqual(5);
  expect(lines.join()).not.toContain('canary');
});
