import { waitFor } from '../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../scripts/testing/stack';
import { Core } from '../../testing/core';
import { Edge, getHeader, type RequestOptions, requestSite, sendRequest } from '../../testing/edge';
import { createSubdomain } from '../../testing/records';
import { createTar, sendPackage } from '../sites/testing/packages';
import { policyMessages as messages } from './host-policies.messages';
import {
  createBasicAuthorization,
  createSites,
  OFFICE,
  resetPolicies,
  setPolicy,
  startUpstream,
} from './testing/sites';

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(40)]);

let core: Core;
/** Trusts `X-Forwarded-For`, so that tests can choose the client's address. */
let edge: Edge;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let projectId: string;
let tenantId: string;
beforeAll(async () => {
  upstream = await startUpstream();
  core = await new Core().start();
  edge = await new Edge(core, { TRUSTED_PROXIES: '127.0.0.1' }).start();
  ({ projectId, tenantId } = await createSites(core, upstream.port));
});
afterEach(() => resetPolicies(core));
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

const BROWSER = [['Accept', 'text/html']] as const;
const UPGRADE = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
] as const;

const FORM_TYPE = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
/** Sends the password form of a site. */
const sendPasswordForm = (label: string, body: string, clientAddress?: string) =>
  requestSite(edge, label, '/.well-known/studio-access', { method: 'POST', headers: [FORM_TYPE], body }, clientAddress);

describe('the address list', () => {
  test('covers pages, files, the API, WebSockets and unknown paths', async () => {
    await setPolicy(core, 'subdomains/loja', { access: { ips: ['203.0.113.0/24'] } });
    for (const [path, permittedStatus] of [
      ['/', 200],
      ['/a.txt', 200],
      ['/api/x', 200],
      ['/nada', 404],
    ] as const) {
      expect([path, (await requestSite(edge, 'loja', path)).status]).toEqual([path, 403]);
      expect([path, (await requestSite(edge, 'loja', path, {}, OFFICE)).status]).toEqual([path, permittedStatus]);
    }
    expect((await requestSite(edge, 'loja', '/api/ws', { headers: UPGRADE })).status).toBe(403);
    await setPolicy(core, 'subdomains/loja', {});
    expect((await requestSite(edge, 'loja')).status).toBe(200);
  });

  test('ignores the X-Forwarded-For of an untrusted client', async () => {
    const strictEdge = await new Edge(core).start();
    await setPolicy(core, 'subdomains/loja', { access: { ips: ['203.0.113.0/24'] } });
    const requestWithForgedAddress = async (path: string, headers: RequestOptions['headers'] = []) =>
      (
        await sendRequest(strictEdge.port, {
          host: 'loja.localhost',
          path,
          headers: [['X-Forwarded-For', OFFICE], ...headers],
        })
      ).status;
    expect([
      await requestWithForgedAddress('/'),
      await requestWithForgedAddress('/api/x'),
      await requestWithForgedAddress('/api/ws', UPGRADE),
    ]).toEqual([403, 403, 403]);
    await strictEdge.stop();
  });
});

