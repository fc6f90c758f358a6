import { findFreePort } from '../../../../scripts/testing/program';
import { entities } from '../../app/entities';
import { createDatabase, type Database } from '../../platform/database/database';
import { Core } from '../../testing/core';
import { createSubdomain } from '../../testing/records';
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

let tenantCount = 0;
/** Creates a tenant in a new project, which forwards to `port`. */
async function createTenant(fields: object, port = 4000) {
  tenantCount += 1;
  const project = await core.create('/projects', { name: `Projeto ${tenantCount}`, type: 'proxy', apiPort: port });
  const names = { name: `Cliente ${tenantCount}`, subdomain: `cliente-${tenantCount}` };
  return core.create('/tenants', { ...names, project: project._id, ...fields });
}

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

test('the overview counts subdomains, projects, tenants and unread messages', async () => {
  const before = await getOverview();
  await createSubdomain(core, 'contado', { port: 4000 });
  await createTenant({});
  const message = { name: 'Ana', email: 'ana@exemplo.com', message: 'Olá' };
  await core.request('POST', '/contact', { body: message, token: null });
  expect(await getOverview()).toEqual({
    ...before,
    subdomains: before.subdomains + 1,
    projects: before.projects + 1,
    tenants: before.tenants + 1,
    unread: before.unread + 1,
  });
});

test('a subdomain and a tenant are down if their target fails, unless paused or without a health check', async () => {
  const port = await findFreePort();
  await createSubdomain(core, 'pausado', { port, paused: true });
  await createSubdomain(core, 'calado', { port, healthCheck: false });
  await createSubdomain(core, 'caido', { port });
  const tenant = await createTenant({}, port);
  await createTenant({ paused: true }, port);
  await core.request('POST', '/subdomains/caido/check');
  expect(await getOverview()).toMatchObject({
    subdomainsDown: { total: 1, first: [{ id: 'caido', name: 'caido' }] },
    tenantsDown: { total: 1, first: [{ id: tenant._id, name: tenant.name }] },
  });
});

test('the overview lists domains whose check found no DNS record, and certificates that end in 5 days', async () => {
  const inFiveDays = new Date(Date.now() + 5 * 24 * 3600_000).toISOString();
  const createDomain = async (domain: string, statusSql: string) => {
    const tenant = await createTenant({ paused: true });
    await core.request('POST', `/tenants/${tenant._id}/domain`, { body: { domain } });
    if (statusSql) await core.query(`UPDATE domain_status SET ${statusSql} WHERE domain = '${domain}'`);
    return { id: tenant._id, name: domain };
  };
  const waitingDomain = await createDomain('espera.com.br', `dns = 'missing'`);
  const endingDomain = await createDomain(
    'fim.com.br',
    `dns = 'ok', "certificateState" = 'active', "expiresAt" = '${inFiveDays}'`,
  );
  await createDomain('novo.com.br', '');
  expect(await getOverview()).toMatchObject({
    domainsWaiting: { total: 1, first: [waitingDomain] },
    certificatesEnding: { total: 1, first: [endingDomain] },
  });
});

test('the overview adds up the 5xx responses of the last hour by their source', async () => {
  const tenant = await createTenant({});
  const [gatewayErrors, tenantErrors] = [6, 5];
  const now = new Date().toISOString();
  const twoHoursAgo = new Date(Date.now() - 2 * 3600_000).toISOString();
  const serverError = {
    at: now,
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
  await edgeDatabase.concurrentWrite((manager) =>
    appendRequests(manager, [
      { ...serverError, weight: gatewayErrors },
      { ...serverError, kind: 'tenant', tenantId: tenant._id, weight: tenantErrors },
      { ...serverError, status: 404, weight: 1 },
      { ...serverError, at: twoHoursAgo, weight: 1 },
    ]),
  );
  expect(await getOverview()).toMatchObject({
    faults: gatewayErrors + tenantErrors,
    serverErrors: [
      { kind: 'gateway', id: null, name: null, count: gatewayErrors },
      { kind: 'tenant', id: tenant._id, name: tenant.name, count: tenantErrors },
    ],
  });
});
