import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../../../scripts/testing/program';
import { ADMINISTRATOR } from '../../../../../scripts/testing/stack';
import { createApp } from '../../../app/app';
import { entities } from '../../../app/entities';
import { Core } from '../../../testing/core';
import { type Operation, readDocumentedOperations } from '../../../testing/operations';
import { readConfig } from '../../config/config';
import { createDatabase } from '../../database/database';
import { createLog } from '../../log/log';

let core: Core;
let operations: Operation[];
beforeAll(async () => {
  core = await new Core().start();
  operations = await readDocumentedOperations(core);
});
afterAll(() => core.stop());

/** Creates the endpoint declarations of the real app, without a database. */
function createEndpoints() {
  const config = readConfig({});
  const secrets = { jwt: 'x'.repeat(64), settings: Buffer.alloc(32) };
  return createApp({
    config,
    secrets,
    machineId: 'machine',
    database: createDatabase(config, entities),
    log: createLog('silent', 'test'),
  }).endpoints;
}

const PUBLIC = [
  'POST /login',
  'POST /contact',
  'POST /setup',
  'GET /deploy.mjs',
  'POST /uploads/{upload}',
  'POST /uploads/{upload}/complete',
  'PUT /uploads/{upload}/content/{sha256}',
];
/** Paths of calls whose bodies are packages (`features/sites`). */
const WITH_PACKAGES = /\/(?:versions|deploy|uploads\/\{upload\})$/;

/** Sends a request without the corrections of `fetch`. */
const sendUnchanged = (method: string, path: string, headers: Record<string, string>, body = '') =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const clientRequest = request({
      port: core.port,
      method,
      path: `/api${path}`,
      // Node does not send the length of a DELETE body by itself.
      headers: { Authorization: `Bearer ${core.token}`, 'Content-Length': Buffer.byteLength(body), ...headers },
    });
    clientRequest.once('error', reject);
    clientRequest.once('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    clientRequest.end(body);
  });

test('the OpenAPI document contains these operations of the contract', () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'POST /login',
      'GET /me',
      'PUT /me/password',
      'POST /contact',
      'GET /contact',
      'GET /subdomains',
      'POST /subdomains',
      'POST /ai/suggest',
      'GET /settings',
      'PUT /settings',
      'POST /settings/test',
      'GET /tenants',
      'POST /gateway/admin/routes/import',
      'GET /gateway/admin/keys',
    ]),
  );
});

test('the OpenAPI document contains an absolute server URL', async () => {
  const readServers = async (headers?: Record<string, string>) =>
    JSON.parse((await sendUnchanged('GET', '/openapi.json', { ...headers })).text).servers;
  expect(await readServers()).toEqual([{ url: `http://localhost:${core.port}/api` }]);
  const proxiedHeaders = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'estudio.example' };
  expect(await readServers(proxiedHeaders)).toEqual([{ url: 'https://estudio.example/api' }]);
});

