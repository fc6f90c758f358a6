import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from '../../../../scripts/testing/program';
import { Core, listen } from '../../testing/core';
import { createSubdomain } from '../../testing/records';
import { send, tarOf } from '../sites/testing/packages';

type Listening = Awaited<ReturnType<typeof listen>>;

const environment = { HEALTH_INTERVAL_S: '3600' };
const servers: Listening[] = [];
let core: Core;
let asked: string[] = [];
let up: Listening;
let headless: Listening;

beforeAll(async () => {
  up = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(503).end();
  });
  headless = await listen((request, response) => {
    if (request.method === 'HEAD') request.socket.destroy();
    else response.end('ok');
  });
  servers.push(up, headless);
  core = await new Core(environment).start();
  mkdirSync(join(core.sites, 'site'), { recursive: true });
});
afterAll(async () => {
  await core?.stop();
  for (const server of servers) await server.stop();
});

const check = async (name: string) => (await core.ask('POST', `/subdomains/${name}/check`)).body.health;
const listed = async (name: string) => (await core.ask('GET', `/subdomains?search=${name}`)).body.subdomains[0];
const testOf = async (body: object) => {
  const answer = await core.ask('POST', '/subdomains/test', { body });
  return { ...answer.body, status: answer.status, fields: Object.keys(answer.body.fields ?? {}) };
};
const taken = ({ steps }: { steps: { step: string; ok: boolean }[] }) => steps.map(({ step, ok }) => [step, ok]);

test('each target is checked once for all its hosts, and any response is up', async () => {
  asked = [];
  await createSubdomain(core, 'um', { port: up.port });
  await createSubdomain(core, 'dois', { port: up.port });
  const project = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: up.port });
  await core.create('/tenants', { name: 'Cliente', subdomain: 'cliente', project: project._id });
  const healthy = { state: 'up', status: 503, ms: expect.any(Number), checkedAt: expect.any(String), reason: null };
  await until('the target is up', async () => (await listed('um')).health.state === 'up');
  expect((await listed('um')).health).toEqual(healthy);
  expect((await listed('dois')).health).toEqual(healthy);
  expect((await core.ask('GET', '/tenants')).body[0].health).toEqual(healthy);
  expect(asked).toEqual(['HEAD /']);
});

test('a target that does not answer is down with a reason, and up after a successful check', async () => {
  const gone = await freePort();
  await createSubdomain(core, 'caido', { port: gone });
  expect(await check('caido')).toEqual({
    state: 'down',
    status: null,
    ms: expect.any(Number),
    checkedAt: expect.stringMatching(/Z$/),
    reason: `Ninguém atende na porta ${gone}.`,
  });
  await core.ask('PUT', '/subdomains/caido', { body: { port: up.port } });
  expect(await check('caido')).toMatchObject({ state: 'up', status: 503 });
});

test('GET is tried if HEAD gets no response', async () => {
  await createSubdomain(core, 'sem-head', { port: headless.port });
  expect(await check('sem-head')).toMatchObject({ state: 'up', status: 200 });
});

test('a static site is up when its folder can be read', async () => {
  await createSubdomain(core, 'pasta', { type: 'static', staticPath: join(core.sites, 'site') });
  expect(await check('pasta')).toMatchObject({ state: 'up', status: null, reason: null });
  await core.ask('PUT', '/subdomains/pasta', { body: { staticPath: join(core.sites, 'sumiu') } });
  expect(await check('pasta')).toMatchObject({ state: 'down', reason: 'A pasta não existe.' });
});

