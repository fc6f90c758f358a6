import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { Agent, get as httpGet } from 'node:http';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { Core, listen } from '../../testing/core';
import { Edge, getHeader, type RequestOptions, requestSite } from '../../testing/edge';
import { createTar, createZip, sendPackage } from './testing/packages';
import { createSite, NAVIGATION_HEADERS, publish } from './testing/static-site';

let core: Core;
let edge: Edge;
beforeAll(async () => {
  core = await new Core().start();
  edge = await new Edge(core).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
});

const listVersions = async (label: string) => (await core.request('GET', `/subdomains/${label}/versions`)).body;

describe('a package', () => {
  test('is live when the response arrives, and the response describes the version', async () => {
    const label = await createSite(core);
    expect((await requestSite(edge, label, '/')).status).toBe(404);
    const files = { 'index.html': '<h1>Olá</h1>', 'a/b.txt': 'b' };
    const response = await publish(core, label, files, '?message=Primeira');
    expect(response).toMatchObject({
      number: 1,
      state: 'ready',
      files: 2,
      bytes: 14,
      reused: 0,
      warnings: [],
      live: { state: 'active' },
    });
    expect(response.previewUrl).toMatch(new RegExp(`^http://[a-z2-7]{10}--${label}\\.localhost:\\d+$`));
    const page = await requestSite(edge, label, '/');
    expect([page.status, page.text, getHeader(page, 'content-type')]).toEqual([
      200,
      '<h1>Olá</h1>',
      'text/html; charset=utf-8',
    ]);
    expect((await requestSite(edge, label, '/a/b.txt')).text).toBe('b');
    const [version] = await listVersions(label);
    expect(version).toMatchObject({ number: 1, current: true, message: 'Primeira', actor: 'admin', pinned: false });
    expect(readdirSync(join(core.folder, 'content/incoming'))).toEqual([]);
  });

  test('may be a zip with everything in one folder', async () => {
    const label = await createSite(core);
    const { status } = await sendPackage(
      core,
      `/subdomains/${label}/versions`,
      'zip',
      await createZip({ 'dist/index.html': 'zip', 'dist/app.js': '1' }),
    );
    expect(status).toBe(201);
    expect([(await requestSite(edge, label, '/')).text, (await requestSite(edge, label, '/app.js')).text]).toEqual([
      'zip',
      '1',
    ]);
  });

  test('is not served before it is activated', async () => {
    const label = await createSite(core);
    await publish(core, label, { 'index.html': 'one' });
    const { _id, live } = await publish(core, label, { 'index.html': 'two' }, '?activate=false');
    expect(live).toBeNull();
    expect((await requestSite(edge, label, '/')).text).toBe('one');
    const activation = await core.request('POST', `/versions/${_id}/activate`);
    expect([activation.status, activation.body.live, activation.body.current]).toEqual([
      200,
      { state: 'active' },
      true,
    ]);
    expect((await requestSite(edge, label, '/')).text).toBe('two');
  });
});

test('a file that the current version lacks is looked for in at most 50 earlier versions', async () => {
  const label = await createSite(core);
  const firstVersion = await publish(core, label, { 'index.html': 'um', 'velho.js': '1' });
  await publish(core, label, { 'index.html': 'dois' });
  expect((await requestSite(edge, label, '/velho.js')).status).toBe(200);
  const [{ ownerId, manifestDigest }] = (await core.query(
    `SELECT "ownerId", "manifestDigest" FROM site_versions WHERE _id = '${firstVersion._id}'`,
  )) as [{ ownerId: string; manifestDigest: string }];
  const ids = Array.from({ length: 50 }, () => randomUUID());
  const now = Date.now();
  const createVersionRow = (id: string, index: number) =>
    `('${id}', 'subdomain', '${ownerId}', ${index + 10}, 'ready', '${label}', '{"files":{},"ruleFiles":[]}', '${manifestDigest.replace(/./g, '0')}', 0, 0, 'admin', '${new Date(now).toISOString()}')`;
  await core.query(
    `INSERT INTO site_versions (_id, "ownerKind", "ownerId", number, state, name, manifest, "manifestDigest", files, bytes, actor, "createdAt") VALUES ${ids.map(createVersionRow).join(',')}`,
  );
  const createActivationRow = (id: string, index: number) =>
    `('${randomUUID()}', 'subdomain', '${ownerId}', '${id}', '${new Date(now + index).toISOString()}')`;
  await core.query(
    `INSERT INTO site_activations (_id, "ownerKind", "ownerId", "versionId", at) VALUES ${ids.map(createActivationRow).join(',')}`,
  );
  await publish(core, label, { 'index.html': 'três' });
  await waitFor(
    'the edge has the versions',
    async () => (await requestSite(edge, label, '/', { headers: NAVIGATION_HEADERS })).text === 'três',
  );
  expect((await requestSite(edge, label, '/velho.js')).status).toBe(404);
});

