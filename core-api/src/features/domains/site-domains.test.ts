import { waitFor } from '../../../../scripts/testing/program';
import { Core, getStatusAndFields, listen } from '../../testing/core';
import { type Records, startDns } from '../../testing/dns';
import { Edge, getHeader, sendRequest } from '../../testing/edge';

const SERVER_IP = '203.0.113.1';
const records: Records = {};
let dns: Awaited<ReturnType<typeof startDns>>;
let upstream: Awaited<ReturnType<typeof listen>>;
let core: Core;
let edge: Edge;
let projectId: string;

beforeAll(async () => {
  dns = await startDns(records);
  upstream = await listen((request, response) => response.end(request.headers.host));
  core = await new Core({ SERVER_IP, DNS_SERVERS: dns.address }).start();
  edge = await new Edge(core, { SERVER_IP, EDGE_WORKERS: '1' }).start();
  const body = { name: 'CRM', type: 'proxy', apiPort: upstream.port };
  projectId = (await core.request('POST', '/projects', { body })).body._id;
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
  await upstream?.stop();
  await dns?.stop();
});

let tenantCount = 0;
/** Creates a tenant. @returns its path */
async function createTenant(): Promise<string> {
  tenantCount += 1;
  const body = { name: `Cliente ${tenantCount}`, subdomain: `cliente-${tenantCount}`, project: projectId };
  return `/tenants/${(await core.request('POST', '/tenants', { body })).body._id}`;
}
/** Creates a subdomain. @returns its path */
async function createSubdomain(subdomain: string): Promise<string> {
  const body = { subdomain, description: 'x', type: 'proxy', port: upstream.port };
  expect((await core.request('POST', '/subdomains', { body })).status).toBe(201);
  return `/subdomains/${subdomain}`;
}
const addDomain = (owner: string, body: object) => core.request('POST', `${owner}/domains`, { body });
const removeDomain = (owner: string, host: string) =>
  core.request('DELETE', `${owner}/domains/${encodeURIComponent(host)}`);
const listDomains = async (owner: string) => (await core.request('GET', `${owner}/domains`)).body;
const listRoles = async (owner: string) =>
  (await listDomains(owner)).map(({ host, role }: { host: string; role: string }) => `${role} ${host}`);
/** Requests a host. @returns the status, and the text of a 200 or the location of another response */
const requestSite = async (host: string, path = '/') => {
  const response = await sendRequest(edge.port, { host, path });
  return [response.status, response.status === 200 ? response.text : (getHeader(response, 'location') ?? null)];
};
const askForCertificate = async (host: string) => (await edge.fetchAdmin(`/ask?domain=${host}`)).status;

test('a subdomain serves each of its domains and their www until their removal', async () => {
  const owner = await createSubdomain('loja');
  const addedDomain = await addDomain(owner, { host: ' WWW.Loja-Café.com.br. ' });
  expect([addedDomain.status, addedDomain.body]).toMatchObject([
    201,
    {
      host: 'xn--loja-caf-i1a.com.br',
      role: 'alias',
      to: null,
      wwwMode: 'serve',
      status: [
        { host: 'xn--loja-caf-i1a.com.br', dns: 'missing', certificate: { state: 'none' } },
        { host: 'www.xn--loja-caf-i1a.com.br' },
      ],
      records: [
        { type: 'A', name: 'xn--loja-caf-i1a.com.br', value: SERVER_IP },
        { type: 'CNAME', name: 'www.xn--loja-caf-i1a.com.br', value: 'xn--loja-caf-i1a.com.br' },
      ],
      live: { state: 'active' },
    },
  ]);
  expect((await addDomain(owner, { host: 'segunda.com.br', www: 'to-www' })).status).toBe(201);
  expect(await listDomains(owner)).toHaveLength(2);
  expect(await requestSite('www.xn--loja-caf-i1a.com.br')).toEqual([200, 'www.xn--loja-caf-i1a.com.br']);
  expect(await requestSite('segunda.com.br', '/a?b')).toEqual([308, '//www.segunda.com.br/a?b']);
  expect((await removeDomain(owner, 'segunda.com.br')).status).toBe(204);
  expect((await removeDomain(owner, 'segunda.com.br')).status).toBe(404);
  await waitFor('the domain is gone', async () => (await requestSite('segunda.com.br'))[0] === 404);
  expect((await core.request('DELETE', owner)).status).toBe(204);
  const otherTenant = await createTenant();
  // The removal of a site releases its domains. For 30 days another site must prove ownership.
  expect((await addDomain(otherTenant, { host: 'xn--loja-caf-i1a.com.br' })).body.record).toMatchObject({
    type: 'TXT',
  });
});