test('the OpenAPI document is formatted once, not for each request', async () => {
  /** Returns the processor time that the core takes for 300 responses, in ticks of the system. */
  const measureTicks = async (path: string): Promise<number> => {
    const readTicks = () => {
      const fields = readFileSync(`/proc/${core.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      // `utime` and `stime` (proc_pid_stat(5)).
      return Number(fields[11]) + Number(fields[12]);
    };
    const startTicks = readTicks();
    for (let turn = 0; turn < 300; turn += 1) await sendUnchanged('GET', path, {});
    return readTicks() - startTicks;
  };
  await sendUnchanged('GET', '/openapi.json', {});
  // Neither call needs the database, and each writes one log line, so the small page `/docs/` is the baseline.
  expect((await measureTicks('/openapi.json')) / Math.max(1, await measureTicks('/docs/'))).toBeLessThan(6);
});

test('the documentation serves only those files of Swagger UI that its page needs', async () => {
  const statuses = await Promise.all(
    ['', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'start.js', 'swagger-ui-bundle.js.map'].map(
      async (file) => (await sendUnchanged('GET', `/docs/${file}`, {})).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
});

test('every request body has an example that the schema of the body accepts', () => {
  const endpointsWithBody = createEndpoints().filter(({ body }) => body);
  expect(endpointsWithBody.length).toBeGreaterThan(15);
  for (const { method, path, body, example } of endpointsWithBody) {
    expect([method, path, body?.safeParse(example).success]).toEqual([method, path, true]);
  }
});

test('every operation except the public operations needs a token', async () => {
  expect(
    operations
      .filter(({ isPublic }) => isPublic)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  ).toEqual([...PUBLIC].sort());
  for (const { method, path } of operations.filter(({ isPublic }) => !isPublic)) {
    const response = await core.request(method, path, { token: null, ...(method !== 'GET' && { body: {} }) });
    expect([method, path, response.status, response.headers.get('www-authenticate')]).toEqual([
      method,
      path,
      401,
      'Bearer',
    ]);
  }
});

test('a wrong method is answered with 405 and Allow, and an unknown path with 404', async () => {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const allowedMethods = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const { status, headers } = await core.request('PATCH', path, { body: {} });
    const allow = headers
      .get('allow')
      ?.split(', ')
      .filter((method) => method !== 'HEAD');
    expect([path, status, allow?.sort()]).toEqual([path, 405, allowedMethods.sort()]);
  }
  for (const path of ['/nada', '/subdomains/a/b', '/gateway/admin']) {
    const { status, body } = await core.request('GET', path);
    expect([path, status, body]).toEqual([path, 404, { error: expect.any(String) }]);
  }
});

test('a malformed id is answered with 404', async () => {
  interface Documented {
    requestBody?: { content: Record<string, { example?: object }> };
  }
  const paths = (await core.request('GET', '/openapi.json', { token: null })).body.paths;
  for (const [path, item] of Object.entries<Record<string, Documented>>(paths).filter(([name]) => name.includes('{'))) {
    for (const [name, { requestBody }] of Object.entries(item)) {
      const method = name.toUpperCase();
      // The body must be valid, because calls with `{subdomain}` accept any name and look it up only after they have
      // validated the body.
      const body = requestBody?.content['application/json']?.example ?? {};
      for (const id of ['nada', '%00', 'a'.repeat(300), '%3Cimg%20onerror%3Dx%3E']) {
        const response = await core.request(method, path.replace(/\{\w+\}/, id), { ...(method !== 'GET' && { body }) });
        expect([method, path, id, response.status]).toEqual([method, path, id, 404]);
        expect(response.body).toEqual({ error: expect.any(String) });
      }
    }
  }
});

test('the documentation allows GET and HEAD only', async () => {
  for (const path of ['/docs', '/openapi.json']) {
    const { status, headers } = await core.request('POST', path, { token: null });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});

test('bodies that are invalid JSON, too large or of another media type are refused', async () => {
  for (const { method, path, statuses } of operations.filter(({ statuses: all }) => all.includes('415'))) {
    if (WITH_PACKAGES.test(path)) continue;
    const json = { 'Content-Type': 'application/json' };
    const size = method === 'POST' && /\/(import|manifest\/reading)$/.test(path) ? 4_300_000 : 110_000;
    const responses = [
      await sendUnchanged(method, path, json, '{"a":'),
      await sendUnchanged(method, path, json, JSON.stringify({ name: 'x'.repeat(size) })),
      await sendUnchanged(method, path, { 'Content-Type': 'text/plain' }, 'a=1'),
      await sendUnchanged(method, path, { 'Content-Type': 'application/json; charset=utf-16' }, '{}'),
    ];
    expect([method, path, ...responses.map(({ status }) => status)]).toEqual([method, path, 400, 413, 415, 415]);
    for (const { status, text } of responses) {
      expect(statuses).toContain(String(status));
      expect(JSON.parse(text)).toEqual({ error: expect.any(String) });
    }
  }
});

/** A program of a user who has the generated client and its documentation, but no URL. */
const CONSUMER = `
import { getSubdomains, postLogin, postSubdomains } from './client';
import { client } from './client/client.gen';

async function main(): Promise<void> {
  const { data } = await postLogin({ body: JSON.parse(process.argv[2] ?? ''), throwOnError: true });
  client.setConfig({ auth: () => data.token });
  const body = { subdomain: 'gerado', description: 'x', type: 'proxy' as const, port: 4567 };
  await postSubdomains({ body, throwOnError: true });
  const { data: list } = await getSubdomains({ query: { limit: 1 }, throwOnError: true });
  const refusal = await postSubdomains({ body });
  console.log([list.total, list.subdomains[0]?.subdomain, refusal.response?.status, refusal.error?.error].join(' | '));
}
void main();
`;

test('a client generated from the OpenAPI document compiles and works without a configured URL', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  // The program runs asynchronously, because this process must keep its connections to the core alive.
  const runNode = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
  const run = (program: string, ...args: string[]) => runNode(join(ROOT, 'node_modules', program), ...args);
  try {
    const document = `${core.url}/api/openapi.json`;
    await run(
      '@hey-api/openapi-ts/bin/run.js',
      '--input',
      document,
      '--output',
      join(folder, 'client'),
      '--no-log-file',
    );
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'preserve', '--skipLibCheck', 'false'];
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
    await run('@typescript/native/bin/tsc', ...options, ...types, 'consumer.ts');
    const register = join(ROOT, 'node_modules/esbuild-register');
    const output = await runNode('--require', register, 'consumer.ts', JSON.stringify(ADMINISTRATOR));
    expect(output).toMatch(/^1 \| gerado \| 409 \| \S/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await core.request('DELETE', '/subdomains/gerado');
  }
});
