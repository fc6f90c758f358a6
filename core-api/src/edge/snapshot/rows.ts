import type { ConfiguredEntity } from '../../database/revision';

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
}

export interface ServiceRow {
  id: string;
  host: string;
}

export interface RouteRow {
  id: string;
  serviceId: string;
  origin: string;
  destination: string;
  permission: string;
  methods: string[];
}

export interface KeyRow {
  id: string;
  digest: string;
  permissions: string[];
  allowedIps: string[];
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
  [Entity in ConfiguredEntity]: { entity: Entity; id: string; row: RowOf[Entity] | null };
}[ConfiguredEntity];

/** What the primary sends to the workers: everything (`whole`), or what changed since the last update. */
export interface ConfigurationUpdate {
  revision: number;
  whole: boolean;
  changes: RowChange[];
}
