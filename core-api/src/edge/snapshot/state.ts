import type { Logger } from 'pino';
import { createUpstream, type Upstream } from '../forward/upstream';
import { Keys } from '../gateway/authorise';
import { Routes } from '../gateway/match';
import type { ConfigurationUpdate, ProjectRow, RouteRow, RowChange, ServiceRow, SubdomainRow, TenantRow } from './rows';

/** What a host serves. */
export type Site = { tenant: TenantHeaders | undefined } & (
  | { kind: 'proxy'; upstream: Upstream }
  | { kind: 'static'; folder: string; api: Upstream | undefined }
  | { kind: 'broken' }
);

export interface TenantHeaders {
  id: string;
  subdomain: string;
  database: string;
}

const LOOPBACK = '127.0.0.1';

function proxyTo(port: number | null): Upstream {
  if (port === null) throw new Error('no port');
  return createUpstream(LOOPBACK, port, false);
}

function staticSite(folder: string | null, apiPort: number | null): Site {
  if (folder === null) throw new Error('no folder');
  return { kind: 'static', folder, api: apiPort === null ? undefined : proxyTo(apiPort), tenant: undefined };
}

const compileSubdomain: Record<SubdomainRow['type'], (row: SubdomainRow) => Site> = {
  proxy: ({ port }) => ({ kind: 'proxy', upstream: proxyTo(port), tenant: undefined }),
  static: ({ staticPath, apiPort }) => staticSite(staticPath, apiPort),
  tunnel({ targetHost, targetPort }) {
    if (targetHost === null || targetPort === null) throw new Error('no target');
    return { kind: 'proxy', upstream: createUpstream(targetHost, targetPort, targetPort === 443), tenant: undefined };
  },
};

function compileTenant({ id, subdomain, dbName }: TenantRow, project: ProjectRow | undefined): Site {
  if (!project) throw new Error('no project');
  const site: Site =
    project.type === 'proxy'
      ? { kind: 'proxy', upstream: proxyTo(project.apiPort), tenant: undefined }
      : staticSite(project.staticPath, project.apiPort);
  return { ...site, tenant: { id, subdomain, database: encodeURIComponent(dbName) } };
}

/**
 * The configuration as requests read it. Updates are applied in one synchronous step, so that no request sees half of
 * one; a row that cannot be used is logged and closes its own host alone.
 */
export class State {
  revision: number | undefined;
  /** When the last update was applied, in ms since the epoch. */
  updatedAt = 0;
  readonly routes = new Routes();
  readonly keys = new Keys();
  private readonly sites = new Map<string, Site>();
  private readonly owners = new Map<string, string>();
  private readonly hostsOf = new Map<string, string[]>();
  private readonly projects = new Map<string, ProjectRow>();
  private readonly tenants = new Map<string, TenantRow>();
  private readonly services = new Map<string, ServiceRow>();
  private readonly routeRows = new Map<string, RouteRow>();
  private readonly keyIds = new Set<string>();

  constructor(private readonly log: Logger) {}

  /** @param host a label of the base domain, or a custom domain */
  site(host: string): Site | undefined {
    return this.sites.get(host);
  }

  apply({ revision, whole, changes }: ConfigurationUpdate): void {
    if (whole) this.forgetAllBut(new Set(changes.map(({ id }) => id)));
    for (const change of changes) this.applyOne(change);
    this.revision = revision;
    this.updatedAt = Date.now();
  }

  private forgetAllBut(present: Set<string>): void {
    for (const id of [...this.hostsOf.keys()]) if (!present.has(id)) this.setHosts(id, [], undefined);
    for (const id of [...this.keyIds]) if (!present.has(id)) this.applyOne({ entity: 'key', id, row: null });
    for (const id of [...this.routeRows.keys()]) if (!present.has(id)) this.setRoute(id, null);
    for (const rows of [this.projects, this.tenants, this.services]) {
      for (const id of [...rows.keys()]) if (!present.has(id)) rows.delete(id);
    }
  }

  private applyOne(change: RowChange): void {
    switch (change.entity) {
      case 'subdomain': {
        const { id, row } = change;
        this.setHosts(id, row ? [row.subdomain] : [], row && (() => compileSubdomain[row.type](row)));
        break;
      }
      case 'project': {
        keep(this.projects, change.id, change.row);
        if (!change.row) break; // Its tenants went before it.
        for (const tenant of this.tenants.values()) if (tenant.projectId === change.id) this.setTenant(tenant);
        break;
      }
      case 'tenant': {
        keep(this.tenants, change.id, change.row);
        if (change.row) this.setTenant(change.row);
        else this.setHosts(change.id, [], undefined);
        break;
      }
      case 'service':
        keep(this.services, change.id, change.row);
        for (const row of this.routeRows.values()) if (row.serviceId === change.id) this.setRoute(row.id, row);
        break;
      case 'route':
        this.setRoute(change.id, change.row);
        break;
      case 'key':
        if (change.row) {
          this.keyIds.add(change.id);
          this.keys.set(change.row);
        } else {
          this.keyIds.delete(change.id);
          this.keys.remove(change.id);
        }
    }
  }

  private setTenant(tenant: TenantRow): void {
    const { subdomain, customDomain: domain } = tenant;
    const hosts = domain ? [subdomain, domain, `www.${domain}`] : [subdomain];
    this.setHosts(tenant.id, hosts, () => compileTenant(tenant, this.projects.get(tenant.projectId)));
  }

  /** An owner's hosts and what they serve. An update may name a host's new owner before the old one's removal. */
  private setHosts(id: string, hosts: string[], compile: (() => Site) | null | undefined): void {
    for (const host of this.hostsOf.get(id) ?? []) {
      if (this.owners.get(host) !== id) continue;
      this.sites.delete(host);
      this.owners.delete(host);
    }
    this.hostsOf.delete(id);
    if (!compile || hosts.length === 0) return;
    let site: Site;
    try {
      site = compile();
    } catch (error) {
      this.log.error(
        { id, hosts, reason: error instanceof Error ? error.message : error },
        'this site cannot be served',
      );
      site = { kind: 'broken', tenant: undefined };
    }
    this.hostsOf.set(id, hosts);
    for (const host of hosts) {
      this.sites.set(host, site);
      this.owners.set(host, id);
    }
  }

  private setRoute(id: string, row: RouteRow | null): void {
    keep(this.routeRows, id, row);
    const service = row && this.services.get(row.serviceId);
    // Deleting a service takes its routes with it; they are not named one by one.
    if (!service) {
      this.routes.remove(id);
      return;
    }
    try {
      this.routes.set(row, service);
    } catch (error) {
      this.log.error({ id, reason: error instanceof Error ? error.message : error }, 'this route cannot be used');
    }
  }
}

function keep<Row>(rows: Map<string, Row>, id: string, row: Row | null): void {
  if (row) rows.set(id, row);
  else rows.delete(id);
}
