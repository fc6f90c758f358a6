import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { waitFor } from '../../../../scripts/testing/program';
import { Core, listen } from '../../testing/core';
import { Edge, getHeader, parseResponse, type RequestOptions, sendRequest } from '../../testing/edge';
import { createSubdomain } from '../../testing/records';

let core: Core;
let edge: Edge;
let upstream: Awaited<ReturnType<typeof listen>>;
let folder: string;
/** The folder of a site with pages and a `404.html`. */
let pagesFolder: string;

const get = (path: string, headers: RequestOptions['headers'] = [], host = 'site.localhost', method = 'GET') =>
  sendRequest(edge.port, { method, host, path, headers });
const requestStatus = async (host: string, path = '/') => (await get(path, [], host)).status;
const waitForStatus = (host: string, status: number) =>
  waitFor(`${host} responds with ${status}`, async () => (await requestStatus(host)) === status);
const parseEcho = (text: string): { url: string; host: string; headers: Record<string, string> } => JSON.parse(text);

beforeAll(async () => {
  core = await new Core().start();
  folder = join(core.sites, 'site');
  mkdirSync(join(folder, 'docs'), { recursive: true });
  mkdirSync(join(folder, '.well-known'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'index.html'), '<h1>Início</h1>');
  writeFileSync(join(folder, 'docs/index.html'), '<h1>Docs</h1>');
  writeFileSync(join(folder, '.env'), 'SECRET');
  mkdirSync(join(folder, 'api'));
  writeFileSync(join(folder, 'api/code.js'), 'SECRET');
  writeFileSync(join(folder, '.well-known/check.txt'), 'checked');
  writeFileSync(join(folder, 'app-3f9c2b1a.js'), 'console.log(1)');
  writeFileSync(join(folder, 'foto-fachada-loja.jpg'), 'jpeg');
  writeFileSync(join(folder, 'app.production.js'), 'console.log(2)');
  writeFileSync(join(folder, 'plain.txt'), '0123456789');
  writeFileSync(join(folder, 'nothing.txt'), '');
  writeFileSync(join(folder, 'style.css'), 'body{}');
  writeFileSync(join(folder, 'style.css.gz'), gzipSync('body{}'));
  writeFileSync(join(core.folder, 'outside.txt'), 'SECRET');
  pagesFolder = join(core.sites, 'pages');
  mkdirSync(join(pagesFolder, 'docs'), { recursive: true });
  writeFileSync(join(pagesFolder, 'index.html'), 'Início');
  writeFileSync(join(pagesFolder, 'sobre.html'), 'Sobre');
  writeFileSync(join(pagesFolder, '404.html'), 'Nada aqui');
  writeFileSync(join(pagesFolder, 'docs/index.html'), 'Docs');
  writeFileSync(join(pagesFolder, 'docs/guia.html'), 'Guia');
  symlinkSync(join(core.folder, 'outside.txt'), join(folder, 'link.txt'));
  symlinkSync('/dev/zero', join(folder, 'device'));
  symlinkSync(join(folder, 'plain.txt'), join(folder, 'inside.txt'));

  upstream = await listen((request, response) => {
    response.end(JSON.stringify({ url: request.url, host: request.headers.host, headers: request.headers }));
  });
  await createSubdomain(core, 'site', { type: 'static', staticPath: folder, apiPort: upstream.port });
  await createSubdomain(core, 'paginas', { type: 'static', staticPath: pagesFolder });
  edge = await new Edge(core).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
});

