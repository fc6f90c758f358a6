import { createHash } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Core } from '../../testing/core';
import { siteMessages } from './sites.messages';
import {
  compressTar,
  createLargeZip,
  createTar,
  createTarHeader,
  createTarWithArguments,
  createZip,
  createZipWithEntryName,
  sendPackage,
  withTemporaryFolder,
  zipFolder,
} from './testing/packages';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
  const body = { subdomain: 'loja', description: 'x', type: 'static', source: 'versions' };
  expect((await core.request('POST', '/subdomains', { body })).status).toBe(201);
});
afterAll(() => core?.stop());

const publish = (type: 'zip' | 'gzip', body: Buffer) =>
  sendPackage(core, '/subdomains/loja/versions?activate=false', type, body);
const listIncomingFiles = () => readdirSync(join(core.folder, 'content/incoming'));
const listContentFiles = () =>
  readdirSync(join(core.folder, 'content/objects'), { recursive: true }).map(String).sort();
const listVersions = async () => (await core.request('GET', '/subdomains/loja/versions')).body;

/** Expects that a package is refused and leaves no files behind. */
async function expectRefused(
  packageBody: Buffer | Promise<Buffer>,
  type: 'zip' | 'gzip',
  status: number,
  message: string,
): Promise<void> {
  const body = await packageBody;
  const stateBefore = [listContentFiles(), listIncomingFiles(), await listVersions()];
  const response = await publish(type, body);
  expect([response.status, response.body.error]).toEqual([status, message]);
  expect([listContentFiles(), listIncomingFiles(), await listVersions()]).toEqual(stateBefore);
}

describe('unsafe entries of packages', () => {
  test.each([
    ['../xyz', '../xyz: este caminho não é aceito.'],
    ['/etc/x', '/etc/x: este caminho não é aceito.'],
    ['a\\..\\x', 'a\\..\\x: este caminho não é aceito.'],
    ['a/../x', 'a/../x: este caminho não é aceito.'],
    ['a\u0001bcde', 'a?bcde: este caminho não é aceito.'],
    ['a\u0000bcde', 'a?bcde: este caminho não é aceito.'],
  ])('a zip with the path %j is refused', (name, message) =>
    expectRefused(createZipWithEntryName(name), 'zip', 400, message),
  );

  test('a tar.gz with the path ../x is refused', () =>
    expectRefused(
      createTarWithArguments({ x: 'x' }, () => undefined, '--transform', 's,^x$,../x,', 'index.html', 'x'),
      'gzip',
      400,
      '../x: este caminho não é aceito.',
    ));
  test('a tar.gz with an absolute path is refused', () =>
    expectRefused(
      createTarWithArguments({ x: 'x' }, () => undefined, '--transform', 's,^x$,/etc/x,', 'index.html', 'x'),
      'gzip',
      400,
      '/etc/x: este caminho não é aceito.',
    ));
  test('a tar.gz with a symbolic link is refused', () =>
    expectRefused(
      createTarWithArguments(
        {},
        (folder) => symlinkSync('/etc/passwd', join(folder, 'senhas')),
        'index.html',
        'senhas',
      ),
      'gzip',
      400,
      'senhas: só arquivos e pastas são aceitos, sem links nem dispositivos.',
    ));
  test('a tar.gz with a hard link is refused', () =>
    expectRefused(
      createTarWithArguments(
        {},
        (folder) => linkSync(join(folder, 'index.html'), join(folder, 'twin')),
        'index.html',
        'twin',
      ),
      'gzip',
      400,
      'twin: só arquivos e pastas são aceitos, sem links nem dispositivos.',
    ));
  test('a tar.gz of the POSIX format with a sparse file is refused', () =>
    expectRefused(
      createTarWithArguments(
        { big: 'x' },
        (folder) => truncateSync(join(folder, 'big'), 1024 ** 2),
        '-S',
        '--format=posix',
        'index.html',
        'big',
      ),
      'gzip',
      400,
      expect.stringContaining('big: só arquivos e pastas são aceitos, sem links nem dispositivos.'),
    ));
  test('a zip with a symbolic link is refused', () =>
    expectRefused(
      withTemporaryFolder({ 'index.html': 'ok' }, (folder) => {
        symlinkSync('/etc/passwd', join(folder, 'senhas'));
        return zipFolder(folder, '-y');
      }),
      'zip',
      400,
      'senhas: só arquivos e pastas são aceitos, sem links nem dispositivos.',
    ));
});