test('a rollback serves the old content to a client that has cached newer content, and is recorded in the audit trail', async () => {
  const label = await createSite(core);
  const firstVersion = await publish(core, label, { 'index.html': 'antes' });
  await publish(core, label, { 'index.html': 'depois' });
  const etag = getHeader(await requestSite(edge, label, '/'), 'etag') ?? '';
  const activation = await core.request('POST', `/versions/${firstVersion._id}/activate`);
  expect([activation.status, activation.body.live]).toEqual([200, { state: 'active' }]);
  const response = await requestSite(edge, label, '/', { headers: [['If-None-Match', etag]] });
  expect([response.status, response.text]).toEqual([200, 'antes']);
  const { entries } = (await core.request('GET', '/audit?entity=subdomain&limit=1')).body;
  expect(entries[0]).toMatchObject({ name: label, changes: { versionId: { after: firstVersion._id } } });
});

test('a site can be switched back to its folder, and then to its versions again', async () => {
  const folder = join(core.sites, 'pasta');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), 'pasta');
  const label = await createSite(core, { source: 'folder', staticPath: folder });
  await waitFor('the folder is served', async () => (await requestSite(edge, label, '/')).text === 'pasta');
  await publish(core, label, { 'index.html': 'versão' });
  expect((await requestSite(edge, label, '/')).text).toBe('versão');
  for (const [source, text] of [
    ['folder', 'pasta'],
    ['versions', 'versão'],
  ]) {
    const { body } = await core.request('PUT', `/subdomains/${label}`, { body: { source } });
    expect([body.source, (await requestSite(edge, label, '/')).text]).toEqual([source, text]);
    const [version] = await listVersions(label);
    expect([source, version.current]).toEqual([source, source === 'versions']);
  }
});

describe('previews', () => {
  const toPreviewHost = (url: string) => new URL(url).hostname.replace('.localhost', '');

  test('show a version before it is live, are not indexed, and expire', async () => {
    const label = await createSite(core);
    await publish(core, label, { 'index.html': 'no ar' });
    const { _id, previewUrl } = await publish(core, label, { 'index.html': 'prévia' }, '?activate=false');
    const preview = toPreviewHost(previewUrl);
    await waitFor('the preview is served', async () => (await requestSite(edge, preview, '/')).status === 200);
    const page = await requestSite(edge, preview, '/');
    expect([page.text, getHeader(page, 'x-robots-tag')]).toEqual(['prévia', 'noindex']);
    expect((await requestSite(edge, label, '/')).text).toBe('no ar');
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    const response = await core.request('PUT', `/versions/${_id}/preview`, {
      body: { expiresAt, pinned: true },
    });
    expect([response.status, response.body.previewExpiresAt, response.body.pinned]).toEqual([200, expiresAt, true]);
    await waitFor('the preview has ended', async () => (await requestSite(edge, preview, '/')).status === 410);
  });

  test('forward /api to the API of their site under the rules of the site', async () => {
    const api = await listen((request, response) => response.end(`api ${request.url}`));
    const label = await createSite(core, { apiPort: api.port });
    const { _id, previewUrl } = await publish(core, label, { 'index.html': 'prévia' }, '?activate=false');
    const preview = toPreviewHost(previewUrl);
    const requestStatuses = async (headers: RequestOptions['headers'] = []) => [
      (await requestSite(edge, preview, '/', { headers })).status,
      (await requestSite(edge, preview, '/api/pedidos', { headers })).status,
    ];
    await waitFor('the preview is served', async () => (await requestSite(edge, preview, '/')).status === 200);
    expect((await requestSite(edge, preview, '/api/pedidos')).text).toBe('api /api/pedidos');

    const createBasicAuthorization = (password: string) =>
      [['Authorization', `Basic ${Buffer.from(`x:${password}`).toString('base64')}`]] as const;
    const setRules = (body: object) => core.request('PUT', `/subdomains/${label}/policy`, { body });
    await setRules({ access: { ips: ['203.0.113.7'], password: null, require: 'all' } });
    await waitFor('the rules hold', async () => (await requestStatuses())[1] === 403);
    expect(await requestStatuses()).toEqual([200, 403]);
    await setRules({ access: { ips: [], password: 'do site', require: 'all' } });
    await waitFor('the password holds', async () => (await requestStatuses())[1] === 401);
    expect(await requestStatuses(createBasicAuthorization('do site'))).toEqual([200, 401]);
    // A client that sends the password of the preview needs no password of the site.
    await core.request('PUT', `/versions/${_id}/preview`, { body: { password: 'da prévia' } });
    await waitFor('the preview has a password', async () => (await requestStatuses())[0] === 401);
    expect(await requestStatuses(createBasicAuthorization('da prévia'))).toEqual([200, 200]);
    await setRules({ access: null, rate: { requests: 1, seconds: 600 } });
    await waitFor(
      'the limit holds',
      async () => (await requestStatuses(createBasicAuthorization('da prévia')))[1] === 429,
    );
    await api.stop();
  });

  test.each(['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z', 'amanhã'])('cannot end at %s', async (expiresAt) => {
    const label = await createSite(core);
    const { _id } = await publish(core, label, { 'index.html': 'x' });
    expect((await core.request('PUT', `/versions/${_id}/preview`, { body: { expiresAt } })).status).toBe(400);
  });

  test('are removed with their version, and with their site', async () => {
    const label = await createSite(core);
    const firstVersion = await publish(core, label, { 'index.html': '1' });
    const secondVersion = await publish(core, label, { 'index.html': '2' });
    const response = await core.request('DELETE', `/versions/${secondVersion._id}`);
    expect([response.status, response.body.error]).toEqual([409, 'A versão que está no ar não pode ser removida.']);
    expect((await core.request('DELETE', `/versions/${firstVersion._id}`)).status).toBe(204);
    await waitFor(
      'the preview is gone',
      async () => (await requestSite(edge, toPreviewHost(firstVersion.previewUrl), '/')).status === 404,
    );
    expect((await core.request('DELETE', `/subdomains/${label}`)).status).toBe(204);
    await waitFor(
      'the site is gone',
      async () => (await requestSite(edge, toPreviewHost(secondVersion.previewUrl), '/')).status === 404,
    );
    expect(await core.query(`SELECT host FROM host_claims WHERE host LIKE '%--${label}'`)).toEqual([]);
  });
});

