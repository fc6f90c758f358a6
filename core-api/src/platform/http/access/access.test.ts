import { ADMINISTRATOR } from '../../../../../scripts/testing/stack';
import { Core } from '../../../testing/core';
import { MISSING_ID } from '../../../testing/records';

/** The access of an operation as the OpenAPI document publishes it (contract §6). */
interface PublishedAccess {
  role: 'public' | 'any' | Role;
  scope: string | null;
  project: boolean;
  deploy: boolean;
  sudo: boolean;
  personOnly: boolean;
}

interface Operation {
  method: string;
  path: string;
  access: PublishedAccess;
}

const ROLES = ['viewer', 'operator', 'administrator'] as const;
type Role = (typeof ROLES)[number];

/** A person or a program that calls every operation. */
interface Caller {
  role: Role;
  hasProjectLimit?: boolean;
  isElevated?: boolean;
  /** Scopes of an API token. */
  scopes?: string[];
  /** True for a token that is used from an address outside its list. */
  isAtForbiddenAddress?: boolean;
  /** Returns the bearer token for the next call. After a call that ended the session, the token is new. */
  token(): Promise<string>;
}

const PASSWORD = 'uma senha bem longa';
const EXPIRES_AT = new Date(Date.now() + 86_400_000).toISOString();

const core = new Core({ TRUSTED_PROXIES: '127.0.0.1' });
let operations: Operation[];
let projectId: string;
beforeAll(async () => {
  await core.start();
  const { paths } = (await core.request('GET', '/openapi.json', { token: null })).body;
  operations = Object.entries<Record<string, { 'x-access': PublishedAccess }>>(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { 'x-access': access }]) => ({
      method: method.toUpperCase(),
      path: path.replace('{subdomain}', 'nao-existe').replace(/\{\w+\}/, MISSING_ID),
      access,
    })),
  );
  projectId = (await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 }))._id;
});
afterAll(() => core.stop());

let lastNumber = 0; // Makes the address of each login and the name of each token unique.
async function login(username: string, password: string): Promise<string> {
  const headers = { 'X-Forwarded-For': `198.51.100.${++lastNumber}` };
  return (await core.request('POST', '/login', { body: { username, password }, token: null, headers })).body.token;
}

/** Returns a token source that logs in again after an operation has ended the session. */
function createTokenSource(username: string, password: string, isElevated = false) {
  let token = '';
  return async () => {
    if (token && (await core.request('GET', '/me', { token })).status === 200) return token;
    token = await login(username, password);
    if (isElevated) await core.request('POST', '/me/sudo', { token, body: { password } });
    return token;
  };
}

async function createPerson(username: string, role: Role, projects: string[] | null = null): Promise<Caller> {
  const { setupToken } = await core.create('/admins', { username, role, projects });
  await core.request('POST', '/setup', { body: { token: setupToken, password: PASSWORD }, token: null });
  return { role, hasProjectLimit: projects !== null, token: createTokenSource(username, PASSWORD) };
}

async function createApiTokenSource(body: {
  scopes: string[];
  account?: string;
  projects?: string[];
  allowedIps?: string[];
  site?: object;
}) {
  const { token } = await core.create('/tokens', { name: `t${++lastNumber}`, expiresAt: EXPIRES_AT, ...body });
  return async (): Promise<string> => token;
}

/**
 * Returns the expected refusal of a call, and whether it asks for the password. Returns undefined if the call is
 * permitted.
 */
function getExpectedRefusal(caller: Caller, access: PublishedAccess): { status: 403; sudo: boolean } | undefined {
  const refusal = { status: 403, sudo: false } as const;
  const { scopes } = caller;
  if (caller.isAtForbiddenAddress) return refusal;
  if (access.role !== 'any' && access.role !== 'public' && ROLES.indexOf(caller.role) < ROLES.indexOf(access.role))
    return refusal;
  if (caller.hasProjectLimit && !access.project) return refusal;
  if (scopes) {
    const [resource] = (access.scope ?? '').split(':');
    const isIncluded =
      access.scope === null ||
      scopes.includes(access.scope) ||
      (access.scope.endsWith(':read') && scopes.some((scope) => scope.startsWith(`${resource}:`))) ||
      (access.deploy && scopes.includes('deploy'));
    return isIncluded && !access.personOnly ? undefined : refusal;
  }
  // Only a token names the site to publish, so a session is refused.
  if (access.scope === 'deploy') return refusal;
  return access.sudo && !caller.isElevated ? { status: 403, sudo: true } : undefined;
}

