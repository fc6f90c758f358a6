import { freePort } from '../../../scripts/testing/program';
import { createDatabase, type Database } from '../database/source';
import { appendRequests } from '../gateway/requests/request-log.service';
import { entities } from '../schema';
import { Core } from '../testing/core';

let core: Core;
/** Stands for an edge: it shares the core's database. */
let edge: Database;
beforeAll(async () => {
  core = await new Core({ HEALTH_INTERVAL_S: '0', SERVER_IP: '203.0.113.1' }).start();
  edge = createDatabase({ DATABASE_URL: undefined, ...core.database }, entities);
  await edge.open();
});
afterAll(async () => {
  await edge?.close();
  await core?.stop();
});

const overview = async () => (await core.ask('GET', '/overview')).body;
const none = { total: 0, first: [] };

test('of an empty installation there is nothing to say', async () => {
  expect(await overview()).toEqual({
    subdomains: 0,
    projects: 0,
    tenants: 0,
    telegram: false,
    subdomainsDown: none,
    tenantsDown: none,
    domainsWaiting: none,
    certificatesEnding: none,
    faults: 0,
    unread: 0,
  });
});

test('what is down, waits, ends, failed or was written is named; what is paused or unwatched is meant', async () => {
  const gone = await freePort();
  const create = async (path: string, body: object) => (await core.ask('POST', path, { body })).body;
  const target = { description: 'x', type: 'proxy', port: gone };
  for (const [name, more] of Object.entries({ caido: {}, pausado: { paused: true }, calado: { healthCheck: false } }))
    await create('/subdomains', { subdomain: name, ...target, ...more });
  await core.ask('POST', '/subdomains/caido/check');
  const project = await create('/projects', { name: 'CRM', type: 'proxy', apiPort: gone });
  const tenant = await create('/tenants', { name: 'Cliente', subdomain: 'cliente', project: project._id });
  const other = await create('/tenants', { name: 'Outro', subdomain: 'outro', project: project._id, paused: true });
  await core.ask('POST', `/tenants/${tenant._id}/domain`, { body: { domain: 'espera.com.br' } });
  await core.ask('POST', `/tenants/${other._id}/domain`, { body: { domain: 'fim.com.br' } });
  const ends = new Date(Date.now() + 5 * 24 * 3600_000).toISOString();
  await core.query(
    `UPDATE domain_status SET dns = 'ok', "certificateState" = 'active', "expiresAt" = '${ends}' WHERE "tenantId" = '${other._id}'`,
  );
  await core.ask('POST', '/contact', {
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
  await edge.append((manager) =>
    appendRequests(manager, [
      { ...request, at: new Date(now).toISOString(), weight: 3 },
      { ...request, at: new Date(now).toISOString(), status: 404, weight: 1 },
      { ...request, at: new Date(now - 2 * 3600_000).toISOString(), weight: 1 },
    ]),
  );
  expect(await overview()).toEqual({
    subdomains: 3,
    projects: 1,
    tenants: 2,
    telegram: false,
    subdomainsDown: { total: 1, first: [{ id: 'caido', name: 'caido' }] },
    tenantsDown: { total: 1, first: [{ id: tenant._id, name: 'Cliente' }] },
    domainsWaiting: { total: 1, first: [{ id: tenant._id, name: expect.stringContaining('espera.com.br') }] },
    certificatesEnding: { total: 1, first: [{ id: other._id, name: expect.stringContaining('fim.com.br') }] },
    faults: 3,
    unread: 1,
  });
});
