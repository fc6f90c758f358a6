import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { Agent, get as httpGet } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { waitFor } from '../../../../scripts/testing/program';
import { Core, listen } from '../../testing/core';
import { Edge, getHeader, type RequestOptions, sendRequest } from '../../testing/edge';
import { ContentFolder } from './content/content-folder';
import { recompress } from './content/recompression';
import { createTar, createZip, type Files, sendPackage } from './testing/packages';

let core: Core;
let edge: Edge;
beforeAll(async () => {
  core = await new Core().start();
  edge = await new Edge(core).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
});

let siteCount = 0;
/** Creates a static site without a folder. @returns its label */
async function createSite(fields: object = {}): Promise<string> {
  siteCount += 1;
  const subdomain = `site-${siteCount}`;
  const body = { subdomain, description: 'x', type: 'static', source: 'versions', ...fields };
  const { status } = await core.request('POST', '/subdomains', { body });
  expect(status).toBe(201);
  return subdomain;
}
const requestSite = (host: string, path: string, headers: RequestOptions['headers'] = [], method = 'GET') =>
  sendRequest(edge.port, { method, host: `${host}.localhost`, path, headers });
async function publish(label: string, files: Files, query = '') {
  const { status, body } = await sendPackage(
    core,
    `/subdomains/${label}/versions${query}`,
    'gzip',
    await createTar(files),
  );
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}
const listVersions = async (label: string) => (await core.request('GET', `/subdomains/${label}/versions`)).body;
const HTML = [['Accept', 'text/html,*/*']] as const;

describe('a package', () => {
  test('is live at once, and the response describes the version', async () => {
    const label = await createSite();
    expect((await requestSite(label, '/')).status).toBe(404);
    const files = { 'index.html': '<h1>Olá</h1>', 'a/b.txt': 'b' };
    const response = await publish(label, files, '?message=Primeira');
    expect(response).toMatchObject({
      number: 1,
      state: 'ready',
      files: 2,
      bytes: 14,
      reused: 0,
      warnings: [],
      live: { state: 'active' },
    });
    expect(response.previewUrl).toMatch(new RegExp(`^http://[a-z2-7]{10}--${label}\\.localhost:\\d+$`));
    const page = await requestSite(label, '/');
    expect([page.status, page.text, getHeader(page, 'content-type')]).toEqual([
      200,
      '<h1>Olá</h1>',
      'text/html; charset=utf-8',
    ]);
    expect((await requestSite(label, '/a/b.txt')).text).toBe('b');
    const [version] = await listVersions(label);
    expect(version).toMatchObject({ number: 1, current: true, message: 'Primeira', actor: 'admin', pinned: false });
    expect(readdirSync(join(core.folder, 'content/incoming'))).toEqual([]);
  });

  test('may be a zip with everything in one folder', async () => {
    const label = await createSite();
    const { status } = await sendPackage(
      core,
      `/subdomains/${label}/versions`,
      'zip',
      await createZip({ 'dist/index.html': 'zip', 'dist/app.js': '1' }),
    );
    expect(status).toBe(201);
    expect([(await requestSite(label, '/')).text, (await requestSite(label, '/app.js')).text]).toEqual(['zip', '1']);
  });

  test('is not served before it is activated', async () => {
    const label = await createSite();
    await publish(label, { 'index.html': 'one' });
    const { _id, live } = await publish(label, { 'index.html': 'two' }, '?activate=false');
    expect(live).toBeNull();
    expect((await requestSite(label, '/')).text).toBe('one');
    const activation = await core.request('POST', `/versions/${_id}/activate`);
    expect([activation.status, activation.body.live, activation.body.current]).toEqual([
      200,
      { state: 'active' },
      true,
    ]);
    expect((await requestSite(label, '/')).text).toBe('two');
  });
});

