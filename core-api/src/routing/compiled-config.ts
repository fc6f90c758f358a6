import type { SiteRefusal } from '../platform/net/target';
import type { ProjectRow, RouteRow, RowChange, ServiceRow, SubdomainRow, TenantRow } from './config-snapshot';
import { compilePreview, compileSubdomain, compileTenant, type IsOwnTarget, type Site } from './hosts/site';
import { listHostRedirects, listSiteHosts, toWildcard } from './hosts/site-domains';
import { KeyTable } from './keys/key-table';
import { compileCors } from './routes/cors';
import { type CompiledService, RouteTable } from './routes/route-table';
import { setOrDelete } from './set-or-delete';
import { parseUpstream } from './upstream';

export interface CompileOptions {
  sitesDomain: string;
  /** Returns whether a target leads to this installation itself. */
  isOwn: IsOwnTarget;
  /** Called for a row that cannot be used; other rows are not affected. */
  onInvalidRow(about: { id: string; hosts?: string[] }, reason: string): void;
}

const MEGABYTE = 1024 * 1024;

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The compiled rows of one configuration. A row that cannot be used is reported and disables only its own hosts. */
export class CompiledConfig {
  /** Configured sites that cannot be served, by id. */
  readonly refusedSites = new Map<string, SiteRefusal>();
  readonly routes = new RouteTable();
  readonly keys = new KeyTable();
  /** Sites by host. A site has the id of the row that claims its hosts. */
  private readonly sites = new Map<string, Site>();
  private readonly hostsByOwner = new Map<string, string[]>();
  private readonly projects = new Map<string, ProjectRow>();
  private readonly tenants = new Map<string, TenantRow>();
  private readonly services = new Map<string, CompiledService>();
  private readonly routeRows = new Map<string, RouteRow>();

  constructor(private readonly options: CompileOptions) {}

  /** Finds a site; exact names take precedence over wildcards. @param host a label of the sites' domain, or a domain */
  findSite(host: string): Site | undefined {
    return this.sites.get(host) ?? this.sites.get(toWildcard(host) ?? '');
  }

  apply(changes: readonly RowChange[]): void {
    for (const change of changes) this.applyOne(change);
  }

  private applyOne(change: RowChange): void {
    switch (change.entity) {
      case 'subdomain':
        this.setSite(change.id, change.row, (row) => compileSubdomain(row, this.options.isOwn));
        break;
      case 'project':
        setOrDelete(this.projects, change.id, change.row);
        // The tenants of a project are removed before the project.
        if (change.row) this.setTenantsOfProject(change.id);
        break;
      case 'tenant':
        setOrDelete(this.tenants, change.id, change.row);
        this.setTenant(change.id, change.row);
        break;
      case 'service':
        this.setService(change.id, change.row);
        break;
      case 'route':
        this.setRoute(change.id, change.row);
        break;
      case 'key': {
        const { id, row } = change;
        this.compileOrReport(id, () => (row ? this.keys.set(row) : this.keys.remove(id)));
        break;
      }
      case 'version': {
        const { id, row } = change;
        this.setHosts(id, row ? [row.previewHost] : [], row && (() => compilePreview(row)));
      }
    }
  }

  /** Returns the site of a subdomain or tenant, or undefined for a project. */
  findSiteOfOwner(id: string): Site | undefined {
    const site = this.sites.get(this.hostsByOwner.get(id)?.[0] ?? '');
    return site?.id === id ? site : undefined;
  }

  /** Returns whether `index.html` answers navigations to missing files. @param ownerId subdomain, tenant or project */
  usesSpaFallback(ownerId: string): boolean {
    const site = this.findSiteOfOwner(ownerId);
    if (site?.kind === 'static' || site?.kind === 'published') return site.spaFallback;
    return this.projects.get(ownerId)?.spaFallback ?? true;
  }

  private setTenant(id: string, tenant: TenantRow | null): void {
    this.setSite(id, tenant, (row) => compileTenant(row, this.projects.get(row.projectId), this.options.isOwn));
  }

  private setTenantsOfProject(projectId: string): void {
    for (const tenant of this.tenants.values()) if (tenant.projectId === projectId) this.setTenant(tenant.id, tenant);
  }

  private setSite<Row extends SubdomainRow | TenantRow>(id: string, row: Row | null, toSite: (row: Row) => Site): void {
    this.setHosts(id, row ? listSiteHosts(row) : [], row && (() => toSite(row)));
    // The page of a paused site takes precedence over redirects (contract §9).
    if (!row || row.paused) return;
    for (const { from, to } of listHostRedirects(row, this.options.sitesDomain))
      this.sites.set(from, { id, tenant: undefined, kind: 'redirect', host: to });
  }

  /** Replaces the hosts of an owner. A moved host stays with its new owner, whichever owner the update lists first. */
  private setHosts(id: string, hosts: string[], compile: (() => Site) | null | undefined): void {
    for (const host of this.hostsByOwner.get(id) ?? []) if (this.sites.get(host)?.id === id) this.sites.delete(host);
    this.hostsByOwner.delete(id);
    this.refusedSites.delete(id);
    if (!compile || hosts.length === 0) return;
    let site: Site;
    try {
      site = compile();
    } catch (error) {
      this.options.onInvalidRow({ id, hosts }, toReason(error));
      site = { id, kind: 'broken', tenant: undefined };
    }
    if (site.kind === 'broken' || site.kind === 'own')
      this.refusedSites.set(id, site.kind === 'own' ? 'own' : 'unusable');
    this.hostsByOwner.set(id, hosts);
    for (const host of hosts) this.sites.set(host, site);
  }

  /** Calls a function that compiles a row, and reports a row that cannot be used. */
  private compileOrReport(id: string, compileRow: () => void): void {
    try {
      compileRow();
    } catch (error) {
      this.options.onInvalidRow({ id }, toReason(error));
    }
  }

  /** Sets or removes a service with its routes. The database deletes routes by cascade, so no change lists them. */
  private setService(id: string, row: ServiceRow | null): void {
    const routes = [...this.routeRows.values()].filter(({ serviceId }) => serviceId === id);
    this.services.delete(id);
    if (row) this.compileOrReport(id, () => this.services.set(id, this.compileService(row)));
    for (const route of routes) this.setRoute(route.id, row ? route : null);
  }

  private compileService(row: ServiceRow): CompiledService {
    const { id, host: url, extraHosts = [], healthPath, timeoutSeconds = 60, maxBodyMb = 100, cors } = row;
    const { upstream, pathPrefix } = parseUpstream(url);
    const upstreams = [upstream, ...extraHosts.map((extraUrl) => parseUpstream(extraUrl).upstream)];
    return {
      id,
      upstreams,
      authority: upstream.authority,
      pathPrefix,
      isOwn: upstreams.some(this.options.isOwn),
      timeoutMs: timeoutSeconds * 1000,
      maxBodyBytes: maxBodyMb * MEGABYTE,
      cors: cors ? compileCors(cors) : undefined,
      healthPath: healthPath ? pathPrefix + healthPath : undefined,
    };
  }

  /** Excludes services that lead to this installation itself, because their health checks would loop. */
  get servicesWithHealthCheck(): CompiledService[] {
    return [...this.services.values()].filter(({ healthPath, isOwn }) => healthPath !== undefined && !isOwn);
  }

  private setRoute(id: string, row: RouteRow | null): void {
    setOrDelete(this.routeRows, id, row);
    const service = row && this.services.get(row.serviceId);
    if (service) this.compileOrReport(id, () => this.routes.set(row, service));
    else this.routes.remove(id);
  }
}
