import { gzipSync } from 'node:zlib';
import { ADMINISTRATOR } from '../../../scripts/testing/stack';
import { Core } from '../testing/core';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

async function login(encoding: string, body: Buffer): Promise<number> {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
  return (await fetch(`${core.url}/api/login`, { method: 'POST', headers, body: new Uint8Array(body) })).status;
}

test('a compressed body is read; one that is broken or ends too early is 400', async () => {
  const packed = gzipSync(JSON.stringify(ADMINISTRATOR));
  expect(await login('gzip', packed)).toBe(200);
  expect(await login('gzip', Buffer.from('no gzip at all'))).toBe(400);
  expect(await login('gzip', packed.subarray(0, packed.length - 12))).toBe(400);
  expect(await login('deflate', Buffer.from('xxxxxxxx'))).toBe(400);
  expect(await login('br', Buffer.from('xxxxxxxx'))).toBe(400);
  expect(await login('zstd', packed)).toBe(415);
});

test.each(['[]', '"texto"', '5', 'true', 'null'])('%s is JSON and no body', async (body) => {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${core.token}` };
  for (const [method, path] of [
    ['POST', '/projects'],
    ['PUT', '/settings'],
    ['POST', '/login'],
  ]) {
    const response = await fetch(`${core.url}/api${path}`, { method, headers, body });
    const answer = { error: 'O corpo da requisição deve ser um objeto JSON.' };
    expect([method, path, response.status, await response.json()]).toEqual([method, path, 400, answer]);
  }
});
