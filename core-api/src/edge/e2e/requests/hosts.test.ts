import { freePort, waitFor } from '../../../../../scripts/testing/program';
import { Core, listen } from '../../../testing/core';
import { Edge, sendRequest } from '../../../testing/edge';

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
/** A port of the edge that the core does not know. */
let ownPort: number;
let project: string;

const createProxySubdomain = (name: string, fields: object = {}) =>
  core.create('/subdomains', { subdomain: name, description: 'x', type: 'proxy', port: upstream.port, ...fields });
/**
 * Saves until the response has the edge's state, because a save waits for the edge for a limited time, and a busy
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

beforeAll(async () => {
  core = await new Core().start();
  upstream = await listen((request, response) => response.end(`ok ${request.url}`));
  ownPort = await freePort();
  project = (await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: upstream.port }))._id;
  edge = await new Edge(core, { BFF_PORT: String(ownPort) }).start();
  await createProxySubdomain('viva');
  await saveUntilServed('/subdomains/viva');
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

test('a save answers once every worker serves it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { live } = await createProxySubdomain(`logo-${round}`);
    expect(live.state === 'pending' ? await saveUntilServed(`/subdomains/logo-${round}`) : live).toEqual({
      state: 'active',
    });
    const responses = await Promise.all(Array.from({ length: 6 }, () => readResponse(`logo-${round}.localhost`)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
  }
});

test('a save that the edge cannot serve is refused, with its reason', async () => {
  await createProxySubdomain('volta');
  expect(await saveUntilServed('/subdomains/volta', { port: ownPort })).toEqual({
    state: 'refused',
    reason: 'O destino é a própria instalação.',
  });
  expect(await saveUntilServed('/subdomains/volta', { port: upstream.port })).toEqual({ state: 'active' });
});

test('a paused subdomain answers with its page until it is resumed', async () => {
  await createProxySubdomain('pausa');
  expect(await saveUntilServed('/subdomains/pausa', { paused: true })).toEqual({ state: 'active' });
  const { status, headers, body } = await readResponse('pausa.localhost');
  expect([status, headers['retry-after'], headers['content-type']]).toEqual([503, '600', 'text/html; charset=utf-8']);
  expect(body).toContain('pausa está em pausa');
  await saveUntilServed('/subdomains/pausa', { paused: false });
  expect((await readResponse('pausa.localhost')).status).toBe(200);
});

test('a paused tenant is named on all its hosts, and its name is escaped', async () => {
  const { _id } = await core.create('/tenants', { name: 'Ana & <b>Filhos', subdomain: 'ana', project });
  await core.request('POST', `/tenants/${_id}/domain`, { body: { domain: 'ana.com.br', www: 'to-apex' } });
  await saveUntilServed(`/tenants/${_id}`, { paused: true });
  for (const host of ['ana.localhost', 'ana.com.br', 'www.ana.com.br']) {
    const { status, body } = await readResponse(host);
    expect([host, status]).toEqual([host, 503]);
    expect(body).toContain('Ana &#38; &#60;b&#62;Filhos está em pausa');
  }
});

test('a domain or its www redirects to the other host, for any path', async () => {
  const { _id } = await core.create('/tenants', { name: 'Bia', subdomain: 'bia', project });
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

test('a tenant is served by the project that it was moved to', async () => {
  const otherUpstream = await listen((_request, response) => response.end('other'));
  const { _id } = await core.create('/tenants', { name: 'Caio', subdomain: 'caio', project });
  const next = await core.create('/projects', { name: 'Agenda', type: 'proxy', apiPort: otherUpstream.port });
  expect(await saveUntilServed(`/tenants/${_id}`, { project: next._id })).toEqual({ state: 'active' });
  expect((await readResponse('caio.localhost')).body).toBe('other');
  await otherUpstream.stop();
});

test('a save stays pending while an edge hangs, and does not wait for a stopped edge', async () => {
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