test('a domain with accents is shown in Unicode, even in error texts, while its DNS records are in punycode', async () => {
  const owner = await createTenant();
  const body = { domain: 'PadariaDoZé.com.br' };
  expect((await core.request('POST', `${owner}/domain`, { body })).body).toMatchObject({
    customDomain: 'xn--padariadoz-k7a.com.br',
    displayDomain: 'padariadozé.com.br',
    domainStatus: [{ displayHost: 'padariadozé.com.br' }, { displayHost: 'www.padariadozé.com.br' }],
  });
  expect((await addDomain(owner, { host: 'pão.com.br', role: 'redirect' })).body).toMatchObject({
    host: 'xn--po-sia.com.br',
    displayHost: 'pão.com.br',
    to: 'xn--padariadoz-k7a.com.br',
    displayTo: 'padariadozé.com.br',
    records: [{ name: 'xn--po-sia.com.br' }, { name: 'www.xn--po-sia.com.br' }],
  });
  const refusal = await addDomain(await createTenant(), { host: 'padariadozé.com.br' });
  expect(JSON.stringify(refusal.body)).toContain('O domínio padariadozé.com.br já está em uso.');
});

test('domainCount counts the domains of every role, even in a list that requests only this field', async () => {
  const owner = await createTenant();
  await addDomain(owner, { host: 'conta1.com.br' });
  await addDomain(owner, { host: 'conta2.com.br', role: 'redirect' });
  expect((await core.request('GET', owner)).body).toMatchObject({ customDomain: null, domainCount: 2 });
  const { body } = await core.request('GET', '/tenants?fields=domainCount');
  expect(body).toContainEqual({ _id: owner.split('/').at(-1), domainCount: 2 });
});

test('without a primary domain, the status of a tenant lists each of its domains', async () => {
  const owner = await createTenant();
  await addDomain(owner, { host: 'estado1.com.br' });
  await addDomain(owner, { host: 'estado2.com.br', role: 'redirect' });
  const { domainStatus } = (await core.request('GET', owner)).body;
  expect(domainStatus.map(({ host }: { host: string }) => host).sort()).toEqual([
    'estado1.com.br',
    'estado2.com.br',
    'www.estado1.com.br',
    'www.estado2.com.br',
  ]);
});

test('a redirect leads to its target host, else to the primary domain, else to the label of the site', async () => {
  const owner = await createTenant();
  const label = `cliente-${tenantCount}.localhost`;
  expect((await addDomain(owner, { host: 'antigo.com.br', role: 'redirect' })).body).toMatchObject({ to: label });
  expect(await requestSite('antigo.com.br', '/x?y')).toEqual([308, `//${label}/x?y`]);
  expect((await core.request('POST', `${owner}/domain`, { body: { domain: 'novo.com.br' } })).body).toMatchObject({
    customDomain: 'novo.com.br',
  });
  expect(await requestSite('www.antigo.com.br')).toEqual([308, '//novo.com.br/']);
  const explicitTarget = await addDomain(owner, {
    host: 'antigo.com.br',
    role: 'redirect',
    to: 'Outro.exemplo.com.br',
  });
  expect([explicitTarget.status, explicitTarget.body.to]).toEqual([201, 'outro.exemplo.com.br']);
  expect(await requestSite('antigo.com.br')).toEqual([308, '//outro.exemplo.com.br/']);
  await core.request('PUT', owner, { body: { paused: true } });
  expect((await requestSite('antigo.com.br'))[0]).toBe(503);
});

test('POST /domains keeps the previous primary domain as an alias, but POST /domain removes it', async () => {
  const owner = await createTenant();
  const setDomain = (domain: string) => core.request('POST', `${owner}/domain`, { body: { domain } });
  await setDomain('um.com.br');
  await addDomain(owner, { host: 'dois.com.br', role: 'primary', www: 'to-apex' });
  expect(await listRoles(owner)).toEqual(['primary dois.com.br', 'alias um.com.br']);
  expect((await core.request('GET', owner)).body).toMatchObject({
    customDomain: 'dois.com.br',
    wwwMode: 'to-apex',
    domainStatus: [{ host: 'dois.com.br' }, { host: 'www.dois.com.br' }],
  });
  await setDomain('um.com.br');
  expect(await listRoles(owner)).toEqual(['primary um.com.br']);
  expect((await core.request('DELETE', `${owner}/domain`)).body).toMatchObject({
    customDomain: null,
    domainStatus: null,
  });
  expect(await listDomains(owner)).toEqual([]);
});

