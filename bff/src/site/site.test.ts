import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type RunningServer, startBff } from '../testing/servers';
import { createWebBuild, SCRIPT, THEME_SCRIPT } from '../testing/web-build';

const BRAND = `Zé & "Filhos" <Ltda>`;
const UNREACHABLE_CORE = 'http://127.0.0.1:1';

const build = createWebBuild();
let bff: RunningServer;

beforeAll(async () => {
  bff = await startBff(UNREACHABLE_CORE, {
    webRoot: build.root,
    environment: { BASE_DOMAIN: 'estudio.example', BRAND_NAME: BRAND },
  });
});

afterAll(async () => {
  await bff.stop();
  build.remove();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(bff.url + path, { headers, redirect: 'manual' });

/** Sends a GET with exactly this path and these headers. `fetch` would normalise the path, Host or encoding. */
const getRaw = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const { hostname, port } = new URL(bff.url);
    request({ hostname, port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });

test.each([
  ['/', 'Início'],
  ['/login', 'Login'],
  ['/login/', 'Login'],
  ['/contact', 'Contato'],
  ['/admin', 'Console'],
  ['/admin?q=a', 'Console'],
  ['/gateway/keys', 'Console'],
  ['/sites/loja', 'Console'],
])('the path %s shows the page with the title %s', async (path, title) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toContain(`<h1>${title}</h1>`);
});

test.each([
  '/nada',
  '/gateway',
  '/index.html',
  '/404/index.html',
  '/assets/gone-123.js',
  '/.env',
  '/assets/%2e%2e/.env',
])('the path %s shows the 404 page', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('<h1>Página não encontrada</h1>');
});

test.each([
  ['/../../package.json', 404],
  ['/assets/..%2f..%2fpackage.json', 404],
  ['/%00', 404],
  ['/%zz', 400],
  ['//etc/passwd', 404],
  ['/assets\\..\\.env', 404],
])('the path %s reaches neither a file outside of the build nor a hidden file', async (path, expectedStatus) => {
  const { status, body } = await getRaw(path, {});
  expect(status).toBe(expectedStatus);
  expect(body.toString()).not.toMatch(/SECRET|root:|at \w+ \(/);
});

test('the login form, sent without JavaScript, redirects to the login page', async () => {
  const body = new URLSearchParams({ username: 'ana', password: 'segredo' });
  const response = await fetch(`${bff.url}/login`, { method: 'POST', body, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/login']);
});

test.each(['/%zz', '/assets/%E0%A4%A'])(
  'the path %s, which cannot be decoded, gets 400 in Portuguese',
  async (path) => {
    const response = await get(path);
    expect([response.status, await response.json()]).toEqual([400, { error: 'Requisição inválida.' }]);
  },
);

test('a DELETE of a page gets 404 in JSON', async () => {
  const response = await fetch(`${bff.url}/login`, { method: 'DELETE' });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ error: 'Caminho não encontrado.' });
});

test('a page allows its own inline scripts by hash, and nothing from other origins', async () => {
  const policy = (await get('/')).headers.get('content-security-policy') ?? '';
  const hash = createHash('sha256').update(THEME_SCRIPT).digest('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.match(/'unsafe-\w+'/g)).toEqual(["'unsafe-inline'"]);
  expect(policy).toContain("style-src 'self' 'unsafe-inline'");
  expect(policy).not.toMatch(/https?:|\*/);
});

test('every response carries the security headers', async () => {
  for (const path of ['/', '/nada', '/assets/entry-abc123.js', '/graphql', '/healthz']) {
    const { headers } = await get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});

test('HSTS is sent if the visitor came over TLS', async () => {
  const { headers } = await get('/', { 'x-forwarded-proto': 'https' });
  expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
});

test.each([
  ['estudio.example', 'http', 'http://estudio.example'],
  ['ESTUDIO.example.:8443', 'https', 'https://estudio.example:8443'],
  ['www.estudio.example', 'https', 'https://estudio.example'],
  ['evil.example', 'https', 'https://estudio.example'],
  ['estudio.example@evil.example', 'http', 'http://estudio.example'],
])('a page requested with Host %s over %s links to the origin %s', async (host, protocol, origin) => {
  const headers = { Host: host, 'X-Forwarded-Proto': protocol };
  const { body } = await getRaw('/', headers);
  expect(body.toString()).toContain(`<link rel="canonical" href="${origin}/"/>`);
  expect((await getRaw('/robots.txt', headers)).body.toString()).toBe(`Sitemap: ${origin}/sitemap.xml\n`);
});

test('the brand and the year are filled in, escaped for HTML and JSON', async () => {
  const html = await (await get('/')).text();
  expect(html).toContain('<title>Início | Zé &amp; &quot;Filhos&quot; &lt;Ltda&gt;</title>');
  expect(html).toContain('{"name":"Zé & \\"Filhos\\" \\u003cLtda>"');
  expect(html).toContain(`© ${new Date().getFullYear()}`);
  expect(html).not.toMatch(/__[A-Z_]+__/);
  const manifest = await get('/site.webmanifest');
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json');
  expect(await manifest.json()).toEqual({ name: BRAND });
});

test('a page links to the origin with the requested port, even after the cache has evicted the page', async () => {
  for (let port = 1; port <= 40; port += 1) {
    // Port 13 is requested again after other ports have evicted its page from the cache.
    const host = `estudio.example:${port % 13 ? port : 13}`;
    const { body } = await getRaw('/', { Host: host });
    expect(body.toString()).toContain(`href="http://${host}/"`);
  }
});

test('a host with an invalid port gets the page of the base domain', async () => {
  const { status, body } = await getRaw('/', { Host: 'estudio.example:65536' });
  expect([status, body.toString().includes('href="http://estudio.example/"')]).toEqual([200, true]);
});

test('requests with arbitrary ports in Host are served, and do not evict the compressed page of the base domain', async () => {
  const ownHeaders = { Host: 'estudio.example', 'Accept-Encoding': 'br' };
  const pageBefore = await getRaw('/', ownHeaders);
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      getRaw('/', { Host: `estudio.example:${1_000 + index}`, 'Accept-Encoding': 'br' }),
    ),
  );
  for (const [index, { status, headers, body }] of responses.entries()) {
    const text = headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body;
    expect([status, text.toString().includes(`href="http://estudio.example:${1_000 + index}/"`)]).toEqual([200, true]);
  }
  // Some responses are not compressed, because many different origins would cost too much time.
  expect(responses.some(({ headers }) => headers['content-encoding'] === undefined)).toBe(true);
  const pageAfter = await getRaw('/', ownHeaders);
  expect([pageAfter.headers['content-encoding'], pageAfter.headers.etag]).toEqual(['br', pageBefore.headers.etag]);
});

test('a page is sent in an encoding that the client accepts, has an ETag for each encoding, and is revalidated', async () => {
  const plainResponse = await getRaw('/', { 'Accept-Encoding': 'identity' });
  const brotliResponse = await getRaw('/', { 'Accept-Encoding': 'gzip, deflate, br' });
  const gzipResponse = await getRaw('/', { 'Accept-Encoding': 'gzip, br;q=0' });
  expect(brotliResponse.headers['content-encoding']).toBe('br');
  expect(gzipResponse.headers['content-encoding']).toBe('gzip');
  expect(plainResponse.headers['content-encoding']).toBeUndefined();
  expect(brotliDecompressSync(brotliResponse.body)).toEqual(plainResponse.body);
  expect(gunzipSync(gzipResponse.body)).toEqual(plainResponse.body);
  expect(new Set([plainResponse, brotliResponse, gzipResponse].map(({ headers }) => headers.etag)).size).toBe(3);
  for (const { headers } of [plainResponse, brotliResponse, gzipResponse]) {
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['cache-control']).toBe('no-cache');
  }
  const revalidationResponse = await getRaw('/', {
    'Accept-Encoding': 'br',
    'If-None-Match': String(brotliResponse.headers.etag),
  });
  expect(revalidationResponse.status).toBe(304);
  expect(revalidationResponse.body).toHaveLength(0);
});

