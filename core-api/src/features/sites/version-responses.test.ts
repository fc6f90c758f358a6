import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { encodingSuffix } from '../../routing/sites/manifest';
import { Core } from '../../testing/core';
import { Edge, getHeader, requestSite, sendRequest } from '../../testing/edge';
import { ContentStore } from './content/content-store';
import { recompress } from './content/recompression';
import { createSite, NAVIGATION_HEADERS, publish } from './testing/static-site';

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

/** Lists the Brotli copies of a store with their inodes. A file that is written again has another inode. */
const listBrotliCopies = ({ objects }: ContentStore) =>
  readdirSync(objects, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(encodingSuffix.br))
    .map((name) => [name, statSync(join(objects, name)).ino]);

describe('responses of a version', () => {
  test('files are revalidated, and their ETag is the digest of their content', async () => {
    const label = await createSite(core);
    await publish(core, label, { 'index.html': 'x', 'hero-background.jpg': 'imagem' });
    const imageResponse = await requestSite(edge, label, '/hero-background.jpg');
    const etag = `"${createHash('sha256').update('imagem').digest('hex')}"`;
    expect([
      getHeader(imageResponse, 'cache-control'),
      getHeader(imageResponse, 'etag'),
      getHeader(imageResponse, 'last-modified'),
    ]).toEqual(['no-cache', etag, undefined]);
    expect(
      (await requestSite(edge, label, '/hero-background.jpg', { headers: [['If-None-Match', etag]] })).status,
    ).toBe(304);
  });

  test('compressed copies decode to the file and have separate ETags, and ranges refer to the uncompressed file', async () => {
    const label = await createSite(core);
    const text = 'um texto que se repete. '.repeat(200);
    await publish(core, label, { 'index.html': 'x', 'a.txt': text });
    const uncompressedResponse = await requestSite(edge, label, '/a.txt');
    const compressedResponse = await requestSite(edge, label, '/a.txt', { headers: [['Accept-Encoding', 'br, gzip']] });
    expect([getHeader(compressedResponse, 'content-encoding'), getHeader(compressedResponse, 'vary')]).toEqual([
      'br',
      'Accept-Encoding',
    ]);
    expect(brotliDecompressSync(compressedResponse.body).toString()).toBe(uncompressedResponse.text);
    expect(getHeader(compressedResponse, 'etag')).toBe(getHeader(uncompressedResponse, 'etag')?.replace(/"$/, '-br"'));
    const gzipResponse = await requestSite(edge, label, '/a.txt', { headers: [['Accept-Encoding', 'gzip']] });
    expect([gunzipSync(gzipResponse.body).toString(), getHeader(gzipResponse, 'etag')?.endsWith('-gz"')]).toEqual([
      text,
      true,
    ]);
    const rangeResponse = await requestSite(edge, label, '/a.txt', {
      headers: [
        ['Range', 'bytes=3-7'],
        ['Accept-Encoding', 'br'],
      ],
    });
    expect([rangeResponse.status, rangeResponse.text, getHeader(rangeResponse, 'content-range')]).toEqual([
      206,
      text.slice(3, 8),
      `bytes 3-7/${text.length}`,
    ]);
  });

  test('recompression of a served site makes its compressed copies smaller, and they still decode to the same file', async () => {
    const label = await createSite(core);
    const text = Array.from({ length: 4000 }, (_, line) => `linha ${line}: ${(line * 7919) % 1000}\n`).join('');
    await publish(core, label, { 'index.html': 'x', 'a.txt': text });
    const originalResponse = await requestSite(edge, label, '/a.txt', { headers: [['Accept-Encoding', 'br']] });
    const store = new ContentStore(core.folder);
    const { signal } = new AbortController();
    const recompressedCount = await recompress(store, signal);
    const copies = listBrotliCopies(store);
    expect(recompressedCount).toBe(copies.length);
    expect(await recompress(store, signal)).toBe(0);
    // A second run replaces no file.
    expect(listBrotliCopies(store)).toEqual(copies);
    const edgeWithoutOpenFiles = await new Edge(core).start();
    const recompressedResponse = await sendRequest(edgeWithoutOpenFiles.port, {
      host: `${label}.localhost`,
      path: '/a.txt',
      headers: [['Accept-Encoding', 'br']],
    });
    await edgeWithoutOpenFiles.stop();
    expect([getHeader(recompressedResponse, 'content-encoding'), getHeader(recompressedResponse, 'etag')]).toEqual([
      'br',
      getHeader(originalResponse, 'etag'),
    ]);
    expect(recompressedResponse.body.length).toBeLessThan(originalResponse.body.length);
    expect(brotliDecompressSync(recompressedResponse.body).toString()).toBe(text);
    expect((await requestSite(edge, label, '/a.txt', { headers: [['Accept-Encoding', 'br']] })).status).toBe(200);
  });

  test('an edge still serves a compressed copy that it opened before the copy was recompressed', async () => {
    const label = await createSite(core);
    // The copy does not become smaller, but recompression still replaces its file.
    const text = 'a'.repeat(2000);
    await publish(core, label, { 'index.html': 'x', 'b.txt': text });
    // The edge opens the compressed copies together with the file.
    await requestSite(edge, label, '/b.txt');
    await recompress(new ContentStore(core.folder), new AbortController().signal);
    const compressedResponse = await requestSite(edge, label, '/b.txt', { headers: [['Accept-Encoding', 'br']] });
    expect(brotliDecompressSync(compressedResponse.body).toString()).toBe(text);
  });

  test('the path /name serves name.html, and the path /name/ serves name/index.html', async () => {
    const label = await createSite(core);
    await publish(core, label, {
      'index.html': 'i',
      'docs/index.html': 'docs',
      'sobre.html': 'sobre',
      'ação.html': 'a',
    });
    expect((await requestSite(edge, label, '/docs/')).text).toBe('docs');
    const redirect = await requestSite(edge, label, '/docs?a=1');
    expect([redirect.status, getHeader(redirect, 'location')]).toEqual([301, '/docs/?a=1']);
    expect((await requestSite(edge, label, '/sobre')).text).toBe('sobre');
    // The path has a decomposed character (NFD), and the name of the file a composed one.
    expect((await requestSite(edge, label, '/a%C3%A7a%CC%83o')).text).toBe('a');
    for (const path of ['/../index.html', '/%2e%2e/x', '/docs%2findex.html', '/_headers'])
      expect([path, (await requestSite(edge, label, path)).status]).toEqual([path, 404]);
    expect((await requestSite(edge, label, '/', { method: 'POST' })).status).toBe(405);
  });

  test('navigations to unknown paths get index.html, unless the site has a 404.html or no fallback', async () => {
    const label = await createSite(core);
    await publish(core, label, { 'index.html': 'app' });
    expect([
      (await requestSite(edge, label, '/clientes/7', { headers: NAVIGATION_HEADERS })).text,
      (await requestSite(edge, label, '/x.js', { headers: NAVIGATION_HEADERS })).status,
    ]).toEqual(['app', 404]);
    await core.request('PUT', `/subdomains/${label}`, { body: { spaFallback: false } });
    expect((await requestSite(edge, label, '/clientes/7', { headers: NAVIGATION_HEADERS })).status).toBe(404);
    await publish(core, label, { 'index.html': 'app', '404.html': 'nada' });
    const missingPage = await requestSite(edge, label, '/clientes/7', { headers: NAVIGATION_HEADERS });
    expect([missingPage.status, missingPage.text]).toEqual([404, 'nada']);
  });

  test('open pages still find the scripts of the previous version, but its HTML pages are no longer served', async () => {
    const label = await createSite(core);
    await publish(core, label, {
      'index.html': '1',
      'velha.html': 'velha',
      'app-1.js': 'antigo',
      _redirects: '/* /index.html 200',
    });
    await publish(core, label, { 'index.html': '2', 'app-2.js': 'novo', _redirects: '/novo /index.html 200' });
    expect((await requestSite(edge, label, '/app-1.js')).text).toBe('antigo');
    expect((await requestSite(edge, label, '/velha.html')).status).toBe(404);
    expect((await requestSite(edge, label, '/app-1.js', { headers: NAVIGATION_HEADERS })).status).toBe(404);
  });
});

describe('rules of a package', () => {
  test('_redirects supports fixed, parametrized and forced redirects, rewrites, and redirects to other sites', async () => {
    const label = await createSite(core);
    const rules = [
      '/antigo /novo 302',
      '/a/* /b/:splat 301',
      '/forcado.txt /outro.txt 301!',
      '/app/:id /index.html 200',
      '/fora/* https://exemplo.com/x/:splat',
      '/foi-embora /sumiu.html 404',
      '/veja/:ano/:mes /arquivo/:mes-:ano 307',
    ];
    await publish(core, label, {
      'index.html': 'i',
      'forcado.txt': 'f',
      'sumiu.html': 's',
      _redirects: rules.join('\n'),
    });
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
        const response = await requestSite(edge, label, encodeURI(path));
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

  test('a rule whose target becomes too long is not applied, and a placeholder without a value stays', async () => {
    const label = await createSite(core);
    const rules = [
      `/longo/* /${':splat/'.repeat(280)}`,
      `/arquivo/* /${':splat/'.repeat(280)} 200`,
      '/nome /:constructor/:toString',
      '/curto/* /:splat-:splat',
    ];
    await publish(core, label, { 'index.html': 'i', '404.html': 'nada', _redirects: rules.join('\n') });
    for (const folder of ['longo', 'arquivo']) {
      const longPathResponse = await requestSite(edge, label, `/${folder}/${'x'.repeat(8_000)}`);
      expect([longPathResponse.status, longPathResponse.text]).toEqual([404, 'nada']);
    }
    expect(getHeader(await requestSite(edge, label, '/curto/x'), 'location')).toBe('/x-x');
    expect(getHeader(await requestSite(edge, label, '/nome'), 'location')).toBe('/:constructor/:toString');
  });

  test('_headers sets and removes fields by pattern, and a file that changes is no longer immutable', async () => {
    const label = await createSite(core);
    const rules = `/*
  X-Frame-Options: DENY
  X-Site: um
/assets/*
  Cache-Control: public, max-age=31536000, immutable
  ! X-Site
`;
    await publish(core, label, { 'index.html': 'i', 'assets/a.js': '1', 'assets/b.js': '1', _headers: rules });
    const asset = await requestSite(edge, label, '/assets/a.js');
    expect([
      getHeader(asset, 'cache-control'),
      getHeader(asset, 'x-frame-options'),
      getHeader(asset, 'x-site'),
    ]).toEqual(['public, max-age=31536000, immutable', 'DENY', undefined]);
    expect(getHeader(await requestSite(edge, label, '/'), 'x-site')).toBe('um');
    const { warnings } = await publish(core, label, {
      'index.html': 'i',
      'assets/a.js': '2',
      'assets/b.js': '1',
      _headers: rules,
    });
    expect(warnings).toEqual(['assets/a.js mudou de conteúdo e deixou de ser immutable.']);
    expect(getHeader(await requestSite(edge, label, '/assets/a.js'), 'cache-control')).toBe('no-cache');
    expect(getHeader(await requestSite(edge, label, '/assets/b.js'), 'cache-control')).toMatch(/immutable/);
  });
});
