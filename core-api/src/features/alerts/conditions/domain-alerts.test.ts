import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, createServer, type SecureContext, type Server } from 'node:tls';
import { findFreePort, waitFor } from '../../../../../scripts/testing/program';
import { fastClock, getFastTime } from '../../../../../scripts/testing/stack';
import { createCertificateAuthority } from '../../../testing/certificates';
import { Core } from '../../../testing/core';
import { type Records, startDns } from '../../../testing/dns';

const clock = fastClock(10);
const records: Records = {};
const folder = mkdtempSync(join(tmpdir(), 'domain-alerts-'));
let dns: Awaited<ReturnType<typeof startDns>>;
let projectId: string;
let core: Core;
let tlsServer: Server | undefined;

beforeAll(async () => {
  dns = await startDns(records);
});
afterEach(async () => {
  await core?.stop();
  tlsServer?.close();
  tlsServer = undefined;
});
afterAll(async () => {
  await dns.stop();
  rmSync(folder, { recursive: true });
});

/** @returns the environment of the core, which a test may change before it restarts the core */
async function startInstallation(changes: Record<string, string>): Promise<Record<string, string>> {
  const environment = { ...clock, DNS_SERVERS: dns.address, ...changes };
  core = await new Core(environment).start();
  const body = { name: 'CRM', type: 'proxy', apiPort: 4000 };
  projectId = (await core.request('POST', '/projects', { body })).body._id;
  return environment;
}
async function createTenant(domain: string): Promise<string> {
  const name = domain.split('.')[0];
  const { body } = await core.request('POST', '/tenants', { body: { name, subdomain: name, project: projectId } });
  expect((await core.request('POST', `/tenants/${body._id}/domain`, { body: { domain } })).status).toBe(200);
  await postponeChecks();
  return body._id;
}
/** Prevents checks by the core itself, which would check an unhealthy domain after two minutes and count that check. */
const postponeChecks = () => core.query(`UPDATE domain_status SET "nextCheckAt" = '2999-01-01T00:00:00.000Z'`);
/** Checks the domain of a tenant now. @returns the time that the core planned for the next check */
async function checkDomain(id: string): Promise<string> {
  const { body } = await core.request('POST', `/tenants/${id}/check`);
  await postponeChecks();
  return body.domainStatus[0].nextCheckAt;
}
/**
 * Starts a TLS server with a certificate for each host: [days until its end, its age in days].
 * @returns the environment of a core that trusts these certificates and checks them at this server
 */
