import { Core } from '../../testing/core';
import { Edge, getHeader, requestSite } from '../../testing/edge';
import {
  createBasicAuthorization,
  createSites,
  HOME,
  OFFICE,
  resetPolicies,
  setPolicy,
  startUpstream,
} from './testing/sites';

let core: Core;
/** Trusts `X-Forwarded-For`, so that tests can choose the client's address. */
let edge: Edge;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let projectId: string;
beforeAll(async () => {
  upstream = await startUpstream();
  core = await new Core().start();
  edge = await new Edge(core, { TRUSTED_PROXIES: '127.0.0.1' }).start();
  ({ projectId } = await createSites(core, upstream.port));
});
afterEach(() => resetPolicies(core));
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

describe('POST /hosts/test', () => {
  const policies = [
    {},
    { access: { ips: ['203.0.113.0/24'] } },
    { access: { password: 'abre-te' } },
    { access: { ips: [OFFICE], password: 'abre-te', require: 'any' } },
    { maintenance: { text: 'Volta logo', bypassIps: [OFFICE] } },
    { redirects: [{ from: '/docs/*', to: '/a.txt', status: 302 }], noindex: true },
  ];
  const requests = [
    { host: 'loja', path: '/' },
    { host: 'loja', path: '/a.txt' },
    { host: 'loja', path: '/docs' },
    { host: 'loja', path: '/x?y=1' },
    { host: 'loja', path: '/nada' },
    { host: 'loja', path: '/', from: OFFICE },
    { host: 'loja', path: '/a.txt', password: 'abre-te' },
    { host: 'loja', path: '/a.txt', password: 'errada', from: '198.51.100.77' },
    { host: 'pasta', path: '/' },
    { host: 'pasta', path: '/sobre' },
    { host: 'pasta', path: '/docs' },
    { host: 'pasta', path: '/nada' },
    { host: 'pasta', path: '/nada', accept: 'text/html' },
    { host: 'pasta', path: '/', method: 'DELETE' },
    { host: 'ninguem', path: '/' },
  ];

  test.each(policies)("predicts status and location of the edge's response with the rules %j", async (policy) => {
    for (const site of ['loja', 'pasta']) await setPolicy(core, `subdomains/${site}`, policy);
    for (const { host, path, from = HOME, password, accept = '*/*', method = 'GET' } of requests) {
      const url = `http://${host}.localhost${path}`;
      const result = (
        await core.request('POST', '/hosts/test', { body: { url, method, address: from, password, accept } })
      ).body;
      const headers = [['Accept', accept], ...(password ? createBasicAuthorization(password) : [])] as const;
      const edgeResponse = await requestSite(edge, host, path, { method, headers }, from);
      expect([host, path, result.status, result.location]).toEqual([
        host,
        path,
        edgeResponse.status,
        getHeader(edgeResponse, 'location') ?? null,
      ]);
    }
  });

  test('returns its steps, the owner of each rule, and the file', async () => {
    await setPolicy(core, 'subdomains/loja', { noindex: true, access: { ips: [OFFICE] } });
    const body = { url: 'https://loja.localhost/docs/', address: OFFICE };
    const result = (await core.request('POST', '/hosts/test', { body })).body;
    expect([result.allowed, result.file, result.headers]).toEqual([
      true,
      'docs/index.html',
      [
        { name: 'Cache-Control', value: 'private, no-cache' },
        { name: 'X-Robots-Tag', value: 'noindex' },
      ],
    ]);
    expect(result.steps.map(({ step, state, from }: Record<string, string>) => [step, state, from])).toEqual([
      ['host', 'passed', null],
      ['paused', 'passed', null],
      ['preview', 'passed', null],
      ['domain', 'passed', null],
      ['maintenance', 'off', null],
      ['address', 'passed', 'own'],
      ['rate', 'off', null],
      ['password', 'off', null],
      ['redirect', 'off', null],
      ['body', 'off', null],
      ['target', 'passed', null],
    ]);
    const refusedResult = (await core.request('POST', '/hosts/test', { body: { ...body, address: HOME } })).body;
    expect([refusedResult.allowed, refusedResult.status, refusedResult.steps.at(-1)]).toMatchObject([
      false,
      403,
      { step: 'address', state: 'refused', from: 'own' },
    ]);
  });

  test('applies unsaved rules instead of the saved rules', async () => {
    await setPolicy(core, 'subdomains/loja', { access: { password: 'guardada' }, noindex: true });
    const testHost = async (policy: object, fields: object = {}) =>
      (
        await core.request('POST', '/hosts/test', {
          body: { url: 'http://loja.localhost/', address: HOME, policy, ...fields },
        })
      ).body;
    expect((await testHost({})).status).toBe(401);
    expect(await testHost({ access: null })).toMatchObject({
      status: 200,
      headers: expect.arrayContaining([{ name: 'X-Robots-Tag', value: 'noindex' }]),
    });
    expect((await testHost({ access: { password: 'rascunho' } }, { password: 'rascunho' })).status).toBe(200);
    expect((await testHost({ access: { password: 'rascunho' } }, { password: 'guardada' })).status).toBe(401);
    expect((await testHost({ access: { password: true, ips: [OFFICE] } }, { password: 'guardada' })).status).toBe(403);
    expect((await testHost({ access: { password: true } }, { password: 'guardada' })).status).toBe(200);
    expect((await testHost({ access: null, maintenance: { text: 'Obras' } })).status).toBe(503);
    const response = await core.request('POST', '/hosts/test', {
      body: { url: 'http://loja.localhost/', policy: { access: { ips: [] } } },
    });
    expect([response.status, response.body.error]).toEqual([400, 'Informe endereços ou uma senha.']);
    expect((await requestSite(edge, 'loja', '/', { headers: createBasicAuthorization('guardada') })).status).toBe(200);
  });

  test('encodes the letters of a URL as a browser does', async () => {
    await setPolicy(core, 'subdomains/loja', { redirects: [{ from: '/velho/*', to: '/novo/:splat', status: 301 }] });
    const edgeResponse = await requestSite(edge, 'loja', '/velho/a%C3%A7%C3%A3o');
    const body = { url: 'http://loja.localhost/velho/ação', address: HOME };
    const { status, location } = (await core.request('POST', '/hosts/test', { body })).body;
    expect([status, location]).toEqual([301, '/novo/a%C3%A7%C3%A3o']);
    expect([edgeResponse.status, getHeader(edgeResponse, 'location')]).toEqual([status, location]);
  });

  test('counts a wrong password against the caller, not against the tested IP address', async () => {
    await setPolicy(core, 'subdomains/app', { access: { password: 'abre-te' } });
    const isAllowed = async (password: string, address: string) => {
      const body = { url: 'http://app.localhost/', address, password };
      const headers = { 'X-Forwarded-For': '198.51.100.90' };
      return (await core.request('POST', '/hosts/test', { body, headers })).body.allowed;
    };
    for (let guess = 1; guess <= 20; guess += 1) expect(await isAllowed('errada', `203.0.113.${guess}`)).toBe(false);
    expect(await isAllowed('abre-te', '203.0.113.21')).toBe(false);
    const headers = createBasicAuthorization('abre-te');
    expect((await requestSite(edge, 'app', '/', { headers }, '203.0.113.1')).status).toBe(200);
  });

  test('applies the rules of the project of a tenant', async () => {
    await setPolicy(core, `projects/${projectId}`, { access: { ips: [OFFICE] } });
    const testHost = async (policy: object) =>
      (await core.request('POST', '/hosts/test', { body: { url: 'http://bar.localhost/', address: HOME, policy } }))
        .body;
    expect((await testHost({})).steps.at(-1)).toMatchObject({ step: 'address', state: 'refused', from: 'project' });
    expect((await testHost({ access: false })).allowed).toBe(true);
  });
});