test('a site with versions is up while the files of the version that it serves are there', async () => {
  await createSubdomain(core, 'versoes', { type: 'static', staticPath: join(core.sites, 'sumiu') });
  expect(await check('versoes')).toMatchObject({ state: 'down', reason: 'A pasta não existe.' });
  const packages = [await tarOf({ 'index.html': 'um' }), await tarOf({ 'index.html': 'dois' })];
  for (const body of packages) await send(core, '/subdomains/versoes/versions', 'gzip', body);
  expect(await check('versoes')).toMatchObject({ state: 'up', status: null, reason: null });
  const removeObject = (text: string) => {
    const digest = createHash('sha256').update(text).digest('hex');
    rmSync(join(core.folder, 'content/objects', digest.slice(0, 2), digest));
  };
  removeObject('um');
  expect(await check('versoes')).toMatchObject({ state: 'up' });
  removeObject('dois');
  expect(await check('versoes')).toMatchObject({
    state: 'down',
    reason: 'Faltam arquivos da versão no ar nesta máquina.',
  });
});

test('a host without health check is not checked', async () => {
  const { health } = await createSubdomain(core, 'calado', { port: up.port, healthCheck: false });
  expect(health).toMatchObject({ state: 'unknown', checkedAt: null, reason: expect.any(String) });
});

test('a connection is tested step by step, before anything is saved', async () => {
  const good = await testOf({ type: 'proxy', port: String(up.port) });
  expect(taken(good)).toEqual([
    ['dns', true],
    ['tcp', true],
    ['http', true],
  ]);
  expect(good.steps[2]).toEqual({
    step: 'http',
    ok: true,
    ms: expect.any(Number),
    detail: 'O destino respondeu com o status 503.',
  });
  expect(good.usedBy).toEqual(expect.arrayContaining(['um', 'dois']));
  expect((await testOf({ type: 'proxy', port: up.port, subdomain: 'um' })).usedBy).not.toContain('um');
  const unknown = await testOf({ type: 'tunnel', targetHost: 'nao-existe.invalid', targetPort: 80 });
  expect([taken(unknown), unknown.usedBy]).toEqual([[['dns', false]], []]);
});

test.each([
  [{}, ['type']],
  [{ type: 'proxy' }, ['port']],
  [{ type: 'tunnel', targetHost: '169.254.169.254', targetPort: 80 }, ['targetHost']],
  [{ type: 'static', staticPath: '/etc' }, ['staticPath']],
])('%j is no target to test', async (body, fields) =>
  expect(await testOf(body)).toMatchObject({ status: 400, fields }),
);

test("the installation's own ports are refused as a target, by any name", async () => {
  for (const body of [
    { type: 'proxy', port: core.port },
    { type: 'tunnel', targetHost: 'localhost', targetPort: core.port },
  ])
    expect((await testOf(body)).status).toBe(400);
});

test('a subdomain may have the label test', async () => {
  await createSubdomain(core, 'test', { port: up.port });
  expect((await core.ask('PUT', '/subdomains/test', { body: { description: 'y' } })).status).toBe(200);
  expect((await core.ask('DELETE', '/subdomains/test')).status).toBe(204);
});

test('a check of an unknown host is 404', async () => {
  expect((await core.ask('POST', '/subdomains/nada/check')).status).toBe(404);
  expect((await core.ask('POST', '/tenants/019a0000-0000-7000-8000-000000000000/check')).status).toBe(404);
});

test('at most 80 targets of a kind are checked at once, so that failing ones do not block the others', async () => {
  const open = { now: 0, max: 0, all: 0 };
  environment.HEALTH_INTERVAL_S = '0';
  await core.end('SIGTERM');
  await core.start();
  for (let n = 0; n < 100; n += 1) {
    const slow = await listen((_request, response) => {
      open.now += 1;
      open.all += 1;
      open.max = Math.max(open.max, open.now);
      setTimeout(() => {
        open.now -= 1;
        response.end();
      }, 50);
    });
    servers.push(slow);
    await createSubdomain(core, `lento-${n}`, { port: slow.port });
  }
  environment.HEALTH_INTERVAL_S = '3600';
  await core.end('SIGTERM');
  await core.start();
  await until('all were looked at', async () => open.all >= 100);
  expect([open.all, open.max <= 80]).toEqual([100, true]);
});
