import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, createServer, type Server } from 'node:tls';
import { findFreePort, waitFor } from '../../../../scripts/testing/program';
import { createCertificateAuthority } from '../../testing/certificates';
import { Core, getStatusAndFields } from '../../testing/core';
import { type Records, startDns } from '../../testing/dns';

const SERVER_ADDRESSES = ['203.0.113.1', '2001:db8::1'];
const records: Records = {};
const folder = mkdtempSync(join(tmpdir(), 'domains-'));
/** Certificates by host name. Without a certificate, the handshake of a host fails. */
const certificates = new Map<string, { key: string; cert: string }>();
let dns: Awaited<ReturnType<typeof startDns>>;
let authority: Awaited<ReturnType<typeof createCertificateAuthority>>;
let tlsServer: Server;
let tlsPort: number;
const listenForTls = () => new Promise<void>((resolve) => tlsServer.listen(tlsPort, '127.0.0.1', resolve));
let core: Core;
let projectId: string;

beforeAll(async () => {
  dns = await startDns(records);
  authority = await createCertificateAuthority();
  tlsServer = createServer({
    SNICallback: (name, callback) => {
      const certificate = certificates.get(name);
      if (certificate) callback(null, createSecureContext(certificate));
      else callback(new Error('no certificate yet'));
    },
  });
  tlsServer.on('tlsClientError', () => undefined);
  // `findFreePort` gives this port to no other program, so a test can close the port and open it again.
  tlsPort = await findFreePort();
  await listenForTls();
  const authorityFile = join(folder, 'authority.pem');
  writeFileSync(authorityFile, authority.certificate);
  core = await new Core({
    SERVER_IP: SERVER_ADDRESSES.join(', '),
    DNS_SERVERS: dns.address,
    TLS_CHECK_ADDRESS: `127.0.0.1:${tlsPort}`,
    NODE_EXTRA_CA_CERTS: authorityFile,
  }).start();
  const body = { name: 'CRM', type: 'proxy', apiPort: 4000 };
  projectId = (await core.request('POST', '/projects', { body })).body._id;
});
afterAll(async () => {
  await core?.stop();
  tlsServer?.close();
  await dns?.stop();
  rmSync(folder, { recursive: true });
});

let tenantCount = 0;
async function createTenant(): Promise<string> {
  tenantCount += 1;
  const body = { name: `Cliente ${tenantCount}`, subdomain: `cliente-${tenantCount}`, project: projectId };
  return (await core.request('POST', '/tenants', { body })).body._id;
}
const setDomain = (id: string, domain: string, fields: object = {}) =>
  core.request('POST', `/tenants/${id}/domain`, { body: { domain, ...fields } });
async function checkNewDomain(domain: string) {
  const { status, body } = await setDomain(await createTenant(), domain);
  expect([status, body.customDomain]).toEqual([200, domain]);
  return body.domainStatus;
}

test('a domain is accepted with any DNS records, and its www has a separate status', async () => {
  records['A espera.com.br'] = SERVER_ADDRESSES.slice(0, 1);
  records['A www.espera.com.br'] = ['198.51.100.7'];
  expect(await checkNewDomain('espera.com.br')).toEqual([
    {
      host: 'espera.com.br',
      displayHost: 'espera.com.br',
      dns: 'ok',
      found: ['203.0.113.1'],
      expected: SERVER_ADDRESSES,
      certificate: { state: 'issuing', issuer: null, expiresAt: null },
      checkedAt: expect.stringMatching(/Z$/),
      nextCheckAt: expect.stringMatching(/Z$/),
    },
    expect.objectContaining({
      host: 'www.espera.com.br',
      dns: 'wrong',
      found: ['198.51.100.7'],
      certificate: { state: 'none', issuer: null, expiresAt: null },
    }),
  ]);
});

test.each<[string, Record<string, string[] | 'SERVFAIL'>, string, string[]]>([
  ['nada', {}, 'missing', []],
  ['vazio', { TXT: ['x'] }, 'missing', []],
  ['ambos', { A: ['203.0.113.1'], AAAA: ['2001:db8::1'] }, 'ok', ['2001:db8::1', '203.0.113.1']],
  ['metade', { A: ['203.0.113.1'], AAAA: ['2001:db8::9'] }, 'wrong', ['2001:db8::9', '203.0.113.1']],
  ['apelido', { CNAME: ['outro.com.br'] }, 'wrong', ['outro.com.br']],
  ['mudo', { A: ['203.0.113.1'], AAAA: 'SERVFAIL' }, 'unknown', ['203.0.113.1']],
])('%s.com.br with the records %j has the DNS state %s', async (name, answers, state, found) => {
  for (const [type, data] of Object.entries(answers)) records[`${type} ${name}.com.br`] = data;
  const [apex] = await checkNewDomain(`${name}.com.br`);
  expect([apex.dns, apex.found]).toEqual([state, found]);
});

test('the certificate is not checked before DNS is ok', async () => {
  const hosts = ['cedo.com.br', 'www.cedo.com.br'];
  const certificate = await authority.issue(hosts);
  for (const host of hosts) certificates.set(host, certificate);
  const id = await createTenant();
  expect((await setDomain(id, 'cedo.com.br')).body.domainStatus).toMatchObject([
    { dns: 'missing', certificate: { state: 'none' } },
    { dns: 'missing', certificate: { state: 'none' } },
  ]);
  for (const host of hosts) records[`A ${host}`] = ['203.0.113.1'];
  const { status, body } = await core.request('POST', `/tenants/${id}/check`);
  const active = { state: 'active', issuer: 'Autoridade de Teste', expiresAt: expect.stringMatching(/Z$/) };
  const expectedStatus = hosts.map((host) => ({ host, dns: 'ok', certificate: active }));
  expect([status, body.domainStatus]).toMatchObject([200, expectedStatus]);
});