describe('the password', () => {
  test('is entered in a form, which sets a cookie that is valid for this host only', async () => {
    await setPolicy(core, 'subdomains/loja', {
      access: { password: 'abre-te' },
      branding: { name: 'Loja & Cia', accent: '#aa0000' },
    });
    const page = await requestSite(edge, 'loja', '/a.txt?x=1', { headers: BROWSER });
    expect([page.status, getHeader(page, 'www-authenticate')]).toEqual([401, undefined]);
    expect(page.text).toContain('Loja &#38; Cia');
    expect(page.text).toContain('value="/a.txt?x=1"');
    const sendPassword = (password: string) => sendPasswordForm('loja', `password=${password}&to=%2Fa.txt%3Fx%3D1`);
    const wrongPasswordResponse = await sendPassword('errada');
    expect([wrongPasswordResponse.status, getHeader(wrongPasswordResponse, 'location')]).toEqual([
      303,
      '/a.txt?x=1&studio-access=wrong',
    ]);
    expect((await requestSite(edge, 'loja', '/a.txt?studio-access=wrong', { headers: BROWSER })).text).toContain(
      'Senha incorreta.',
    );
    const compressedFormResponse = await requestSite(edge, 'loja', '/.well-known/studio-access', {
      method: 'POST',
      headers: [FORM_TYPE, ['Content-Encoding', 'br']],
      body: 'compressed',
    });
    expect(compressedFormResponse.status).toBe(415);
    const correctPasswordResponse = await sendPassword('abre-te');
    expect([correctPasswordResponse.status, getHeader(correctPasswordResponse, 'location')]).toEqual([
      303,
      '/a.txt?x=1',
    ]);
    const cookie = getHeader(correctPasswordResponse, 'set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-studio-access=[^;]+; Path=\/; Max-Age=604800; Secure; HttpOnly; SameSite=Lax$/);
    expect(getHeader(correctPasswordResponse, 'strict-transport-security')).toBeUndefined();
    const headers = [['Cookie', `a=b; ${cookie.split(';')[0]}`]] as const;
    expect((await requestSite(edge, 'loja', '/a.txt', { headers })).text).toBe('a');
    await setPolicy(core, 'subdomains/app', { access: { password: 'abre-te' } });
    expect((await requestSite(edge, 'app', '/', { headers })).status).toBe(401);
    await setPolicy(core, 'subdomains/loja', { access: { password: 'outra senha' } });
    expect((await requestSite(edge, 'loja', '/a.txt', { headers })).status).toBe(401);
  });

  test('may be sent with Basic authentication, which the upstream does not receive', async () => {
    await setPolicy(core, 'subdomains/app', { access: { password: 'abre-te' } });
    const challenge = await requestSite(edge, 'app');
    expect([challenge.status, getHeader(challenge, 'www-authenticate')]).toEqual([
      401,
      'Basic realm="site", charset="UTF-8"',
    ]);
    expect((await requestSite(edge, 'app', '/', { headers: createBasicAuthorization('errada') })).status).toBe(401);
    const authorizedResponse = await requestSite(edge, 'app', '/', { headers: createBasicAuthorization('abre-te') });
    expect([authorizedResponse.status, JSON.parse(authorizedResponse.text).headers.authorization]).toEqual([
      200,
      undefined,
    ]);
    await setPolicy(core, 'subdomains/app', {});
    const bearerResponse = await requestSite(edge, 'app', '/', { headers: [['Authorization', 'Bearer x']] });
    expect(JSON.parse(bearerResponse.text).headers.authorization).toBe('Bearer x');
  });

  test('is not needed from listed addresses if the rule requires either an address or the password', async () => {
    await setPolicy(core, 'subdomains/app', { access: { ips: [OFFICE], password: 'abre-te', require: 'any' } });
    expect([(await requestSite(edge, 'app', '/', {}, OFFICE)).status, (await requestSite(edge, 'app')).status]).toEqual(
      [200, 401],
    );
    expect((await requestSite(edge, 'app', '/', { headers: createBasicAuthorization('abre-te') })).status).toBe(200);
    await setPolicy(core, 'subdomains/app', { access: { ips: [OFFICE], password: 'abre-te', require: 'all' } });
    expect([(await requestSite(edge, 'app', '/', {}, OFFICE)).status, (await requestSite(edge, 'app')).status]).toEqual(
      [401, 403],
    );
  });

  test('is not accepted after 20 wrong passwords from the same address', async () => {
    await setPolicy(core, 'subdomains/app', { access: { password: 'abre-te' } });
    const sendPassword = (password: string) => sendPasswordForm('app', `password=${password}`, '192.0.2.55');
    for (let guess = 0; guess < 20; guess += 1)
      expect(getHeader(await sendPassword(`errada${guess}`), 'location')).toMatch(/wrong$/);
    expect(getHeader(await sendPassword('abre-te'), 'location')).toBe('/?studio-access=limited');
  });

  test('cannot be guessed with Basic authentication more often than with the form', async () => {
    const singleWorkerEdge = await new Edge(core, { TRUSTED_PROXIES: '127.0.0.1', EDGE_WORKERS: '1' }).start();
    await setPolicy(core, 'subdomains/app', { access: { password: 'abre-te' } });
    const guess = async (password: string, clientAddress: string) => {
      const headers = [['X-Forwarded-For', clientAddress], ...createBasicAuthorization(password)] as const;
      return (await sendRequest(singleWorkerEdge.port, { host: 'app.localhost', headers })).status;
    };
    expect(await guess('abre-te', OFFICE)).toBe(200);
    for (let turn = 0; turn < 21; turn += 1) expect(await guess(`errada${turn}`, '192.0.2.56')).toBe(401);
    expect([await guess('abre-te', '192.0.2.56'), await guess('abre-te', OFFICE)]).toEqual([401, 200]);
    // The limit also holds for a client that has sent the right password before.
    for (let turn = 0; turn < 21; turn += 1) expect(await guess(`errada${turn}`, OFFICE)).toBe(401);
    expect(await guess('abre-te', OFFICE)).toBe(401);
    await singleWorkerEdge.stop();
  });

  test('of a site or of the console is still accepted after too many wrong passwords elsewhere', async () => {
    const address = '192.0.2.57';
    const sendPassword = (site: string, password: string) => sendPasswordForm(site, `password=${password}`, address);
    await setPolicy(core, `tenants/${tenantId}`, { access: { password: 'abre-te' } });
    for (const site of ['app', 'loja', 'pasta']) {
      await setPolicy(core, `subdomains/${site}`, { access: { password: 'abre-te' } });
      for (let turn = 0; turn < 20; turn += 1)
        expect(getHeader(await sendPassword(site, 'errada'), 'location')).toMatch(/wrong$/);
      expect(getHeader(await sendPassword(site, 'errada'), 'location')).toMatch(/limited$/);
    }
    const logIn = async (body: { username: string; password: string }) =>
      (await core.request('POST', '/login', { body, token: null, headers: { 'X-Forwarded-For': address } })).status;
    // The failures at a site are counted under such a username, and a login must not add to them.
    for (let turn = 0; turn < 20; turn += 1)
      expect(await logIn({ username: ` site ${tenantId}`, password: 'errada' })).toBe(401);
    expect(getHeader(await sendPassword('bar', 'abre-te'), 'location')).toBe('/');
    expect(await logIn(ADMINISTRATOR)).toBe(200);
  });

  test('protects a preview', async () => {
    const response = await sendPackage(
      core,
      '/subdomains/loja/versions?activate=false',
      'gzip',
      await createTar({ 'index.html': 'nova' }),
    );
    const { _id, previewUrl } = response.body;
    const preview = new URL(previewUrl).hostname.replace('.localhost', '');
    const { body } = await core.request('PUT', `/versions/${_id}/preview`, { body: { password: 'para o cliente' } });
    expect([body.previewHasPassword, JSON.stringify(body)]).toEqual([true, expect.not.stringContaining('argon2')]);
    await waitFor('the password of the preview', async () => (await requestSite(edge, preview)).status === 401);
    const formResponse = await sendPasswordForm(preview, 'password=para+o+cliente&to=/');
    const headers = [['Cookie', (getHeader(formResponse, 'set-cookie') ?? '').split(';')[0] ?? '']] as const;
    const page = await requestSite(edge, preview, '/', { headers });
    expect([page.status, page.text, getHeader(page, 'x-robots-tag')]).toEqual([200, 'nova', 'noindex']);
  });
});

test('the rate limit of a host counts each client separately', async () => {
  await setPolicy(core, 'subdomains/app', { rate: { requests: 5, seconds: 10 } });
  const statuses: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) statuses.push((await requestSite(edge, 'app', '/', {}, '192.0.2.1')).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  const response = await requestSite(edge, 'app', '/', {}, '192.0.2.1');
  // A client waits at most a tenth longer than the window (rate-window.test.ts).
  expect([response.status, getHeader(response, 'retry-after')]).toEqual([
    429,
    expect.stringMatching(/^([1-9]|1[01])$/),
  ]);
  expect((await requestSite(edge, 'app', '/', {}, '192.0.2.2')).status).toBe(200);
});

test('the headers of a site replace headers of the upstream and of files, also on errors', async () => {
  await setPolicy(core, 'subdomains/app', { headers: [{ name: 'X-Frame-Options', value: 'DENY' }], noindex: true });
  const response = await requestSite(edge, 'app');
  expect(response.headers.filter(([name]) => name.toLowerCase() === 'x-frame-options')).toEqual([
    ['X-Frame-Options', 'DENY'],
  ]);
  expect(getHeader(response, 'x-robots-tag')).toBe('noindex');
  await setPolicy(core, 'subdomains/loja', { headers: [{ name: 'X-Site', value: 'um' }] });
  for (const path of ['/a.txt', '/nada', '/x'])
    expect([path, getHeader(await requestSite(edge, 'loja', path), 'x-site')]).toEqual([path, 'um']);
});

describe('a protected site', () => {
  /** An address that has not sent a wrong password. */
  const VISITOR = '192.0.2.77';
  const PAGES = [
    ['loja', '/a.txt'],
    ['pasta', '/a.txt'],
    ['app', '/publico'],
    ['app', '/'],
  ] as const;
  const CACHING = /^(?:cache-control|cdn-cache-control|surrogate-control)$/i;
  /** Returns the header fields for caches in the response of each page. */
  const listCacheHeaders = async (headers: RequestOptions['headers']) => {
    const fields: string[][] = [];
    for (const [site, path] of PAGES) {
      const response = await requestSite(edge, site, path, { headers }, VISITOR);
      expect([site, path, response.status]).toEqual([site, path, 200]);
      fields.push(response.headers.filter(([name]) => CACHING.test(name)).map((field) => field.join(': ')));
    }
    return fields;
  };
  const setAccess = async (access: object | null) => {
    for (const site of ['loja', 'pasta', 'app']) await setPolicy(core, `subdomains/${site}`, { access });
  };

  test.each([
    ['a password', { password: 'abre-te' }],
    ['an address list', { ips: [VISITOR] }],
  ])('lets no shared cache store the responses behind %s', async (_name, access) => {
    await setAccess(access);
    expect(await listCacheHeaders(createBasicAuthorization('abre-te'))).toEqual([
      ['Cache-Control: private, max-age=60'],
      ['Cache-Control: private, no-cache'],
      ['Cache-Control: private, max-age=60', 'Cache-Control: private'],
      ['Cache-Control: private'],
    ]);
    await setAccess(null);
    expect(await listCacheHeaders([])).toEqual([
      ['Cache-Control: public, max-age=60', 'CDN-Cache-Control: max-age=600'],
      ['Cache-Control: no-cache'],
      [
        'Cache-Control: public, max-age=60, s-maxage=600',
        'CDN-Cache-Control: max-age=600',
        'Surrogate-Control: max-age=600',
      ],
      [],
    ]);
  });
});

test('maintenance shows its text, lets chosen addresses pass, and ends at the given time', async () => {
  const endsAt = new Date(Date.now() + 3_000).toISOString();
  const maintenance = { text: 'Voltamos <logo>\nàs 9h', until: endsAt, bypassIps: [OFFICE] };
  await setPolicy(core, 'subdomains/app', { maintenance, branding: { name: 'Loja', logoPng: PNG.toString('base64') } });
  const page = await requestSite(edge, 'app');
  expect([page.status, getHeader(page, 'retry-after')]).toEqual([503, expect.stringMatching(/^[1-3]$/)]);
  expect(page.text).toContain('Voltamos &#60;logo&#62;<br>às 9h');
  expect(page.text).toContain(`<img src="data:image/png;base64,${PNG.toString('base64')}" alt="Loja">`);
  expect((await requestSite(edge, 'app', '/', {}, OFFICE)).status).toBe(200);
  await waitFor('the end of the maintenance', async () => (await requestSite(edge, 'app')).status === 200);
});

test('the redirects and the body limit of a site apply', async () => {
  await setPolicy(core, 'subdomains/app', {
    redirects: [
      { from: '/velho/*', to: '/novo/:splat', status: 301 },
      { from: '/fora', to: 'https://exemplo.com/', status: 302 },
    ],
    maxBodyMb: 1,
  });
  const redirect = await requestSite(edge, 'app', '/velho/a%20b?c=1');
  expect([redirect.status, getHeader(redirect, 'location')]).toEqual([301, '/novo/a%20b?c=1']);
  expect(getHeader(await requestSite(edge, 'app', '/fora'), 'location')).toBe('https://exemplo.com/');
  expect((await requestSite(edge, 'app', '/velho/..%2f')).status).toBe(200);
  expect((await requestSite(edge, 'app', '/', { method: 'POST', body: 'x'.repeat(1024 ** 2 + 1) })).status).toBe(413);
});

describe('the redirects of a site', () => {
  const createRedirect = (from: string, to: string) => ({ from, to, status: 301 });

  test.each([
    ['/*', [createRedirect('/*', '/:splat')]],
    ['/a', [createRedirect('/a', '/a')]],
    ['/a', [createRedirect('/a', '/a/?b=1#c')]],
    ['/a', [createRedirect('/a', '/b'), createRedirect('/b', '/a')]],
    ['/*', [createRedirect('/*', 'https://app.localhost/:splat')]],
    ['/velho/*', [createRedirect('/velho/*', '/velho/novo/:splat')]],
    ['/:ano/ç', [createRedirect('/x', '/y'), createRedirect('/:ano/ç', '/2026/%C3%A7')]],
  ])('are refused if the redirect of %s never reaches a page: %j', async (from, redirects) => {
    const { status, body } = await core.request('PUT', '/subdomains/app/policy', { body: { redirects } });
    expect([status, body.fields]).toEqual([400, { redirects: messages.endlessRedirect(from) }]);
  });

  test('are refused if all paths lead to the `www` host of an own domain', async () => {
    await createSubdomain(core, 'enderecos', { port: 4000 });
    await core.create('/subdomains/enderecos/domains', { host: 'endereco.com.br' });
    const redirects = [createRedirect('/*', 'https://www.endereco.com.br/:splat')];
    const { status, body } = await core.request('PUT', '/subdomains/enderecos/policy', { body: { redirects } });
    expect([status, body.fields]).toEqual([400, { redirects: messages.endlessRedirect('/*') }]);
  });

  describe('with a wildcard domain', () => {
    const saveRedirect = (to: string) =>
      core.request('PUT', '/subdomains/curinga/policy', { body: { redirects: [createRedirect('/*', to)] } });
    beforeAll(async () => {
      const { _id } = await createSubdomain(core, 'curinga', { port: 4000 });
      // A wildcard needs a DNS record as proof, so the claim is stored by SQL.
      await core.query(`INSERT INTO host_claims (host, "subdomainId") VALUES ('*.curinga.com.br', '${_id}')`);
      await createSubdomain(core, 'principal', { port: 4000 });
      for (const host of ['curinga.com.br', 'loja.curinga.com.br'])
        await core.create('/subdomains/principal/domains', { host });
    });

    test('are refused if all paths lead to a host that only the wildcard matches', async () => {
      expect((await saveRedirect('https://outra.curinga.com.br/:splat')).status).toBe(400);
    });

    test.each(['www.curinga.com.br', 'loja.curinga.com.br'])(
      'are accepted if all paths lead to %s, a host of another site',
      async (host) => {
        expect((await saveRedirect(`https://${host}/:splat`)).status).toBe(200);
      },
    );
  });

  test('are refused if the host of a target has a placeholder', async () => {
    const redirects = [createRedirect('/a/*', 'https://:splat/x')];
    const { status, body } = await core.request('PUT', '/subdomains/app/policy', { body: { redirects } });
    expect([status, body.fields]).toEqual([400, { redirects: messages.redirects }]);
  });

  test.each([
    ['a path redirects to another host', [createRedirect('/*', 'https://exemplo.com/:splat')]],
    ['a redirect leads to the source of another redirect', [createRedirect('/a', '/b'), createRedirect('/b', '/c')]],
    [
      'an earlier redirect ends the chain of a later one',
      [createRedirect('/entrada', 'https://exemplo.com/'), createRedirect('/*', '/entrada')],
    ],
  ])('are accepted if %s', async (_case, redirects) => {
    expect(await setPolicy(core, 'subdomains/app', { redirects })).toMatchObject({ redirects });
  });
});

test('a tenant inherits the rules of its project, and may replace or switch off each rule', async () => {
  await setPolicy(core, `projects/${projectId}`, {
    access: { ips: [OFFICE] },
    headers: [{ name: 'X-Site', value: 'projeto' }],
  });
  expect([
    (await requestSite(edge, 'bar')).status,
    getHeader(await requestSite(edge, 'bar', '/', {}, OFFICE), 'x-site'),
  ]).toEqual([403, 'projeto']);
  await setPolicy(core, `tenants/${tenantId}`, { access: false, headers: [{ name: 'X-Site', value: 'tenant' }] });
  const response = await requestSite(edge, 'bar');
  expect([response.status, getHeader(response, 'x-site')]).toEqual([200, 'tenant']);
});

describe('the rules of a site', () => {
  test('are read without the password, and cannot be changed with an outdated version', async () => {
    const firstPolicy = await setPolicy(core, 'subdomains/pasta', { access: { password: 'segredo' }, noindex: true });
    expect([firstPolicy.access, firstPolicy.noindex]).toEqual([{ ips: [], password: true, require: 'all' }, true]);
    const responseWithKeptPassword = await core.request('PUT', '/subdomains/pasta/policy', {
      body: { access: { ips: [OFFICE], password: true } },
      headers: { 'If-Match': `"${firstPolicy.version}"` },
    });
    expect([
      responseWithKeptPassword.status,
      responseWithKeptPassword.body.access,
      responseWithKeptPassword.body.noindex,
    ]).toEqual([200, { ips: [OFFICE], password: true, require: 'all' }, true]);
    const staleResponse = await core.request('PUT', '/subdomains/pasta/policy', {
      body: {},
      headers: { 'If-Match': `"${firstPolicy.version}"` },
    });
    expect(staleResponse.status).toBe(412);
    const { entries } = (await core.request('GET', '/audit?entity=policy&limit=1')).body;
    expect([entries[0].name, JSON.stringify(entries[0])]).toEqual(['pasta', expect.not.stringContaining('argon2')]);
  });

  test.each([
    { headers: [{ name: 'Set-Cookie', value: 'a=b' }] },
    { headers: [{ name: 'Location', value: '/' }] },
    { headers: [{ name: 'Transfer-Encoding', value: 'chunked' }] },
    { headers: [{ name: 'X-Tenant-Id', value: '1' }] },
    { headers: [{ name: 'X-Forwarded-For', value: '1' }] },
    { headers: [{ name: 'X-A', value: 'b\r\nSet-Cookie: a=b' }] },
    { headers: [{ name: 'Strict-Transport-Security', value: 'max-age=1; preload' }] },
    { redirects: [{ from: 'a', to: '/b', status: 301 }] },
    { redirects: [{ from: '/a', to: '//b', status: 301 }] },
    { redirects: [{ from: '/a', to: '/\\b', status: 301 }] },
    { redirects: [{ from: '/a', to: 'javascript:alert(1)', status: 301 }] },
    { redirects: [{ from: '/a', to: '/b', status: 200 }] },
    { maxBodyMb: 2000 },
    { timeoutSeconds: 0 },
  ])('are refused if they contain %j', async (body) => {
    const { status, body: responseBody } = await core.request('PUT', '/subdomains/pasta/policy', { body });
    expect([status, Object.keys(responseBody.fields)]).toEqual([400, Object.keys(body)]);
  });

  test.each([
    ['access.ips', { access: { ips: ['10.0.0.0/33'] } }, messages.ips],
    ['access.password', { access: {} }, messages.emptyAccess],
    ['access.password', { access: { password: true } }, messages.noPassword],
    ['access.password', { access: { password: 'abc' } }, messages.password],
    ['rate.requests', { rate: { requests: 0, seconds: 1 } }, messages.rate],
    ['maintenance.text', { maintenance: { text: '' } }, messages.maintenanceText],
    ['maintenance.until', { maintenance: { text: 'x', until: 'amanhã' } }, messages.until],
    ['maintenance.bypassIps', { maintenance: { text: 'x', bypassIps: ['x'] } }, messages.ips],
    ['branding.accent', { branding: { accent: 'red' } }, messages.accent],
    ['branding.logoPng', { branding: { logoPng: Buffer.from('GIF89a').toString('base64') } }, messages.logo],
  ])('are refused with a message for the field %s', async (field, body, message) => {
    const { status, body: responseBody } = await core.request('PUT', '/subdomains/pasta/policy', { body });
    expect([status, responseBody.fields]).toEqual([400, { [field]: message }]);
  });
});
