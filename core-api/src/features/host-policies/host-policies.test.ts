import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../scripts/testing/stack';
import { Core, listen } from '../../testing/core';
import { Edge, getHeader, type RequestOptions, sendRequest } from '../../testing/edge';
import { createSubdomain } from '../../testing/records';
import { createTar, sendPackage } from '../sites/testing/packages';
import { policyMessages as messages } from './host-policies.messages';

const OFFICE = '203.0.113.7';
const HOME = '198.51.100.9';
const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(40)]);

let core: Core;
/** Trusts `X-Forwarded-For`, so that tests can choose the client's address. */
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let project: { _id: string };
let tenant: { _id: string };
beforeAll(async () => {
  upstream = await listen((request, response) => {
    response.setHeader('X-Frame-Options', 'ALLOWALL');
    if (request.url === '/publico') {
      response.setHeader('Cache-Control', 'public, max-age=60, s-maxage=600');
      response.setHeader('CDN-Cache-Control', 'max-age=600');
      response.setHeader('Surrogate-Control', 'max-age=600');
    }
    response.end(JSON.stringify({ url: request.url, headers: request.headers }));
  });
  core = await new Core().start();
  edge = await new Edge(core, { TRUSTED_PROXIES: '127.0.0.1' }).start();
  const folder = join(core.sites, 'pasta');
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (const name of ['index.html', 'sobre.html', 'a.txt', 'docs/index.html']) writeFileSync(join(folder, name), name);
  await createSubdomain(core, 'app', { port: upstream.port });
  await core.create('/subdomains', { subdomain: 'pasta', description: 'x', type: 'static', staticPath: folder });
  await core.create('/subdomains', {
    subdomain: 'loja',
    description: 'x',
    type: 'static',
    source: 'versions',
    apiPort: upstream.port,
  });
  const files = {
    'index.html': 'loja',
    'a.txt': 'a',
    'docs/index.html': 'docs',
    '404.html': 'nada',
    _headers: '/a.txt\n  Cache-Control: public, max-age=60\n  CDN-Cache-Control: max-age=600',
    _redirects: '/x /y 302',
  };
  await sendPackage(core, '/subdomains/loja/versions', 'gzip', await createTar(files));
  project = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: upstream.port });
  tenant = await core.create('/tenants', { name: 'Bar', subdomain: 'bar', project: project._id });
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

const NO_RULES = {
  access: null,
  redirects: null,
  headers: null,
  noindex: null,
  rate: null,
  maxBodyMb: null,
  timeoutSeconds: null,
  maintenance: null,
  branding: null,
};
/** Sets the rules of a site. Rules that are absent from `body` are removed. */
async function setPolicy(owner: string, body: object) {
  const { status, body: responseBody } = await core.request('PUT', `/${owner}/policy`, {
    body: { ...NO_RULES, ...body },
  });
  expect([status, responseBody.error]).toEqual([200, undefined]);
  const revision = Number((await core.query('SELECT value FROM configuration_revision'))[0]?.value);
  await waitFor('the rules at the edge', async () => {
    const rows = await core.query('SELECT revision FROM edges');
    return rows.length > 0 && rows.every((row) => Number(row.revision) >= revision);
  });
  return responseBody;
}
const requestSite = (
  host: string,
  path = '/',
  { headers = [], ...otherOptions }: RequestOptions = {},
  clientAddress = HOME,
) =>
  sendRequest(edge.port, {
    host: `${host}.localhost`,
    path,
    headers: [['X-Forwarded-For', clientAddress], ...headers],
    ...otherOptions,
  });
const BROWSER = [['Accept', 'text/html']] as const;
const UPGRADE = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
] as const;
const createBasicAuthorization = (password: string) =>
  [['Authorization', `Basic ${Buffer.from(`x:${password}`).toString('base64')}`]] as const;

