/** Configuration as it travels from the database to the workers: plain rows, one shape per entity. */
export interface SubdomainRow {
  id: string;
  subdomain: string;
  type: 'proxy' | 'static' | 'tunnel';
  port: number | null;
  staticPath: string | null;
  apiPort: number | null;
  targetHost: string | null;
  targetPort: number | null;
  paused: boolean;
}

export interface ProjectRow {
  id: string;
  type: 'proxy' | 'static';
  apiPort: number | null;
  staticPath: string | null;
}

export interface TenantRow {
  id: string;
  projectId: string;
  subdomain: string;
  dbName: string;
  customDomain: string | null;
  wwwMode: 'serve' | 'to-apex' | 'to-www';
  name: string;
  paused: boolean;
}

export interface CorsRow {
  origins: string[] | '*';
  headers: string[];
  credentials: boolean;
  maxAgeSeconds: number;
}

/** What is optional is missing in snapshots of earlier builds. */
export interface ServiceRow {
  id: string;
  name?: string;
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
  /** Needs no key. */
  public?: boolean;
}

/** So many requests in a sliding window of so many seconds. */
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
  /** The secret before the last rotation holds until `previousExpiresAt`. */
  previousDigest?: string | null;
  previousExpiresAt?: string | null;
}

interface RowOf {
  subdomain: SubdomainRow;
  project: ProjectRow;
  tenant: TenantRow;
  service: ServiceRow;
  route: RouteRow;
  key: KeyRow;
}

/** One row that was created or changed, or with `row: null` removed. */
export type RowChange = {
  [Entity in keyof RowOf]: { entity: Entity; id: string; row: RowOf[Entity] | null };
}[keyof RowOf];

/** What the primary sends to the workers: everything (`whole`), or what changed since the last update. */
export interface ConfigurationUpdate {
  revision: number;
  whole: boolean;
  changes: RowChange[];
}