describe('static sites', () => {
  test.each([
    ['/', 'text/html; charset=utf-8', '<h1>Início</h1>'],
    ['/docs/', 'text/html; charset=utf-8', '<h1>Docs</h1>'],
    ['/plain.txt?v=1', 'text/plain; charset=utf-8', '0123456789'],
    ['/inside.txt', 'text/plain; charset=utf-8', '0123456789'],
    ['/.well-known/check.txt', 'text/plain; charset=utf-8', 'checked'],
  ])('%s is served from a file', async (path, type, body) => {
    const { status, headers, text } = await get(path);
    expect([status, getHeader({ headers }, 'content-type'), text]).toEqual([200, type, body]);
    expect(getHeader({ headers }, 'x-content-type-options')).toBe('nosniff');
  });

  test('a folder is redirected to its path with a slash and the same query', async () => {
    const { status, headers } = await get('/docs?x=1');
    expect([status, getHeader({ headers }, 'location')]).toEqual([301, '/docs/?x=1']);
    // Without `no-cache`, a browser would keep the 301 even after the folder is removed.
    expect(getHeader({ headers }, 'cache-control')).toBe('no-cache');
  });

  test('HEAD gets the status and the fields of GET without the body', async () => {
    const { status, headers, body } = await get('/plain.txt', [], 'site.localhost', 'HEAD');
    expect([status, getHeader({ headers }, 'content-length'), body.length]).toEqual([200, '10', 0]);
    const refusal = await get('/plain.txt', [['If-Match', '"x"']], 'site.localhost', 'HEAD');
    expect([refusal.status, refusal.body.length]).toEqual([412, 0]);
  });

  test('a file that the client has is answered with 304', async () => {
    const { headers } = await get('/plain.txt');
    const [etag, modified] = [getHeader({ headers }, 'etag') ?? '', getHeader({ headers }, 'last-modified') ?? ''];
    const requestConditionally = async (...conditions: [string, string][]) =>
      (await get('/plain.txt', conditions)).status;
    expect(await requestConditionally(['If-None-Match', etag])).toBe(304);
    expect(await requestConditionally(['If-None-Match', `"x", W/${etag}`])).toBe(304);
    expect(await requestConditionally(['If-None-Match', '"x"'], ['If-Modified-Since', modified])).toBe(200);
    expect(await requestConditionally(['If-Modified-Since', modified])).toBe(304);
    expect(await requestConditionally(['If-Modified-Since', 'Thu, 01 Jan 2015 00:00:00 GMT'])).toBe(200);
  });

  describe('preconditions', () => {
    const longAgo = 'Thu, 01 Jan 2015 00:00:00 GMT';
    const requestStatusWith = async (conditions: [string, string][], path = '/plain.txt') =>
      (await get(path, conditions)).status;
    let etag: string;
    let modified: string;
    beforeAll(async () => {
      const { headers } = await get('/plain.txt');
      etag = getHeader({ headers }, 'etag') ?? '';
      modified = getHeader({ headers }, 'last-modified') ?? '';
    });

    test('If-Match needs a strong ETag', async () => {
      for (const tags of [etag, '*', `"x" ,${etag}`]) expect(await requestStatusWith([['If-Match', tags]])).toBe(200);
      for (const tags of ['"x"', `W/${etag}`, etag.slice(1, -1), `${etag} "x"`, '', '"*"'])
        expect(await requestStatusWith([['If-Match', tags]])).toBe(412);
      // A list of tags may be sent in two header lines.
      const requestWithTags = (...tags: string[]) => requestStatusWith(tags.map((tag) => ['If-Match', tag]));
      expect(await requestWithTags('"x"', etag)).toBe(200);
      expect(await requestWithTags('"x"', '"y"')).toBe(412);
    });

    test('If-Unmodified-Since applies only without If-Match, and an invalid date is ignored', async () => {
      expect(await requestStatusWith([['If-Unmodified-Since', modified]])).toBe(200);
      expect(await requestStatusWith([['If-Unmodified-Since', longAgo]])).toBe(412);
      expect(await requestStatusWith([['If-Unmodified-Since', 'yesterday']])).toBe(200);
      const requestWithBoth = (tag: string, date: string) =>
        requestStatusWith([
          ['If-Unmodified-Since', date],
          ['If-Match', tag],
        ]);
      expect(await requestWithBoth(etag, longAgo)).toBe(200);
      expect(await requestWithBoth('"x"', modified)).toBe(412);
    });

    test('only the three date formats of HTTP are accepted', async () => {
      const formatDates = (year: string, shortYear: string) => [
        `Thu, 01 Jan ${year} 00:00:00 GMT`,
        `Thursday, 01-Jan-${shortYear} 00:00:00 GMT`,
        `Thu Jan  1 00:00:00 ${year}`,
      ];
      for (const date of formatDates('2015', '15')) {
        expect(await requestStatusWith([['If-Unmodified-Since', date]])).toBe(412);
        expect(await requestStatusWith([['If-Modified-Since', date]])).toBe(200);
      }
      for (const date of formatDates('2070', '70'))
        expect(await requestStatusWith([['If-Modified-Since', date]])).toBe(304);
      for (const date of ['foo 1', '"a-1"', '1', '2015-01-01', `${longAgo} x`, longAgo.toLowerCase(), ''])
        expect(await requestStatusWith([['If-Unmodified-Since', date]])).toBe(200);
      for (const date of ['2099', 'x 1 Jan 2099', '2099-01-01T00:00:00Z'])
        expect(await requestStatusWith([['If-Modified-Since', date]])).toBe(200);
      // Two dates that are joined by a comma are not a valid date.
      expect(
        await requestStatusWith([
          ['If-Unmodified-Since', longAgo],
          ['If-Unmodified-Since', longAgo],
        ]),
      ).toBe(200);
    });

    test('preconditions are checked before freshness and ranges', async () => {
      for (const [name, value] of [
        ['If-None-Match', etag],
        ['If-Modified-Since', modified],
        ['Range', 'bytes=0-1'],
        ['Range', 'bytes=10-'],
      ] satisfies [string, string][]) {
        expect(
          await requestStatusWith([
            [name, value],
            ['If-Match', '"x"'],
          ]),
        ).toBe(412);
        expect(
          await requestStatusWith([
            [name, value],
            ['If-Unmodified-Since', longAgo],
          ]),
        ).toBe(412);
      }
      expect(
        await requestStatusWith([
          ['If-Match', etag],
          ['If-None-Match', etag],
        ]),
      ).toBe(304);
      expect(
        await requestStatusWith([
          ['If-Match', etag],
          ['Range', 'bytes=0-1'],
        ]),
      ).toBe(206);
    });

    test('preconditions apply only to files', async () => {
      expect(await requestStatusWith([['If-Match', '"x"']], '/docs')).toBe(301);
      expect(await requestStatusWith([['If-Match', '"x"']], '/none.txt')).toBe(404);
    });
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-6,3-9', 200, '0123456789', undefined],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['items=0-1', 200, '0123456789', undefined],
    ['Bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=,\t2-4 ,, ', 206, '234', 'bytes 2-4/10'],
    ['bytes=2-4, 10-', 206, '234', 'bytes 2-4/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=0-99999999999999999999', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=99999999999999999999-', 416, '', 'bytes */10'],
    ['bytes=10-, -0', 416, '', 'bytes */10'],
    ['bytes=,', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['bytes=2 -4', 200, '0123456789', undefined],
    ['bytes =2-4', 200, '0123456789', undefined],
    ['bytes=2-4,x', 200, '0123456789', undefined],
    ['bytes=+2-4', 200, '0123456789', undefined],
    ['bytes=10-,4-2', 200, '0123456789', undefined],
    [`bytes=${'0-0,'.repeat(17)}`, 200, '0123456789', undefined],
  ])('Range: %s is answered with %d', async (range, status, text, contentRange) => {
    const response = await get('/plain.txt', [['Range', range]]);
    expect([response.status, response.text, getHeader(response, 'content-range')]).toEqual([
      status,
      text,
      contentRange,
    ]);
  });

  test.each([
    ['bytes=-5', 200, undefined],
    ['bytes=0-, -5', 200, undefined],
    ['bytes=0-', 416, 'bytes */0'],
    ['bytes=-0', 416, 'bytes */0'],
  ])('Range: %s of an empty file is answered with %d', async (range, status, contentRange) => {
    const response = await get('/nothing.txt', [['Range', range]]);
    expect([response.status, getHeader(response, 'content-length'), getHeader(response, 'content-range')]).toEqual([
      status,
      '0',
      contentRange,
    ]);
  });

  test.each(['bytes=2-4', 'bytes=10-'])('HEAD ignores Range: %s', async (range) => {
    const requestHeaders: [string, string][] = [
      ['Range', range],
      ['Accept-Encoding', 'gzip'],
    ];
    const [uncompressedResponse, zippedResponse] = [
      await get('/plain.txt', requestHeaders, undefined, 'HEAD'),
      await get('/style.css', requestHeaders, undefined, 'HEAD'),
    ];
    const listHeaders = (response: typeof uncompressedResponse) =>
      ['content-length', 'content-range', 'content-encoding'].map((name) => getHeader(response, name));
    expect([uncompressedResponse.status, ...listHeaders(uncompressedResponse)]).toEqual([
      200,
      '10',
      undefined,
      undefined,
    ]);
    expect([zippedResponse.status, ...listHeaders(zippedResponse)]).toEqual([
      200,
      String(gzipSync('body{}').length),
      undefined,
      'gzip',
    ]);
  });

  test('several ranges are sent as parts, without the ranges beyond the end', async () => {
    const response = await get('/plain.txt', [['Range', 'bytes=0-1, -1, 900-']]);
    const boundary = /^multipart\/byteranges; boundary=(.+)$/.exec(getHeader(response, 'content-type') ?? '')?.[1];
    const parts = response.text.split(`--${boundary}`).slice(1, -1);
    expect([response.status, parts.length, getHeader(response, 'content-length')]).toEqual([
      206,
      2,
      String(response.body.length),
    ]);
    expect(parts[0]).toContain(`Content-Range: bytes 0-1/10`);
    expect(parts[1]).toContain('Content-Range: bytes 9-9/10');
  });

  test('If-Range with another ETag gets the complete file', async () => {
    const { headers } = await get('/plain.txt');
    const etag = getHeader({ headers }, 'etag') ?? '';
    const requestRange = (condition: string) =>
      get('/plain.txt', [
        ['Range', 'bytes=0-1'],
        ['If-Range', condition],
      ]);
    expect((await requestRange(etag)).status).toBe(206);
    const otherTags = ['"other"', `W/${etag}`, getHeader({ headers }, 'last-modified') ?? ''];
    for (const otherTag of otherTags) expect((await requestRange(otherTag)).status).toBe(200);
    expect((await get('/plain.txt', [['If-Range', etag]])).status).toBe(200);
  });

  test.each(['/', '/app-3f9c2b1a.js', '/foto-fachada-loja.jpg', '/app.production.js'])(
    '%s is revalidated by its ETag, whatever its name looks like',
    async (path) => {
      const { status, headers } = await get(path);
      expect([status, getHeader({ headers }, 'cache-control')]).toEqual([200, 'no-cache']);
      const revalidatedResponse = await get(path, [['If-None-Match', getHeader({ headers }, 'etag') ?? '']]);
      expect([revalidatedResponse.status, getHeader(revalidatedResponse, 'cache-control')]).toEqual([304, 'no-cache']);
    },
  );

  test.each([
    ['/sobre', 200, 'Sobre'],
    ['/docs/guia', 200, 'Guia'],
    ['/sobre/', 404, 'Nada aqui'],
    ['/docs', 301, ''],
    ['/nada', 404, 'Nada aqui'],
    ['/nada.js', 404, 'Nada aqui'],
    ['/.env', 404, 'Nada aqui'],
    ['/404.html', 200, 'Nada aqui'],
  ])('%s of a site with a 404.html is answered with %d', async (path, status, text) => {
    const response = await get(path, [['Accept', 'text/html']], 'paginas.localhost');
    expect([response.status, response.text]).toEqual([status, text]);
  });

  test.each([
    ['404.html', '/nada'],
    ['segredo.html', '/segredo'],
  ])('a %s that links out of the folder is not served', async (name, path) => {
    const label = `preso-${name.length}`;
    const siteFolder = join(core.sites, label);
    mkdirSync(siteFolder, { recursive: true });
    writeFileSync(join(siteFolder, 'index.html'), 'Início');
    symlinkSync(join(core.folder, 'outside.txt'), join(siteFolder, name));
    await createSubdomain(core, label, { type: 'static', staticPath: siteFolder });
    await waitForStatus(`${label}.localhost`, 200);
    const { status, text } = await get(path, [], `${label}.localhost`);
    expect([status, text.includes('SECRET')]).toEqual([404, false]);
  });

  test("conditions and ranges do not apply to a site's 404.html", async () => {
    const { status, headers } = await get('/nada', [], 'paginas.localhost');
    const etag = getHeader({ headers }, 'etag') ?? '';
    expect([status, getHeader({ headers }, 'content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    for (const [name, value] of [
      ['If-None-Match', etag],
      ['If-Match', '"x"'],
      ['Range', 'bytes=0-1'],
    ] as const) {
      const response = await get('/nada', [[name, value]], 'paginas.localhost');
      expect([name, response.status, response.text]).toEqual([name, 404, 'Nada aqui']);
    }
    const headResponse = await get('/nada', [], 'paginas.localhost', 'HEAD');
    expect([headResponse.status, getHeader(headResponse, 'content-length'), headResponse.body.length]).toEqual([
      404,
      '9',
      0,
    ]);
  });

  test('subdomains and tenants without the SPA fallback answer unknown navigations with 404', async () => {
    const navigate = async (host: string) => (await get('/clientes/42', [['Accept', 'text/html']], host)).status;
    await createSubdomain(core, 'fixo', { type: 'static', staticPath: folder, spaFallback: false });
    const project = await core.create('/projects', {
      name: 'Fixo',
      type: 'static',
      staticPath: folder,
      spaFallback: false,
    });
    await core.create('/tenants', { name: 'Fixo', subdomain: 'inquilino', project: project._id });
    for (const host of ['fixo.localhost', 'inquilino.localhost']) {
      await waitForStatus(host, 200);
      expect([host, await navigate(host)]).toEqual([host, 404]);
    }
    await core.request('PUT', '/subdomains/fixo', { body: { spaFallback: true } });
    await waitFor('the fallback is used', async () => (await navigate('fixo.localhost')) === 200);
  });

  test.each([
    ['/clientes/42', 'text/html,application/xhtml+xml', 200],
    ['/clientes/42', '*/*', 404],
    ['/clientes/foto.png', 'text/html', 404],
  ])('a request for %s that accepts %s is answered with %d', async (path, accept, status) => {
    expect((await get(path, [['Accept', accept]])).status).toBe(status);
  });

  test('a precompressed copy is sent to clients that accept it', async () => {
    const uncompressedResponse = await get('/style.css');
    const zippedResponse = await get('/style.css', [['Accept-Encoding', 'br;q=0, gzip']]);
    expect([getHeader(uncompressedResponse, 'content-encoding'), uncompressedResponse.text]).toEqual([
      undefined,
      'body{}',
    ]);
    expect([getHeader(zippedResponse, 'content-encoding'), getHeader(zippedResponse, 'content-type')]).toEqual([
      'gzip',
      'text/css; charset=utf-8',
    ]);
    expect([getHeader(uncompressedResponse, 'vary'), getHeader(zippedResponse, 'vary')]).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);
    expect(getHeader(uncompressedResponse, 'etag')).not.toBe(getHeader(zippedResponse, 'etag'));
    expect(getHeader(await get('/style.css', [['Accept-Encoding', 'gzip;q=0']]), 'content-encoding')).toBeUndefined();
  });

  test.each([
    '/../outside.txt',
    '/docs/../../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/%2e%2e%2foutside.txt',
    '/..%5coutside.txt',
    '/%252e%252e/outside.txt',
    '/link.txt',
    '/device',
    '/.env',
    '/docs/.env',
    '/%2eenv',
    '/plain.txt%00.html',
    '/plain.txt/',
    '/empty',
    '/empty/',
    '/PLAIN.TXT',
    '/%zz',
  ])('%s is not served', async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(404);
    expect(text).not.toContain('SECRET');
  });

  test('/api is forwarded to the API port with its path unchanged', async () => {
    const { url, host } = parseEcho((await get('/api/v1/x?y=1')).text);
    expect([url, host]).toEqual(['/api/v1/x?y=1', 'site.localhost']);
    expect((await get('/apix', [['Accept', 'text/html']])).text).toContain('Início');
  });

  test.each(['/api/code.js', '/%61pi/code.js', '/a%70%69/code.js?y=1', '//api/code.js', '/%61pi'])(
    '%s is forwarded to the API port and not served from a file',
    async (path) => expect(parseEcho((await get(path)).text).url).toBe(path),
  );

  test('methods other than GET and HEAD are answered with 405', async () => {
    const response = await sendRequest(edge.port, {
      method: 'POST',
      host: 'site.localhost',
      path: '/plain.txt',
      body: 'x',
    });
    expect([response.status, getHeader(response, 'allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('the connection breaks if a file is truncated while it is sent', async () => {
    const path = join(folder, 'big.bin');
    writeFileSync(path, Buffer.alloc(64 * 1024 * 1024, 1));
    const socket = connect(edge.port, '127.0.0.1');
    socket.write('GET /big.bin HTTP/1.1\r\nHost: site.localhost\r\n\r\n');
    const received: Buffer[] = [];
    socket.once('data', (firstChunk) => {
      received.push(firstChunk);
      socket.pause();
      truncateSync(path, 1024 * 1024);
      socket.on('data', (chunk) => received.push(chunk));
      socket.resume();
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    const { status, isComplete } = parseResponse(Buffer.concat(received));
    expect([status, isComplete]).toEqual([200, false]);
  });

  test('a missing folder affects only its host', async () => {
    const lostFolder = join(core.sites, 'lost');
    mkdirSync(lostFolder);
    await createSubdomain(core, 'perdido', { type: 'static', staticPath: lostFolder });
    rmSync(lostFolder, { recursive: true });
    await waitForStatus('perdido.localhost', 503);
    expect(await requestStatus('site.localhost')).toBe(200);
  });
});