describe('responses of a version', () => {
  test('files are revalidated, and their ETag is the digest of their content', async () => {
    const label = await createSite();
    await publish(label, { 'index.html': 'x', 'hero-background.jpg': 'imagem' });
    const imageResponse = await requestSite(label, '/hero-background.jpg');
    const etag = `"${createHash('sha256').update('imagem').digest('hex')}"`;
    expect([
      getHeader(imageResponse, 'cache-control'),
      getHeader(imageResponse, 'etag'),
      getHeader(imageResponse, 'last-modified'),
    ]).toEqual(['no-cache', etag, undefined]);
    expect((await requestSite(label, '/hero-background.jpg', [['If-None-Match', etag]])).status).toBe(304);
  });

  test('compressed copies decode to the file and have separate ETags, and ranges refer to the uncompressed file', async () => {
    const label = await createSite();
    const text = 'um texto que se repete. '.repeat(200);
    await publish(label, { 'index.html': 'x', 'a.txt': text });
    const uncompressed = await requestSite(label, '/a.txt');
    const compressedResponse = await requestSite(label, '/a.txt', [['Accept-Encoding', 'br, gzip']]);
    expect([getHeader(compressedResponse, 'content-encoding'), getHeader(compressedResponse, 'vary')]).toEqual([
      'br',
      'Accept-Encoding',
    ]);
    expect(brotliDecompressSync(compressedResponse.body).toString()).toBe(uncompressed.text);
    expect(getHeader(compressedResponse, 'etag')).toBe(getHeader(uncompressed, 'etag')?.replace(/"$/, '-br"'));
    const gzipResponse = await requestSite(label, '/a.txt', [['Accept-Encoding', 'gzip']]);
    expect([gunzipSync(gzipResponse.body).toString(), getHeader(gzipResponse, 'etag')?.endsWith('-gz"')]).toEqual([
      text,
      true,
    ]);
    const rangeResponse = await requestSite(label, '/a.txt', [
      ['Range', 'bytes=3-7'],
      ['Accept-Encoding', 'br'],
    ]);
    expect([rangeResponse.status, rangeResponse.text, getHeader(rangeResponse, 'content-range')]).toEqual([
      206,
      text.slice(3, 8),
      `bytes 3-7/${text.length}`,
    ]);
  });

  test('recompressed copies are smaller and decode to the same file, while the site is served', async () => {
    const label = await createSite();
    const text = Array.from({ length: 4000 }, (_, line) => `linha ${line}: ${(line * 7919) % 1000}\n`).join('');
    await publish(label, { 'index.html': 'x', 'a.txt': text });
    const originalResponse = await requestSite(label, '/a.txt', [['Accept-Encoding', 'br']]);
    const store = new ContentFolder(core.folder);
    const { signal } = new AbortController();
    expect(await recompress(store, signal)).toBeGreaterThan(0);
    expect(await recompress(store, signal)).toBe(0);
    const secondEdge = await new Edge(core).start();
    const recompressedResponse = await sendRequest(secondEdge.port, {
      host: `${label}.localhost`,
      path: '/a.txt',
      headers: [['Accept-Encoding', 'br']],
    });
    await secondEdge.stop();
    expect([getHeader(recompressedResponse, 'content-encoding'), getHeader(recompressedResponse, 'etag')]).toEqual([
      'br',
      getHeader(originalResponse, 'etag'),
    ]);
    expect(recompressedResponse.body.length).toBeLessThan(originalResponse.body.length);
    expect(brotliDecompressSync(recompressedResponse.body).toString()).toBe(text);
    expect((await requestSite(label, '/a.txt', [['Accept-Encoding', 'br']])).status).toBe(200);
  });

  test('an edge still serves a compressed copy that it opened before the copy was recompressed', async () => {
    const label = await createSite();
    // Compressing this text again does not make its copy smaller.
    const text = 'a'.repeat(2000);
    await publish(label, { 'index.html': 'x', 'b.txt': text });
    // The edge opens the compressed copies together with the file.
    await requestSite(label, '/b.txt');
    await recompress(new ContentFolder(core.folder), new AbortController().signal);
    const compressedResponse = await requestSite(label, '/b.txt', [['Accept-Encoding', 'br']]);
    expect(brotliDecompressSync(compressedResponse.body).toString()).toBe(text);
  });

  test('pages are found by index.html and path.html', async () => {
    const label = await createSite();
    await publish(label, { 'index.html': 'i', 'docs/index.html': 'docs', 'sobre.html': 'sobre', 'ação.html': 'a' });
    expect((await requestSite(label, '/docs/')).text).toBe('docs');
    const redirect = await requestSite(label, '/docs?a=1');
    expect([redirect.status, getHeader(redirect, 'location')]).toEqual([301, '/docs/?a=1']);
    expect((await requestSite(label, '/sobre')).text).toBe('sobre');
    expect((await requestSite(label, '/a%C3%A7a%CC%83o')).text).toBe('a');
    for (const path of ['/../index.html', '/%2e%2e/x', '/docs%2findex.html', '/_headers'])
      expect([path, (await requestSite(label, path)).status]).toEqual([path, 404]);
    expect((await requestSite(label, '/', [], 'POST')).status).toBe(405);
  });

  test('navigations to unknown paths get index.html, unless the site has a 404.html or no fallback', async () => {
    const label = await createSite();
    await publish(label, { 'index.html': 'app' });
    expect([
      (await requestSite(label, '/clientes/7', HTML)).text,
      (await requestSite(label, '/x.js', HTML)).status,
    ]).toEqual(['app', 404]);
    await core.request('PUT', `/subdomains/${label}`, { body: { spaFallback: false } });
    expect((await requestSite(label, '/clientes/7', HTML)).status).toBe(404);
    await publish(label, { 'index.html': 'app', '404.html': 'nada' });
    const missingPage = await requestSite(label, '/clientes/7', HTML);
    expect([missingPage.status, missingPage.text]).toEqual([404, 'nada']);
  });

  test('a file that the current version lacks is looked for in at most 50 earlier versions', async () => {
    const label = await createSite();
    const firstVersion = await publish(label, { 'index.html': 'um', 'velho.js': '1' });
    await publish(label, { 'index.html': 'dois' });
    expect((await requestSite(label, '/velho.js')).status).toBe(200);
    const [{ ownerId, manifestDigest }] = (await core.query(
      `SELECT "ownerId", "manifestDigest" FROM site_versions WHERE _id = '${firstVersion._id}'`,
    )) as [{ ownerId: string; manifestDigest: string }];
    const ids = Array.from({ length: 50 }, () => randomUUID());
    const now = Date.now();
    const createVersionRow = (id: string, index: number) =>
      `('${id}', 'subdomain', '${ownerId}', ${index + 10}, 'ready', '${label}', '{"files":{},"ruleFiles":[]}', '${manifestDigest.replace(/./g, '0')}', 0, 0, 'admin', '${new Date(now).toISOString()}')`;
    await core.query(
      `INSERT INTO site_versions (_id, "ownerKind", "ownerId", number, state, name, manifest, "manifestDigest", files, bytes, actor, "createdAt") VALUES ${ids.map(createVersionRow).join(',')}`,
    );
    const createActivationRow = (id: string, index: number) =>
      `('${randomUUID()}', 'subdomain', '${ownerId}', '${id}', '${new Date(now + index).toISOString()}')`;
    await core.query(
      `INSERT INTO site_activations (_id, "ownerKind", "ownerId", "versionId", at) VALUES ${ids.map(createActivationRow).join(',')}`,
    );
    await publish(label, { 'index.html': 'três' });
    await waitFor('the edge has the versions', async () => (await requestSite(label, '/', HTML)).text === 'três');
    expect((await requestSite(label, '/velho.js')).status).toBe(404);
  });

  test('open pages still find the scripts of the previous version, but its HTML pages are no longer served', async () => {
    const label = await createSite();
    await publish(label, {
      'index.html': '1',
      'velha.html': 'velha',
      'app-1.js': 'antigo',
      _redirects: '/* /index.html 200',
    });
    await publish(label, { 'index.html': '2', 'app-2.js': 'novo', _redirects: '/novo /index.html 200' });
    expect((await requestSite(label, '/app-1.js')).text).toBe('antigo');
    expect((await requestSite(label, '/velha.html')).status).toBe(404);
    expect((await requestSite(label, '/app-1.js', HTML)).status).toBe(404);
  });

  test('a roll-back serves the old content to a client that has cached newer content, and is recorded in the audit trail', async () => {
    const label = await createSite();
    const firstVersion = await publish(label, { 'index.html': 'antes' });
    await publish(label, { 'index.html': 'depois' });
    const etag = getHeader(await requestSite(label, '/'), 'etag') ?? '';
    const activation = await core.request('POST', `/versions/${firstVersion._id}/activate`);
    expect([activation.status, activation.body.live]).toEqual([200, { state: 'active' }]);
    const response = await requestSite(label, '/', [['If-None-Match', etag]]);
    expect([response.status, response.text]).toEqual([200, 'antes']);
    const { entries } = (await core.request('GET', '/audit?entity=subdomain&limit=1')).body;
    expect(entries[0]).toMatchObject({ name: label, changes: { versionId: { after: firstVersion._id } } });
  });

  test('a site can be switched back to its folder, and then to its versions again', async () => {
    const folder = join(core.sites, 'pasta');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), 'pasta');
    const label = await createSite({ source: 'folder', staticPath: folder });
    await waitFor('the folder is served', async () => (await requestSite(label, '/')).text === 'pasta');
    await publish(label, { 'index.html': 'versão' });
    expect((await requestSite(label, '/')).text).toBe('versão');
    for (const [source, text] of [
      ['folder', 'pasta'],
      ['versions', 'versão'],
    ]) {
      const { body } = await core.request('PUT', `/subdomains/${label}`, { body: { source } });
      expect([body.source, (await requestSite(label, '/')).text]).toEqual([source, text]);
      const [version] = await listVersions(label);
      expect([source, version.current]).toEqual([source, source === 'versions']);
    }
  });
});

