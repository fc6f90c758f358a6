import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { type CoreDouble, respondWith, startCoreDouble } from '../testing/core-double';
import { requestGraph } from '../testing/graph-request';
import { type RunningServer, startBff } from '../testing/servers';

const LOGIN = 'login(username: "admin", password: "guess") { token }';

let core: CoreDouble;
let bff: RunningServer;

beforeAll(async () => {
  core = await startCoreDouble();
  bff = await startBff(core.url);
});

beforeEach(() => core.reset(respondWith(200, { token: 't' })));

afterAll(async () => {
  await bff.stop();
  await core.stop();
});

const createAliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ');

test('a login sends one call to the core', async () => {
  const response = await requestGraph(bff.url, { query: `mutation { ${LOGIN} }` });
  expect(response).toMatchObject({ status: 200, data: { login: { token: 't' } } });
  expect(core.calls).toEqual(['POST /api/login']);
});

test.each([
  ['200 aliased logins', `mutation { ${createAliases(200, LOGIN)} }`],
  ['5 aliased logins', `mutation { ${createAliases(5, LOGIN)} }`],
  ['2 aliased logins', `mutation { ${createAliases(2, LOGIN)} }`],
  [
    'logins in fragments',
    `mutation { ...A ...B } fragment A on Mutation { a: ${LOGIN} } fragment B on Mutation { b: ${LOGIN} }`,
  ],
  ['logins in inline fragments', `mutation { ... { a: ${LOGIN} } ... on Mutation { b: ${LOGIN} } }`],
  ['two different writes', `mutation { ${LOGIN} sendTestMessage }`],
  ['6 aliased queries', `{ ${createAliases(6, 'me { _id }')} }`],
  ['fields nested 50 deep', `{ ${'me { '.repeat(50)} _id ${'}'.repeat(51)}`],
  ['5000 tokens', `{ me { ${'_id '.repeat(5_000)} } }`],
  ['500 directives', `{ me { _id ${'@include(if: true) '.repeat(500)} } }`],
  ['a fragment cycle', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
  [
    'a mutation of fragment cycles only',
    'mutation { ...A } fragment A on Mutation { ...B ...B } fragment B on Mutation { ...A ...A }',
  ],
  ['a subscription', 'subscription { me { _id } }'],
  ['an unknown field', '{ nope }'],
  ['a syntax error', '{ me { '],
  ['a missing argument', 'mutation { login(username: "a") { token } }'],
])(
  'a document with %s is refused with 400, and the core receives at most a check of the token',
  async (_name, query) => {
    const response = await requestGraph(bff.url, { query, token: 't' });
    expect(response.status).toBe(400);
    expect(response.data).toBeUndefined();
    expect(core.calls.filter((call) => call !== 'GET /api/me')).toEqual([]);
  },
);

test.each([
  ['a private field', '{ me { _id } }'],
  ['an unknown field', '{ nope }'],
  ['150 aliases', `{ ${createAliases(150, 'tenants { name }')} }`],
  ['a private field in a fragment', '{ ...A } fragment A on Query { installation { brandName } me { _id } }'],
  ['a private field in a second operation', 'query A { installation { brandName } } query B { me { _id } }'],
  ['introspection', getIntrospectionQuery()],
])('without a token, a document with %s is refused before its validation', async (_name, query) => {
  const body = { query, operationName: /query (\w+)/.exec(query)?.[1] };
  const response = await fetch(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const message = 'Sessão expirada ou inválida. Entre novamente.';
  expect([response.status, await response.json()]).toEqual([
    401,
    { errors: [{ message, extensions: { code: 'UNAUTHENTICATED', error: message } }] },
  ]);
  expect(core.calls).toEqual([]);
});

test('without a token, a GET request for a private field is refused before its validation', async () => {
  const query = encodeURIComponent('{ me { _id } }');
  const response = await fetch(`${bff.url}/graphql?query=${query}`, { headers: { 'Apollo-Require-Preflight': '1' } });
  expect(response.status).toBe(401);
});

test('without a token, a public field with 150 aliases is refused', async () => {
  const response = await requestGraph(bff.url, { query: `{ ${createAliases(150, 'installation { brandName }')} }` });
  expect(response).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
});

test('with an invalid token, a document of 150 fields is refused before its validation', async () => {
  core.reset(respondWith(401, { error: 'Sessão expirada ou inválida. Entre novamente.' }));
  const response = await requestGraph(bff.url, { query: `{ ${createAliases(150, 'tenants { name }')} }`, token: 'x' });
  expect(response).toMatchObject({ status: 401, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect(core.calls).toEqual(['GET /api/me']);
});

test.each([
  [403, 'FORBIDDEN'],
  [429, 'TOO_MANY_REQUESTS'],
])(
  'if the core refuses the token with %i, documents of one field and of 150 have the same error',
  async (refusal, code) => {
    core.reset(respondWith(refusal, { error: 'Recusado.' }));
    for (const fieldCount of [1, 150]) {
      const query = `{ me { ${createAliases(fieldCount, '_id')} } }`;
      const response = await requestGraph(bff.url, { query, token: 't' });
      expect(response).toMatchObject({ status: 200, errors: [{ extensions: { code, error: 'Recusado.' } }] });
    }
  },
);

test('a document with several operations is refused if the request names none of them', async () => {
  const query = 'query A { installation { brandName } } query B { installation { brandName } }';
  for (const token of ['t', undefined]) {
    const response = await requestGraph(bff.url, { query, ...(token && { token }) });
    expect(response).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  }
});

test('a chain of 60 fragments that each spread the next fragment twice is refused before its execution', async () => {
  const steps = Array.from({ length: 60 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`).join(' ');
  const response = await requestGraph(bff.url, {
    query: `{ ...F0 } ${steps} fragment F60 on Query { me { _id } }`,
    token: 't',
  });
  expect(response.status).toBe(400);
});

test.each([
  ['ten thousand spaces in a media type', { 'Content-Type': `application/json${' '.repeat(10_000)}x` }],
  ['ten thousand spaces in a media type parameter', { 'Content-Type': `application/json;${' '.repeat(10_000)}x` }],
  ['thousands of media types', { Accept: '*/*,'.repeat(3_000) }],
])('%s are refused before Apollo Server parses them', async (_name, headers) => {
  const response = await fetch(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ installation { brandName } }' }),
  });
  expect([response.status, await response.json()]).toEqual([431, { error: expect.stringContaining('longos demais') }]);
});

test('a batch of GraphQL requests is refused', async () => {
  const response = await fetch(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([{ query: `mutation { ${LOGIN} }` }, { query: `mutation { ${LOGIN} }` }]),
  });
  expect(response.status).toBe(400);
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
  ['a simple GET', {}, `?query=${encodeURIComponent('{ installation { brandName } }')}`],
])('%s from another site is refused', async (_name, init: RequestInit, search) => {
  const response = await fetch(`${bff.url}/graphql${search}`, init);
  expect(response.status).toBe(400);
  expect(core.calls).toEqual([]);
});

test('a mutation by GET is refused', async () => {
  const query = encodeURIComponent(`mutation { ${LOGIN} }`);
  const response = await fetch(`${bff.url}/graphql?query=${query}`, { headers: { 'Apollo-Require-Preflight': '1' } });
  expect(response.status).toBe(405);
  expect(core.calls).toEqual([]);
});

test.each([
  ['beyond 100 KB', JSON.stringify({ query: '{ me { _id } }', variables: { a: 'a'.repeat(102_400) } }), 413],
  ['that is not JSON', '{"query":', 400],
])('a body %s is refused with a JSON error without internals', async (_name, body, status) => {
  const response = await fetch(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.any(String) });
});

test('a body of up to 4 MB is accepted only if the request imports routes and its token is valid', async () => {
  core.reset(respondWith(201, []));
  const query =
    'mutation ($s: ID!, $r: [ImportedRouteInput!]!) { importGatewayRoutes(serviceId: $s, routes: $r) { _id } }';
  const send = async (document: string, bytes: number, token?: string) => {
    const path = `/${'a'.repeat(bytes)}`;
    const variables = { s: '1', r: [{ method: 'GET', path, permission: 'a:b' }] };
    const response = await fetch(`${bff.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query: document, variables }),
    });
    return response.status;
  };
  expect(await send(query, 4_100_000, 't')).toBe(200);
  expect(core.calls).toEqual(['GET /api/me', 'POST /api/gateway/admin/routes/import']);
  expect(await send(query, 4_200_000, 't')).toBe(413);
  expect(await send(query, 110_000)).toBe(413);
  expect(await send('{ me { _id } }', 110_000, 't')).toBe(413);
});

test('the core checks the token of a request before more than 100 KB of its body are read', async () => {
  core.reset(respondWith(401, { error: 'Sessão expirada ou inválida. Entre novamente.' }));
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer x' };
  const body = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`;
  const response = await fetch(`${bff.url}/graphql`, { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toEqual([
    401,
    {
      errors: [
        {
          message: 'Sessão expirada ou inválida. Entre novamente.',
          extensions: { code: 'UNAUTHENTICATED', error: 'Sessão expirada ou inválida. Entre novamente.' },
        },
      ],
    },
  ]);
  expect(core.calls).toEqual(['GET /api/me']);
});

test('a large body is refused while the core is unavailable', async () => {
  core.reset(respondWith(500, {}));
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer x' };
  const response = await fetch(`${bff.url}/graphql`, { method: 'POST', headers, body: '['.repeat(110_000) });
  expect(response.status).toBe(503);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a body compressed with %s is refused, with and without a token', async (encoding, compress) => {
  const body = new Uint8Array(compress(JSON.stringify({ query: '{ installation { brandName } }' })));
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
  const authorizations: Record<string, string>[] = [{}, { Authorization: 'Bearer t' }];
  for (const authorization of authorizations) {
    const response = await fetch(`${bff.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, ...authorization },
      body,
    });
    expect([response.status, await response.json()]).toEqual([
      415,
      { error: 'Envie o corpo sem compressão, em UTF-8.' },
    ]);
  }
});