describe('the limits of a package', () => {
  const indexEntry = Buffer.concat([createTarHeader('index.html', '0', '1'), Buffer.alloc(512, 'x\0')]);

  test('a package of 1 MB with a file of 1 GB is refused without filling the memory or the disk', async () => {
    const zeros = Buffer.alloc(64 * 1024 ** 2);
    const gigabyte = Array<Buffer>(16).fill(zeros);
    const bigHeader = createTarHeader('big', '0', (1024 ** 3).toString(8));
    const bomb = await compressTar([indexEntry, bigHeader, ...gigabyte, Buffer.alloc(1024)]);
    expect(bomb.length).toBeLessThan(2 * 1024 ** 2);
    const readPeakMemoryMb = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${core.pid}/status`, 'utf8'))?.[1]) / 1024;
    // A small package comes first, so that the peak before the large file includes the memory that any package needs.
    await expectRefused(createTar({ 'index.txt': 'x' }), 'gzip', 400, 'O pacote não tem index.html na raiz.');
    const peakBeforeMb = readPeakMemoryMb();
    await expectRefused(bomb, 'gzip', 413, 'big: o arquivo passa de 100 MB.');
    expect(readPeakMemoryMb() - peakBeforeMb).toBeLessThan(100);
  });
  test('a package whose files have more than 500 MB together is refused', () =>
    expectRefused(
      createLargeZip(['index.html', 'a', 'b', 'c', 'd', 'e'], Buffer.alloc(95 * 1024 ** 2)),
      'zip',
      413,
      'O pacote passa de 500 MB descompactado.',
    ));
  test('a package of 20,001 files is refused', () =>
    expectRefused(
      createLargeZip(['index.html', ...Array.from({ length: 20_000 }, (_, index) => `d/${index}`)], Buffer.from('x')),
      'zip',
      413,
      'O pacote passa de 20.000 arquivos.',
    ));

  test.each([
    ['5', 'pasta/'],
    ['0', './'],
  ])('a tar.gz of 20,001 folders (entry type %s, name %s) is refused', (type, name) => {
    const entry = createTarHeader(name, type, '0');
    const body = gzipSync(Buffer.concat([indexEntry, ...Array<Buffer>(20_001).fill(entry), Buffer.alloc(1024)]));
    expect(body.length).toBeLessThan(100_000);
    return expectRefused(body, 'gzip', 413, 'O pacote passa de 20.000 pastas.');
  });
  test('a tar.gz with a folder whose header states a size of gigabytes is refused', () =>
    expectRefused(
      gzipSync(Buffer.concat([indexEntry, createTarHeader('pasta/', '5', '77777777777'), Buffer.alloc(1024)])),
      'gzip',
      413,
      'pasta/: o arquivo passa de 100 MB.',
    ));
  test('a zip of 20,001 folders is refused', () =>
    expectRefused(
      createLargeZip(['index.html', ...Array.from({ length: 20_001 }, (_, index) => `d/${index}/`)], Buffer.alloc(0)),
      'zip',
      413,
      'O pacote passa de 20.000 pastas.',
    ));
  test('a tar.gz with a pax header of gigabytes is refused', () =>
    expectRefused(
      gzipSync(Buffer.concat([createTarHeader('pax', 'x', '77777777777'), Buffer.alloc(64 * 1024 ** 2)])),
      'gzip',
      400,
      'O pacote não é um tar.gz válido.',
    ));

  test('a list of ten million values is refused without exhausting the memory of the core', async () => {
    const list = `{"files":{"index.html":[${'{},'.repeat(10_000_000)}{}]}}`;
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${core.token}` };
    const response = await fetch(`${core.url}/api/subdomains/loja/versions`, { method: 'POST', headers, body: list });
    expect([response.status, await response.json()]).toEqual([400, { error: siteMessages.notManifest }]);
  });
});

describe('invalid packages', () => {
  const files = { 'index.html': 'x'.repeat(5000) };
  const packers = { zip: () => createZip(files), gzip: () => createTar(files) };
  const invalidMessages = { zip: 'O pacote não é um zip válido.', gzip: 'O pacote não é um tar.gz válido.' };
  test.each(['zip', 'gzip'] as const)('a damaged package of the type %s is refused', async (type) => {
    for (const body of [
      Buffer.from('nothing'),
      Buffer.alloc(0),
      (await packers[type]()).subarray(0, 60),
      Buffer.alloc(4000, 'PK\x03\x04'),
    ])
      await expectRefused(body, type, 400, invalidMessages[type]);
  });
  test('a gzip that contains no tar is refused', () =>
    expectRefused(gzipSync('x'.repeat(3000)), 'gzip', 400, invalidMessages.gzip));
  test('an encrypted zip is refused', () =>
    expectRefused(createZip({ 'index.html': 'x' }, '-P', 'senha'), 'zip', 400, 'index.html: o arquivo está cifrado.'));
  test('a zip with content that does not match its checksum is refused', async () => {
    const bytes = await createZip({ 'index.html': 'um texto sem compressão' }, '-0');
    bytes.write('X', bytes.indexOf('texto'));
    await expectRefused(bytes, 'zip', 400, 'index.html: o arquivo está danificado no pacote.');
  });
  test.each([
    {},
    { files: [] },
    { files: { 'index.html': 'x' } },
    { files: { 'index.html': { sha256: 'x', size: 1 } } },
  ])('the file list %j is refused', async (body) => {
    const { status } = await core.request('POST', '/subdomains/loja/versions', { body });
    expect(status).toBe(400);
  });
  test('a body that is neither a package nor a file list is refused', async () => {
    const headers = { 'Content-Type': 'text/plain', Authorization: `Bearer ${core.token}` };
    const { status } = await fetch(`${core.url}/api/subdomains/loja/versions`, { method: 'POST', headers, body: 'x' });
    expect(status).toBe(415);
  });
});

