/** From the fewest rights to the most; each role has the rights of those before it. */
export const roles = ['viewer', 'operator', 'administrator'] as const;
export type Role = (typeof roles)[number];

const deletableResources = ['subdomains', 'projects', 'tenants', 'gateway', 'keys', 'contacts'] as const;
const writableResources = ['hosts', 'alerts', 'backups', 'settings'] as const;

export type Scope =
  | `${(typeof deletableResources)[number]}:${'read' | 'write' | 'delete'}`
  | `${(typeof writableResources)[number]}:${'read' | 'write'}`
  | 'metrics:read'
  | 'audit:read'
  | 'deploy';

/** Every scope that an API token may have (contract §6). */
export const scopes: readonly Scope[] = [
  ...deletableResources.flatMap((resource) => [`${resource}:read`, `${resource}:write`, `${resource}:delete`] as const),
  ...writableResources.flatMap((resource) => [`${resource}:read`, `${resource}:write`] as const),
  'metrics:read',
  'audit:read',
  'deploy',
];

/** The access that an endpoint requires of its caller, published as `x-access` (contract §6). */
export interface Access {
  /** The lowest role with this access; `any` for every account. */
  role: Role | 'any';
  /** The scope that an API token needs; null where no scope is needed. */
  scope: Scope | null;
  /** Accounts and tokens that are limited to projects may call it. The service restricts what they see and change. */
  project?: true;
  /** Tokens with the scope `deploy` may call it as well. The endpoint compares the site with `requireSite`. */
  deploy?: true;
  /** The call needs a password that the person has given within `SUDO_TTL`. Implies `personOnly`. */
  sudo?: true;
  /** API tokens are refused. */
  personOnly?: true;
}

export type RequiredAccess = Pick<Access, 'role' | 'scope'>;

export const siteTypes = ['subdomain', 'project', 'tenant'] as const;
export type SiteType = (typeof siteTypes)[number];

/** The site that a token with the scope `deploy` publishes. */
export interface TokenSite {
  type: SiteType;
  id: string;
}

/** The access that OpenAPI publishes: every field is present. */
export const toPublishedAccess = (access: Access | null) =>
  access
    ? {
        role: access.role,
        scope: access.scope,
        project: access.project ?? false,
        deploy: access.deploy ?? false,
        sudo: access.sudo ?? false,
        personOnly: (access.personOnly || access.sudo) ?? false,
      }
    : { role: 'public', scope: null, project: true, deploy: false, sudo: false, personOnly: false };