describe('rules of a package', () => {
  test('_redirects supports fixed, parametrized and forced redirects, rewrites, and redirects to other sites', async () => {
    const label = await createSite();
    const rules = [
      '/antigo /novo 302',
      '/a/* /b/:splat 301',
      '/forcado.txt /outro.txt 301!',
      '/app/:id /index.html 200',
      '/fora/* https://exemplo.com/x/:splat',
      '/foi-embora /sumiu.html 404',
      '/veja/:ano/:mes /arquivo/:mes-:ano 307',
    ];
    await publish(label, { 'index.html': 'i', 'forcado.txt': 'f', 'sumiu.html': 's', _redirects: rules.join('\n') });
    const responses = await Promise.all(
      [
        '/antigo?x=1',
        '/a/1/2?q=é',
        '/a',
        '/a//evil.com',
        '/forcado.txt',
        '/app/7',
        '/fora/y',
        '/foi-embora',
        '/veja/2026/11',
      ].map(async (path) => {
        const response = await requestSite(label, encodeURI(path));
        return [response.status, getHeader(response, 'location') ?? response.text];
      }),
    );
    expect(responses).toEqual([
      [302, '/novo?x=1'],
      [301, '/b/1/2?q=%C3%A9'],
      [301, '/b/'],
      [301, '/b/evil.com'],
      [301, '/outro.txt'],
      [200, 'i'],
      [301, 'https://exemplo.com/x/y'],
      [404, 's'],
      [307, '/arquivo/11-2026'],
    ]);
  });

  test('a redirect whose target becomes too long is not followed, and a placeholder without a value stays in the target', async () => {
    const label = await createSite();
    const rules = [
      `/longo/* /${':splat/'.repeat(280)}`,
      `/arquivo/* /${':splat/'.repeat(280)} 200`,
      '/nome /:constructor/:toString',
      '/curto/* /:splat-:splat',
    ];
    await publish(label, { 'index.html': 'i', '404.html': 'nada', _redirects: rules.join('\n') });
    for (const folder of ['longo', 'arquivo']) {
      const longPathResponse = await requestSite(label, `/${folder}/${'x'.repeat(8_000)}`);
      expect([longPathResponse.status, longPathResponse.text]).toEqual([404, 'nada']);
    }
    expect(getHeader(await requestSite(label, '/curto/x'), 'location')).toBe('/x-x');
    expect(getHeader(await requestSite(label, '/nome'), 'location')).toBe('/:constructor/:toString');
  });

  test('_headers sets and removes fields by pattern, and a file that changes is no longer immutable', async () => {
    const label = await createSite();
    const rules = `/*
  X-Frame-Options: DENY
  X-Site: um
/assets/*
  Cache-Control: public, max-age=31536000, immutable
  ! X-Site
`;
    await publish(label, { 'index.html': 'i', 'assets/a.js': '1', 'assets/b.js': '1', _headers: rules });
    const asset = await requestSite(label, '/assets/a.js');
    expect([
      getHeader(asset, 'cache-control'),
      getHeader(asset, 'x-frame-options'),
      getHeader(asset, 'x-site'),
    ]).toEqual(['public, max-age=31536000, immutable', 'DENY', undefined]);
    expect(getHeader(await requestSite(label, '/'), 'x-site')).toBe('um');
    const { warnings } = await publish(label, {
      'index.html': 'i',
      'assets/a.js': '2',
      'assets/b.js': '1',
      _headers: rules,
    });
    expect(warnings).toEqual(['assets/a.js mudou de conteúdo e deixou de ser immutable.']);
    expect(getHeader(await requestSite(label, '/assets/a.js'), 'cache-control')).toBe('no-cache');
    expect(getHeader(await requestSite(label, '/assets/b.js'), 'cache-control')).toMatch(/immutable/);
  });
});

