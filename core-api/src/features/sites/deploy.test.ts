import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { waitFor } from '../../../../scripts/testing/program';
import { Core } from '../../testing/core';
import { Edge, sendRequest } from '../../testing/edge';
import { createTar, execute, sendPackage, withTemporaryFolder } from './testing/packages';

let core: Core;
let edge: Edge;
beforeAll(async () => {
  core = await new Core().start();
  edge = await new Edge(core).start();
});
afterAll(async () => {
  await edge?.stop();
  await core?.stop();
});

/** Creates a site. @returns a token that publishes to the site */
async function createSiteWithToken(label: string): Promise<string> {
  const site = { subdomain: label, description: 'x', type: 'static', source: 'versions' };
  expect((await core.request('POST', '/subdomains', { body: site })).status).toBe(201);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const body = { name: label, scopes: ['deploy'], site: { type: 'subdomain', label }, expiresAt };
  const response = await core.request('POST', '/tokens', { body });
  expect([response.status, response.body.error]).toEqual([201, undefined]);
  return response.body.token;
}
const fetchSite = async (label: string, path = '/') =>
  (await sendRequest(edge.port, { host: `${label}.localhost`, path })).text;

/** Runs `deploy.mjs` as the core serves it. @returns its output */
async function deploy(token: string, folder: string): Promise<{ sent: number; live: { state: string } }> {
  const script = (await core.request('GET', '/deploy.mjs', { token: null })).body;
  writeFileSync(join(core.folder, 'deploy.mjs'), script);
  const output = await execute(
    core.folder,
    process.execPath,
    ...['deploy.mjs', folder, '--json', '--url', `${core.url}/api`, '--token', token],
  );
  return JSON.parse(output.toString());
}

test('curl publishes a package that tar has made', async () => {
  const token = await createSiteWithToken('curl');
  await withTemporaryFolder({ 'dist/index.html': 'com curl' }, async (folder) => {
    const command = `tar -cz -C dist . | curl -fsS --data-binary @- -H "Authorization: Bearer ${token}" -H 'Content-Type: application/gzip' ${core.url}/api/deploy`;
    const response = JSON.parse((await execute(folder, 'sh', '-c', command)).toString());
    expect(response.live).toEqual({ state: 'active' });
  });
  expect(await fetchSite('curl')).toBe('com curl');
});

test('a deploy token publishes to its site only', async () => {
  const token = await createSiteWithToken('sua');
  await createSiteWithToken('alheia');
  const ownResponse = await sendPackage(
    core,
    '/subdomains/sua/versions',
    'gzip',
    await createTar({ 'index.html': '1' }),
    token,
  );
  expect(ownResponse.status).toBe(201);
  const foreignResponse = await sendPackage(
    core,
    '/subdomains/alheia/versions',
    'gzip',
    await createTar({ 'index.html': '1' }),
    token,
  );
  expect([foreignResponse.status, foreignResponse.body.error]).toEqual([403, 'Este token não publica neste site.']);
  const version = (
    await sendPackage(core, '/subdomains/alheia/versions', 'gzip', await createTar({ 'index.html': '1' }))
  ).body;
  expect((await core.request('POST', `/versions/${version._id}/complete`, { token })).status).toBe(403);
  expect((await core.request('POST', `/versions/${ownResponse.body._id}/activate`, { token })).status).toBe(403);
  const responseToPerson = await sendPackage(core, '/deploy', 'gzip', await createTar({ 'index.html': '1' }));
  expect([responseToPerson.status, responseToPerson.body.error]).toEqual([
    403,
    'Informe um token de publicação, que diz de que site é.',
  ]);
});

test('a token needs a scope for the kind of site to which a version belongs', async () => {
  const projectId = (
    await core.request('POST', '/projects', { body: { name: 'CRM', type: 'static', source: 'versions' } })
  ).body._id;
  const tenant = { name: 'Padaria', project: projectId, subdomain: 'padaria' };
  const { _id } = (await core.request('POST', '/tenants', { body: tenant })).body;
  const versionId = (
    await sendPackage(core, `/tenants/${_id}/versions`, 'gzip', await createTar({ 'index.html': '1' }))
  ).body._id;
  const listStatusesWithScopes = async (scopes: string[]) => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const { token } = (await core.request('POST', '/tokens', { body: { name: scopes.join(), scopes, expiresAt } }))
      .body;
    const requestApi = async (method: string, path: string, body?: object) =>
      (await core.request(method, `/versions/${versionId}${path}`, { token, ...(body && { body }) })).status;
    return [
      await requestApi('GET', '/changes'),
      await requestApi('POST', '/complete'),
      await requestApi('POST', '/activate'),
      await requestApi('PUT', '/preview', { pinned: true }),
      await requestApi('DELETE', ''),
    ];
  };
  expect(await listStatusesWithScopes(['subdomains:delete', 'projects:delete'])).toEqual([403, 403, 403, 403, 403]);
  expect(await listStatusesWithScopes(['tenants:read'])).toEqual([200, 403, 403, 403, 403]);
  // A version in use cannot be removed.
  expect(await listStatusesWithScopes(['tenants:write', 'tenants:delete'])).toEqual([200, 200, 200, 200, 409]);
});

