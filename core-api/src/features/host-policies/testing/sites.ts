import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { type Core, listen } from '../../../testing/core';
import { CLIENT_ADDRESS } from '../../../testing/edge';
import { createSubdomain } from '../../../testing/records';
import { createTar, sendPackage } from '../../sites/testing/packages';

/** IP addresses of two clients. */
export const OFFICE = '203.0.113.7';
export const HOME = CLIENT_ADDRESS;

/** Starts an upstream that responds with the URL and the headers of each request. `/publico` may be cached. */
export const startUpstream = () =>
  listen((request, response) => {
    response.setHeader('X-Frame-Options', 'ALLOWALL');
    if (request.url === '/publico') {
      response.setHeader('Cache-Control', 'public, max-age=60, s-maxage=600');
      response.setHeader('CDN-Cache-Control', 'max-age=600');
      response.setHeader('Surrogate-Control', 'max-age=600');
    }
    response.end(JSON.stringify({ url: request.url, headers: request.headers }));
  });

/** Creates the subdomains `app` (proxy), `pasta` (folder) and `loja` (versions), and the tenant `bar` of a project. */
export async function createSites(core: Core, upstreamPort: number): Promise<{ projectId: string; tenantId: string }> {
  const folder = join(core.sites, 'pasta');
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (const name of ['index.html', 'sobre.html', 'a.txt', 'docs/index.html']) writeFileSync(join(folder, name), name);
  await createSubdomain(core, 'app', { port: upstreamPort });
  await createSubdomain(core, 'pasta', { type: 'static', staticPath: folder });
  await createSubdomain(core, 'loja', { type: 'static', source: 'versions', apiPort: upstreamPort });
  const files = {
    'index.html': 'loja',
    'a.txt': 'a',
    'docs/index.html': 'docs',
    '404.html': 'nada',
    _headers: '/a.txt\n  Cache-Control: public, max-age=60\n  CDN-Cache-Control: max-age=600',
    _redirects: '/x /y 302',
  };
  await sendPackage(core, '/subdomains/loja/versions', 'gzip', await createTar(files));
  const { _id: projectId } = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: upstreamPort });
  const { _id: tenantId } = await core.create('/tenants', { name: 'Bar', subdomain: 'bar', project: projectId });
  return { projectId, tenantId };
}

const NO_RULES = {
  access: null,
  redirects: null,
  headers: null,
  noindex: null,
  rate: null,
  maxBodyMb: null,
  timeoutSeconds: null,
  maintenance: null,
  branding: null,
};

/** Paths of the owners whose rules a test has set. */
const changedOwners = new Set<string>();

async function putPolicy(core: Core, ownerPath: string, body: object) {
  const { status, body: responseBody } = await core.request('PUT', `/${ownerPath}/policy`, {
    body: { ...NO_RULES, ...body },
  });
  expect([status, responseBody.error]).toEqual([200, undefined]);
  return responseBody;
}

/** Waits until the edges have the configuration that is stored now. */
async function waitForEdges(core: Core): Promise<void> {
  const revision = Number((await core.query('SELECT value FROM configuration_revision'))[0]?.value);
  await waitFor('the rules at the edge', async () => {
    const rows = await core.query('SELECT revision FROM edges');
    return rows.length > 0 && rows.every((row) => Number(row.revision) >= revision);
  });
}

/** Sets the rules of a site, and waits until the edges have them. Rules that are absent from `body` are removed. */
export async function setPolicy(core: Core, ownerPath: string, body: object) {
  changedOwners.add(ownerPath);
  const policy = await putPolicy(core, ownerPath, body);
  await waitForEdges(core);
  return policy;
}

/** Removes all rules that were set with `setPolicy`, and waits until the edges have removed them. */
export async function resetPolicies(core: Core): Promise<void> {
  if (changedOwners.size === 0) return;
  for (const ownerPath of changedOwners) await putPolicy(core, ownerPath, {});
  changedOwners.clear();
  await waitForEdges(core);
}

export const createBasicAuthorization = (password: string) =>
  [['Authorization', `Basic ${Buffer.from(`x:${password}`).toString('base64')}`]] as const;