test('the state of an invalid certificate is `issuing` for 20 minutes, and then `failed`', async () => {
  certificates.set('vencido.com.br', await authority.issue(['vencido.com.br'], -1));
  certificates.set('www.vencido.com.br', await authority.issue(['outro.com.br']));
  for (const host of ['vencido.com.br', 'www.vencido.com.br']) records[`A ${host}`] = ['203.0.113.1'];
  const id = await createTenant();
  const toStates = (body: { domainStatus: { certificate: { state: string } }[] }) =>
    body.domainStatus.map(({ certificate }) => certificate.state);
  expect(toStates((await setDomain(id, 'vencido.com.br')).body)).toEqual(['issuing', 'issuing']);
  const twentyOneMinutesAgo = new Date(Date.now() - 21 * 60_000).toISOString();
  await core.query(
    `UPDATE domain_status SET "watchedSince" = '${twentyOneMinutesAgo}' WHERE domain = 'vencido.com.br'`,
  );
  const { body } = await core.request('POST', `/tenants/${id}/check`);
  expect(toStates(body)).toEqual(['failed', 'failed']);
  expect(Date.parse(body.domainStatus[0].certificate.expiresAt)).toBeLessThan(Date.now());
});

test('due hosts are checked in the background', async () => {
  const id = await createTenant();
  await setDomain(id, 'depois.com.br');
  records['A depois.com.br'] = ['203.0.113.1'];
  await core.query(
    `UPDATE domain_status SET "nextCheckAt" = '2026-01-01T00:00:00.000Z' WHERE domain = 'depois.com.br'`,
  );
  await waitFor('a successful check of the DNS', async () => {
    const tenants: { _id: string; domainStatus: { dns: string }[] }[] = (await core.request('GET', '/tenants')).body;
    return tenants.find(({ _id }) => _id === id)?.domainStatus[0]?.dns === 'ok';
  });
});

describe('a released domain', () => {
  const releaseDomain = async (domain: string) => {
    const id = await createTenant();
    await setDomain(id, domain);
    await core.request('DELETE', `/tenants/${id}/domain`);
    return id;
  };

  test('can be claimed with a TXT record that differs for each claimant', async () => {
    await releaseDomain('passado.com.br');
    const [claimant, otherClaimant] = [await createTenant(), await createTenant()];
    const response = await setDomain(claimant, 'passado.com.br');
    expect([response.status, Object.keys(response.body.fields)]).toEqual([409, ['domain']]);
    const { record, details } = response.body;
    expect(record).toEqual({ type: 'TXT', name: '_studio-proof.passado.com.br', value: expect.any(String) });
    expect(details).toContain(record.value);
    records['TXT _studio-proof.passado.com.br'] = ['v=spf1', record.value];
    expect((await setDomain(otherClaimant, 'passado.com.br')).status).toBe(409);
    expect((await setDomain(claimant, 'passado.com.br')).status).toBe(200);
    // The repetition changes the tenant's own domain, which needs no proof.
    expect((await setDomain(claimant, 'passado.com.br')).status).toBe(200);
  });

  test('can be claimed without a record by its previous owner, and after 30 days by every site', async () => {
    const previousOwner = await releaseDomain('volta.com.br');
    expect((await setDomain(previousOwner, 'volta.com.br')).status).toBe(200);
    await releaseDomain('livre.com.br');
    const thirtyOneDaysAgo = new Date(Date.now() - 31 * 24 * 3600_000).toISOString();
    await core.query(`UPDATE released_domains SET "releasedAt" = '${thirtyOneDaysAgo}' WHERE domain = 'livre.com.br'`);
    expect((await setDomain(await createTenant(), 'livre.com.br')).status).toBe(200);
  });
});

test('if ten tenants request one domain simultaneously, with and without www, exactly one tenant gets it', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1) ids.push(await createTenant());
  const responses = await Promise.all(
    ids.map((id, index) => setDomain(id, index % 2 ? 'corrida.com.br' : 'WWW.Corrida.com.br')),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  const tenants: { customDomain: string | null }[] = (await core.request('GET', '/tenants')).body;
  expect(tenants.filter(({ customDomain }) => customDomain === 'corrida.com.br')).toHaveLength(1);
});

test('the www mode is `serve` by default and after removal of the domain', async () => {
  const id = await createTenant();
  expect((await setDomain(id, 'modo.com.br')).body.wwwMode).toBe('serve');
  expect((await setDomain(id, 'modo.com.br', { www: 'to-www' })).body.wwwMode).toBe('to-www');
  const { body } = await core.request('DELETE', `/tenants/${id}/domain`);
  expect(body).toMatchObject({ wwwMode: 'serve', domainStatus: null });
});

test('an unknown www mode is refused', async () => {
  const response = await setDomain(await createTenant(), 'lua.com.br', { www: 'to-moon' });
  expect(getStatusAndFields(response)).toEqual([400, ['www']]);
});

test('the state of a certificate is `none` if the server refuses the TLS connection', async () => {
  await new Promise((resolve) => tlsServer.close(resolve));
  try {
    records['A sozinho.com.br'] = ['203.0.113.1'];
    const [apex] = await checkNewDomain('sozinho.com.br');
    expect([apex.dns, apex.certificate.state]).toEqual(['ok', 'none']);
  } finally {
    await listenForTls();
  }
});