test('deploy.mjs sends only missing visible files: none the second time, one after a change', async () => {
  const token = await createSiteWithToken('programa');
  const files = { 'index.html': 'um', 'a/b.css': 'b{}', _headers: '/*\n  X-A: 1\n', '.env': 'SECRET' };
  await withTemporaryFolder(files, async (folder) => {
    const firstDeploy = await deploy(token, folder);
    expect([firstDeploy.sent, firstDeploy.live]).toEqual([3, { state: 'active' }]);
    expect(await fetchSite('programa', '/a/b.css')).toBe('b{}');
    expect((await deploy(token, folder)).sent).toBe(0);
    writeFileSync(join(folder, 'index.html'), 'dois');
    expect((await deploy(token, folder)).sent).toBe(1);
    expect(await fetchSite('programa')).toBe('dois');
  });
});

test('a publication during another publication of the site is refused, and the first publication continues', async () => {
  const token = await createSiteWithToken('ocupada');
  const body = await createTar({ 'index.html': 'primeira' });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/gzip' };
  const slowRequest = request(`${core.url}/api/deploy`, { method: 'POST', headers });
  const responseStatus = once(slowRequest, 'response').then(([response]: IncomingMessage[]) => {
    response?.resume();
    return response?.statusCode;
  });
  slowRequest.write(body.subarray(0, 10));
  await waitFor(
    'the start of the first package',
    async () => readdirSync(join(core.folder, 'content/incoming')).length > 0,
  );
  const secondResponse = await sendPackage(core, '/deploy', 'gzip', body, token);
  expect([secondResponse.status, secondResponse.body.error]).toEqual([
    409,
    'Já há uma publicação em andamento neste site.',
  ]);
  slowRequest.end(body.subarray(10));
  expect(await responseStatus).toBe(201);
});

test('an upload that the client aborts leaves nothing behind', async () => {
  const token = await createSiteWithToken('cortada');
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/gzip' };
  const slowRequest = request(`${core.url}/api/deploy`, { method: 'POST', headers });
  slowRequest.on('error', () => undefined);
  slowRequest.write('x');
  const countIncoming = () => readdirSync(join(core.folder, 'content/incoming')).length;
  const countBefore = countIncoming();
  await waitFor('the start of the upload', async () => countIncoming() > countBefore);
  slowRequest.destroy();
  await waitFor('nothing is left of the upload', async () => countIncoming() === countBefore);
  expect((await sendPackage(core, '/deploy', 'gzip', await createTar({ 'index.html': 'x' }), token)).status).toBe(201);
});

test('content that arrives after its version was completed is refused, and leaves nothing behind', async () => {
  const token = await createSiteWithToken('repetida');
  const sha256 = createHash('sha256').update('página').digest('hex');
  const files = { 'index.html': { sha256, size: Buffer.byteLength('página') } };
  const { _id } = (await core.request('POST', '/deploy', { body: { files }, token })).body;
  const url = `${core.url}/api/versions/${_id}/content/${sha256}`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' };
  const folder = join(core.folder, 'content/incoming', _id);
  const slowRequest = request(url, { method: 'PUT', headers });
  const responseStatus = once(slowRequest, 'response').then(([response]: IncomingMessage[]) => {
    response?.resume();
    return response?.statusCode;
  });
  slowRequest.write('pá');
  await waitFor('the start of the slow upload', async () => readdirSync(folder).length > 0);
  expect((await fetch(url, { method: 'PUT', headers, body: 'página' })).status).toBe(204);
  expect((await core.request('POST', `/versions/${_id}/complete`, { token })).status).toBe(200);
  slowRequest.end('gina');
  expect(await responseStatus).toBe(409);
  expect(readdirSync(join(core.folder, 'content/incoming'))).not.toContain(_id);
});

test('a site stays live if the core is killed during a publication, and a repeated publication sends only the missing files', async () => {
  const token = await createSiteWithToken('morta');
  await sendPackage(core, '/deploy', 'gzip', await createTar({ 'index.html': 'antes' }), token);
  const contents = ['depois', 'um', 'dois'];
  const digests = contents.map((content) => createHash('sha256').update(content).digest('hex'));
  const files = Object.fromEntries(
    ['index.html', 'a.txt', 'b.txt'].map((path, index) => [
      path,
      { sha256: digests[index], size: contents[index]?.length },
    ]),
  );
  const sendList = () => core.request('POST', '/deploy', { body: { files }, token });
  const { _id } = (await sendList()).body;
  const putContent = async (index: number) =>
    (
      await fetch(`${core.url}/api/versions/${_id}/content/${digests[index]}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
        body: contents[index],
      })
    ).status;
  expect(await putContent(0)).toBe(204);
  await core.end('SIGKILL');
  expect(await fetchSite('morta')).toBe('antes');
  await core.start();
  const continuedVersion = (await sendList()).body;
  expect([continuedVersion._id, continuedVersion.missing.sort()]).toEqual([_id, digests.slice(1).sort()]);
  for (const index of [1, 2]) expect(await putContent(index)).toBe(204);
  const completion = await core.request('POST', `/versions/${_id}/complete`, { token });
  expect([completion.status, completion.body.live]).toEqual([200, { state: 'active' }]);
  expect(await fetchSite('morta')).toBe('depois');
});

test('deploy.mjs is served with the URL of the installation', async () => {
  const ownCore = await new Core({ PUBLIC_URL: 'https://estudio.example' }).start();
  const { status, headers, body } = await ownCore.request('GET', '/deploy.mjs', { token: null });
  await ownCore.stop();
  expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(body).toContain("const DEFAULT_URL = 'https://estudio.example/api';");
});