test('hashed assets are immutable and precompressed', async () => {
  const brotliResponse = await getRaw('/assets/entry-abc123.js', { 'Accept-Encoding': 'gzip, br' });
  expect(brotliResponse.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
  expect(brotliResponse.headers['content-type']).toMatch(/javascript/);
  expect(brotliDecompressSync(brotliResponse.body).toString()).toBe(SCRIPT);
  const plainResponse = await getRaw('/assets/entry-abc123.js', {});
  expect(plainResponse.body.toString()).toBe(SCRIPT);
  expect(plainResponse.headers.vary).toBe('Accept-Encoding');
  expect((await getRaw('/favicon.svg', {})).headers['cache-control']).toBe('no-cache');
});

test('a new build is served without a restart', async () => {
  const oldBuild = createWebBuild();
  const newBuild = createWebBuild();
  const bffWithOldBuild = await startBff(UNREACHABLE_CORE, { webRoot: oldBuild.root });
  const readTitle = async (path: string) =>
    /<h1>(.*?)<.h1>/.exec(await (await fetch(bffWithOldBuild.url + path)).text())?.[1];
  try {
    expect(await readTitle('/admin')).toBe('Console');
    newBuild.write('__spa-fallback.html', '<!DOCTYPE html><html><body><h1>Console novo</h1></body></html>');
    newBuild.write('screens.json', JSON.stringify(['/admin', '/novidades']));
    oldBuild.remove();
    expect(await readTitle('/admin')).toBe('Console');
    renameSync(newBuild.root, oldBuild.root);
    expect(await readTitle('/admin')).toBe('Console novo');
    expect(await readTitle('/novidades')).toBe('Console novo');
  } finally {
    await bffWithOldBuild.stop();
    oldBuild.remove();
  }
});

test('the start fails if the build lacks a page', async () => {
  await expect(startBff(UNREACHABLE_CORE, { webRoot: __dirname })).rejects.toThrow(
    'the web build lacks __spa-fallback.html',
  );
});
