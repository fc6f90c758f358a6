import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { ask } from '../testing/ask';
import { type CoreDouble, json, startCoreDouble } from '../testing/core-double';
import { type Running, startBff } from '../testing/servers';

const LOGIN = 'login(username: "admin", password: "guess") { token }';

let core: CoreDouble;
let bff: Running;

beforeAll(async () => {
  core = await startCoreDouble();
  bff = await startBff(core.url);
});

beforeEach(() => core.reset(json(200, { token: 't' })));

afterAll(async () => {
  await bff.stop();
  await core.stop();
});

const aliases = (count: number, field: string) => Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ');

test('one login is one call', async () => {
  const reply = await ask(bff.url, { query: `mutation { ${LOGIN} }` });
  expect(reply).toMatchObject({ status: 200, data: { login: { token: 't' } } });
  expect(core.calls).toEqual(['POST /api/login']);
});

test.each([
  ['200 aliased logins', `mutation { ${aliases(200, LOGIN)} }`],
  ['5 aliased logins', `mutation { ${aliases(5, LOGIN)} }`],
  ['2 aliased logins', `mutation { ${aliases(2, LOGIN)} }`],
  [
    'logins in fragments',
    `mutation { ...A ...B } fragment A on Mutation { a: ${LOGIN} } fragment B on Mutation { b: ${LOGIN} }`,
  ],
  ['logins in inline fragments', `mutation { ... { a: ${LOGIN} } ... on Mutation { b: ${LOGIN} } }`],
  ['two different writes', `mutation { ${LOGIN} sendTestMessage }`],
  ['6 aliased queries', `{ ${aliases(6, 'me { _id }')} }`],
  ['depth 50', `{ ${'me { '.repeat(50)} _id ${'}'.repeat(51)}`],
  ['5000 tokens', `{ me { ${'_id '.repeat(5_000)} } }`],
  ['500 directives', `{ me { _id ${'@include(if: true) '.repeat(500)} } }`],
  ['a fragment cycle', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
  [
    'a mutation of cycles only',
    'mutation { ...A } fragment A on Mutation { ...B ...B } fragment B on Mutation { ...A ...A }',
  ],
  ['an unknown field', '{ nope }'],
  ['bad syntax', '{ me { '],
  ['a missing argument', 'mutation { login(username: "a") { token } }'],
])('%s: 400, and the core hears nothing', async (_name, query) => {
  const reply = await ask(bff.url, { query });
  expect(reply.status).toBe(400);
  expect(reply.data).toBeUndefined();
  expect(core.calls).toEqual([]);
});

// Whoever followed them would not come to an end.
test('fragments that double at each step are refused unread', async () => {
  const steps = Array.from({ length: 60 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`).join(' ');
  const reply = await ask(bff.url, { query: `{ ...F0 } ${steps} fragment F60 on Query { me { _id } }` });
  expect(reply.status).toBe(400);
});

test('a batch is refused', async () => {
  const reply = await fetch(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([{ query: `mutation { ${LOGIN} }` }, { query: `mutation { ${LOGIN} }` }]),
  });
  expect(reply.status).toBe(400);
  expect(core.calls).toEqual([]);
});

test.each([
  [
    'a simple POST',
    {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: `{"query":"mutation { ${LOGIN.replaceAll('"', '\\"')} }"}`,
    },
    '',
  ],
  ['a form', { method: 'POST', body: new URLSearchParams({ query: `mutation { ${LOGIN} }` }) }, ''],
  ['a simple GET', {}, `?query=${encodeURIComponent('{ me { _id } }')}`],
])('%s of another site is refused', async (_name, init: RequestInit, search) => {
  const reply = await fetch(`${bff.url}/graphql${search}`, init);
  expect(reply.status).toBe(400);
  expect(core.calls).toEqual([]);
});

test('a mutation by GET is refused', async () => {
  const query = encodeURIComponent(`mutation { ${LOGIN} }`);
  const reply = await fetch(`${bff.url}/graphql?query=${query}`, { headers: { 'Apollo-Require-Preflight': '1' } });
  expect(reply.status).toBe(405);
  expect(core.calls).toEqual([]);
});

test.each([
  ['beyond 100 KB', JSON.stringify({ query: '{ me { _id } }', variables: { a: 'a'.repeat(102_400) } }), 413],
  ['that is no JSON', '{"query":', 400],
])('a body %s is a JSON error without internals', async (_name, body, status) => {
  const reply = await fetch(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(reply.status).toBe(status);
  expect(await reply.json()).toEqual({ error: expect.any(String) });
});

test('only an import of somebody with a token may be larger, up to 4 MB', async () => {
  core.reset(json(201, []));
  const query =
    'mutation ($s: ID!, $r: [ImportedRouteInput!]!) { importGatewayRoutes(serviceId: $s, routes: $r) { _id } }';
  const send = async (document: string, bytes: number, token?: string) => {
    const path = `/${'a'.repeat(bytes)}`;
    const variables = { s: '1', r: [{ method: 'GET', path, permission: 'a:b' }] };
    const reply = await fetch(`${bff.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query: document, variables }),
    });
    return reply.status;
  };
  expect(await send(query, 4_100_000, 't')).toBe(200);
  expect(core.calls).toEqual(['POST /api/gateway/admin/routes/import']);
  expect(await send(query, 4_200_000, 't')).toBe(413);
  expect(await send(query, 110_000)).toBe(413);
  expect(await send('{ me { _id } }', 110_000, 't')).toBe(413);
});

test('no answer may be kept on the way', async () => {
  for (const query of ['{ installation { brandName } }', '{ nothing }']) {
    expect((await ask(bff.url, { query })).headers.get('cache-control')).toBe('no-store');
  }
});

test('a typo gets no suggestions', async () => {
  const { errors } = await ask(bff.url, { query: '{ subdomain { totl } }' });
  expect(JSON.stringify(errors)).not.toContain('Did you mean');
});

test('the core answers 401: introspection is refused', async () => {
  core.reset(json(401, { error: 'Sessão expirada.' }));
  for (const query of [
    getIntrospectionQuery(),
    '{ __type(name: "Query") { name } }',
    '{ ...A } fragment A on Query { s: __schema { queryType { name } } }',
  ]) {
    const reply = await ask(bff.url, { query });
    expect(reply.status).toBe(401);
    expect(reply.data).toBeUndefined();
    expect(reply.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  }
  expect(core.calls).toEqual(['GET /api/me', 'GET /api/me', 'GET /api/me']);
});

test('the core knows the administrator: the whole schema', async () => {
  core.reset(json(200, { _id: '1', username: 'admin' }));
  const { status, data } = await ask(bff.url, { query: getIntrospectionQuery(), token: 't' });
  expect(status).toBe(200);
  expect(
    buildClientSchema(JSON.parse(JSON.stringify(data)))
      .getQueryType()
      ?.getFields(),
  ).toHaveProperty('tenants');
  expect(core.lastHeaders().authorization).toBe('Bearer t');
});

test('without the playground nobody introspects', async () => {
  const closed = await startBff(core.url, { environment: { PLAYGROUND: 'off' } });
  expect((await ask(closed.url, { query: getIntrospectionQuery(), token: 't' })).status).toBe(400);
  expect((await fetch(`${closed.url}/playground`)).status).toBe(404);
  expect(core.calls).toEqual([]);
  await closed.stop();
});
