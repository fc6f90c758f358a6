import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Entity, GraphStack, MISSING_ID } from '../../testing/graph-stack';

let graph: GraphStack;

beforeAll(async () => {
  graph = await GraphStack.start();
});
afterAll(() => graph.stop());

afterEach(async () => {
  const { subdomains } = await graph.run<{ subdomains: { subdomain: string }[] }>('subdomains', {
    page: 1,
    limit: 100,
  });
  for (const { subdomain } of subdomains) await graph.run('deleteSubdomain', { subdomain });
  for (const { _id: id } of await graph.run<Entity[]>('tenants')) await graph.run('deleteTenant', { id });
  for (const { _id: id } of await graph.run<Entity[]>('projects')) await graph.run('deleteProject', { id });
});

/** Creates a folder with a page. @returns its path */
function createFolder(name: string): string {
  const folder = join(graph.core.folder, 'sites', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), 'Olá');
  return folder;
}

/** Creates a subdomain that serves a folder. @returns the site for `siteVersions` and `hostPolicy` */
async function createStaticSite(subdomain: string) {
  const staticPath = createFolder(subdomain);
  await graph.run('createSubdomain', { input: { subdomain, description: 'x', type: 'static', staticPath } });
  return { type: 'subdomain', key: subdomain };
}

test('subdomains are created, read, changed and deleted', async () => {
  const commonFields = {
    _id: expect.any(String),
    createdAt: expect.stringMatching(/Z$/),
    spaFallback: true,
    source: 'folder',
    paused: false,
    healthCheck: true,
    health: { state: 'unknown', status: null, ms: null, checkedAt: null, reason: expect.any(String) },
    version: 1,
    live: { state: 'pending', reason: expect.any(String) },
  };
  const emptyTarget = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };
  const proxy = { subdomain: 'loja', description: 'Loja', type: 'proxy', port: 8080 };
  const staticSite = {
    subdomain: 'site',
    description: 'Site',
    type: 'static',
    staticPath: createFolder('site'),
    apiPort: 9090,
  };
  const tunnel = {
    subdomain: 'tunel',
    description: 'Túnel',
    type: 'tunnel',
    targetHost: 'example.com',
    targetPort: 443,
  };
  for (const input of [proxy, staticSite, tunnel]) {
    expect(await graph.run('createSubdomain', { input })).toEqual({ ...commonFields, ...emptyTarget, ...input });
  }
  const updatedSubdomain = await graph.run('updateSubdomain', {
    subdomain: 'loja',
    input: { description: 'Loja nova', port: 8081 },
  });
  expect(updatedSubdomain).toMatchObject({ subdomain: 'loja', description: 'Loja nova', port: 8081 });
  expect(await graph.run('subdomains', { page: 1, limit: 2, search: null })).toMatchObject({
    total: 3,
    subdomains: [{ subdomain: 'tunel' }, { subdomain: 'site' }],
  });
  expect(await graph.run('subdomains', { page: 1, limit: 15, search: 'nova' })).toMatchObject({ total: 1 });
  expect(await graph.run('subdomain', { label: 'site' })).toMatchObject({ subdomain: 'site', type: 'static' });
  for (const label of ['nenhum', '../me']) expect(await graph.run('subdomain', { label })).toBeNull();
  expect(await graph.run('deleteSubdomain', { subdomain: 'tunel' })).toBe(true);
});

test('a static site is checked, and its folder is tested', async () => {
  const { key } = await createStaticSite('checado');
  expect(await graph.run('checkSubdomain', { subdomain: key })).toMatchObject({
    live: null,
    health: { state: 'up', checkedAt: expect.stringMatching(/Z$/), reason: null },
  });
  const target = { type: 'static', staticPath: createFolder(key), apiPort: 9090 };
  expect(await graph.run('testConnection', { input: target })).toEqual({
    steps: [{ step: 'folder', ok: true, ms: expect.any(Number), detail: expect.any(String) }],
    usedBy: [key],
  });
});

test('folders of static sites are listed and created', async () => {
  const parent = dirname(createFolder('site'));
  expect(await graph.run('staticFolders')).toContainEqual({ path: parent, exists: true });
  const folder = { path: `${parent}/nova` };
  expect(await graph.run('createStaticFolder', folder)).toEqual({ ...folder, exists: true });
});

test('a subdomain is suggested while the language model fails', async () => {
  expect(await graph.run('aiConfigured')).toBe(true);
  const suggestion = { description: 'Um proxy para a API de pedidos na porta 4321', existingSubdomains: ['pedidos'] };
  expect(await graph.run('suggestSubdomain', suggestion)).toMatchObject({
    type: 'proxy',
    port: 4321,
    source: 'local',
  });
});

