/** Roles from the fewest to the most rights. Each role has all rights of the roles before it. */
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
  /** The lowest role that is permitted; `any` for every account. */
  role: Role | 'any';
  /** The scope that an API token needs; null if none is needed. */
  scope: Scope | null;
  /** True if accounts and tokens with a project limit may call the endpoint, whose service restricts the rows. */
  project?: true;
  /** True if tokens with the scope `deploy` may also call the endpoint, which must check the site (`requireSite`). */
  deploy?: true;
  /** True if the password must have been given within `SUDO_TTL`. Implies `personOnly`. */
  sudo?: true;
  /** True if API tokens are refused. */
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

/** Returns the access as the OpenAPI document publishes it, with every field. */
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
