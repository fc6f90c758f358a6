import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { type CoreDouble, json, startCoreDouble } from '../testing/core-double';
import { type Running, startBff } from '../testing/servers';

let core: CoreDouble;
let bff: Running;

beforeAll(async () => {
  core = await startCoreDouble();
  bff = await startBff(core.url);
});

afterAll(async () => {
  await bff.stop();
  await core.stop();
});

const projects = (count: number) => Array.from({ length: count }, (_, i) => ({ _id: `${i}`, name: `Projeto ${i}` }));

/** Asks for a list. @returns the bytes of the answer as sent, still compressed */
async function list(count: number, acceptEncoding: string) {
  core.reset(json(200, projects(count)));
  const { headers, body } = await request(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Encoding': acceptEncoding, Authorization: 'Bearer x' },
    body: JSON.stringify({ query: '{ projects { _id name } }' }),
  });
  return { encoding: headers['content-encoding'], vary: headers.vary, bytes: Buffer.from(await body.arrayBuffer()) };
}

const answer = (count: number) => ({ data: { projects: projects(count) } });

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])('a long answer of the graph is compressed with %s where the client accepts it', async (encoding, decompress) => {
  const reply = await list(500, encoding);
  expect(reply.encoding).toBe(encoding);
  expect(reply.vary).toContain('Accept-Encoding');
  const text = decompress(reply.bytes).toString();
  expect(JSON.parse(text)).toEqual(answer(500));
  expect(reply.bytes.length).toBeLessThan(text.length / 4);
});

test.each([
  ['below 1 KB', 5, 'gzip, br'],
  ['for a client that accepts no encoding', 500, 'identity'],
])('an answer of the graph is not compressed %s', async (_name, count, acceptEncoding) => {
  const reply = await list(count, acceptEncoding);
  expect(reply.encoding).toBeUndefined();
  expect(JSON.parse(reply.bytes.toString())).toEqual(answer(count));
});
