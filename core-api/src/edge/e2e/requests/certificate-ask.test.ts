import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import { type Records, startDns } from '../../../testing/dns';
import { Edge } from '../../../testing/edge';

const SERVER_IP = '203.0.113.1';
const records: Records = {};
let dns: Awaited<ReturnType<typeof startDns>>;
let core: Core;
let projectId: string;

const requestAskStatus = async (edge: Edge, host: string) => (await edge.fetchAdmin(`/ask?domain=${host}`)).status;

/** Creates a tenant with a custom domain whose DNS was checked. */
async function createTenant(subdomain: string, domain: string): Promise<string> {
  const { _id } = await core.create('/tenants', { name: subdomain, subdomain, project: projectId });
  await core.create(`/tenants/${_id}/domain`, { domain });
  await checkDomain(_id);
  return _id;
}
const checkDomain = (id: string) => core.request('POST', `/tenants/${id}/check`);

beforeAll(async () => {
  dns = await startDns(records);
  core = await new Core({ SERVER_IP, DNS_SERVERS: dns.address, TLS_CHECK_ADDRESS: '127.0.0.1:9' }).start();
  projectId = (await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 }))._id;
});
afterAll(async () => {
  await core?.stop();
  await dns?.stop();
});

test('for 30 days after a check has found its DNS correct, a custom domain may get a certificate', async () => {
  const edge = await new Edge(core, { SERVER_IP, EDGE_WORKERS: '1' }).start();
  try {
    records['A padaria.com.br'] = ['198.51.100.7'];
    const id = await createTenant('padaria', 'padaria.com.br');
    await waitFor('the label is served', async () => (await requestAskStatus(edge, 'padaria.localhost')) === 200);
    expect(await requestAskStatus(edge, 'padaria.com.br')).toBe(404);

    records['A padaria.com.br'] = [SERVER_IP];
    await checkDomain(id);
    expect(await requestAskStatus(edge, 'padaria.com.br')).toBe(200);
    // The `www` host is checked separately, and it has no DNS record.
    expect(await requestAskStatus(edge, 'www.padaria.com.br')).toBe(404);

    records['A padaria.com.br'] = ['198.51.100.7'];
    await checkDomain(id);
    expect(await requestAskStatus(edge, 'padaria.com.br')).toBe(200);
    const monthAgo = new Date(Date.now() - 31 * 24 * 3600 * 1000).toISOString();
    await core.query(`UPDATE domain_status SET "okAt" = '${monthAgo}' WHERE host = 'padaria.com.br'`);
    expect(await requestAskStatus(edge, 'padaria.com.br')).toBe(404);
  } finally {
    await edge.stop();
  }
});

test('without SERVER_IP, every claimed domain may get a certificate, because the correct DNS records are unknown', async () => {
  const edge = await new Edge(core, { EDGE_WORKERS: '1' }).start();
  try {
    await createTenant('moda', 'moda.com.br');
    await waitFor(
      'the domain may get a certificate',
      async () => (await requestAskStatus(edge, 'moda.com.br')) === 200,
    );
    expect(await requestAskStatus(edge, 'moda.com.br:443')).toBe(404);
    expect(await requestAskStatus(edge, 'google.com')).toBe(404);
  } finally {
    await edge.stop();
  }
});
