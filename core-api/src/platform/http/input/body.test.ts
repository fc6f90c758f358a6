import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ADMINISTRATOR } from '../../../../../scripts/testing/stack';
import { Core } from '../../../testing/core';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

const NESTED = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`;

async function requestStatus(path: string, headers: Record<string, string>, body: string | Buffer): Promise<number> {
  const response = await fetch(`${core.url}/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  await response.arrayBuffer();
  return response.status;
}

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a body compressed with %s is refused', async (encoding, compress) => {
  const headers = { 'Content-Encoding': encoding };
  expect(await requestStatus('/login', headers, compress(JSON.stringify(ADMINISTRATOR)))).toBe(415);
  const authorizedHeaders = { ...headers, Authorization: `Bearer ${core.token}` };
  expect(await requestStatus('/gateway/admin/routes/import', authorizedHeaders, compress(NESTED))).toBe(415);
});

test('a body with the content encoding identity is accepted', async () => {
  expect(await requestStatus('/login', { 'Content-Encoding': 'identity' }, JSON.stringify(ADMINISTRATOR))).toBe(200);
});

test.each([
  ['/gateway/admin/routes/import', NESTED],
  ['/gateway/admin/routes/import', 'no JSON'],
  ['/subdomains', 'no JSON'],
  ['/subdomains', '"'.padEnd(200_000, 'x')],
])('a body that is sent to %s without a valid token is not read', async (path, body) => {
  expect(await requestStatus(path, {}, body)).toBe(401);
  expect(await requestStatus(path, { Authorization: 'Bearer x' }, body)).toBe(401);
});

test.each(['[]', '"texto"', '5', 'true', 'null'])(
  'the JSON value %s is refused, because it is not an object',
  async (body) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${core.token}` };
    for (const [method, path] of [
      ['POST', '/projects'],
      ['PUT', '/settings'],
      ['POST', '/login'],
    ]) {
      const response = await fetch(`${core.url}/api${path}`, { method, headers, body });
      const refusal = { error: 'O corpo da requisição deve ser um objeto JSON.' };
      expect([method, path, response.status, await response.json()]).toEqual([method, path, 400, refusal]);
    }
  },
);

test('a query parameter that is sent twice is refused in Portuguese', async () => {
  const { status, body } = await core.request('GET', '/subdomains?page=1&page=2');
  const message = 'Este parâmetro foi enviado mais de uma vez.';
  expect([status, body]).toEqual([400, { error: message, fields: { page: message } }]);
});
