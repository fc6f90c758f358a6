import type { ServerResponse } from 'node:http';
import { waitFor } from '../../../../scripts/testing/program';
import { type CoreDouble, respondWith, startCoreDouble } from '../../testing/core-double';
import { requestGraph } from '../../testing/graph-request';
import { type RunningServer, startBff } from '../../testing/servers';

let core: CoreDouble;
let bff: RunningServer;

beforeAll(async () => {
  core = await startCoreDouble();
  bff = await startBff(core.url);
});
afterAll(async () => {
  await bff.stop();
  await core.stop();
});

test.each([
  ['{ tenants { _id name project { name } } }', '/api/tenants?fields=_id%2Cname%2Cproject'],
  [
    '{ projects(search: "a b", limit: 2) { label: name __typename } }',
    '/api/projects?search=a%20b&limit=2&fields=name',
  ],
  ['{ gatewayRoutes { ...R } } fragment R on GatewayRoute { origin }', '/api/gateway/admin/routes?fields=origin'],
  [
    '{ apiKeys(sortBy: name, order: asc, after: "1") { ... on ApiKey { usageCount } } }',
    '/api/gateway/admin/keys?sortBy=name&order=asc&after=1&fields=usageCount',
  ],
  ['{ projects { __typename } }', '/api/projects'],
  [
    '{ tenantPage(project: "1", wholeUpTo: 9) { total tenants { name } ...P } } fragment P on TenantPage { tenants { subdomain } }',
    '/api/tenants?project=1&wholeUpTo=9&fields=name%2Csubdomain',
  ],
  [
    '{ apiKeyPage(status: active, permission: "a:b", limit: 2) { apiKeys { name } } }',
    '/api/gateway/admin/keys?status=active&permission=a%3Ab&limit=2&fields=name',
  ],
  [
    '{ gatewayRoutePage(sortBy: service, order: desc) { total } }',
    '/api/gateway/admin/routes?sortBy=service&order=desc',
  ],
  ['{ projectPage(search: "x") { projects { name } } }', '/api/projects?search=x&fields=name'],
])('%s asks the core only for selected fields, or for all fields if it selects none', async (query, expectedUrl) => {
  let requestedUrl = '';
  core.reset((request, response) => {
    requestedUrl = request.url ?? '';
    respondWith(200, [])(request, response);
  });
  const { errors } = await requestGraph(bff.url, { query, token: 't' });
  expect(errors ?? []).toEqual([]);
  const [path, parameters] = requestedUrl.split('?');
  const [expectedPath, expectedParameters] = expectedUrl.split('?');
  expect(path).toBe(expectedPath);
  expect([...new URLSearchParams(parameters)].toSorted()).toEqual(
    [...new URLSearchParams(expectedParameters)].toSorted(),
  );
});

test('the response for a page includes the number of all rows', async () => {
  core.reset(respondWith(200, [{ _id: '1', name: 'Loja' }], { 'X-Total-Count': '50000' }));
  const { data } = await requestGraph(bff.url, {
    query: '{ projectPage(limit: 1) { projects { name } total } }',
    token: 't',
  });
  expect(data).toEqual({ projectPage: { projects: [{ name: 'Loja' }], total: 50_000 } });
});

test.each([
  ['{ projects { name } }', 'aborted'],
  ['mutation { deleteProject(id: "1") }', 'answered'],
])('after the browser has disconnected, the call to the core for %s is %s', async (query, expectedEnd) => {
  const openResponses: ServerResponse[] = [];
  const ends: string[] = [];
  core.reset((_request, response) => {
    openResponses.push(response);
    response.once('close', () => ends.push(response.writableFinished ? 'answered' : 'aborted'));
  });
  const browser = new AbortController();
  const response = fetch(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer t' },
    body: JSON.stringify({ query }),
    signal: browser.signal,
  }).catch(() => undefined);
  await waitFor('the call', () => openResponses.length > 0);
  browser.abort();
  await response;
  if (expectedEnd === 'answered') openResponses[0]?.writeHead(204).end();
  await waitFor('the end of the call', () => ends.length > 0);
  expect(ends).toEqual([expectedEnd]);
});