describe('a wildcard', () => {
  test('needs a TXT record, matches one label if no exact name matches, and gets no certificate on demand', async () => {
    const [owner, otherOwner] = [await createTenant(), await createTenant()];
    const response = await addDomain(owner, { host: '*.curinga.com.br' });
    expect(response.status).toBe(409);
    expect(response.body.record).toMatchObject({ type: 'TXT', name: '_studio-proof.curinga.com.br' });
    records['TXT _studio-proof.curinga.com.br'] = [response.body.record.value];
    records['A studio-check.curinga.com.br'] = [SERVER_IP];
    expect((await addDomain(otherOwner, { host: '*.curinga.com.br' })).status).toBe(409);
    expect((await addDomain(owner, { host: '*.Curinga.com.br' })).body).toMatchObject({
      host: '*.curinga.com.br',
      status: [{ host: '*.curinga.com.br', dns: 'ok' }],
      records: [{ type: 'A', name: '*.curinga.com.br', value: SERVER_IP }],
    });
    expect(await requestSite('a.curinga.com.br')).toEqual([200, 'a.curinga.com.br']);
    for (const host of ['curinga.com.br', 'a.b.curinga.com.br']) expect((await requestSite(host))[0]).toBe(404);
    expect(await askForCertificate('a.curinga.com.br')).toBe(404);
    // An exact name takes precedence over the wildcard, and gets a certificate.
    records['A exato.curinga.com.br'] = [SERVER_IP];
    await addDomain(otherOwner, { host: 'exato.curinga.com.br', role: 'redirect' });
    expect((await requestSite('exato.curinga.com.br'))[0]).toBe(308);
    expect(await askForCertificate('exato.curinga.com.br')).toBe(200);
    await removeDomain(otherOwner, 'exato.curinga.com.br');
    await waitFor('the wildcard matches', async () => (await requestSite('exato.curinga.com.br'))[0] === 200);
    expect(await askForCertificate('exato.curinga.com.br')).toBe(404);
    expect((await removeDomain(owner, '*.curinga.com.br')).status).toBe(204);
  });

  test.each(['*.com.br', '*.localhost', '*', '*.*.a.com', 'a.*.com', '*a.com', '*.1.2.3.4'])(
    '%s is refused',
    async (host) =>
      expect(getStatusAndFields(await addDomain(await createTenant(), { host }))).toEqual([400, ['host']]),
  );
});

test.each([
  ['the base domain', { host: 'localhost' }, ['host']],
  ['a name below the base domain', { host: 'a.localhost' }, ['host']],
  ['a public suffix', { host: 'com.br' }, ['host']],
  ['an invalid IDN', { host: 'xn--a.com.br' }, ['host']],
  ['an unknown role', { host: 'papel.com.br', role: 'main' }, ['role']],
  ['a wildcard as the primary domain', { host: '*.papel.com.br', role: 'primary' }, ['role']],
  ['a target that is no host', { host: 'papel.com.br', role: 'redirect', to: 'http://a.com/' }, ['to']],
  ['an unknown www mode', { host: 'papel.com.br', www: 'never' }, ['www']],
])('POST /{owner}/domains refuses %s', async (_name, body, fields) => {
  expect(getStatusAndFields(await addDomain(await createTenant(), body))).toEqual([400, fields]);
});

test('a redirect to another redirect is refused, whichever of them is created first', async () => {
  const [owner, otherOwner] = [await createTenant(), await createTenant()];
  const addRedirect = (site: string, host: string, to: string) => addDomain(site, { host, role: 'redirect', to });
  for (const to of ['volta.com.br', 'www.volta.com.br'])
    expect(getStatusAndFields(await addRedirect(owner, 'volta.com.br', to))).toEqual([400, ['to']]);
  expect((await addRedirect(owner, 'a-laco.com.br', 'b-laco.com.br')).status).toBe(201);
  expect(getStatusAndFields(await addRedirect(otherOwner, 'c-laco.com.br', 'www.a-laco.com.br'))).toEqual([
    400,
    ['to'],
  ]);
  expect(getStatusAndFields(await addRedirect(otherOwner, 'b-laco.com.br', 'd-laco.com.br'))).toEqual([400, ['role']]);
  expect((await addDomain(otherOwner, { host: 'b-laco.com.br' })).status).toBe(201);
  expect(getStatusAndFields(await addRedirect(otherOwner, 'b-laco.com.br', 'a-laco.com.br'))).toEqual([400, ['to']]);
  expect(await listRoles(otherOwner)).toEqual(['alias b-laco.com.br']);
  // After the removal of its target, a redirect leads to its own site.
  await removeDomain(otherOwner, 'b-laco.com.br');
  expect((await listDomains(owner))[0].to).toMatch(/^cliente-\d+\.localhost$/);
});

