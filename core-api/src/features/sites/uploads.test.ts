import { createHash } from 'node:crypto';
import { waitFor } from '../../../../scripts/testing/program';
import { Core } from '../../testing/core';
import { Edge, sendRequest } from '../../testing/edge';
import { createTar } from './testing/packages';
import { createSite } from './testing/static-site';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
// An account may have at most 200 unused upload URLs, so each test begins without upload URLs.
beforeEach(() => core.query('DELETE FROM site_uploads'));
afterAll(() => core?.stop());

async function createUpload(label: string, body: object = {}): Promise<string> {
  const response = await core.request('POST', `/subdomains/${label}/uploads`, { body });
  expect([response.status, response.body.error]).toEqual([201, undefined]);
  expect(response.body.path).toMatch(/^\/api\/uploads\/[\w-]{43}$/);
  return response.body.path;
}

async function sendUpload(path: string, type: string, body: Buffer | string | undefined, method = 'POST') {
  const headers: Record<string, string> = type ? { 'Content-Type': type } : {};
  const response = await fetch(`${core.url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
const completeUpload = (path: string) => sendUpload(`${path}/complete`, '', undefined);
const GONE = 'Este endereço de envio já foi usado ou expirou. Tente de novo.';
const hashText = (text: string) => createHash('sha256').update(text).digest('hex');

test('an upload URL accepts one package, without a token', async () => {
  const label = await createSite(core);
  const path = await createUpload(label, { message: 'Pelo console' });
  const body = await createTar({ 'index.html': 'um' });
  const firstResponse = await sendUpload(path, 'application/gzip', body);
  expect([firstResponse.status, firstResponse.body.live.state]).toEqual([201, 'pending']);
  const secondResponse = await sendUpload(path, 'application/gzip', body);
  expect([secondResponse.status, secondResponse.body.error]).toEqual([404, GONE]);
  const [version] = (await core.request('GET', `/subdomains/${label}/versions`)).body;
  expect(version).toMatchObject({ number: 1, message: 'Pelo console', actor: 'admin', current: true });
  const audit = await core.request('GET', '/audit?entity=version');
  expect(audit.body.entries[0]).toMatchObject({ actor: 'admin', action: 'create' });
});

test('an upload URL accepts a file list, the files of the list, and the completion of the version', async () => {
  const label = await createSite(core);
  const path = await createUpload(label, { activate: false });
  const files = { 'index.html': { sha256: hashText('um'), size: 2 }, 'b.txt': { sha256: hashText('dois'), size: 4 } };
  const listResponse = await sendUpload(path, 'application/json', JSON.stringify({ files }));
  expect([listResponse.status, listResponse.body.state, listResponse.body.missing.length]).toEqual([
    201,
    'receiving',
    2,
  ]);
  expect((await completeUpload(path)).status).toBe(409);
  for (const text of ['um', 'dois'])
    expect(
      (await sendUpload(`${path}/content/${hashText(text)}`, 'application/octet-stream', text, 'PUT')).status,
    ).toBe(204);
  const wrongContent = await sendUpload(`${path}/content/${hashText('um')}`, 'application/octet-stream', 'xx', 'PUT');
  expect([wrongContent.status, wrongContent.body.error]).toEqual([
    400,
    'O conteúdo não corresponde ao sha256 do endereço.',
  ]);
  const completion = await completeUpload(path);
  expect([completion.status, completion.body.state, completion.body.live]).toEqual([200, 'ready', null]);
});

test('an unknown upload URL answers 404, and an unused one refuses content, a completion and plain text', async () => {
  const label = await createSite(core);
  const unusedPath = await createUpload(label);
  const unknownPath = `/api/uploads/${'x'.repeat(43)}`;
  const body = await createTar({ 'index.html': 'um' });
  expect(await sendUpload(unknownPath, 'application/gzip', body)).toMatchObject({ status: 404, body: { error: GONE } });
  for (const path of [unusedPath, unknownPath]) {
    expect((await completeUpload(path)).status).toBe(404);
    expect((await sendUpload(`${path}/content/${hashText('x')}`, 'text/plain', 'x', 'PUT')).status).toBe(404);
  }
  expect((await sendUpload(unusedPath, 'text/plain', body)).status).toBe(415);
});

test('an expired upload URL answers 404', async () => {
  const label = await createSite(core);
  const path = await createUpload(label);
  const body = await createTar({ 'index.html': 'um' });
  const past = new Date(Date.now() - 1).toISOString();
  await core.query(`UPDATE site_uploads SET "expiresAt" = '${past}' WHERE "usedAt" IS NULL`);
  expect((await sendUpload(path, 'application/gzip', body)).status).toBe(404);
});

test('an account has at most 200 unused upload URLs', async () => {
  const label = await createSite(core);
  const path = await createUpload(label);
  const columns = '"ownerKind", "ownerId", "accountId", activates, "expiresAt"';
  await core.query(`INSERT INTO site_uploads (digest, ${columns})
    WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < 199)
    SELECT 'copia-' || n, ${columns} FROM site_uploads, copies
    WHERE digest = '${hashText(path.slice('/api/uploads/'.length))}'`);
  const requestUpload = () => core.request('POST', `/subdomains/${label}/uploads`, { body: {} });
  const response = await requestUpload();
  expect([response.status, response.body.error]).toEqual([
    409,
    'Há 200 endereços de envio em aberto nesta conta. Use um deles ou espere uma hora.',
  ]);
  expect((await sendUpload(path, 'application/gzip', await createTar({ 'index.html': 'um' }))).status).toBe(201);
  expect((await requestUpload()).status).toBe(201);
});

test('only sites of the type static have upload URLs', async () => {
  const body = { subdomain: 'proxy', description: 'x', type: 'proxy', port: 4000 };
  await core.request('POST', '/subdomains', { body });
  const response = await core.request('POST', '/subdomains/proxy/uploads', { body: {} });
  expect([response.status, response.body.error]).toEqual([400, 'Só sites do tipo static recebem versões.']);
});

test('the changes of a version are the files that differ from the previous version', async () => {
  const label = await createSite(core);
  const publish = async (files: Record<string, string>) =>
    (await sendUpload(await createUpload(label), 'application/gzip', await createTar(files))).body._id;
  const firstVersionId = await publish({ 'index.html': 'um', 'a.txt': 'a', 'b.txt': 'b' });
  const secondVersionId = await publish({ 'index.html': 'dois', 'a.txt': 'a', constructor: 'c' });
  const findChanges = async (id: string) => (await core.request('GET', `/versions/${id}/changes`)).body;
  expect(await findChanges(firstVersionId)).toMatchObject({ since: null, added: 3, changed: 0, removed: 0 });
  expect(await findChanges(secondVersionId)).toEqual({
    since: 1,
    added: 1,
    changed: 1,
    removed: 1,
    paths: [
      { path: 'b.txt', change: 'removed' },
      { path: 'constructor', change: 'added' },
      { path: 'index.html', change: 'changed' },
    ],
  });
});

test('no log line contains the secret of an upload URL', async () => {
  const edge = await new Edge(core, { ACCESS_LOG: 'stdout' }).start();
  const path = await createUpload(await createSite(core));
  for (const [method, suffix] of [
    ['POST', ''],
    ['PUT', `/content/${hashText('um')}`],
  ] as const) {
    await sendRequest(edge.port, { host: 'localhost', method, path: `${path}${suffix}`, body: 'x' });
  }
  await waitFor('both programs have logged both requests', () =>
    [core, edge].every(({ output }) => output.split('/api/uploads/[secret]').length > 2),
  );
  await edge.stop();
  expect(core.output + edge.output).not.toContain(path);
});