test('a package with two names that are equal in Unicode form C is refused', () =>
  expectRefused(
    createTar({ 'index.html': 'x', 'caf\u00e9.txt': '1', 'cafe\u0301.txt': '2' }),
    'gzip',
    400,
    'caf\u00e9.txt: este caminho aparece duas vezes no pacote.',
  ));

test('hidden files are left out, and names that differ only in case cause a warning', async () => {
  const { status, body } = await publish(
    'gzip',
    await createTar({
      'index.html': 'x',
      '.env': 'SECRET',
      '.git/config': 'x',
      '.well-known/a.txt': 'a',
      'A.txt': '1',
      'a.txt': '2',
    }),
  );
  expect([status, body.files]).toEqual([201, 4]);
  expect(body.warnings.join(' ')).toMatch(/2 arquivos ocultos ficaram de fora/);
  expect(body.warnings.join(' ')).toMatch(/(A\.txt e a\.txt|a\.txt e A\.txt) diferem só em maiúsculas/);
});

describe('unsupported and invalid rules', () => {
  test.each([
    [
      '_redirects',
      '/a /b\n/x /y 301 Role=admin',
      '_redirects, linha 2: condições (Country, Role, Language, parâmetros) não são atendidas aqui.',
    ],
    [
      '_redirects',
      '# c\n\n/a id=:id /b',
      '_redirects, linha 3: condições (Country, Role, Language, parâmetros) não são atendidas aqui.',
    ],
    [
      '_redirects',
      '/api/* https://outro.com/:splat 200',
      '_redirects, linha 1: encaminhar a outro endereço não é atendido aqui.',
    ],
    ['_redirects', '/a //evil.com/', '_redirects, linha 1: falta um destino válido.'],
    ['_redirects', '/a/* https://:splat/x', '_redirects, linha 1: falta um destino válido.'],
    ['_redirects', '/a /\\evil.com/', '_redirects, linha 1: falta um destino válido.'],
    ['_redirects', '/a /b 418', '_redirects, linha 1: o status deve ser 200, 301, 302, 303, 307, 308 ou 404.'],
    ['_headers', '/*\n  Basic-Auth: a:b', '_headers, linha 2: Basic-Auth não é atendido aqui; use a senha do site.'],
    ['_headers', '/*\n  Set-Cookie: a=b', '_headers, linha 2: este cabeçalho não pode ser definido por um site.'],
    ['_headers', '/*\n  X-Tenant-Id: 1', '_headers, linha 2: este cabeçalho não pode ser definido por um site.'],
    ['_headers', '  X-A: 1', '_headers, linha 1: a linha não foi entendida.'],
    ['_headers', '/a/*/b/*\n  X-A: 1', '_headers, linha 1: o caminho deve começar com / e ter no máximo um *.'],
  ])('a package whose %s contains %j is refused with the number of the faulty line', (name, text, message) =>
    expectRefused(createTar({ 'index.html': 'x', [name]: text }), 'gzip', 400, message),
  );
});

test('a redirect that never reaches a page causes a warning', async () => {
  const redirects = ['/a /b', '/b /a', '/docs /docs/', '/velho/* /:splat', '/* /index.html 200', '/x /x 302!'];
  const files = { 'index.html': 'x', 'docs/index.html': 'd', _redirects: redirects.join('\n') };
  const { status, body } = await sendPackage(
    core,
    '/subdomains/loja/versions?activate=false',
    'gzip',
    await createTar(files),
  );
  expect([status, body.warnings]).toEqual([201, ['/a', '/b', '/x'].map(siteMessages.endlessRedirect)]);
});

describe('a rule of a megabyte', () => {
  const blanks = '\t'.repeat(1_000_000);
  const comments = ' #'.repeat(500_000);
  test.each([
    ['_headers', `/*\n  X-A: ${blanks}1\r1`, '_headers, linha 2: este cabeçalho não pode ser definido por um site.'],
    [
      '_redirects',
      `/a /b 418${comments}\r1`,
      '_redirects, linha 1: o status deve ser 200, 301, 302, 303, 307, 308 ou 404.',
    ],
  ])('is read in linear time from %s, even with a carriage return inside', (name, text, message) =>
    expectRefused(createTar({ 'index.html': 'x', [name]: text }), 'gzip', 400, message),
  );
});

