import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { waitFor } from '../../../../scripts/testing/program';
import { Core, createPostgresDatabase } from '../../testing/core';
import { startCuttableProxy } from '../../testing/cuttable-proxy';
import { Edge, type RequestOptions, sendRequest } from '../../testing/edge';
import { createTar, type Files, sendPackage } from './testing/packages';
import { createSite } from './testing/static-site';

const SECRETS = { SETTINGS_KEY: randomBytes(32).toString('base64'), JWT_SECRET: randomBytes(32).toString('base64') };
const ONE_WORKER = { EDGE_WORKERS: '1' };

describe('two machines with one PostgreSQL and separate disks', () => {
  let cores: [Core, Core];
  let edges: [Edge, Edge];
  /** Proxy between the programs and PostgreSQL. */
  let proxy: Awaited<ReturnType<typeof startCuttableProxy>>;
  beforeAll(async () => {
    proxy = await startCuttableProxy((await createPostgresDatabase('several_machines')) ?? '');
    const firstCore = await new Core({ ...SECRETS, DATABASE_URL: proxy.url }).start();
    cores = [firstCore, await new Core(SECRETS, firstCore).start()];
    edges = [await new Edge(cores[0], ONE_WORKER).start(), await new Edge(cores[1], ONE_WORKER).start()];
  });
  afterAll(async () => {
    for (const program of [...(edges ?? []), ...(cores ?? [])]) await program.stop();
    proxy?.stop();
  });

  const publish = async (core: Core, label: string, files: Files) =>
    (await sendPackage(core, `/subdomains/${label}/versions`, 'gzip', await createTar(files))).body;
  const get = (edge: Edge, label: string, path = '/', headers: RequestOptions['headers'] = []) =>
    sendRequest(edge.port, { host: `${label}.localhost`, path, headers });
  const toObjectsPath = (core: Core) => join(core.folder, 'content/objects');

  test('once a publication is active, both machines serve equal bytes, also of large, empty and compressed files', async () => {
    const label = await createSite(cores[0]);
    const large = randomBytes(2_500_000);
    const files = {
      'index.html': `<p>${'olá '.repeat(2000)}</p>`,
      'large.bin': large,
      'empty.txt': '',
      _headers: '/*\n  X-A: b\n',
    };
    expect(await publish(cores[0], label, files)).toMatchObject({ live: { state: 'active' } });
    for (const edge of edges) {
      expect((await get(edge, label)).text).toBe(files['index.html']);
      expect((await get(edge, label, '/large.bin')).body.equals(large)).toBe(true);
      expect(await get(edge, label, '/empty.txt')).toMatchObject({ status: 200, text: '' });
      const compressedResponse = await get(edge, label, '/', [['Accept-Encoding', 'br']]);
      expect(brotliDecompressSync(compressedResponse.body).toString()).toBe(files['index.html']);
    }
    expect(await publish(cores[1], label, { 'index.html': 'da segunda' })).toMatchObject({ live: { state: 'active' } });
    for (const edge of edges) expect((await get(edge, label)).text).toBe('da segunda');
  });

  test('a machine with all content of a version registers as holder, even if it cannot use `incoming`', async () => {
    const label = await createSite(cores[0]);
    const { _id } = await publish(cores[0], label, { 'index.html': 'aqui' });
    const incoming = join(cores[0].folder, 'content/incoming');
    // No folder can be created below a file.
    rmSync(incoming, { recursive: true });
    writeFileSync(incoming, '');
    try {
      await cores[0].query(`DELETE FROM content_holders WHERE "versionId" = '${_id}'`);
      const listHolders = () => cores[0].query(`SELECT 1 FROM content_holders WHERE "versionId" = '${_id}'`);
      await waitFor('both machines are registered', async () => (await listHolders()).length === 2);
    } finally {
      rmSync(incoming);
      mkdirSync(incoming, { mode: 0o700 });
    }
  });

  test('after a rollback at one machine, both machines serve a version that the other machine published', async () => {
    const label = await createSite(cores[0]);
    const firstVersion = await publish(cores[0], label, { 'index.html': 'um' });
    await publish(cores[1], label, { 'index.html': 'dois' });
    expect((await cores[1].request('POST', `/versions/${firstVersion._id}/activate`)).body.live).toEqual({
      state: 'active',
    });
    for (const edge of edges) expect((await get(edge, label)).text).toBe('um');
  });

  test('a machine that has not pulled a version serves the earlier version until its core runs again', async () => {
    const label = await createSite(cores[0]);
    await publish(cores[0], label, { 'index.html': 'antes' });
    await cores[1].end('SIGKILL');
    expect(await publish(cores[0], label, { 'index.html': 'depois' })).toMatchObject({ live: { state: 'active' } });
    expect((await get(edges[0], label)).text).toBe('depois');
    expect((await get(edges[1], label)).text).toBe('antes');
    // A machine without any version of a site does not serve the site.
    const newSite = await createSite(cores[0]);
    await publish(cores[0], newSite, { 'index.html': 'novo' });
    await waitFor('the second edge knows the site', async () => (await get(edges[1], newSite)).status === 503);
    await cores[1].start();
    await waitFor('the second machine has both versions', async () => {
      return (await get(edges[1], label)).text === 'depois' && (await get(edges[1], newSite)).text === 'novo';
    });
  });

  test('content lost on one machine and damaged in the database is restored from the other machine', async () => {
    const label = await createSite(cores[0]);
    await publish(cores[0], label, { 'index.html': 'fica' });
    await cores[1].end('SIGTERM');
    rmSync(toObjectsPath(cores[1]), { recursive: true });
    const base64 = Buffer.from('outra').toString('base64');
    await cores[0].query(`UPDATE content_parts SET bytes = '${base64}' WHERE name LIKE '${hash('sha256', 'fica')}%'`);
    await cores[1].start();
    await waitFor('holders are asked again', async () => cores[1].output.includes('is incomplete'));
    await waitFor('the second machine has the content', async () => (await get(edges[1], label)).text === 'fica');
  });

  describe('while an activation waits for a machine that does not hold the version', () => {
    const hasVersions = async (label: string, count: number) =>
      (await cores[0].request('GET', `/subdomains/${label}/versions`)).body.length === count;
    const removeMachine = () => cores[0].query(`DELETE FROM content_machines WHERE "machineId" = 'absent'`);
    afterEach(removeMachine);

    /** Publishes while a third machine counts as running but pulls nothing. A killed core sends no response. */
    async function publishAndWait() {
      const label = await createSite(cores[0]);
      await publish(cores[0], label, { 'index.html': 'antes' });
      await cores[0].query(
        `INSERT INTO content_machines ("machineId", "seenAt") VALUES ('absent', '2999-01-01T00:00:00.000Z')`,
      );
      const path = `/subdomains/${label}/versions`;
      const responsePromise = sendPackage(cores[0], path, 'gzip', await createTar({ 'index.html': 'depois' })).catch(
        () => undefined,
      );
      await waitFor('the version is stored', () => hasVersions(label, 2));
      const [version] = (await cores[0].request('GET', path)).body;
      return { label, version, responsePromise };
    }

    test('the site keeps its version if the new version is removed', async () => {
      const { label, version, responsePromise } = await publishAndWait();
      expect((await cores[1].request('DELETE', `/versions/${version._id}`)).status).toBe(204);
      await removeMachine();
      expect((await responsePromise)?.status).toBe(404);
      for (const edge of edges) expect((await get(edge, label)).text).toBe('antes');
    });

    test('the site keeps its version if the core is killed, and the new version can be activated later', async () => {
      const { label, version, responsePromise } = await publishAndWait();
      await cores[0].end('SIGKILL');
      expect(await responsePromise).toBeUndefined();
      await cores[0].start();
      await removeMachine();
      for (const edge of edges) expect((await get(edge, label)).text).toBe('antes');
      const activation = await cores[0].request('POST', `/versions/${version._id}/activate`);
      expect([activation.status, activation.body.live]).toEqual([200, { state: 'active' }]);
      for (const edge of edges) expect((await get(edge, label)).text).toBe('depois');
    });

    test('a site that is no longer static does not get the version', async () => {
      const { label, responsePromise } = await publishAndWait();
      const response = await cores[1].request('PUT', `/subdomains/${label}`, { body: { type: 'proxy', port: 4000 } });
      expect(response.status).toBe(200);
      await removeMachine();
      expect((await responsePromise)?.status).toBe(400);
    });
  });

  test('if two cores claim the same domain simultaneously, one gets the domain and the other gets 409', async () => {
    const labels = [await createSite(cores[0]), await createSite(cores[0])] as const;
    for (let turn = 0; turn < 10; turn += 1) {
      const body = { host: `disputado-${turn}.com.br`, role: 'alias' };
      const responses = await Promise.all(
        cores.map((core, index) => core.request('POST', `/subdomains/${labels[index]}/domains`, { body })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  test('both edges serve a site without the database', async () => {
    const label = await createSite(cores[0]);
    await publish(cores[0], label, { 'index.html': 'sem PostgreSQL' });
    proxy.cut();
    try {
      expect((await cores[0].request('GET', '/subdomains')).status).toBe(503);
      for (const edge of edges) expect((await get(edge, label)).text).toBe('sem PostgreSQL');
    } finally {
      proxy.restore();
    }
    // Activations wait only for machines that report, and reports begin again some seconds after the outage.
    const restoredAt = new Date().toISOString();
    const listReports = () => cores[0].query(`SELECT 1 FROM content_machines WHERE "seenAt" > '${restoredAt}'`);
    await waitFor('reports of both machines', async () => (await listReports()).length === 2);
  });

  test('both edges serve a site without their cores', async () => {
    const label = await createSite(cores[0]);
    await publish(cores[0], label, { 'index.html': 'sem core' });
    for (const core of cores) await core.end('SIGKILL');
    for (const edge of edges) expect((await get(edge, label)).text).toBe('sem core');
    for (const core of cores) await core.start();
  });
});
