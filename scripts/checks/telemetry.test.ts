import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { startCollector } from '../testing/collector';
import { ROOT, waitFor } from '../testing/program';
import { listen, type RunningServer } from '../testing/server';
import { ADMINISTRATOR, Stack } from '../testing/stack';

const DEPLOY = join(ROOT, 'scripts/deploy');
const PROXY = '127.0.0.9';

let stack: Stack;
let collector: Awaited<ReturnType<typeof startCollector>>;
let receivedHeaders: NodeJS.Dict<string | string[]> = {};
let upstream: RunningServer;

beforeAll(async () => {
  collector = await startCollector();
  upstream = await listen(({ headers }, response) => {
    receivedHeaders = headers;
    response.end('the site');
  });
  stack = await Stack.start({
    from: 'source',
    environment: {
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: PROXY,
      EDGE_ADMIN_TOKEN: 'a token of twenty-one',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
  const { port } = upstream;
  await stack.create('/subdomains', { subdomain: 'loja', description: 'x', type: 'proxy', port });
  await stack.create('/subdomains', { subdomain: 'parada', description: 'x', type: 'proxy', port, paused: true });
  const service = await stack.create('/gateway/admin/services', { name: 'erp', host: `http://127.0.0.1:${port}` });
  await stack.create('/gateway/admin/routes', {
    serviceId: service._id,
    origin: '/pedidos/:id',
    destination: '/:id',
    methods: ['GET'],
    permission: 'a:b',
    public: true,
  });
  await waitFor(
    'the route is in force',
    async () => (await sendRequest({ host: 'api.localhost', path: '/pedidos/7' })).status === 200,
  );
});
afterAll(async () => {
  await stack?.stop();
  await collector?.stop();
  await upstream?.stop();
});

interface EdgeRequest {
  host?: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** The client's address on loopback. */
  from?: string;
}

/** Sends one request to the edge. */
const sendRequest = ({
  host = 'localhost',
  path = '/',
  method = 'GET',
  headers = {},
  body,
  from = '127.0.0.1',
}: EdgeRequest) =>
  new Promise<{ status: number; text: string; requestId: string }>((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: stack.port,
        localAddress: from,
        path,
        method,
        headers: { Host: host, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      },
      async (response) => {
        let text = '';
        for await (const piece of response) text += piece;
        resolve({ status: response.statusCode ?? 0, text, requestId: String(response.headers['x-request-id']) });
      },
    );
    outgoing.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

const logInThroughGraph = (headers: Record<string, string> = {}, from?: string) =>
  sendRequest({
    path: '/graphql',
    method: 'POST',
    headers,
    from,
    body: {
      operationName: 'Enter',
      query: 'mutation Enter($u: String!, $p: String!) { login(username: $u, password: $p) { token } }',
      variables: { u: ADMINISTRATOR.username, p: ADMINISTRATOR.password },
    },
  });

/** Finds the log lines that a process wrote about a request. */
const findLines = (name: 'edge' | 'bff' | 'core', requestId: string) =>
  stack
    .process(name)
    .written.stdout.split('\n')
    // The last line may be incomplete.
    .slice(0, -1)
    .filter((line) => line.includes(requestId) && line.includes('"status"'))
    .map((line): Record<string, unknown> => JSON.parse(line));

const findSpans = (requestId: string) =>
  collector.spans.filter(({ attributes }) => attributes['studio.request_id'] === requestId);

/** `SpanKind` in OTLP. */
const SERVER = 2;
const CLIENT = 3;

test('a request has the same id in three logs and one trace over three processes', async () => {
  const { status, requestId, text } = await logInThroughGraph();
  expect([status, text]).toEqual([200, expect.stringContaining('token')]);
  await waitFor('a span of each process', () => findSpans(requestId).length >= 3);
  const { traceId } = findSpans(requestId)[0] ?? {};
  const findTraceSpans = () => collector.spans.filter((span) => span.traceId === traceId);
  const spans = await waitFor('the span of the call', () =>
    findTraceSpans().length >= 4 ? findTraceSpans() : undefined,
  );
  const [edge, bff, core] = ['studio-edge', 'studio-bff', 'studio-core'].map((service) =>
    spans.find((span) => span.service === service && span.kind === SERVER),
  );
  const call = spans.find(({ kind }) => kind === CLIENT);
  expect(spans).toHaveLength(4);
  expect(new Set(spans.map(({ contentType }) => contentType))).toEqual(new Set(['application/x-protobuf']));
  expect(edge).toMatchObject({ name: 'POST studio', attributes: { 'url.path': '/graphql' } });
  expect(edge?.parentSpanId ?? '').toBe('');
  expect(bff).toMatchObject({ name: 'graph Enter', parentSpanId: edge?.spanId });
  expect(call).toMatchObject({
    service: 'studio-bff',
    name: 'POST /login',
    parentSpanId: bff?.spanId,
    attributes: { 'http.request.method': 'POST', 'http.response.status_code': 200 },
  });
  expect(core).toMatchObject({ name: 'POST /login', parentSpanId: call?.spanId });
  for (const name of ['edge', 'bff', 'core'] as const)
    await waitFor(`a line of ${name}`, () => findLines(name, requestId).length > 0);
  expect(findLines('core', requestId)).toEqual([
    expect.objectContaining({ method: 'POST', path: '/api/login', operation: 'POST /login', status: 200 }),
  ]);
  const lines = (['edge', 'bff', 'core'] as const).flatMap((name) => findLines(name, requestId));
  expect(JSON.stringify([spans, lines])).not.toContain(ADMINISTRATOR.password);
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const createTraceHeaders = (flags: string) => ({
  'X-Request-Id': 'balancer-1',
  traceparent: `00-${TRACE}-b7ad6b7169203331-${flags}`,
});

test('the edge keeps trace and request id of a trusted peer and replaces those of other clients', async () => {
  const { requestId } = await logInThroughGraph(createTraceHeaders('01'), PROXY);
  expect(requestId).toBe('balancer-1');
  const spans = await waitFor('the spans of the request', () =>
    findSpans(requestId).length >= 3 ? findSpans(requestId) : undefined,
  );
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  expect(spans.find(({ service }) => service === 'studio-edge')?.parentSpanId).toBe('b7ad6b7169203331');

  const otherClient = await sendRequest({ host: 'loja.localhost', headers: createTraceHeaders('01') });
  expect(otherClient.requestId).not.toBe('balancer-1');
  expect(receivedHeaders['x-request-id']).toBe(otherClient.requestId);
  expect(String(receivedHeaders.traceparent)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(String(receivedHeaders.traceparent)).not.toContain(TRACE);
  const [span] = await waitFor('the span of the request', () =>
    findSpans(otherClient.requestId).length ? findSpans(otherClient.requestId) : undefined,
  );
  expect(receivedHeaders.traceparent).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
});

test('a request that a trusted peer does not sample is not exported', async () => {
  const unsampledHeaders = { ...createTraceHeaders('00'), 'X-Request-Id': 'balancer-2' };
  await logInThroughGraph(unsampledHeaders, PROXY);
  const { requestId } = await logInThroughGraph();
  await waitFor('the spans of a later request', () => findSpans(requestId).length >= 3);
  expect(findSpans('balancer-2')).toEqual([]);
});

test('a call that the core refuses is exported with the status of the refusal', async () => {
  const query = { query: '{ me { username } }' };
  const headers = { Authorization: 'Bearer ended' };
  const { requestId } = await sendRequest({ path: '/graphql', method: 'POST', headers, body: query });
  const [bff] = await waitFor('the span of the BFF', () => {
    const found = findSpans(requestId).filter(({ service }) => service === 'studio-bff');
    return found.length > 0 ? found : undefined;
  });
  const call = await waitFor('the span of the call', () =>
    collector.spans.find(({ parentSpanId }) => parentSpanId === bff?.spanId),
  );
  expect(call).toMatchObject({ name: 'GET /me', attributes: { 'http.response.status_code': 401 } });
});

test('traces are sent as JSON if the exporter is configured for JSON', async () => {
  const core = await Stack.start({
    from: 'source',
    processes: ['core'],
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
  });
  try {
    await core.logIn();
  } finally {
    await core.stop();
  }
  const jsonSpans = collector.spans.filter(({ contentType }) => contentType === 'application/json');
  expect(jsonSpans.map(({ name }) => name)).toContain('POST /login');
});

const fetchMetrics = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/metrics`, { headers });
  return { status: response.status, text: await response.text() };
};
const tokenHeaders = { Authorization: 'Bearer a token of twenty-one' };
const getUrls = () => {
  const { BFF_PORT } = stack.environment;
  return { edge: stack.adminUrl, bff: `http://127.0.0.1:${BFF_PORT}`, core: stack.coreUrl };
};

/** Sends requests of every kind that the metrics distinguish. @returns the metrics of each process after them */
async function fetchMetricsOfRequests() {
  await sendRequest({ host: 'loja.localhost' });
  await sendRequest({ host: 'api.localhost', path: '/pedidos/7' });
  await sendRequest({ host: 'api.localhost', path: '/nada' });
  await waitFor(
    'the paused site responds with 503',
    async () => (await sendRequest({ host: 'parada.localhost' })).status === 503,
  );
  const { edge, bff, core } = getUrls();
  await waitFor('the edge has counted the requests', async () =>
    (await fetchMetrics(edge, tokenHeaders)).text.includes('reason="paused"'),
  );
  return {
    edge: (await fetchMetrics(edge, tokenHeaders)).text,
    bff: (await fetchMetrics(bff)).text,
    core: (await fetchMetrics(core)).text,
  };
}

test('metrics have labels for operation, site, route and reason', async () => {
  const { edge, bff, core } = await fetchMetricsOfRequests();
  expect(core).toMatch(/core_request_duration_seconds_count\{operation="POST \/login",status="2xx"\} [1-9]/);
  expect(bff).toMatch(/bff_graph_field_duration_seconds_count\{field="Mutation.login"\} [1-9]/);
  expect(bff).toMatch(/bff_request_duration_seconds_count\{operation="graph",status="2xx"\} [1-9]/);
  expect(edge).toMatch(/edge_site_requests_total\{site="loja",status="2xx"\} [1-9]/);
  expect(edge).toMatch(/edge_route_requests_total\{service="erp",route="GET \/pedidos\/:id",status="2xx"\} [1-9]/);
  expect(edge).toMatch(/edge_site_requests_total\{site="parada",status="5xx",reason="paused"\} [1-9]/);
  expect(edge).not.toContain('edge_site_requests_total{site="parada",status="5xx"}');
  expect(edge).toMatch(/edge_requests_total\{kind="site",status="5xx",reason="paused"\} [1-9]/);
  expect(edge).toMatch(/edge_refusals_total\{kind="gateway",reason="no_route"\} [1-9]/);
});

test('the metrics of each process have its version and its CPU time', async () => {
  for (const [name, text] of Object.entries(await fetchMetricsOfRequests())) {
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text).toMatch(new RegExp(`^${name}_build_info\\{version="\\d+\\.\\d+\\.\\d+[^"]*"\\} 1$`, 'm'));
  }
});

test('alerts and dashboard use only existing metrics', async () => {
  const texts = await fetchMetricsOfRequests();
  const existingMetrics = new Set(
    Object.values(texts).flatMap((text) =>
      // A metric without a series yet has only its TYPE line.
      [...text.matchAll(/^(?:# TYPE )?([a-z0-9_]+)(?:\{| )/gm)].map(([, name]) => name),
    ),
  );
  // These series exist only after a long-lived request.
  for (const suffix of ['bucket', 'sum', 'count']) existingMetrics.add(`edge_long_lived_duration_seconds_${suffix}`);
  const files = ['prometheus/studio-alerts.yml', 'grafana/studio-dashboard.json'];
  for (const file of files) {
    const usedMetrics =
      readFileSync(join(DEPLOY, file), 'utf8').match(/\b(?:edge|bff|core|process|nodejs)_[a-z0-9_]+/g) ?? [];
    expect(usedMetrics.length).toBeGreaterThan(5);
    expect(usedMetrics.filter((name) => !existingMetrics.has(name))).toEqual([]);
  }
});

test('metrics need a token at the edge, and at core and BFF from outside; the public port has no metrics', async () => {
  const { edge, bff, core } = getUrls();
  expect((await fetchMetrics(edge)).status).toBe(401);
  for (const url of [bff, core]) {
    expect((await fetchMetrics(url, { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(404);
    expect((await fetchMetrics(url, { 'X-Forwarded-For': '203.0.113.7', ...tokenHeaders })).status).toBe(200);
  }
  for (const path of ['/metrics', '/api/metrics']) {
    const { text } = await sendRequest({ path });
    expect(text).not.toContain('process_cpu_seconds_total');
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

(hasPromtool ? test : test.skip)('promtool accepts the metrics and the alert rules', async () => {
  const { edge, bff, core } = getUrls();
  for (const [url, headers] of [[edge, tokenHeaders], [bff], [core]] as const) {
    const { text } = await fetchMetrics(url, headers);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  }
  const folder = join(DEPLOY, 'prometheus');
  execFileSync('promtool', ['check', 'rules', '--lint-fatal', 'studio-alerts.yml'], { cwd: folder });
  execFileSync('promtool', ['test', 'rules', 'studio-alerts.test.yml'], { cwd: folder });
});
