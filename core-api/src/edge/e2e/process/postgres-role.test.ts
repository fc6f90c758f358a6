import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ROOT, waitFor } from '../../../../../scripts/testing/program';
import { createTar, sendPackage } from '../../../features/sites/testing/packages';
import { Core, listen } from '../../../testing/core';
import { Edge, sendRequest } from '../../../testing/edge';
import { findKey } from '../../../testing/records';

/** The name is unique, because a role exists in all databases of a server. */
const ROLE = `edge_${randomUUID().replaceAll('-', '')}`;
const PASSWORD = 'senha da borda';
const roleScript = readFileSync(join(ROOT, 'scripts/deploy/postgres/edge-role.sql'), 'utf8');

describe('an edge with the role that the release ships', () => {
  let core: Core;
  let edge: Edge;
  let upstream: Awaited<ReturnType<typeof listen>>;
  let roleConnection: DataSource;

  beforeAll(async () => {
    core = await new Core().start();
    upstream = await listen((_request, response) => response.end('ok'));
    // The script runs twice, as after an upgrade.
    for (let turn = 0; turn < 2; turn += 1) await core.query(roleScript.replaceAll('studio_edge', ROLE));
    await core.query(`ALTER ROLE ${ROLE} PASSWORD '${PASSWORD}'`);
    const url = new URL(core.database.DATABASE_URL ?? '');
    Object.assign(url, { username: ROLE, password: PASSWORD });
    roleConnection = await new DataSource({ type: 'postgres', url: url.href }).initialize();
    edge = await new Edge(core, { DATABASE_URL: url.href }).start();
  });
  afterAll(async () => {
    await edge?.stop();
    await roleConnection?.destroy();
    await core?.query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
    await core?.stop();
    await upstream?.stop();
  });

  test('serves hosts and keys, stores counts and logged requests, and shares rate limits', async () => {
    const subdomain = await core.create('/subdomains', {
      subdomain: 'loja',
      description: 'x',
      type: 'proxy',
      port: upstream.port,
    });
    expect(subdomain.live.state).toBe('active');
    const service = await core.create('/gateway/admin/services', { name: 'dados', host: upstream.url });
    await core.create('/gateway/admin/routes', {
      serviceId: service._id,
      origin: '/dados',
      destination: '/',
      methods: ['GET'],
      permission: 'dados:ler',
    });
    const limit = { rateLimit: { requests: 1_000, seconds: 60 } };
    const key = await core.create('/gateway/admin/keys', { name: 'x', permissions: ['*'], allowedIps: [], ...limit });
    const requestStatus = async () =>
      (await sendRequest(edge.port, { path: '/dados', headers: [['X-API-Key', key.key]] })).status;
    await waitFor('the key works', async () => (await requestStatus()) === 200);
    expect((await sendRequest(edge.port, { host: 'loja.localhost' })).status).toBe(200);
    await waitFor('the calls are counted', async () => (await findKey(core, key._id)).usageCount > 0);
    await waitFor(
      'the request is logged',
      async () => (await core.request('GET', '/gateway/admin/requests')).body.requests.length > 0,
    );
    expect(edge.output).not.toContain('permission denied');
  });

  test('serves a published version', async () => {
    await core.create('/subdomains', { subdomain: 'pagina', description: 'x', type: 'static', source: 'versions' });
    const files = await createTar({ 'index.html': 'Olá' });
    const published = await sendPackage(core, '/subdomains/pagina/versions', 'gzip', files);
    expect([published.status, published.body.live]).toEqual([201, expect.objectContaining({ state: 'active' })]);
    expect((await sendRequest(edge.port, { host: 'pagina.localhost' })).text).toBe('Olá');
  });

  test.each([
    ...[
      'accounts',
      'api_tokens',
      'sudo_sessions',
      'recovery_codes',
      'login_failures',
      'settings',
      'contact_messages',
      'audit_entries',
      'alert_channels',
      'backup_plan',
      'secret_fingerprints',
    ].map((table) => `SELECT * FROM ${table}`),
    `UPDATE api_keys SET permissions = '[]'`,
    'DELETE FROM api_keys',
    'UPDATE subdomains SET port = 1',
    'UPDATE configuration_revision SET value = 0',
    'CREATE TABLE planted (x int)',
    'TRUNCATE request_log',
  ])('may not run: %s', async (sql) => {
    await expect(roleConnection.query(sql)).rejects.toThrow(/permission denied/);
  });
});