test('a wildcard cannot redirect to a name that it matches, unless the name is itself a domain', async () => {
  const owner = await createTenant();
  const wildcard = { host: '*.roda.com.br', role: 'redirect' };
  const { record } = (await addDomain(owner, wildcard)).body;
  records[`TXT ${record.name}`] = [record.value];
  expect(getStatusAndFields(await addDomain(owner, { ...wildcard, to: 'a.roda.com.br' }))).toEqual([400, ['to']]);
  await addDomain(owner, { host: 'a.roda.com.br' });
  expect((await addDomain(owner, { ...wildcard, to: 'a.roda.com.br' })).status).toBe(201);
  expect(await requestSite('b.roda.com.br')).toEqual([308, '//a.roda.com.br/']);
  await removeDomain(owner, 'a.roda.com.br');
  await waitFor(
    'no redirect leads to itself',
    async () => (await requestSite('a.roda.com.br'))[1] !== '//a.roda.com.br/',
  );
});

test('the overview lists another tenant even if one tenant has more waiting hosts than a query reads', async () => {
  const [owner, nextOwner] = [await createTenant(), await createTenant()];
  for (let suffix = 10; suffix < 30; suffix += 1)
    expect((await addDomain(owner, { host: `00-${suffix}.com.br` })).status).toBe(201);
  expect((await addDomain(nextOwner, { host: '00-99.pão.com.br' })).status).toBe(201);
  const { domainsWaiting } = (await core.request('GET', '/overview')).body;
  expect(domainsWaiting.first).toEqual(
    expect.arrayContaining([
      { id: owner.replace('/tenants/', ''), name: '00-10.com.br' },
      { id: nextOwner.replace('/tenants/', ''), name: '00-99.pão.com.br' },
    ]),
  );
});

test('if ten sites claim one domain simultaneously, exactly one site gets the domain', async () => {
  const owners = await Promise.all(Array.from({ length: 10 }, createTenant));
  const responses = await Promise.all(owners.map((owner) => addDomain(owner, { host: 'disputado.com.br' })));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  const [refusal] = responses.filter(({ status }) => status === 409);
  expect(refusal?.body).toMatchObject({ heldBy: { kind: 'tenant' }, fields: { host: expect.any(String) } });
});

/** Creates an operator who is limited to a project. @returns the token of a session */
async function createOperator(username: string, operatedProject: string): Promise<string> {
  const { _id, setupToken } = (await core.request('POST', '/admins', { body: { username } })).body;
  const body = { role: 'operator', projects: [operatedProject] };
  expect((await core.request('PUT', `/admins/${_id}`, { body })).status).toBe(200);
  const password = 'uma senha longa';
  await core.request('POST', '/setup', { token: null, body: { token: setupToken, password } });
  return (await core.request('POST', '/login', { token: null, body: { username, password } })).body.token;
}

describe('an account that is limited to projects', () => {
  let ownTenantPath: string;
  let token: string;
  beforeAll(async () => {
    const body = { name: 'Outro', type: 'proxy', apiPort: upstream.port };
    const otherProject = (await core.request('POST', '/projects', { body })).body;
    ownTenantPath = `/tenants/${(await core.create('/tenants', { name: 'Meu', subdomain: 'meu', project: otherProject._id }))._id}`;
    token = await createOperator('ana', otherProject._id);
  });

  test('manages only the domains of its tenants', async () => {
    const owner = await createTenant();
    await addDomain(owner, { host: 'limite.com.br' });
    const path = `${owner}/domains`;
    expect((await core.request('GET', path, { token })).status).toBe(404);
    expect((await core.request('POST', path, { token, body: { host: 'meu.com.br' } })).status).toBe(404);
    expect((await core.request('DELETE', `${path}/limite.com.br`, { token })).status).toBe(404);
  });

  test('needs a proof for a domain if a domain above it belongs to a site outside of its projects', async () => {
    const owner = await createTenant();
    const { record: wildcard } = (await addDomain(owner, { host: '*.alheio.com.br' })).body;
    records[`TXT ${wildcard.name}`] = [wildcard.value];
    expect((await addDomain(owner, { host: '*.alheio.com.br' })).status).toBe(201);
    await addDomain(await createSubdomain('vizinha'), { host: 'vizinha.com.br' });
    const claim = (host: string) => core.request('POST', `${ownTenantPath}/domains`, { token, body: { host } });
    for (const host of ['loja.alheio.com.br', 'alheio.com.br', 'a.b.alheio.com.br', 'loja.vizinha.com.br']) {
      const { status, body } = await claim(host);
      expect([host, status, body.record?.name, body.heldBy]).toEqual([host, 409, `_studio-proof.${host}`, undefined]);
    }
    expect(await requestSite('loja.alheio.com.br')).toEqual([200, 'loja.alheio.com.br']);
    const { record } = (await claim('loja.alheio.com.br')).body;
    records[`TXT ${record.name}`] = [record.value];
    expect((await claim('loja.alheio.com.br')).status).toBe(201);
    expect((await claim('proprio.com.br')).status).toBe(201);
    expect((await claim('loja.proprio.com.br')).status).toBe(201);
  });
});
