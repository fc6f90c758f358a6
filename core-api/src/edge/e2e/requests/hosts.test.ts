import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, getHeader, type RequestOptions, sendRequest } from '../../../testing/edge';
import { createSubdomain } from '../../../testing/records';

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
/** Answers with the request that it received. */
let echo: Awaited<ReturnType<typeof listen>>;
/** Only the edge has this port as its `BFF_PORT`, so the core accepts it as a target. */
let ownPort: number;
let projectId: string;

const createProxySubdomain = (name: string, fields: object = {}) =>
  core.create('/subdomains', { subdomain: name, description: 'x', type: 'proxy', port: upstream.port, ...fields });
/**
 * Repeats a save until its response has the edge's state. A save waits for the edge for a limited time, and a busy
 * machine may be slower.
 */
const saveUntilServed = (path: string, body: object = {}) =>
  waitFor(`the edge has reported ${path}`, async () => {
    const { live } = (await core.request('PUT', path, { body })).body;
    return live.state !== 'pending' && live;
  });
const readResponse = async (host: string, path = '/') => {
  const { status, headers, body } = await sendRequest(edge.port, { host, path });
  return {
    status,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: body.toString(),
  };
};

const get = (host: string, path = '/', headers: RequestOptions['headers'] = []) =>
  sendRequest(edge.port, { host, path, headers });
const requestStatus = async (host: string) => (await get(host)).status;
const waitForStatus = (host: string, status: number) =>
  waitFor(`${host} responds with ${status}`, async () => (await requestStatus(host)) === status);
const parseEcho = (text: string): { url: string; host: string; headers: Record<string, string> } => JSON.parse(text);

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => response.end(`ok ${request.url}`));
  echo = await listen((request, response) => {
    response.end(JSON.stringify({ url: request.url, host: request.headers.host, headers: request.headers }));
  });
  await createSubdomain(core, 'proxy', { port: echo.port });
  await createSubdomain(core, 'tunel', { type: 'tunnel', targetHost: '127.0.0.1', targetPort: echo.port });
  await createSubdomain(core, 'parado', { port: 9 });
  ownPort = await findFreePort();
  projectId = (await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: upstream.port }))._id;
  await startEdgeUnlessRunning();
  await createProxySubdomain('viva');
  await saveUntilServed('/subdomains/viva');
});
async function startEdgeUnlessRunning(): Promise<void> {
  if (!edge?.isRunning) edge = await new Edge(core, { BFF_PORT: String(ownPort) }).start();
}
/** Starts the edge again after the test that stops it. */
beforeEach(startEdgeUnlessRunning);
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
  await echo?.stop();
});

test('a save has the state active once every worker serves the change', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { live } = await createProxySubdomain(`logo-${round}`);
    expect(live.state === 'pending' ? await saveUntilServed(`/subdomains/logo-${round}`) : live).toEqual({
      state: 'active',
    });
    const responses = await Promise.all(Array.from({ length: 6 }, () => readResponse(`logo-${round}.localhost`)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
  }
});

test('a save that the edge cannot serve has the state refused, with the reason', async () => {
  await createProxySubdomain('volta');
  expect(await saveUntilServed('/subdomains/volta', { port: ownPort })).toEqual({
    state: 'refused',
    reason: 'O destino é a própria instalação.',
  });
  expect(await saveUntilServed('/subdomains/volta', { port: upstream.port })).toEqual({ state: 'active' });
});

test('a paused subdomain responds with a page about the pause until it is resumed', async () => {
  await createProxySubdomain('pausa');
  expect(await saveUntilServed('/subdomains/pausa', { paused: true })).toEqual({ state: 'active' });
  const { status, headers, body } = await readResponse('pausa.localhost');
  expect([status, headers['retry-after'], headers['content-type']]).toEqual([503, '600', 'text/html; charset=utf-8']);
  expect(body).toContain('pausa está em pausa');
  await saveUntilServed('/subdomains/pausa', { paused: false });
  expect((await readResponse('pausa.localhost')).status).toBe(200);
});

test('the page of a paused tenant shows the escaped name of the tenant on all its hosts', async () => {
  const { _id } = await core.create('/tenants', { name: 'Ana & <b>Filhos', subdomain: 'ana', project: projectId });
  await core.request('POST', `/tenants/${_id}/domain`, { body: { domain: 'ana.com.br', www: 'to-apex' } });
  await saveUntilServed(`/tenants/${_id}`, { paused: true });
  for (const host of ['ana.localhost', 'ana.com.br', 'www.ana.com.br']) {
    const { status, body } = await readResponse(host);
    expect([host, status]).toEqual([host, 503]);
    expect(body).toContain('Ana &#38; &#60;b&#62;Filhos está em pausa');
  }
});

test('a domain redirects to its www host, or the www host to the domain, for any path', async () => {
  const { _id } = await core.create('/tenants', { name: 'Bia', subdomain: 'bia', project: projectId });
  const setDomain = async (www: string) => {
    await core.request('POST', `/tenants/${_id}/domain`, { body: { domain: 'bia.com.br', www } });
    await saveUntilServed(`/tenants/${_id}`);
  };
  await setDomain('to-apex');
  const response = await readResponse('www.bia.com.br:3000', '/a?b=1');
  expect([response.status, response.headers.location]).toEqual([308, '//bia.com.br:3000/a?b=1']);
  expect((await readResponse('bia.com.br', '/a')).body).toBe('ok /a');
  await setDomain('to-www');
  expect((await readResponse('bia.com.br', '//x')).headers.location).toBe('//www.bia.com.br//x');
  expect((await readResponse('www.bia.com.br')).status).toBe(200);
  await setDomain('serve');
  for (const host of ['bia.com.br', 'www.bia.com.br']) expect((await readResponse(host)).status).toBe(200);
});

