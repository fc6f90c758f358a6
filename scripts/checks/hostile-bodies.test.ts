import { connect } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { Stack } from '../testing/stack';

/** 4 MB of nested lists. Parsing them takes half a second. Compressed, they have about 20 bytes. */
const NESTED = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`;
const COMPRESSED = new Uint8Array(brotliCompressSync(NESTED));
const SIMULTANEOUS_REQUESTS = 40;

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ from: 'source' });
});
/** After each flood of hostile bodies or requests, the core and the graph respond through the edge. */
afterEach(async () => {
  expect((await fetch(`${stack.url}/api/openapi.json`)).status).toBe(200);
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ query: '{ installation { brandName } }' });
  expect((await fetch(`${stack.url}/graphql`, { method: 'POST', headers, body })).status).toBe(200);
});
afterAll(() => stack?.stop());

const targets: [string, () => string, string][] = [
  ['the import at the core', () => stack.coreUrl, '/api/gateway/admin/routes/import'],
  ['the import through the edge', () => stack.url, '/api/gateway/admin/routes/import'],
  ['the graph at the BFF', () => stack.bffUrl, '/graphql'],
  ['the graph through the edge', () => stack.url, '/graphql'],
];

/** Error codes of a connection that ended while the client was still sending. */
const CONNECTION_ENDED = ['EPIPE', 'ECONNRESET'];

/**
 * Sends simultaneous requests. The edge reads and discards a refused body only up to a limit and then ends the
 * connection, so a client may lose the connection before it reads the response.
 * @returns the distinct statuses of the responses that were read
 */
async function sendFlood(url: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) {
  const statuses = await Promise.all(
    Array.from({ length: SIMULTANEOUS_REQUESTS }, async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      }).catch((error: TypeError & { cause?: { code?: string } }) => {
        if (CONNECTION_ENDED.includes(error.cause?.code ?? '')) return undefined;
        throw error;
      });
      await response?.arrayBuffer();
      return response?.status;
    }),
  );
  return [...new Set(statuses.filter((status) => status !== undefined))];
}

test.each(targets)('forty simultaneous compressed bodies are refused with 415 (%s)', async (_name, origin, path) => {
  const headers = { Authorization: 'Bearer x', 'Content-Encoding': 'br' };
  expect(await sendFlood(`${origin()}${path}`, headers, COMPRESSED)).toEqual([415]);
});

test.each(targets)(
  'forty simultaneous large bodies with a wrong token are refused with 401 (%s)',
  async (_name, origin, path) => {
    expect(await sendFlood(`${origin()}${path}`, { Authorization: 'Bearer x' }, NESTED)).toEqual([401]);
  },
);

/**
 * Sends many requests in one write, without waiting for their responses.
 * @returns the number of responses until the connection ends
 */
function pipelineRequests(origin: string, path: string): Promise<number> {
  const { hostname, port, host } = new URL(origin);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(200)),
    );
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    // The server may reset the connection while this client is still sending.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text.split('HTTP/1.1 ').length - 1));
  });
}

test.each([
  ['the core', () => stack.coreUrl, '/api/openapi.json'],
  ['the BFF', () => stack.bffUrl, '/login'],
])(
  'a client that sends requests without waiting for the responses loses its connection (%s)',
  async (_name, origin, path) => {
    expect(await pipelineRequests(origin(), path)).toBeLessThanOrEqual(1);
  },
);