test('the overview is read', async () => {
  for (const label of ['um', 'dois', 'tres']) await createStaticSite(label);
  expect(await graph.run('overview')).toMatchObject({
    subdomains: 3,
    subdomainsDown: { total: 0, first: [] },
    recentServerErrors: 0,
    serverErrorHosts: [],
    faults: 0,
  });
});

test('a domain of a subdomain is added', async () => {
  const site = await createStaticSite('tunel');
  const addedDomain = await graph.run('addDomain', {
    site,
    input: { host: 'tunel.com.br', role: 'alias', www: 'serve' },
  });
  expect(addedDomain).toMatchObject({ host: 'tunel.com.br', role: 'alias', to: null });
  expect(await graph.run('domains', { site })).toHaveLength(1);
});

describe('versions of a site', () => {
  type Site = Awaited<ReturnType<typeof createStaticSite>>;

  /** Publishes a page as a browser does, without a token. */
  async function publish(site: Site, text: string): Promise<void> {
    const upload = await graph.run<{ path: string }>('createUpload', { site, activate: true, message: text });
    const url = `${graph.core.coreUrl}${upload.path}`;
    const sha256 = createHash('sha256').update(text).digest('hex');
    const files = { 'index.html': { sha256, size: text.length } };
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify({ files }) })).status).toBe(201);
    expect((await fetch(`${url}/content/${sha256}`, { method: 'PUT', body: text })).status).toBe(204);
    expect((await fetch(`${url}/complete`, { method: 'POST' })).status).toBe(200);
  }

  /** Creates a site and publishes two versions of it. */
  async function publishTwice(subdomain: string) {
    const site = await createStaticSite(subdomain);
    await publish(site, 'um');
    await publish(site, 'dois');
    const versions = await graph.run<Entity[]>('siteVersions', { site });
    const [newerId, olderId] = versions.map(({ _id }) => _id);
    return { site, versions, newerId, olderId };
  }

  test('are published and listed, newest first', async () => {
    const { versions } = await publishTwice('publicado');
    expect(versions).toMatchObject([
      { number: 2, current: true, state: 'ready', files: 1, bytes: 4, message: 'dois', actor: 'admin', live: null },
      {
        number: 1,
        current: false,
        previewUrl: expect.stringContaining('--publicado.localhost'),
        previewHasPassword: false,
      },
    ]);
  });

  test('are compared with the version before', async () => {
    const { newerId } = await publishTwice('comparado');
    expect(await graph.run('versionChanges', { id: newerId })).toEqual({
      since: 1,
      added: 0,
      changed: 1,
      removed: 0,
      paths: [{ path: 'index.html', change: 'changed' }],
    });
  });

  test('are activated, and deleted unless they are active', async () => {
    const { newerId, olderId } = await publishTwice('trocado');
    expect(await graph.run('activateVersion', { id: olderId })).toMatchObject({
      current: true,
      live: { state: 'pending' },
    });
    expect((await graph.request('deleteVersion', { id: olderId })).errors).toMatchObject([
      { extensions: { code: 'CONFLICT' } },
    ]);
    expect(await graph.run('deleteVersion', { id: newerId })).toBe(true);
  });

  test('have a preview, which can be pinned and protected with a password', async () => {
    const { newerId } = await publishTwice('previsto');
    const input = { pinned: true, password: 'abre-te' };
    expect(await graph.run('updatePreview', { id: newerId, input })).toMatchObject({
      pinned: true,
      previewHasPassword: true,
    });
  });

  test('replace the folder of a subdomain until its source is changed back', async () => {
    const site = await createStaticSite('alternado');
    await publish(site, 'um');
    expect(await graph.run('subdomain', { label: 'alternado' })).toMatchObject({ source: 'versions' });
    const sourceChange = { subdomain: 'alternado', input: { source: 'folder' } };
    expect(await graph.run('updateSubdomain', sourceChange)).toMatchObject({ source: 'folder' });
  });
});