test('no cache may store a response of the graph', async () => {
  for (const query of ['{ installation { brandName } }', '{ nothing }']) {
    expect((await requestGraph(bff.url, { query })).headers.get('cache-control')).toBe('no-store');
  }
});

test('the error for an unknown field suggests no other field', async () => {
  const { errors } = await requestGraph(bff.url, { query: '{ subdomain { totl } }' });
  expect(JSON.stringify(errors)).not.toContain('Did you mean');
});

test('introspection is refused if the core responds with 401', async () => {
  core.reset(respondWith(401, { error: 'Sessão expirada.' }));
  for (const query of [
    getIntrospectionQuery(),
    '{ __type(name: "Query") { name } }',
    '{ ...A } fragment A on Query { s: __schema { queryType { name } } }',
  ]) {
    const response = await requestGraph(bff.url, { query, token: 'x' });
    expect(response.status).toBe(401);
    expect(response.data).toBeUndefined();
    expect(response.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  }
  expect(core.calls).toEqual(['GET /api/me', 'GET /api/me', 'GET /api/me']);
});

test('introspection with a valid token returns the schema', async () => {
  core.reset(respondWith(200, { _id: '1', username: 'admin' }));
  const { status, data } = await requestGraph(bff.url, { query: getIntrospectionQuery(), token: 't' });
  expect(status).toBe(200);
  expect(
    buildClientSchema(JSON.parse(JSON.stringify(data)))
      .getQueryType()
      ?.getFields(),
  ).toHaveProperty('tenants');
  expect(core.lastHeaders().authorization).toBe('Bearer t');
});

test('without the playground, introspection is refused', async () => {
  const bffWithoutPlayground = await startBff(core.url, { environment: { PLAYGROUND: 'off' } });
  expect((await requestGraph(bffWithoutPlayground.url, { query: getIntrospectionQuery(), token: 't' })).status).toBe(
    400,
  );
  expect((await fetch(`${bffWithoutPlayground.url}/playground`)).status).toBe(404);
  expect(core.calls).toEqual([]);
  await bffWithoutPlayground.stop();
});

test('a search of 90 KB is refused without a call to the core', async () => {
  const query = 'query ($search: String) { subdomains(page: 1, limit: 15, search: $search) { total } }';
  const response = await requestGraph(bff.url, { query, variables: { search: 'a'.repeat(90_000) }, token: 't' });
  expect(response.errors).toMatchObject([
    { message: 'O texto é longo demais.', extensions: { code: 'BAD_USER_INPUT', error: 'O texto é longo demais.' } },
  ]);
  expect(core.calls).toEqual([]);
});
