/** A version of a site. `manifest` is the digest of its `SiteManifest` in the content store. */
export interface VersionRef {
  id: string;
  manifest: string;
}

/** Published versions that a site serves instead of its folder. */
export interface PublishedRow {
  /** Null before the first activation. */
  current: VersionRef | null;
  /** Versions replaced in the last 24 h, newest first. Open pages may request their files until `until` (ISO 8601). */
  earlier: (VersionRef & { until: string })[];
}

/** Rules of a host. Null inherits the rule of the project, and `false` disables the rule. */
export interface PolicyRow {
  access: { ips: string[]; require: 'all' | 'any'; passwordKey: string | null } | false | null;
  redirects: { from: string; to: string; status: number }[] | false | null;
  headers: { name: string; value: string }[] | false | null;
  noindex: boolean | null;
  rate: RateLimit | false | null;
  maxBodyMb: number | false | null;
  timeoutSeconds: number | false | null;
  /** `until` in ISO 8601; null for a maintenance without an end. */
  maintenance: { text: string; until: string | null; bypassIps: string[] } | false | null;
  /** `logoPng` in base64; `accent` as `#rrggbb`. */
  branding: { name: string | null; logoPng: string | null; accent: string | null } | false | null;
}

/** A version that has a preview host. */
export interface VersionRow extends VersionRef {
  ownerId: string;
  /** Label below the sites' domain. */
  previewHost: string;
  /** ISO 8601. */
  previewExpiresAt: string;
  /** Signs the access cookies of the preview; null without a password. */
  passwordKey?: string | null;
}

/** A domain of a site; a wildcard begins with `*.`. */
export interface DomainRow {
  host: string;
  role: 'primary' | 'alias' | 'redirect';
  /** Target host of a redirect. Null means the primary domain or, if there is none, the host of the site's label. */
  to: string | null;
  wwwMode: 'serve' | 'to-apex' | 'to-www';
}

/** The owner of a site: a subdomain, a project or a tenant. */
interface OwnerRow {
  id: string;
  /** Null or missing if the owner serves its folder or, as a tenant, the target of its project. */
  published?: PublishedRow | null;
  policy?: PolicyRow | null;
}

export interface SubdomainRow extends OwnerRow {
  subdomain: string;
  /** Missing in snapshots of earlier builds, whose subdomains have no domains. */
  domains?: DomainRow[];
  type: 'proxy' | 'static' | 'tunnel';
  port: number | null;
  staticPath: string | null;
  apiPort: number | null;
  /** Missing in snapshots of earlier builds, and then true. */
  spaFallback?: boolean;
  targetHost: string | null;
  targetPort: number | null;
  paused: boolean;
}

export interface ProjectRow extends OwnerRow {
  type: 'proxy' | 'static';
  apiPort: number | null;
  staticPath: string | null;
  /** Missing in snapshots of earlier builds, and then true. */
  spaFallback?: boolean;
}

export interface TenantRow extends OwnerRow {
  projectId: string;
  subdomain: string;
  dbName: string;
  domains?: DomainRow[];
  /** The primary domain and its `wwwMode`, only in snapshots of earlier builds, which have no `domains`. */
  customDomain?: string | null;
  wwwMode?: DomainRow['wwwMode'];
  name: string;
  paused: boolean;
}

export interface CorsRow {
  /** Origins as browsers send them, or `*` for any origin. */
  origins: string[] | '*';
  /** Request headers, in lower case, beyond those that CORS always permits. */
  headers: string[];
  credentials: boolean;
  /** How long a browser may cache the response to a preflight. */
  maxAgeSeconds: number;
}

export interface ServiceRow {
  id: string;
  name?: string;
  /** URL of the service. Its path precedes every destination. `extraHosts` has the URLs of further instances. */
  host: string;
  extraHosts?: string[];
  healthPath?: string | null;
  timeoutSeconds?: number;
  maxBodyMb?: number;
  cors?: CorsRow | null;
}

export interface RouteRow {
  id: string;
  serviceId: string;
  origin: string;
  destination: string;
  permission: string;
  methods: string[];
  /** True if the route requires no key. */
  public?: boolean;
}

/** Permits at most `requests` within any sliding window of `seconds`. */
export interface RateLimit {
  requests: number;
  seconds: number;
}

export interface KeyRow {
  id: string;
  digest: string;
  permissions: string[];
  allowedIps: string[];
  disabled?: boolean;
  /** ISO 8601. */
  expiresAt?: string | null;
  rateLimit?: RateLimit | null;
  /** Digest of the secret before the last rotation, valid until `previousExpiresAt`. */
  previousDigest?: string | null;
  previousExpiresAt?: string | null;
}

export interface RowByEntity {
  subdomain: SubdomainRow;
  project: ProjectRow;
  tenant: TenantRow;
  service: ServiceRow;
  route: RouteRow;
  key: KeyRow;
  version: VersionRow;
}

/** One row that was created or changed; `row: null` means that it was removed. */
export type RowChange = {
  [Entity in keyof RowByEntity]: { entity: Entity; id: string; row: RowByEntity[Entity] | null };
}[keyof RowByEntity];

/**
 * The position of a reader in the configuration. `lastChange` is the id of the row that the revision changed, null if
 * unknown. By this id a reader notices that a restored database gave the same revision to another change.
 */
export interface ConfigPosition {
  revision: number;
  lastChange: string | null;
}

export interface ConfigChanges {
  position: ConfigPosition;
  changes: RowChange[];
}

/** The configuration for the workers, with all rows (`isComplete`) or the changes since the last update. */
export interface ConfigUpdate {
  revision: number;
  isComplete: boolean;
  changes: RowChange[];
}
