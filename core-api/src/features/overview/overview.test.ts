import { findFreePort } from '../../../../scripts/testing/program';
import { entities } from '../../app/entities';
import { createDatabase, type Database } from '../../platform/database/database';
import { Core } from '../../testing/core';
import { appendRequests } from '../gateway/requests/request-log.service';

let core: Core;
/** Acts as an edge on the core's database. */
let edgeDatabase: Database;
/** The overview before any test has created something. */
let firstOverview: unknown;
beforeAll(async () => {
  core = await new Core({ HEALTH_INTERVAL_S: '0', SERVER_IP: '203.0.113.1' }).start();
  edgeDatabase = createDatabase({ DATABASE_URL: undefined, ...core.database }, entities);
  await edgeDatabase.open();
  firstOverview = await getOverview();
});
afterAll(async () => {
  await edgeDatabase?.close();
  await core?.stop();
});

const getOverview = async () => (await core.request('GET', '/overview')).body;
const emptyList = { total: 0, first: [] };

test('the overview of an empty installation is empty', () => {
  expect(firstOverview).toEqual({
    subdomains: 0,
    projects: 0,
    tenants: 0,
    telegram: false,
    subdomainsDown: emptyList,
    tenantsDown: emptyList,
    domainsWaiting: emptyList,
    certificatesEnding: emptyList,
    faults: 0,
    serverErrors: [],
    tokensEnding: { total: 0, first: [] },
    unread: 0,
    alerts: 0,
  });
});

test('the overview lists server errors, and problems of checked hosts, domains and certificates', async () => {
  const closedPort = await findFreePort();
  const target = { description: 'x', type: 'proxy', port: closedPort };
  for (const [name, fields] of Object.entries({ caido: {}, pausado: { paused: true }, calado: { healthCheck: false } }))
    await core.create('/subdomains', { subdomain: name, ...target, ...fields });
  await core.request('POST', '/subdomains/caido/check');
  const project = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: closedPort });
  const tenant = await core.create('/tenants', { name: 'Cliente', subdomain: 'cliente', project: project._id });
  const pausedTenant = await core.create('/tenants', {
    name: 'Outro',
    subdomain: 'outro',
    project: project._id,
    paused: true,
  });
  await core.request('POST', `/tenants/${tenant._id}/domain`, { body: { domain: 'espera.com.br' } });
  await core.request('POST', `/tenants/${pausedTenant._id}/domain`, { body: { domain: 'fim.com.br' } });
  const uncheckedTenant = await core.create('/tenants', {
    name: 'Novo',
    subdomain: 'novo',
    project: project._id,
    paused: true,
  });
  await core.request('POST', `/tenants/${uncheckedTenant._id}/domain`, { body: { domain: 'novo.com.br' } });
  await core.query(`UPDATE domain_status SET dns = 'missing' WHERE domain = 'espera.com.br'`);
  const expiresAt = new Date(Date.now() + 5 * 24 * 3600_000).toISOString();
  await core.query(
    `UPDATE domain_status SET dns = 'ok', "certificateState" = 'active', "expiresAt" = '${expiresAt}' WHERE domain = 'fim.com.br'`,
  );
  await core.request('POST', '/contact', {
    body: { name: 'Ana', email: 'ana@exemplo.com', message: 'Olá' },
    token: null,
  });
  const request = {
    kind: 'gateway',
    method: 'GET',
    path: '/x',
    status: 502,
    reason: null,
    ms: 1,
    clientIp: '203.0.113.9',
    requestId: 'r',
    keyId: null,
    routeId: null,
    subdomainId: null,
    tenantId: null,
  };
  const now = Date.now();
  await edgeDatabase.concurrentWrite((manager) =>
    appendRequests(manager, [
      { ...request, at: new Date(now).toISOString(), weight: 6 },
      { ...request, at: new Date(now).toISOString(), status: 404, weight: 1 },
      { ...request, at: new Date(now).toISOString(), kind: 'tenant', tenantId: tenant._id, weight: 5 },
      { ...request, at: new Date(now - 2 * 3600_000).toISOString(), weight: 1 },
    ]),
  );
  expect(await getOverview()).toEqual({
    subdomains: 3,
    projects: 1,
    tenants: 3,
    telegram: false,
    subdomainsDown: { total: 1, first: [{ id: 'caido', name: 'caido' }] },
    tenantsDown: { total: 1, first: [{ id: tenant._id, name: 'Cliente' }] },
    domainsWaiting: { total: 1, first: [{ id: tenant._id, name: 'espera.com.br' }] },
    certificatesEnding: { total: 1, first: [{ id: pausedTenant._id, name: 'fim.com.br' }] },
    faults: 11,
    serverErrors: [
      { kind: 'gateway', id: null, name: null, count: 6 },
      { kind: 'tenant', id: tenant._id, name: 'Cliente', count: 5 },
    ],
    tokensEnding: { total: 0, first: [] },
    unread: 1,
    alerts: 0,
  });
});