describe('the address list', () => {
  test('covers pages, files, the API, WebSockets and unknown paths', async () => {
    await setPolicy('subdomains/loja', { access: { ips: ['203.0.113.0/24'] } });
    for (const path of ['/', '/a.txt', '/api/x', '/nada']) {
      expect([path, (await requestSite('loja', path)).status]).toEqual([path, 403]);
      expect([path, (await requestSite('loja', path, {}, OFFICE)).status]).not.toEqual([path, 403]);
    }
    expect((await requestSite('loja', '/api/ws', { headers: UPGRADE })).status).toBe(403);
    await setPolicy('subdomains/loja', {});
    expect((await requestSite('loja')).status).toBe(200);
  });

  test('ignores an address that a client claims', async () => {
    const strictEdge = await new Edge(core).start();
    await setPolicy('subdomains/loja', { access: { ips: ['203.0.113.0/24'] } });
    const requestForged = async (path: string, headers: RequestOptions['headers'] = []) =>
      (
        await sendRequest(strictEdge.port, {
          host: 'loja.localhost',
          path,
          headers: [['X-Forwarded-For', OFFICE], ...headers],
        })
      ).status;
    expect([await requestForged('/'), await requestForged('/api/x'), await requestForged('/api/ws', UPGRADE)]).toEqual([
      403, 403, 403,
    ]);
    await strictEdge.stop();
    await setPolicy('subdomains/loja', {});
  });
});