describe('the publication of a file list', () => {
  const hashText = (text: string) => createHash('sha256').update(text).digest('hex');
  const createFileList = (files: Record<string, string>) => ({
    files: Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, { sha256: hashText(text), size: Buffer.byteLength(text) }]),
    ),
  });
  const putContent = async (id: string, text: string, digest = hashText(text)) => {
    const headers = { 'Content-Type': 'application/octet-stream', Authorization: `Bearer ${core.token}` };
    const url = `${core.url}/api/versions/${id}/content/${digest}`;
    return (await fetch(url, { method: 'PUT', headers, body: text })).status;
  };
  const postList = (label: string, files: Record<string, string>) =>
    core.request('POST', `/subdomains/${label}/versions?activate=false`, { body: createFileList(files) });

  test('receives its files one by one, and continues after an interruption', async () => {
    const files = { 'index.html': 'lista', 'a.txt': 'um texto' };
    const { status, body } = await postList('loja', files);
    expect([status, body.state, body.missing.sort()]).toEqual([
      201,
      'receiving',
      [hashText('lista'), hashText('um texto')].sort(),
    ]);
    expect(await putContent(body._id, 'outra coisa', hashText('lista'))).toBe(400);
    expect(await putContent(body._id, 'não pedido')).toBe(404);
    expect(await putContent(body._id, 'lista')).toBe(204);
    const incompleteResponse = await core.request('POST', `/versions/${body._id}/complete`);
    expect([incompleteResponse.status, incompleteResponse.body.error]).toEqual([409, 'Falta 1 arquivo.']);
    const continuedVersion = (await postList('loja', files)).body;
    expect([continuedVersion._id, continuedVersion.missing]).toEqual([body._id, [hashText('um texto')]]);
    const changedList = (await postList('loja', { ...files, 'b.txt': 'mais' })).body;
    expect(changedList.missing.sort()).toEqual([hashText('mais'), hashText('um texto')].sort());
    expect(await putContent(body._id, 'um texto')).toBe(204);
    const completion = await core.request('POST', `/versions/${body._id}/complete`);
    expect([completion.status, completion.body.state, completion.body.files]).toEqual([200, 'ready', 2]);
  });

  test('asks for content even if another site has the same content', async () => {
    const body = { subdomain: 'outra', description: 'x', type: 'static', source: 'versions' };
    await core.request('POST', '/subdomains', { body });
    const files = { 'index.html': 'segredo da outra loja' };
    await sendPackage(core, '/subdomains/outra/versions', 'gzip', await createTar(files));
    expect((await postList('outra', files)).body.missing).toEqual([]);
    expect((await postList('loja', files)).body.missing).toEqual([hashText('segredo da outra loja')]);
  });

  test.each([
    [
      'a path with a lone surrogate',
      { 'a\ud800': { sha256: hashText('x'), size: 1 } },
      'a?: este caminho não é aceito.',
    ],
    [
      'two sizes for the same content',
      { 'index.html': { sha256: hashText('x'), size: 1 }, 'b.txt': { sha256: hashText('x'), size: 2 } },
      'b.txt: o conteúdo não tem o tamanho da lista.',
    ],
  ])('is refused with %s', async (_title, files, message) => {
    const { status, body } = await core.request('POST', '/subdomains/loja/versions', { body: { files } });
    expect([status, body.error]).toEqual([400, message]);
  });

  test('cannot be completed if a listed size is wrong, whether the content was sent or already stored', async () => {
    await sendPackage(core, '/subdomains/loja/versions', 'gzip', await createTar({ 'index.html': 'já guardado' }));
    for (const text of ['um tamanho errado', 'já guardado']) {
      const files = { 'index.html': { sha256: hashText(text), size: Buffer.byteLength(text) + 1 } };
      const { body } = await core.request('POST', '/subdomains/loja/versions', { body: { files } });
      for (const _digest of body.missing) expect(await putContent(body._id, text)).toBe(204);
      const completion = await core.request('POST', `/versions/${body._id}/complete`);
      expect([completion.status, completion.body.error]).toEqual([
        400,
        'index.html: o conteúdo não tem o tamanho da lista.',
      ]);
    }
  });
});

test('a site that is not static refuses versions', async () => {
  await core.request('POST', '/subdomains', {
    body: { subdomain: 'app', description: 'x', type: 'proxy', port: 4000 },
  });
  const { status, body } = await sendPackage(
    core,
    '/subdomains/app/versions',
    'gzip',
    await createTar({ 'index.html': 'x' }),
  );
  expect([status, body.error]).toEqual([400, 'Só sites do tipo static recebem versões.']);
});
