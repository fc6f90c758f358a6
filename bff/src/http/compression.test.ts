import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { type CoreDouble, respondWith, startCoreDouble } from '../testing/core-double';
import { type RunningServer, startBff } from '../testing/servers';

let core: CoreDouble;
let bff: RunningServer;

beforeAll(async () => {
  core = await startCoreDouble();
  bff = await startBff(core.url);
});

afterAll(async () => {
  await bff.stop();
  await core.stop();
});

const createProjects = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ _id: `${i}`, name: `Projeto ${i}` }));

/** Requests a list. @returns the encoding and the compressed bytes of the response */
async function requestList(count: number, acceptEncoding: string) {
  core.reset(respondWith(200, createProjects(count)));
  const { headers, body } = await request(`${bff.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Encoding': acceptEncoding, Authorization: 'Bearer x' },
    body: JSON.stringify({ query: '{ projects { _id name } }' }),
  });
  return { encoding: headers['content-encoding'], vary: headers.vary, bytes: Buffer.from(await body.arrayBuffer()) };
}

const createPayload = (count: number) => ({ data: { projects: createProjects(count) } });

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])('a long response of the graph is compressed with %s if the client accepts it', async (encoding, decompress) => {
  const response = await requestList(500, encoding);
  expect(response.encoding).toBe(encoding);
  expect(response.vary).toContain('Accept-Encoding');
  const text = decompress(response.bytes).toString();
  expect(JSON.parse(text)).toEqual(createPayload(500));
  expect(response.bytes.length).toBeLessThan(text.length / 4);
});

test.each([
  ['of less than 1 KB', 5, 'gzip, br'],
  ['for a client that accepts no encoding', 500, 'identity'],
])('a graph response %s is not compressed', async (_name, count, acceptEncoding) => {
  const response = await requestList(count, acceptEncoding);
  expect(response.encoding).toBeUndefined();
  expect(JSON.parse(response.bytes.toString())).toEqual(createPayload(count));
});