test('a tenant serves the version of its project, or its own version', async () => {
  const project = (
    await core.request('POST', '/projects', { body: { name: 'Cardápio Ágil', type: 'static', source: 'versions' } })
  ).body;
  for (const subdomain of ['bar', 'pizzaria']) {
    const body = { name: subdomain, subdomain, project: project._id };
    expect((await core.request('POST', '/tenants', { body })).status).toBe(201);
  }
  const tenants = (await core.request('GET', '/tenants')).body;
  const bar = tenants.find(({ subdomain }: { subdomain: string }) => subdomain === 'bar');
  const response = await sendPackage(
    core,
    `/projects/${project._id}/versions`,
    'gzip',
    await createTar({ 'index.html': 'projeto' }),
  );
  expect(response.body.previewUrl).toMatch(/--cardapio-agil\./);
  await waitFor(
    'the tenant serves the version',
    async () => (await requestSite(edge, 'pizzaria', '/')).text === 'projeto',
  );
  expect((await requestSite(edge, 'bar', '/')).text).toBe('projeto');
  await sendPackage(core, `/tenants/${bar._id}/versions`, 'gzip', await createTar({ 'index.html': 'do bar' }));
  expect([(await requestSite(edge, 'bar', '/')).text, (await requestSite(edge, 'pizzaria', '/')).text]).toEqual([
    'do bar',
    'projeto',
  ]);
  await core.request('PUT', `/tenants/${bar._id}`, { body: { source: 'project' } });
  expect((await requestSite(edge, 'bar', '/')).text).toBe('projeto');
});

// PostgreSQL is skipped: files come from the disk there too, and `several-machines.test.ts` tests activations.
const testOnSqlite = process.env.TEST_ON_POSTGRES ? test.skip : test;
testOnSqlite(
  'during 20 activations, 100 clients read only complete files, and only the new version once it is active',
  async () => {
    const label = await createSite(core);
    const bodies = ['a'.repeat(20_000), 'b'.repeat(20_000)];
    const ids: string[] = [];
    for (const body of bodies) ids.push((await publish(core, label, { 'index.html': 'x', 'v.txt': body }))._id);
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    /** Letter of the version that became active last, undefined during an activation. */
    let activeLetter: string | undefined;
    let activationCount = 0;
    let readCount = 0;
    let isStopped = false;
    const observations = new Set<string>();
    const read = () =>
      new Promise<void>((resolve, reject) => {
        const options = {
          port: edge.port,
          host: '127.0.0.1',
          path: '/v.txt',
          headers: { Host: `${label}.localhost` },
          agent,
        };
        const [expectedLetter, earlierCount] = [activeLetter, activationCount];
        httpGet(options, (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => {
            const isComplete = response.statusCode === 200 && bodies.includes(text);
            const letter = text.charAt(0);
            observations.add(isComplete ? letter : `${response.statusCode} ${text.length}`);
            // An activation that began after the request may have changed its response.
            const isSettled = expectedLetter !== undefined && activationCount === earlierCount;
            if (isSettled && letter !== expectedLetter) observations.add(`late ${letter}`);
            if (isSettled) readCount += 1;
            resolve();
          });
        }).on('error', reject);
      });
    const readers = Array.from({ length: 100 }, async () => {
      while (!isStopped) await read();
    });
    const activate = async (turn: number) => {
      activationCount += 1;
      activeLetter = undefined;
      // On a busy machine an activation may be pending at first.
      await waitFor('an active version', async () => {
        const { status, body } = await core.request('POST', `/versions/${ids[turn % 2]}/activate`);
        expect(status).toBe(200);
        return body.live.state === 'active';
      });
      activeLetter = turn % 2 === 0 ? 'a' : 'b';
    };
    try {
      for (let turn = 0; turn < 20; turn += 1) {
        await activate(turn);
        const earlierReadCount = readCount;
        await waitFor('reads of the active version', () => readCount >= earlierReadCount + 100);
      }
    } finally {
      isStopped = true;
      await Promise.all(readers);
      agent.destroy();
    }
    expect([...observations].sort()).toEqual(['a', 'b']);
  },
);