/** The body of a refusal. It names the missing right, or asks for the password again. */
function getExpectedBody({ sudo }: { sudo: boolean }, { role, scope }: PublishedAccess): object {
  const error: unknown = expect.any(String);
  return sudo ? { error, sudoRequired: true } : { error, required: { role, scope } };
}

/** Calls each operation as `caller`. @returns operations whose response differs from `x-access` */
async function callEveryOperation(caller: Caller): Promise<string[]> {
  const differences: string[] = [];
  for (const { method, path, access } of operations.filter((operation) => operation.access.role !== 'public')) {
    const token = await caller.token();
    const { status, body } = await core.request(method, path, {
      token,
      sudo: false,
      headers: { 'X-Forwarded-For': '192.0.2.1' },
      ...(method !== 'GET' && { body: {} }),
    });
    const refusal = getExpectedRefusal(caller, access);
    const isAsExpected = refusal ? status === 403 : status !== 403 && status !== 401;
    if (!isAsExpected) differences.push(`${method} ${path}: ${status} ${body?.error}`);
    else if (refusal) expect([method, path, body]).toEqual([method, path, getExpectedBody(refusal, access)]);
  }
  return differences;
}

test('every operation declares the required access', () => {
  expect(operations.filter(({ access }) => access === undefined)).toEqual([]);
  for (const { access } of operations) {
    expect(['public', 'any', ...ROLES]).toContain(access.role);
    if (access.sudo) expect(access.personOnly).toBe(true);
  }
});

test('without a token every operation that is not public is answered with 401', async () => {
  for (const { method, path } of operations.filter(({ access }) => access.role !== 'public')) {
    const { status } = await core.request(method, path, { token: null, ...(method !== 'GET' && { body: {} }) });
    expect([method, path, status]).toEqual([method, path, 401]);
  }
});

describe('every operation answers according to x-access for', () => {
  const callers: [string, () => Promise<Caller>][] = [
    ['a viewer', () => createPerson('vera', 'viewer')],
    ['an operator', () => createPerson('otto', 'operator')],
    ['an operator of one project', () => createPerson('lia', 'operator', [projectId])],
    ['an administrator of one project', () => createPerson('ada', 'administrator', [projectId])],
    [
      'an administrator',
      async () => ({ role: 'administrator', token: createTokenSource(ADMINISTRATOR.username, ADMINISTRATOR.password) }),
    ],
    [
      'an administrator who has confirmed the password',
      async () => ({
        role: 'administrator',
        isElevated: true,
        token: createTokenSource(ADMINISTRATOR.username, ADMINISTRATOR.password, true),
      }),
    ],
    [
      'a token with a single read scope',
      async () => ({
        role: 'administrator',
        scopes: ['tenants:read'],
        token: await createApiTokenSource({ scopes: ['tenants:read'] }),
      }),
    ],
    [
      'a token with every scope but deploy',
      async () => {
        const scopes = [
          ...['subdomains', 'projects', 'tenants', 'gateway', 'keys', 'contacts'].flatMap((resource) => [
            `${resource}:write`,
            `${resource}:delete`,
          ]),
          ...['hosts', 'alerts', 'backups', 'settings'].map((resource) => `${resource}:write`),
          'metrics:read',
          'audit:read',
        ];
        return { role: 'administrator', scopes, token: await createApiTokenSource({ scopes }) };
      },
    ],
    [
      'a token that is limited to a project',
      async () => {
        const scopes = ['tenants:write', 'projects:delete', 'subdomains:read', 'metrics:read'];
        return {
          role: 'administrator',
          hasProjectLimit: true,
          scopes,
          token: await createApiTokenSource({ scopes, projects: [projectId] }),
        };
      },
    ],
    [
      'a token of a viewer',
      async () => {
        const account = (await core.create('/service-accounts', { name: 'leitura', role: 'viewer' }))._id;
        const scopes = ['tenants:write', 'subdomains:delete', 'settings:write'];
        return { role: 'viewer', scopes, token: await createApiTokenSource({ scopes, account }) };
      },
    ],
    [
      'a token with the scope deploy',
      async () => ({
        role: 'administrator',
        scopes: ['deploy'],
        token: await createApiTokenSource({ scopes: ['deploy'], site: { type: 'project', id: projectId } }),
      }),
    ],
    [
      'a token from an address outside of its list',
      async () => ({
        role: 'administrator',
        scopes: ['tenants:read'],
        isAtForbiddenAddress: true,
        token: await createApiTokenSource({ scopes: ['tenants:read'], allowedIps: ['203.0.113.0/24'] }),
      }),
    ],
  ];

  test.each(callers)('%s', async (_name, createCaller) => {
    expect(await callEveryOperation(await createCaller())).toEqual([]);
  });
});