describe('previews', () => {
  const toPreviewHost = (url: string) => new URL(url).hostname.replace('.localhost', '');

  test('show a version before it is live, are not indexed, and expire', async () => {
    const label = await createSite();
    await publish(label, { 'index.html': 'no ar' });
    const { _id, previewUrl } = await publish(label, { 'index.html': 'prévia' }, '?activate=false');
    const preview = toPreviewHost(previewUrl);
    await waitFor('the preview is served', async () => (await requestSite(preview, '/')).status === 200);
    const page = await requestSite(preview, '/');
    expect([page.text, getHeader(page, 'x-robots-tag')]).toEqual(['prévia', 'noindex']);
    expect((await requestSite(label, '/')).text).toBe('no ar');
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    const response = await core.request('PUT', `/versions/${_id}/preview`, {
      body: { expiresAt: expiresAt, pinned: true },
    });
    expect([response.status, response.body.previewExpiresAt, response.body.pinned]).toEqual([200, expiresAt, true]);
    await waitFor('the preview has ended', async () => (await requestSite(preview, '/')).status === 410);
  });

  test('forward /api to the API of their site under the rules of the site', async () => {
    const api = await listen((request, response) => response.end(`api ${request.url}`));
    const label = await createSite({ apiPort: api.port });
    const { _id, previewUrl } = await publish(label, { 'index.html': 'prévia' }, '?activate=false');
    const preview = toPreviewHost(previewUrl);
    const requestStatuses = async (headers: RequestOptions['headers'] = []) => [
      (await requestSite(preview, '/', headers)).status,
      (await requestSite(preview, '/api/pedidos', headers)).status,
    ];
    await waitFor('the preview is served', async () => (await requestSite(preview, '/')).status === 200);
    expect((await requestSite(preview, '/api/pedidos')).text).toBe('api /api/pedidos');

    const createBasicAuthorization = (password: string) =>
      [['Authorization', `Basic ${Buffer.from(`x:${password}`).toString('base64')}`]] as const;
    const setRules = (body: object) => core.request('PUT', `/subdomains/${label}/policy`, { body });
    await setRules({ access: { ips: ['203.0.113.7'], password: null, require: 'all' } });
    await waitFor('the rules hold', async () => (await requestStatuses())[1] === 403);
    expect(await requestStatuses()).toEqual([200, 403]);
    await setRules({ access: { ips: [], password: 'do site', require: 'all' } });
    await waitFor('the password holds', async () => (await requestStatuses())[1] === 401);
    expect(await requestStatuses(createBasicAuthorization('do site'))).toEqual([200, 401]);
    // A client that sends the password of the preview needs no password of the site.
    await core.request('PUT', `/versions/${_id}/preview`, { body: { password: 'da prévia' } });
    await waitFor('the preview has a password', async () => (await requestStatuses())[0] === 401);
    expect(await requestStatuses(createBasicAuthorization('da prévia'))).toEqual([200, 200]);
    await setRules({ access: null, rate: { requests: 1, seconds: 600 } });
    await waitFor(
      'the limit holds',
      async () => (await requestStatuses(createBasicAuthorization('da prévia')))[1] === 429,
    );
    await api.stop();
  });

  test.each(['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z', 'amanhã'])('cannot end at %s', async (expiresAt) => {
    const label = await createSite();
    const { _id } = await publish(label, { 'index.html': 'x' });
    expect((await core.request('PUT', `/versions/${_id}/preview`, { body: { expiresAt } })).status).toBe(400);
  });

  test('are removed with their version, and with their site', async () => {
    const label = await createSite();
    const firstVersion = await publish(label, { 'index.html': '1' });
    const secondVersion = await publish(label, { 'index.html': '2' });
    const response = await core.request('DELETE', `/versions/${secondVersion._id}`);
    expect([response.status, response.body.error]).toEqual([409, 'A versão que está no ar não pode ser removida.']);
    expect((await core.request('DELETE', `/versions/${firstVersion._id}`)).status).toBe(204);
    await waitFor(
      'the preview is gone',
      async () => (await requestSite(toPreviewHost(firstVersion.previewUrl), '/')).status === 404,
    );
    expect((await core.request('DELETE', `/subdomains/${label}`)).status).toBe(204);
    await waitFor(
      'the site is gone',
      async () => (await requestSite(toPreviewHost(secondVersion.previewUrl), '/')).status === 404,
    );
    expect(await core.query(`SELECT host FROM host_claims WHERE host LIKE '%--${label}'`)).toEqual([]);
  });
});