test('a tenant that is moved to another project is served by that project', async () => {
  const otherUpstream = await listen((_request, response) => response.end('other'));
  const { _id } = await core.create('/tenants', { name: 'Caio', subdomain: 'caio', project: projectId });
  const otherProject = await core.create('/projects', { name: 'Agenda', type: 'proxy', apiPort: otherUpstream.port });
  expect(await saveUntilServed(`/tenants/${_id}`, { project: otherProject._id })).toEqual({ state: 'active' });
  expect((await readResponse('caio.localhost')).body).toBe('other');
  await otherUpstream.stop();
});

describe('host names', () => {
  test.each(['proxy.localhost', 'PROXY.LocalHost', 'proxy.localhost.', 'proxy.localhost:80'])(
    'a request with Host %s is answered by the site',
    async (host) => {
      const response = await get(host, '/a%20b?c=%2F&c');
      expect([response.status, parseEcho(response.text).url, parseEcho(response.text).host]).toEqual([
        200,
        '/a%20b?c=%2F&c',
        host,
      ]);
    },
  );

  test.each([
    'ninguem.localhost',
    'a.proxy.localhost',
    'proxylocalhost',
    'proxy',
    'exemplo.com',
    'proxy.localhost.evil.com',
  ])('the unknown host %s gets 404 and a page in Portuguese', async (host) => {
    const { status, text, headers } = await get(host);
    expect([status, getHeader({ headers }, 'content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('lang="pt-BR"');
  });
});

describe('proxied sites', () => {
  test('a tunnel receives the original host, client address and scheme in its header fields', async () => {
    const { host, headers } = parseEcho((await get('tunel.localhost', '/x')).text);
    expect([host, headers['x-forwarded-host'], headers['x-forwarded-for'], headers['x-forwarded-proto']]).toEqual([
      'tunel.localhost',
      'tunel.localhost',
      '127.0.0.1',
      'http',
    ]);
  });

  test('a site whose upstream refuses the connection is answered with a 502 page without internal details', async () => {
    const { status, text } = await get('parado.localhost');
    expect(status).toBe(502);
    expect(text).toContain('lang="pt-BR"');
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN|:9\b/);
  });

  test('a site whose upstream forwards to the edge again is answered with 508 after one round', async () => {
    let requestCount = 0;
    const loopingUpstream = await listen((request, response) => {
      requestCount += 1;
      const { via } = request.headers;
      sendRequest(edge.port, { host: 'circular.localhost', headers: via ? [['Via', via]] : [] }).then(
        ({ status, text }) => response.writeHead(status).end(text),
        () => response.destroy(),
      );
    });
    await createSubdomain(core, 'circular', { type: 'proxy', port: loopingUpstream.port });
    await waitForStatus('circular.localhost', 508);
    expect(requestCount).toBe(1);
    await loopingUpstream.stop();
  });
});

describe('tenants', () => {
  const getTenantHeaders = (text: string) => {
    const { headers } = parseEcho(text);
    return [headers['x-tenant-id'], headers['x-tenant-subdomain'], headers['x-tenant-database']];
  };

  test('tenants are served by label and by domain after every change, and clients cannot set tenant headers', async () => {
    const bakeryProject = await core.create('/projects', {
      name: 'Padarias',
      dbPrefix: 'crm',
      type: 'proxy',
      apiPort: echo.port,
    });
    const tenant = await core.create('/tenants', {
      name: 'Padaria do Zé',
      project: bakeryProject._id,
      subdomain: 'padaria',
    });
    await core.create(`/tenants/${tenant._id}/domain`, { domain: 'padaria.com.br' });
    await waitForStatus('www.padaria.com.br', 200);
    const expectedHeaders = [tenant._id, 'padaria', encodeURIComponent('crm_padaria_do_zé')];
    for (const host of ['padaria.localhost', 'padaria.com.br', 'WWW.Padaria.com.br', 'padaria.com.br.']) {
      const response = await get(host, '/', [
        ['X-Tenant-Id', 'forged'],
        ['X-Tenant-Role', 'admin'],
      ]);
      expect([host, response.status, ...getTenantHeaders(response.text)]).toEqual([host, 200, ...expectedHeaders]);
      expect(parseEcho(response.text).headers['x-tenant-role']).toBeUndefined();
    }
    expect(
      parseEcho((await get('proxy.localhost', '/', [['X-Tenant-Id', 'forged']])).text).headers['x-tenant-id'],
    ).toBeUndefined();

    const otherTarget = await listen((_request, response) => response.end('moved'));
    await core.request('PUT', `/projects/${bakeryProject._id}`, { body: { apiPort: otherTarget.port } });
    await waitFor('the project has another port', async () => (await get('padaria.localhost')).text === 'moved');
    await otherTarget.stop();

    await core.create(`/tenants/${tenant._id}/domain`, { domain: 'nova.com.br' });
    await waitForStatus('padaria.com.br', 404);
    await core.request('DELETE', `/tenants/${tenant._id}`);
    await waitForStatus('padaria.localhost', 404);
    expect(await requestStatus('nova.com.br')).toBe(404);
  });
});

test('a save is pending while the edge hangs or no edge runs', async () => {
  // The edge must not hang in the middle of a write, because the database would stay locked.
  const unlock = await core.lockUsage();
  process.kill(edge.pid, 'SIGSTOP');
  await unlock();
  try {
    expect((await createProxySubdomain('parada')).live).toEqual({ state: 'pending', reason: expect.any(String) });
  } finally {
    process.kill(edge.pid, 'SIGCONT');
  }
  await edge.stop();
  expect((await createProxySubdomain('sem-borda')).live).toMatchObject({
    state: 'pending',
    reason: expect.stringContaining('Nenhum'),
  });
});
