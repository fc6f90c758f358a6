import type { Core } from './core';

let count = 0;
function createUniqueName(prefix: string): string {
  count += 1;
  return `${prefix}-${count}`;
}

/** Creates a subdomain that forwards to a port, unless `fields` sets another type. */
export const createSubdomain = (core: Core, subdomain: string, fields: object) =>
  core.create('/subdomains', { subdomain, description: 'x', type: 'proxy', ...fields });

/** Creates a service of the gateway. */
export const createService = (core: Core, fields: object = {}) =>
  core.create('/gateway/admin/services', {
    name: createUniqueName('servico'),
    host: 'http://localhost:4000',
    ...fields,
  });

/** Creates a route for GET and POST. The service receives the path `origin`. */
export const createRoute = (core: Core, serviceId: string, origin: string, fields: object = {}) =>
  core.create('/gateway/admin/routes', {
    serviceId,
    origin,
    destination: origin,
    methods: ['GET', 'POST'],
    permission: 'a:read',
    ...fields,
  });

/** Creates an API key with every permission. */
export const createKey = (core: Core, fields: object = {}) =>
  core.create('/gateway/admin/keys', {
    name: createUniqueName('chave'),
    permissions: ['*'],
    allowedIps: [],
    ...fields,
  });

/** Password of the accounts that `createPerson` creates. */
export const PERSON_PASSWORD = 'uma senha bem longa';

/** Creates the account of a person with `fields`, sets its password and logs in. */
export async function createPerson(core: Core, fields: object = {}, headers: Record<string, string> = {}) {
  const username = createUniqueName('pessoa');
  const { setupToken, ...account } = await core.create('/admins', { username, ...fields });
  const send = (path: string, body: object) => core.request('POST', path, { body, token: null, headers });
  await send('/setup', { token: setupToken, password: PERSON_PASSWORD });
  const credentials = { username: account.username as string, password: PERSON_PASSWORD };
  const { token } = (await send('/login', credentials)).body;
  return { _id: account._id as string, credentials, token: token as string };
}

/** Removes every row that `GET /api{path}` lists. */
export async function removeAll(core: Core, path: string): Promise<void> {
  for (const { _id } of (await core.request('GET', path)).body as { _id: string }[])
    await core.request('DELETE', `${path}/${_id}`);
}

/** A valid id that no row has. */
export const MISSING_ID = '019a0000-0000-7000-8000-000000000000';

/** Returns an API key from the list of the console, with its usage counts. */
export async function findKey(core: Core, id: string) {
  const keys: { _id: string; usageCount: number; lastUsedAt: string }[] = (
    await core.request('GET', '/gateway/admin/keys')
  ).body;
  const key = keys.find(({ _id }) => _id === id);
  if (!key) throw new Error(`no key ${id}`);
  return key;
}