test('a tenant serves the version of its project, or its own version', async () => {
  const project = (
    await core.request('POST', '/projects', { body: { name: 'Cardápio Ágil', type: 'static', source: 'versions' } })
  ).body;
  for (const subdomain of ['bar', 'pizzaria']) {
    const body = { name: subdomain, subdomain, project: project._id };
    expect((await core.request('POST', '/tenants', { body })).status).toBe(201);
  }
  const tenants = (await core.request('GET', '/tenants')).body;
  const bar = tenants.find(({ subdomain }: { subdomain: string }) => subdomain === 'bar');
  const response = await sendPackage(
    core,
    `/projects/${project._id}/versions`,
    'gzip',
    await createTar({ 'index.html': 'projeto' }),
  );
  expect(response.body.previewUrl).toMatch(/--cardapio-agil\./);
  await waitFor('the tenant serves the version', async () => (await requestSite('pizzaria', '/')).text === 'projeto');
  expect((await requestSite('bar', '/')).text).toBe('projeto');
  await sendPackage(core, `/tenants/${bar._id}/versions`, 'gzip', await createTar({ 'index.html': 'do bar' }));
  expect([(await requestSite('bar', '/')).text, (await requestSite('pizzaria', '/')).text]).toEqual([
    'do bar',
    'projeto',
  ]);
  await core.request('PUT', `/tenants/${bar._id}`, { body: { source: 'project' } });
  expect((await requestSite('bar', '/')).text).toBe('projeto');
});