describe.each(['project', 'tenant'])('a %s that does not exist', (type) => {
  const site = { type, key: MISSING_ID };

  test.each([
    ['siteVersions', { site }],
    ['createUpload', { site, activate: true }],
    ['hostPolicy', { site }],
    ['updateHostPolicy', { site, input: {} }],
  ])('gives NOT_FOUND for %s', async (field, variables) => {
    expect((await graph.request(field, variables)).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});

test('rules of a host are read and changed, and an outdated change is refused', async () => {
  const site = await createStaticSite('regrado');
  const emptyPolicy = {
    access: null,
    redirects: null,
    headers: null,
    noindex: null,
    rate: null,
    maxBodyMb: null,
    timeoutSeconds: null,
    maintenance: null,
    branding: null,
    switchedOff: [],
    version: 0,
  };
  expect(await graph.run('hostPolicy', { site })).toEqual(emptyPolicy);
  const rules = {
    redirects: [{ from: '/a/*', to: '/b/:splat', status: 301 }],
    headers: [{ name: 'X-Equipe', value: 'sete' }],
    noindex: true,
    rate: { requests: 10, seconds: 60 },
    maintenance: { text: 'Obras', until: null, bypassIps: ['203.0.113.7'] },
    branding: { name: 'Loja', logoPng: null, accent: '#112233' },
    maxBodyMb: 5,
  };
  const access = { ips: ['203.0.113.0/24'], password: 'abre-te', require: 'any' };
  const input = { ...rules, access, switchedOff: ['timeoutSeconds'] };
  expect(await graph.run('updateHostPolicy', { site, input, version: 0 })).toEqual({
    ...emptyPolicy,
    ...rules,
    access: { ...access, password: true },
    switchedOff: ['timeoutSeconds'],
    version: 1,
  });
  const keptPassword = { access: { ips: [], keepsPassword: true } };
  expect(await graph.run('updateHostPolicy', { site, input: keptPassword, version: 1 })).toEqual({
    ...emptyPolicy,
    access: { ips: [], password: true, require: 'all' },
    version: 2,
  });
  const staleUpdate = await graph.request('updateHostPolicy', { site, input: {}, version: 1 });
  expect(staleUpdate.errors).toMatchObject([{ extensions: { code: 'PRECONDITION_FAILED' } }]);
});

test('a request is tested with the rules of its host, and with rules that are not saved', async () => {
  const site = await createStaticSite('testado');
  const access = { ips: ['203.0.113.0/24'], password: 'abre-te', require: 'all' };
  await graph.run('updateHostPolicy', { site, input: { access }, version: 0 });
  const url = 'http://testado.localhost/';
  expect(await graph.run('testHost', { input: { url, address: '203.0.113.9' } })).toMatchObject({
    status: 401,
    allowed: false,
    steps: expect.arrayContaining([{ step: 'password', state: 'refused', detail: expect.any(String), from: 'own' }]),
  });
  const dryRun = { url, method: 'GET', policy: { maintenance: { text: 'Obras' } } };
  expect(await graph.run('testHost', { input: dryRun })).toMatchObject({
    status: 503,
    location: null,
    file: null,
  });
});

const projectInput = { name: 'CRM', dbPrefix: 'crm_', type: 'proxy', apiPort: 7070, staticPath: null };
const createProject = (name = projectInput.name) =>
  graph.run<Entity>('createProject', { input: { ...projectInput, name } });

/** Creates a project with one tenant. @returns them, and the tenant as a site for `domains` */
async function createTenant(subdomain: string) {
  const project = await createProject();
  const input = {
    name: 'Padaria do Zé',
    project: project._id,
    subdomain,
    dbName: null,
    responsibleName: 'Zé',
    responsibleContact: null,
  };
  const tenant = await graph.run<Entity>('createTenant', { input });
  return { project, tenant, site: { type: 'tenant', key: tenant._id } };
}

describe('projects', () => {
  test('are created, changed, listed, read and deleted', async () => {
    const project = await createProject();
    expect(project).toEqual({
      _id: expect.any(String),
      name: 'CRM',
      dbPrefix: 'crm',
      type: 'proxy',
      apiPort: 7070,
      staticPath: null,
      spaFallback: true,
      source: 'folder',
      version: 1,
    });
    const id = project._id;
    const input = { ...projectInput, name: 'CRM Dois', apiPort: 7071 };
    const updatedProject = await graph.run('updateProject', { id, input });
    expect(updatedProject).toMatchObject({ _id: id, name: 'CRM Dois', apiPort: 7071 });
    expect(await graph.run('projects')).toMatchObject([{ _id: id }]);
    expect(await graph.run('projectPage', { wholeUpTo: 1 })).toMatchObject({ projects: [{ _id: id }], total: 1 });
    expect(await graph.run('project', { id })).toMatchObject({ _id: id, name: 'CRM Dois' });
    expect(await graph.run('deleteProject', { id })).toBe(true);
    expect(await graph.run('project', { id })).toBeNull();
  });

  test('with a tenant cannot be deleted', async () => {
    const { project } = await createTenant('padaria');
    expect((await graph.request('deleteProject', { id: project._id })).errors).toMatchObject([
      { extensions: { code: 'CONFLICT', error: expect.any(String) } },
    ]);
  });
});

describe('tenants', () => {
  test('are created, changed, listed, read and deleted', async () => {
    const { project, tenant } = await createTenant('padaria');
    expect(tenant).toMatchObject({
      project: { _id: project._id, name: 'CRM' },
      subdomain: 'padaria',
      customDomain: null,
      responsibleName: 'Zé',
    });
    const id = tenant._id;
    const input = { name: 'Padaria', responsibleContact: 'ze@example.com', source: 'versions' };
    expect(await graph.run('updateTenant', { id, input })).toMatchObject({ ...input, responsibleName: 'Zé' });
    expect(await graph.run('tenants')).toMatchObject([{ _id: id, name: 'Padaria' }]);
    expect(await graph.run('tenant', { id })).toMatchObject({ _id: id, name: 'Padaria' });
    expect(await graph.run('deleteTenant', { id })).toBe(true);
    expect(await graph.run('tenant', { id })).toBeNull();
  });

  test('move to another project and keep their database names', async () => {
    const { tenant } = await createTenant('padaria');
    const otherProject = await createProject('Agenda');
    expect(await graph.run('moveTenant', { id: tenant._id, project: otherProject._id })).toMatchObject({
      project: { name: 'Agenda' },
      dbName: 'crm_padaria_do_zé',
    });
  });

  test('get a custom domain, which is shown with its status, checked, and removed', async () => {
    const { tenant } = await createTenant('padaria');
    const id = tenant._id;
    const domain = { id, domain: 'www.padaria.com.br', www: 'to_apex' };
    expect(await graph.run('setTenantDomain', domain)).toMatchObject({
      customDomain: 'padaria.com.br',
      wwwMode: 'to_apex',
      live: { state: 'pending' },
      domainStatus: [{ host: 'padaria.com.br' }, { host: 'www.padaria.com.br', certificate: { state: 'none' } }],
    });
    expect(await graph.run('checkTenant', { id })).toMatchObject({
      health: { state: 'down', reason: expect.any(String) },
      domainStatus: [{ dns: 'unknown', checkedAt: expect.stringMatching(/Z$/) }, { dns: 'unknown' }],
    });
    for (const read of [await graph.run<Entity[]>('tenants'), [await graph.run<Entity>('tenant', { id })]])
      expect(read).toMatchObject([{ _id: id, customDomain: 'padaria.com.br' }]);
    expect(await graph.run('removeTenantDomain', { id })).toMatchObject({ customDomain: null });
  });

  test('are found and sorted by their custom domain', async () => {
    const { tenant } = await createTenant('doceria');
    await graph.run('setTenantDomain', { id: tenant._id, domain: 'doceria.com.br', www: 'serve' });
    const search = { search: 'doceria.com', sortBy: 'customDomain', limit: 1 };
    expect(await graph.run('tenantPage', search)).toMatchObject({ tenants: [{ _id: tenant._id }], total: 1 });
  });
});

test.each(['project', 'tenant'])('a %s that does not exist is null', async (field) => {
  expect(await graph.run(field, { id: MISSING_ID })).toBeNull();
});

describe('domains of a tenant', () => {
  test('with a wildcard are refused with the DNS record that proves the ownership', async () => {
    const { site } = await createTenant('pizzaria');
    const input = { host: '*.pizzaria.com.br', role: 'alias', www: 'serve', to: null };
    expect((await graph.request('addDomain', { site, input })).errors).toMatchObject([
      { extensions: { code: 'CONFLICT', record: { type: 'TXT', name: '_studio-proof.pizzaria.com.br' } } },
    ]);
  });

  test('are added, listed and removed, and a redirect without `to` leads to the host of the label', async () => {
    const { site } = await createTenant('padaria');
    const redirect = { host: 'antiga.com.br', role: 'redirect', www: 'to_apex', to: null };
    expect(await graph.run('addDomain', { site, input: redirect })).toMatchObject({
      host: 'antiga.com.br',
      role: 'redirect',
      to: 'padaria.localhost',
      wwwMode: 'to_apex',
      status: [{ host: 'antiga.com.br' }, { host: 'www.antiga.com.br' }],
      records: [{ type: 'CNAME', name: 'www.antiga.com.br', value: 'antiga.com.br' }],
      live: { state: 'pending' },
    });
    expect(await graph.run('domains', { site })).toMatchObject([{ host: 'antiga.com.br', live: null }]);
    expect(await graph.run('removeDomain', { site, host: 'antiga.com.br' })).toBe(true);
    expect(await graph.run('domains', { site })).toEqual([]);
  });

  test.each(['..', 'a/b', '.', '%2e%2e'])('cannot be removed by the malformed host %j', async (host) => {
    const { site } = await createTenant('padaria');
    expect((await graph.request('removeDomain', { site, host })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
  });
});

test('a project has no list of domains', async () => {
  const { _id: key } = await createProject();
  expect((await graph.request('domains', { site: { type: 'project', key } })).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
});