async function startTlsServer(lifetimes: Record<string, [daysLeft: number, ageDays: number]>) {
  const authority = await createCertificateAuthority();
  const authorityFile = join(folder, 'authority.pem');
  writeFileSync(authorityFile, authority.certificate);
  const contexts = new Map<string, SecureContext>();
  for (const [host, [daysLeft, ageDays]] of Object.entries(lifetimes))
    contexts.set(host, createSecureContext(await authority.issue([host], daysLeft, ageDays)));
  tlsServer = createServer({
    SNICallback: (name, callback) => {
      const context = contexts.get(name);
      if (context) callback(null, context);
      else callback(new Error('no certificate'));
    },
  }).on('tlsClientError', () => undefined);
  const port = await findFreePort();
  await new Promise<void>((resolve) => tlsServer?.listen(port, '127.0.0.1', resolve));
  return { TLS_CHECK_ADDRESS: `127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: authorityFile };
}
const listAlerts = async (kind: string, state = 'open') =>
  (await core.request('GET', `/alerts?kind=${kind}&state=${state}`)).body.alerts;
const readStatus = async (host: string) =>
  (await core.query(`SELECT "changedChecks", "changedAt" FROM domain_status WHERE host = '${host}'`))[0];

test('without SERVER_IP, three checks with the same new records raise an alert, which an old record ends', async () => {
  await startInstallation({});
  records['A xn--mudana-0ua.com.br'] = ['198.51.100.7', '198.51.100.8'];
  const id = await createTenant('xn--mudana-0ua.com.br');
  // A known address remains, so the new records do not count as changed.
  records['A xn--mudana-0ua.com.br'] = ['198.51.100.8', '198.51.100.9'];
  await checkDomain(id);
  expect(await readStatus('xn--mudana-0ua.com.br')).toMatchObject({ changedChecks: 0, changedAt: null });
  records['A xn--mudana-0ua.com.br'] = ['203.0.113.66'];
  await checkDomain(id);
  // Other new records begin a new count of checks.
  records['A xn--mudana-0ua.com.br'] = ['203.0.113.67'];
  const nextCheckAt = await checkDomain(id);
  expect((await readStatus('xn--mudana-0ua.com.br'))?.changedChecks).toBe(1);
  expect(Date.parse(nextCheckAt)).toBeLessThan(getFastTime(clock) + 3 * 60_000);
  await checkDomain(id);
  expect(await listAlerts('dns_changed')).toEqual([]);
  await checkDomain(id);
  await waitFor('the alert', async () => (await listAlerts('dns_changed')).length > 0);
  const [alert] = await listAlerts('dns_changed');
  expect(alert).toMatchObject({
    severity: 'warning',
    subject: { type: 'tenant', name: 'mudança.com.br' },
    reason: 'O DNS de mudança.com.br mudou de 198.51.100.8, 198.51.100.9 para 203.0.113.67.',
  });
  // An alert does not end while the name server gives no answer.
  records['A xn--mudana-0ua.com.br'] = 'SERVFAIL';
  await checkDomain(id);
  expect(await readStatus('xn--mudana-0ua.com.br')).toMatchObject({ changedChecks: 3 });
  records['A xn--mudana-0ua.com.br'] = ['198.51.100.9'];
  await checkDomain(id);
  await waitFor('the end of the alert', async () => (await listAlerts('dns_changed', 'resolved')).length === 1);
});

test('without SERVER_IP, the DNS state of a domain without records is `missing`', async () => {
  await startInstallation({});
  const id = await createTenant('vazio.com.br');
  const { body } = await core.request('POST', `/tenants/${id}/check`);
  expect(body.domainStatus).toMatchObject([
    { dns: 'missing', found: [] },
    { dns: 'missing', found: [] },
  ]);
});

test('without SERVER_IP, a valid certificate does not delay the checks that confirm new addresses', async () => {
  await startInstallation(await startTlsServer({ 'valida.com.br': [90, 1] }));
  records['A valida.com.br'] = ['198.51.100.7'];
  const id = await createTenant('valida.com.br');
  // The previous check may have found an active certificate, if SERVER_IP was set at that time.
  await core.query(`UPDATE domain_status SET dns = 'ok', "certificateState" = 'active'`);
  records['A valida.com.br'] = ['203.0.113.66'];
  for (let count = 1; count <= 3; count += 1) {
    const nextCheckAt = await checkDomain(id);
    expect(Date.parse(nextCheckAt)).toBeLessThan(getFastTime(clock) + 3 * 60_000);
    expect((await readStatus('valida.com.br'))?.changedChecks).toBe(count);
  }
});

test('new addresses become the known addresses after a day, which ends the alert about them', async () => {
  await startInstallation({});
  records['A fica.com.br'] = ['198.51.100.7'];
  const id = await createTenant('fica.com.br');
  records['A fica.com.br'] = ['203.0.113.66'];
  for (let count = 0; count < 3; count += 1) await checkDomain(id);
  await waitFor('the alert', async () => (await listAlerts('dns_changed')).length === 1);
  const moreThanADayAgo = new Date(getFastTime(clock) - 25 * 3_600_000).toISOString();
  await core.query(`UPDATE domain_status SET "changedAt" = '${moreThanADayAgo}' WHERE host = 'fica.com.br'`);
  await checkDomain(id);
  await waitFor('the end of the alert', async () => (await listAlerts('dns_changed', 'resolved')).length === 1);
});

test('after SERVER_IP is set, the next check ends an alert about new addresses', async () => {
  const environment = await startInstallation({});
  records['A depois.com.br'] = ['198.51.100.7'];
  const id = await createTenant('depois.com.br');
  records['A depois.com.br'] = ['203.0.113.66'];
  for (let count = 0; count < 3; count += 1) await checkDomain(id);
  await waitFor('the alert', async () => (await listAlerts('dns_changed')).length === 1);
  environment.SERVER_IP = '203.0.113.66';
  await core.end('SIGTERM');
  await core.start();
  await checkDomain(id);
  expect(await readStatus('depois.com.br')).toMatchObject({ changedChecks: 0, changedAt: null });
  await waitFor('the end of the alert', async () => (await listAlerts('dns_changed', 'resolved')).length === 1);
});

test('a certificate raises an alert in its last 14 days or the last fifth of its life, whichever is shorter', async () => {
  // Both certificates have nine days left. The first certificate lives for 109 days, and the second for ten.
  const lifetimes: Record<string, [number, number]> = { 'longa.com.br': [9, 100], 'curta.com.br': [9, 1] };
  await startInstallation({ SERVER_IP: '203.0.113.1', ...(await startTlsServer(lifetimes)) });
  for (const host of Object.keys(lifetimes)) records[`A ${host}`] = ['203.0.113.1'];
  for (const host of Object.keys(lifetimes)) await checkDomain(await createTenant(host));
  await waitFor('an alert', async () => (await listAlerts('certificate_ending')).length > 0);
  const names = (await listAlerts('certificate_ending')).map(
    ({ subject }: { subject: { name: string } }) => subject.name,
  );
  expect(names).toEqual(['longa.com.br']);
});