test('100 clients read complete files during 50 activations, and only the new version from 1 s after an activation on', async () => {
  const label = await createSite();
  const bodies = ['a'.repeat(20_000), 'b'.repeat(20_000)];
  const ids: string[] = [];
  for (const body of bodies) ids.push((await publish(label, { 'index.html': 'x', 'v.txt': body }))._id);
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  /** Letter of the version that was activated last, and the time at which the activation was answered. */
  let active = { letter: 'b', since: 0 };
  let isStopped = false;
  const observations = new Set<string>();
  const read = () =>
    new Promise<void>((resolve, reject) => {
      const options = {
        port: edge.port,
        host: '127.0.0.1',
        path: '/v.txt',
        headers: { Host: `${label}.localhost` },
        agent,
      };
      const atRequest = { at: performance.now(), ...active };
      httpGet(options, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const isComplete = response.statusCode === 200 && bodies.includes(text);
          const letter = text.charAt(0);
          observations.add(isComplete ? letter : `${response.statusCode} ${text.length}`);
          // An activation that began after the request may have changed its response.
          const isSettled = active.since === atRequest.since && atRequest.at - atRequest.since > 1000;
          if (isSettled && !isSwitching && letter !== active.letter) observations.add(`late ${letter}`);
          resolve();
        });
      }).on('error', reject);
    });
  let isSwitching = false;
  const readers = Array.from({ length: 100 }, async () => {
    while (!isStopped) await read();
  });
  const activate = async (turn: number) => {
    isSwitching = true;
    const { status, body } = await core.request('POST', `/versions/${ids[turn % 2]}/activate`);
    active = { letter: turn % 2 === 0 ? 'a' : 'b', since: performance.now() };
    isSwitching = false;
    expect([status, body.live]).toEqual([200, { state: 'active' }]);
  };
  try {
    for (let turn = 0; turn < 50; turn += 1) await activate(turn);
    // After the last activation, no earlier version may be read.
    const lastActivatedAt = performance.now();
    await waitFor('more than 1 s of reads of the last version', () => performance.now() - lastActivatedAt > 1500);
  } finally {
    isStopped = true;
    await Promise.all(readers);
    agent.destroy();
  }
  expect([...observations].sort()).toEqual(['a', 'b']);
});
