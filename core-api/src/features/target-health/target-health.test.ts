import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, waitFor } from '../../../../scripts/testing/program';
import { Core, listen } from '../../testing/core';
import { createSubdomain } from '../../testing/records';
import { createTar, sendPackage } from '../sites/testing/packages';

type Listening = Awaited<ReturnType<typeof listen>>;

const servers: Listening[] = [];
let core: Core;
let probes: string[] = [];
let upServer: Listening;
let serverWithoutHead: Listening;

beforeAll(async () => {
  upServer = await listen((request, response) => {
    probes.push(`${request.method} ${request.url}`);
    response.writeHead(503).end();
  });
  serverWithoutHead = await listen((request, response) => {
    if (request.method === 'HEAD') request.socket.destroy();
    else response.end('ok');
  });
  servers.push(upServer, serverWithoutHead);
  core = await new Core({ HEALTH_INTERVAL_S: '3600' }).start();
  mkdirSync(join(core.sites, 'site'), { recursive: true });
});
afterAll(async () => {
  await core?.stop();
  for (const server of servers) await server.stop();
});

const checkSubdomain = async (name: string) => (await core.request('POST', `/subdomains/${name}/check`)).body.health;
const findSubdomain = async (name: string) =>
  (await core.request('GET', `/subdomains?search=${name}`)).body.subdomains[0];
const testConnection = async (body: object) => {
  const response = await core.request('POST', '/subdomains/test', { body });
  return { ...response.body, status: response.status, fields: Object.keys(response.body.fields ?? {}) };
};
const toStepResults = ({ steps }: { steps: { step: string; ok: boolean }[] }) =>
  steps.map(({ step, ok }) => [step, ok]);

test('each target is checked once for all its hosts, and any HTTP response counts as up', async () => {
  probes = [];
  await createSubdomain(core, 'um', { port: upServer.port });
  await createSubdomain(core, 'dois', { port: upServer.port });
  const project = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: upServer.port });
  await core.create('/tenants', { name: 'Cliente', subdomain: 'cliente', project: project._id });
  const healthy = { state: 'up', status: 503, ms: expect.any(Number), checkedAt: expect.any(String), reason: null };
  await waitFor('the target is up', async () => (await findSubdomain('um')).health.state === 'up');
  expect((await findSubdomain('um')).health).toEqual(healthy);
  expect((await findSubdomain('dois')).health).toEqual(healthy);
  expect((await core.request('GET', '/tenants')).body[0].health).toEqual(healthy);
  expect(probes).toEqual(['HEAD /']);
});

test('a target that does not respond is down with a reason, and up after a successful check', async () => {
  const closedPort = await findFreePort();
  await createSubdomain(core, 'caido', { port: closedPort });
  expect(await checkSubdomain('caido')).toEqual({
    state: 'down',
    status: null,
    ms: expect.any(Number),
    checkedAt: expect.stringMatching(/Z$/),
    reason: `Ninguém atende na porta ${closedPort}.`,
  });
  await core.request('PUT', '/subdomains/caido', { body: { port: upServer.port } });
  expect(await checkSubdomain('caido')).toMatchObject({ state: 'up', status: 503 });
});

test('a target that responds to GET only is up', async () => {
  await createSubdomain(core, 'sem-head', { port: serverWithoutHead.port });
  expect(await checkSubdomain('sem-head')).toMatchObject({ state: 'up', status: 200 });
});

test('a static site is up when its folder can be read, and its health reports a missing index.html', async () => {
  const target = { type: 'static', staticPath: join(core.sites, 'site') };
  await createSubdomain(core, 'pasta', target);
  const reason = 'A pasta não tem index.html: visitantes veem 404.';
  expect(await checkSubdomain('pasta')).toMatchObject({ state: 'up', status: null, reason });
  const { steps } = await testConnection(target);
  expect(toStepResults({ steps })).toEqual([
    ['folder', true],
    ['index', false],
  ]);
  expect(steps[1].detail).toBe(reason);
  writeFileSync(join(target.staticPath, 'index.html'), 'Olá');
  expect(await checkSubdomain('pasta')).toMatchObject({ state: 'up', status: null, reason: null });
  expect(toStepResults(await testConnection(target))).toEqual([['folder', true]]);
  await core.request('PUT', '/subdomains/pasta', { body: { staticPath: join(core.sites, 'sumiu') } });
  expect(await checkSubdomain('pasta')).toMatchObject({ state: 'down', reason: 'A pasta não existe.' });
});

test('the health of a site that serves versions is unknown, with a reason, until the first version is published', async () => {
  await createSubdomain(core, 'sem-versao', { type: 'static', source: 'versions' });
  expect(await checkSubdomain('sem-versao')).toMatchObject({
    state: 'unknown',
    reason: 'Este site ainda não tem versão publicada.',
  });
});