describe('the password', () => {
  test('is entered in a form, whose cookie is valid for this host only', async () => {
    await setPolicy('subdomains/loja', {
      access: { password: 'abre-te' },
      branding: { name: 'Loja & Cia', accent: '#aa0000' },
    });
    const page = await requestSite('loja', '/a.txt?x=1', { headers: BROWSER });
    expect([page.status, getHeader(page, 'www-authenticate')]).toEqual([401, undefined]);
    expect(page.text).toContain('Loja &#38; Cia');
    expect(page.text).toContain('value="/a.txt?x=1"');
    const sendForm = (password: string) =>
      requestSite('loja', '/.well-known/studio-access', {
        method: 'POST',
        headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        body: `password=${password}&to=%2Fa.txt%3Fx%3D1`,
      });
    const wrong = await sendForm('errada');
    expect([wrong.status, getHeader(wrong, 'location')]).toEqual([303, '/a.txt?x=1&studio-access=wrong']);
    expect((await requestSite('loja', '/a.txt?studio-access=wrong', { headers: BROWSER })).text).toContain(
      'Senha incorreta.',
    );
    const compressed = await requestSite('loja', '/.well-known/studio-access', {
      method: 'POST',
      headers: [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Content-Encoding', 'br'],
      ],
      body: 'compressed',
    });
    expect(compressed.status).toBe(415);
    const right = await sendForm('abre-te');
    expect([right.status, getHeader(right, 'location')]).toEqual([303, '/a.txt?x=1']);
    const cookie = getHeader(right, 'set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-studio-access=[^;]+; Path=\/; Max-Age=604800; Secure; HttpOnly; SameSite=Lax$/);
    expect(getHeader(right, 'strict-transport-security')).toBeUndefined();
    const headers = [['Cookie', `a=b; ${cookie.split(';')[0]}`]] as const;
    expect((await requestSite('loja', '/a.txt', { headers })).text).toBe('a');
    await setPolicy('subdomains/app', { access: { password: 'abre-te' } });
    expect((await requestSite('app', '/', { headers })).status).toBe(401);
    await setPolicy('subdomains/app', {});
    await setPolicy('subdomains/loja', { access: { password: 'outra senha' } });
    expect((await requestSite('loja', '/a.txt', { headers })).status).toBe(401);
    await setPolicy('subdomains/loja', {});
  });

  test('may be sent with Basic authentication, which, unlike any other Authorization, is not forwarded', async () => {
    await setPolicy('subdomains/app', { access: { password: 'abre-te' } });
    const challenge = await requestSite('app');
    expect([challenge.status, getHeader(challenge, 'www-authenticate')]).toEqual([
      401,
      'Basic realm="site", charset="UTF-8"',
    ]);
    expect((await requestSite('app', '/', { headers: createBasicAuthorization('errada') })).status).toBe(401);
    const authorized = await requestSite('app', '/', { headers: createBasicAuthorization('abre-te') });
    expect([authorized.status, JSON.parse(authorized.text).headers.authorization]).toEqual([200, undefined]);
    await setPolicy('subdomains/app', {});
    const bearer = await requestSite('app', '/', { headers: [['Authorization', 'Bearer x']] });
    expect(JSON.parse(bearer.text).headers.authorization).toBe('Bearer x');
  });

  test('is not needed from listed addresses if the rule requires either an address or the password', async () => {
    await setPolicy('subdomains/app', { access: { ips: [OFFICE], password: 'abre-te', require: 'any' } });
    expect([(await requestSite('app', '/', {}, OFFICE)).status, (await requestSite('app')).status]).toEqual([200, 401]);
    expect((await requestSite('app', '/', { headers: createBasicAuthorization('abre-te') })).status).toBe(200);
    await setPolicy('subdomains/app', { access: { ips: [OFFICE], password: 'abre-te', require: 'all' } });
    expect([(await requestSite('app', '/', {}, OFFICE)).status, (await requestSite('app')).status]).toEqual([401, 403]);
    await setPolicy('subdomains/app', {});
  });

  test('is protected by limits against guesses', async () => {
    await setPolicy('subdomains/app', { access: { password: 'abre-te' } });
    const sendForm = (password: string) =>
      requestSite(
        'app',
        '/.well-known/studio-access',
        {
          method: 'POST',
          headers: [['Content-Type', 'application/x-www-form-urlencoded']],
          body: `password=${password}`,
        },
        '192.0.2.55',
      );
    for (let guess = 0; guess < 20; guess += 1)
      expect(getHeader(await sendForm(`errada${guess}`), 'location')).toMatch(/wrong$/);
    expect(getHeader(await sendForm('abre-te'), 'location')).toBe('/?studio-access=limited');
    await setPolicy('subdomains/app', {});
  });

  test('cannot be guessed with Basic authentication more often than with the form', async () => {
    const singleWorkerEdge = await new Edge(core, { TRUSTED_PROXIES: '127.0.0.1', EDGE_WORKERS: '1' }).start();
    await setPolicy('subdomains/app', { access: { password: 'abre-te' } });
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
    await setPolicy('subdomains/app', {});
  });

  test('has separate failure counters, which lock nobody out of another site or of the console', async () => {
    const address = '192.0.2.57';
    const sendForm = (site: string, password: string) => {
      const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
      const body = `password=${password}`;
      return requestSite(site, '/.well-known/studio-access', { method: 'POST', headers, body }, address);
    };
    for (const site of ['app', 'loja', 'pasta', 'bar']) {
      await setPolicy(site === 'bar' ? `tenants/${tenant._id}` : `subdomains/${site}`, {
        access: { password: 'abre-te' },
      });
      if (site === 'bar') break;
      for (let turn = 0; turn < 20; turn += 1)
        expect(getHeader(await sendForm(site, 'errada'), 'location')).toMatch(/wrong$/);
      expect(getHeader(await sendForm(site, 'errada'), 'location')).toMatch(/limited$/);
    }
    expect(getHeader(await sendForm('bar', 'abre-te'), 'location')).toBe('/');
    const login = await core.request('POST', '/login', {
      body: ADMINISTRATOR,
      token: null,
      headers: { 'X-Forwarded-For': address },
    });
    expect(login.status).toBe(200);
    for (const site of ['app', 'loja', 'pasta']) await setPolicy(`subdomains/${site}`, {});
    await setPolicy(`tenants/${tenant._id}`, {});
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
    await waitFor('the password of the preview', async () => (await requestSite(preview)).status === 401);
    const form = await requestSite(preview, '/.well-known/studio-access', {
      method: 'POST',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'password=para+o+cliente&to=/',
    });
    const headers = [['Cookie', (getHeader(form, 'set-cookie') ?? '').split(';')[0] ?? '']] as const;
    const page = await requestSite(preview, '/', { headers });
    expect([page.status, page.text, getHeader(page, 'x-robots-tag')]).toEqual([200, 'nova', 'noindex']);
  });
});

test('the rate limit of a host counts each client separately', async () => {
  await setPolicy('subdomains/app', { rate: { requests: 5, seconds: 10 } });
  const statuses: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) statuses.push((await requestSite('app', '/', {}, '192.0.2.1')).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  const response = await requestSite('app', '/', {}, '192.0.2.1');
  expect([response.status, Number(getHeader(response, 'retry-after'))]).toEqual([429, expect.any(Number)]);
  expect((await requestSite('app', '/', {}, '192.0.2.2')).status).toBe(200);
  await setPolicy('subdomains/app', {});
});

test('the headers of a site replace headers of the upstream and of files, also on errors', async () => {
  await setPolicy('subdomains/app', { headers: [{ name: 'X-Frame-Options', value: 'DENY' }], noindex: true });
  const response = await requestSite('app');
  expect(response.headers.filter(([name]) => name.toLowerCase() === 'x-frame-options')).toEqual([
    ['X-Frame-Options', 'DENY'],
  ]);
  expect(getHeader(response, 'x-robots-tag')).toBe('noindex');
  await setPolicy('subdomains/loja', { headers: [{ name: 'X-Site', value: 'um' }] });
  for (const path of ['/a.txt', '/nada', '/x'])
    expect([path, getHeader(await requestSite('loja', path), 'x-site')]).toEqual([path, 'um']);
  await setPolicy('subdomains/loja', {});
  await setPolicy('subdomains/app', {});
});

describe('responses that only some visitors may read are not stored by shared caches', () => {
  /** An address that has not sent a wrong password. */
  const VISITOR = '192.0.2.77';
  const PAGES = [
    ['loja', '/a.txt'],
    ['pasta', '/a.txt'],
    ['app', '/publico'],
    ['app', '/'],
  ] as const;
  const CACHING = /^(?:cache-control|cdn-cache-control|surrogate-control)$/i;
  /** Returns the header fields of each page that control caches. */
  const listCacheHeaders = async (headers: RequestOptions['headers']) => {
    const fields: string[][] = [];
    for (const [site, path] of PAGES) {
      const response = await requestSite(site, path, { headers }, VISITOR);
      expect([site, path, response.status]).toEqual([site, path, 200]);
      fields.push(response.headers.filter(([name]) => CACHING.test(name)).map((field) => field.join(': ')));
    }
    return fields;
  };
  const setAccess = async (access: object | null) => {
    for (const site of ['loja', 'pasta', 'app']) await setPolicy(`subdomains/${site}`, { access });
  };

  test.each([
    ['a password', { password: 'abre-te' }],
    ['an address list', { ips: [VISITOR] }],
  ])('behind %s', async (_name, access) => {
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

test('maintenance shows its text, lets chosen addresses pass and ends without a save', async () => {
  const endsAt = new Date(Date.now() + 3_000).toISOString();
  const maintenance = { text: 'Voltamos <logo>\nàs 9h', until: endsAt, bypassIps: [OFFICE] };
  await setPolicy('subdomains/app', { maintenance, branding: { name: 'Loja', logoPng: PNG.toString('base64') } });
  const page = await requestSite('app');
  expect([page.status, Number(getHeader(page, 'retry-after'))]).toEqual([503, expect.any(Number)]);
  expect(page.text).toContain('Voltamos &#60;logo&#62;<br>às 9h');
  expect(page.text).toContain(`<img src="data:image/png;base64,${PNG.toString('base64')}" alt="Loja">`);
  expect((await requestSite('app', '/', {}, OFFICE)).status).toBe(200);
  await waitFor('the end of the maintenance', async () => (await requestSite('app')).status === 200);
  await setPolicy('subdomains/app', {});
});

test('the redirects and the body limit of a site apply', async () => {
  await setPolicy('subdomains/app', {
    redirects: [
      { from: '/velho/*', to: '/novo/:splat', status: 301 },
      { from: '/fora', to: 'https://exemplo.com/', status: 302 },
    ],
    maxBodyMb: 1,
  });
  const redirected = await requestSite('app', '/velho/a%20b?c=1');
  expect([redirected.status, getHeader(redirected, 'location')]).toEqual([301, '/novo/a%20b?c=1']);
  expect(getHeader(await requestSite('app', '/fora'), 'location')).toBe('https://exemplo.com/');
  expect((await requestSite('app', '/velho/..%2f')).status).toBe(200);
  expect((await requestSite('app', '/', { method: 'POST', body: 'x'.repeat(1024 ** 2 + 1) })).status).toBe(413);
  await setPolicy('subdomains/app', {});
});

describe('redirects that never reach a page are refused', () => {
  const createRedirect = (from: string, to: string) => ({ from, to, status: 301 });
  const putRedirects = (redirects: object[]) => core.request('PUT', '/subdomains/app/policy', { body: { redirects } });

  test.each([
    ['/*', [createRedirect('/*', '/:splat')]],
    ['/a', [createRedirect('/a', '/a')]],
    ['/a', [createRedirect('/a', '/a/?b=1#c')]],
    ['/a', [createRedirect('/a', '/b'), createRedirect('/b', '/a')]],
    ['/*', [createRedirect('/*', 'https://app.localhost/:splat')]],
    ['/velho/*', [createRedirect('/velho/*', '/velho/novo/:splat')]],
    ['/:ano/ç', [createRedirect('/x', '/y'), createRedirect('/:ano/ç', '/2026/%C3%A7')]],
  ])('the redirect of %s in %j', async (from, redirects) => {
    const { status, body } = await putRedirects(redirects);
    expect([status, body.fields]).toEqual([400, { redirects: messages.endlessRedirect(from) }]);
  });

  test.each([
    ['to another host', [createRedirect('/*', 'https://exemplo.com/:splat')]],
    ['to the source of another redirect', [createRedirect('/a', '/b'), createRedirect('/b', '/c')]],
    [
      'with an exception before it',
      [createRedirect('/entrada', 'https://exemplo.com/'), createRedirect('/*', '/entrada')],
    ],
  ])('a redirect %s is accepted', async (_case, redirects) => {
    expect((await putRedirects(redirects)).status).toBe(200);
    await setPolicy('subdomains/app', {});
  });
});

test('a tenant inherits the rules of its project, replaces one rule and switches off a different rule', async () => {
  await setPolicy(`projects/${project._id}`, {
    access: { ips: [OFFICE] },
    headers: [{ name: 'X-Site', value: 'projeto' }],
  });
  expect([(await requestSite('bar')).status, getHeader(await requestSite('bar', '/', {}, OFFICE), 'x-site')]).toEqual([
    403,
    'projeto',
  ]);
  await setPolicy(`tenants/${tenant._id}`, { access: false, headers: [{ name: 'X-Site', value: 'tenant' }] });
  const response = await requestSite('bar');
  expect([response.status, getHeader(response, 'x-site')]).toEqual([200, 'tenant']);
  await setPolicy(`tenants/${tenant._id}`, {});
  await setPolicy(`projects/${project._id}`, {});
});

describe('the rules of a site', () => {
  test('are read without the password, and changed with the current version', async () => {
    const first = await setPolicy('subdomains/pasta', { access: { password: 'segredo' }, noindex: true });
    expect([first.access, first.noindex]).toEqual([{ ips: [], password: true, require: 'all' }, true]);
    const unchanged = await core.request('PUT', '/subdomains/pasta/policy', {
      body: { access: { ips: [OFFICE], password: true } },
      headers: { 'If-Match': `"${first.version}"` },
    });
    expect([unchanged.status, unchanged.body.access, unchanged.body.noindex]).toEqual([
      200,
      { ips: [OFFICE], password: true, require: 'all' },
      true,
    ]);
    const stale = await core.request('PUT', '/subdomains/pasta/policy', {
      body: {},
      headers: { 'If-Match': `"${first.version}"` },
    });
    expect(stale.status).toBe(412);
    const { entries } = (await core.request('GET', '/audit?entity=policy&limit=1')).body;
    expect([entries[0].name, JSON.stringify(entries[0])]).toEqual(['pasta', expect.not.stringContaining('argon2')]);
    await setPolicy('subdomains/pasta', {});
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
    ['access.ips', { access: {} }, messages.emptyAccess],
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

describe('POST /hosts/test predicts the response of the edge', () => {
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

  test.each(policies)('with %j', async (policy) => {
    for (const site of ['loja', 'pasta']) await setPolicy(`subdomains/${site}`, policy);
    for (const { host, path, from = HOME, password, accept = '*/*', method = 'GET' } of requests) {
      const url = `http://${host}.localhost${path}`;
      const result = (
        await core.request('POST', '/hosts/test', { body: { url, method, address: from, password, accept } })
      ).body;
      const headers = [['Accept', accept], ...(password ? createBasicAuthorization(password) : [])] as const;
      const edgeResponse = await requestSite(host, path, { method, headers }, from);
      expect([host, path, result.status, result.location]).toEqual([
        host,
        path,
        edgeResponse.status,
        getHeader(edgeResponse, 'location') ?? null,
      ]);
    }
    for (const site of ['loja', 'pasta']) await setPolicy(`subdomains/${site}`, {});
  });

  test('with its steps, the owner of each rule, and the file', async () => {
    await setPolicy('subdomains/loja', { noindex: true, access: { ips: [OFFICE] } });
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
    const refused = (await core.request('POST', '/hosts/test', { body: { ...body, address: HOME } })).body;
    expect([refused.allowed, refused.status, refused.steps.at(-1)]).toMatchObject([
      false,
      403,
      { step: 'address', state: 'refused', from: 'own' },
    ]);
    await setPolicy('subdomains/loja', {});
  });

  test('with unsaved rules instead of the saved ones', async () => {
    await setPolicy('subdomains/loja', { access: { password: 'guardada' }, noindex: true });
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
    expect((await requestSite('loja', '/', { headers: createBasicAuthorization('guardada') })).status).toBe(200);
    await setPolicy('subdomains/loja', {});
  });

  test('of a URL with letters that a browser encodes', async () => {
    await setPolicy('subdomains/loja', { redirects: [{ from: '/velho/*', to: '/novo/:splat', status: 301 }] });
    const edgeResponse = await requestSite('loja', '/velho/a%C3%A7%C3%A3o');
    const body = { url: 'http://loja.localhost/velho/ação', address: HOME };
    const { status, location } = (await core.request('POST', '/hosts/test', { body })).body;
    expect([status, location]).toEqual([301, '/novo/a%C3%A7%C3%A3o']);
    expect([edgeResponse.status, getHeader(edgeResponse, 'location')]).toEqual([status, location]);
    await setPolicy('subdomains/loja', {});
  });

  test('and counts a wrong password against the caller, not against the tested IP address', async () => {
    await setPolicy('subdomains/app', { access: { password: 'abre-te' } });
    const isAllowed = async (password: string, address: string) => {
      const body = { url: 'http://app.localhost/', address, password };
      const headers = { 'X-Forwarded-For': '198.51.100.90' };
      return (await core.request('POST', '/hosts/test', { body, headers })).body.allowed;
    };
    for (let guess = 1; guess <= 20; guess += 1) expect(await isAllowed('errada', `203.0.113.${guess}`)).toBe(false);
    expect(await isAllowed('abre-te', '203.0.113.21')).toBe(false);
    const [, line] = createBasicAuthorization('abre-te')[0];
    expect((await requestSite('app', '/', { headers: [['Authorization', line]] }, '203.0.113.1')).status).not.toBe(401);
    await setPolicy('subdomains/app', {});
  });

  test('with a tenant whose project has rules too', async () => {
    await setPolicy(`projects/${project._id}`, { access: { ips: [OFFICE] } });
    const testHost = async (policy: object) =>
      (await core.request('POST', '/hosts/test', { body: { url: 'http://bar.localhost/', address: HOME, policy } }))
        .body;
    expect((await testHost({})).steps.at(-1)).toMatchObject({ step: 'address', state: 'refused', from: 'project' });
    expect((await testHost({ access: false })).allowed).toBe(true);
    await setPolicy(`projects/${project._id}`, {});
  });
});