test('a site is up while the files of the version that it serves exist', async () => {
  await createSubdomain(core, 'versoes', { type: 'static', staticPath: join(core.sites, 'sumiu') });
  expect(await checkSubdomain('versoes')).toMatchObject({ state: 'down', reason: 'A pasta não existe.' });
  const packages = [await createTar({ 'index.html': 'um' }), await createTar({ 'index.html': 'dois' })];
  for (const body of packages) await sendPackage(core, '/subdomains/versoes/versions', 'gzip', body);
  expect(await checkSubdomain('versoes')).toMatchObject({ state: 'up', status: null, reason: null });
  const removeObject = (text: string) => {
    const digest = createHash('sha256').update(text).digest('hex');
    rmSync(join(core.folder, 'content/objects', digest.slice(0, 2), digest));
  };
  removeObject('um');
  expect(await checkSubdomain('versoes')).toMatchObject({ state: 'up' });
  const countInState = async (state: string) =>
    (await core.request('GET', `/subdomains?search=versoes&state=${state}`)).body.total;
  expect([await countInState('up'), await countInState('down')]).toEqual([1, 0]);
  removeObject('dois');
  expect(await checkSubdomain('versoes')).toMatchObject({
    state: 'down',
    reason: 'Faltam arquivos da versão no ar nesta máquina.',
  });
});

test('a host whose health check is switched off has unknown health', async () => {
  const { health } = await createSubdomain(core, 'calado', { port: upServer.port, healthCheck: false });
  expect(health).toMatchObject({ state: 'unknown', checkedAt: null, reason: expect.any(String) });
});

test('a connection is tested step by step, before anything is saved', async () => {
  await createSubdomain(core, 'tres', { port: upServer.port });
  const passedTest = await testConnection({ type: 'proxy', port: String(upServer.port) });
  expect(toStepResults(passedTest)).toEqual([
    ['tcp', true],
    ['http', true],
  ]);
  expect(passedTest.steps[1]).toEqual({
    step: 'http',
    ok: true,
    ms: expect.any(Number),
    detail: 'O destino respondeu com o status 503.',
  });
  expect(passedTest.usedBy).toEqual(expect.arrayContaining(['tres']));
  expect((await testConnection({ type: 'proxy', port: upServer.port, subdomain: 'tres' })).usedBy).not.toContain(
    'tres',
  );
  const unknownHostTest = await testConnection({ type: 'tunnel', targetHost: 'nao-existe.invalid', targetPort: 80 });
  expect([toStepResults(unknownHostTest), unknownHostTest.usedBy]).toEqual([[['dns', false]], []]);
});

test.each([
  [{}, ['type']],
  [{ type: 'proxy' }, ['port']],
  [{ type: 'tunnel', targetHost: '169.254.169.254', targetPort: 80 }, ['targetHost']],
  [{ type: 'static', staticPath: '/etc' }, ['staticPath']],
])('a test of a connection to the target %j is refused', async (body, fields) =>
  expect(await testConnection(body)).toMatchObject({ status: 400, fields }),
);

test("a test of a connection to the installation's own port is refused, also by the name localhost", async () => {
  for (const body of [
    { type: 'proxy', port: core.port },
    { type: 'tunnel', targetHost: 'localhost', targetPort: core.port },
  ])
    expect((await testConnection(body)).status).toBe(400);
});

test('a subdomain may have the label test, although /subdomains/test is an endpoint', async () => {
  await createSubdomain(core, 'test', { port: upServer.port });
  expect((await core.request('PUT', '/subdomains/test', { body: { description: 'y' } })).status).toBe(200);
  expect((await core.request('DELETE', '/subdomains/test')).status).toBe(204);
});

test('a check of an unknown host is refused with 404', async () => {
  expect((await core.request('POST', '/subdomains/nada/check')).status).toBe(404);
  expect((await core.request('POST', '/tenants/019a0000-0000-7000-8000-000000000000/check')).status).toBe(404);
});

test('after an unexpected error in the check of a target, the core runs on and checks the target again', async () => {
  const witnessPort = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'broken-'));
  const brokenFile = join(folder, 'broken');
  const breaker = join(folder, 'break-connect.cjs');
  writeFileSync(brokenFile, '');
  writeFileSync(
    breaker,
    `const net = require('node:net');
    const { existsSync } = require('node:fs');
    const { connect } = net;
    net.connect = (...args) => {
      if (args[0].port === ${witnessPort} && existsSync(${JSON.stringify(brokenFile)})) throw new Error('broken');
      return connect(...args);
    };`,
  );
  const brokenCore = await new Core({
    HEALTH_INTERVAL_S: '1',
    WITNESS_ADDRESSES: `127.0.0.1:${witnessPort}`,
    NODE_OPTIONS: `--require ${breaker}`,
  }).start();
  try {
    // The witnesses are queried after each failed check of a target on another machine.
    await createSubdomain(brokenCore, 'longe', { type: 'tunnel', targetHost: 'nao-existe.invalid', targetPort: 80 });
    const countFailures = () => brokenCore.output.split('target check failed').length - 1;
    await waitFor('a failed check', () => countFailures() > 0);
    await createSubdomain(brokenCore, 'perto', { port: upServer.port });
    const findHealth = async (label: string) =>
      (await brokenCore.request('GET', `/subdomains?search=${label}`)).body.subdomains[0].health;
    await waitFor('the check of another target', async () => (await findHealth('perto')).state === 'up');
    expect(countFailures()).toBe(1);
    rmSync(brokenFile);
    await waitFor('a result', async () => (await findHealth('longe')).state === 'down');
  } finally {
    await brokenCore.stop();
    rmSync(folder, { recursive: true });
  }
});
