import { targetFault } from '../rules/own-address';
import type { SiteRefusal } from '../rules/target';
import { compileCors } from './cors';
import { createFrontDoor, type Destination } from './front-door';
import { Keys } from './keys';
import { type CompiledService, Routes } from './routes';
import type { ConfigurationUpdate, ProjectRow, RouteRow, RowChange, ServiceRow, TenantRow } from './rows';
import { compileSubdomain, compileTenant, type IsOwn, type Site } from './site';
import { createUpstream, sameTarget, type Upstream, upstreamOf } from './upstream';

export interface StateOptions {
  baseDomain: string;
  core: Upstream;
  bff: Upstream;
  /** Whether a target is one of this installation's own ports on this machine. */
  isOwn: IsOwn;
  /** Told of a row that cannot be used; it harms no other. */
  onUnusable(about: { id: string; hosts?: string[] }, reason: string): void;
}

/** What the environment says of this installation. */
interface Installation {
  BASE_DOMAIN: string;
  CORE_URL: string;
  BFF_HOST: string;
  BFF_PORT: number;
  OWN_PORTS: readonly number[];
}

const MEGABYTE = 1024 * 1024;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * The configuration as requests read it. An update is applied in one synchronous step, so that no request sees half of
 * it. A row that cannot be used is reported and disables its own host alone.
 */
export class State {
  revision: number | undefined;
  /** How many updates were applied: a restored database may repeat a revision. */
  updates = 0;
  /** Sites that are stored and not served, by their id. */
  readonly refused = new Map<string, SiteRefusal>();
  readonly core: readonly Upstream[];
  readonly bff: readonly Upstream[];
  readonly routes = new Routes();
  readonly keys = new Keys();
  /** What the value of a Host header stands for. */
  readonly destination: (host: string) => Destination;
  private readonly sites = new Map<string, Site>();
  private readonly owners = new Map<string, string>();
  private readonly hostsOf = new Map<string, string[]>();
  private readonly projects = new Map<string, ProjectRow>();
  private readonly tenants = new Map<string, TenantRow>();
  private readonly services = new Map<string, CompiledService>();
  private readonly routeRows = new Map<string, RouteRow>();

  constructor(private readonly options: StateOptions) {
    this.core = [options.core];
    this.bff = [options.bff];
    this.destination = createFrontDoor(options.baseDomain, (host) => this.sites.get(host));
  }

  static of(installation: Installation, onUnusable: StateOptions['onUnusable']): State {
    return new State({
      baseDomain: installation.BASE_DOMAIN,
      core: upstreamOf(installation.CORE_URL).upstream,
      bff: createUpstream(installation.BFF_HOST, installation.BFF_PORT, false),
      isOwn: ({ host, port }) => targetFault(host, port, installation.OWN_PORTS) === 'own',
      onUnusable,
    });
  }

  apply({ revision, whole, changes }: ConfigurationUpdate): void {
    if (whole) this.forgetAllBut(new Set(changes.map(({ id }) => id)));
    for (const change of changes) this.applyOne(change);
    this.revision = revision;
    this.updates += 1;
  }

  private forgetAllBut(present: Set<string>): void {
    for (const id of [...this.hostsOf.keys()]) if (!present.has(id)) this.setHosts(id, [], undefined);
    for (const id of [...this.keys.ids()]) if (!present.has(id)) this.keys.remove(id);
    for (const id of [...this.routeRows.keys()]) if (!present.has(id)) this.setRoute(id, null);
    for (const rows of [this.projects, this.tenants, this.services]) {
      for (const id of [...rows.keys()]) if (!present.has(id)) rows.delete(id);
    }
  }

  private applyOne(change: RowChange): void {
    switch (change.entity) {
      case 'subdomain': {
        const { id, row } = change;
        this.setHosts(id, row ? [row.subdomain] : [], row && (() => compileSubdomain(row, this.isOwn)));
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
        this.setService(change.id, change.row);
        break;
      case 'route':
        this.setRoute(change.id, change.row);
        break;
      case 'key':
        if (change.row) this.keys.set(change.row);
        else this.keys.remove(change.id);
    }
  }

  /** The core and the BFF are reached as such only, whatever their addresses are called. */
  private readonly isOwn = (upstream: Upstream): boolean =>
    [...this.core, ...this.bff].some((own) => sameTarget(own, upstream)) || this.options.isOwn(upstream);

  private setTenant(tenant: TenantRow): void {
    const { subdomain, customDomain: domain } = tenant;
    const hosts = domain ? [subdomain, domain, `www.${domain}`] : [subdomain];
    this.setHosts(tenant.id, hosts, () => compileTenant(tenant, this.projects.get(tenant.projectId), this.isOwn));
    if (domain && tenant.wwwMode !== 'serve' && !tenant.paused) {
      const [from, host] = tenant.wwwMode === 'to-apex' ? [`www.${domain}`, domain] : [domain, `www.${domain}`];
      this.sites.set(from, { id: tenant.id, tenant: undefined, kind: 'redirect', host });
    }
  }

  /** An owner's hosts and what they serve. An update may name a host's new owner before the old one's removal. */
  private setHosts(id: string, hosts: string[], compile: (() => Site) | null | undefined): void {
    for (const host of this.hostsOf.get(id) ?? []) {
      if (this.owners.get(host) !== id) continue;
      this.sites.delete(host);
      this.owners.delete(host);
    }
    this.hostsOf.delete(id);
    this.refused.delete(id);
    if (!compile || hosts.length === 0) return;
    let site: Site;
    try {
      site = compile();
    } catch (error) {
      this.options.onUnusable({ id, hosts }, reasonOf(error));
      site = { id, kind: 'broken', tenant: undefined };
    }
    if (site.kind === 'broken' || site.kind === 'own') this.refused.set(id, site.kind === 'own' ? 'own' : 'unusable');
    this.hostsOf.set(id, hosts);
    for (const host of hosts) {
      this.sites.set(host, site);
      this.owners.set(host, id);
    }
  }

  /** Deleting a service takes its routes with it; they are not named one by one. */
  private setService(id: string, row: ServiceRow | null): void {
    const routes = [...this.routeRows.values()].filter(({ serviceId }) => serviceId === id);
    this.services.delete(id);
    try {
      if (row) this.services.set(id, this.compileService(row));
    } catch (error) {
      this.options.onUnusable({ id }, reasonOf(error));
    }
    for (const route of routes) this.setRoute(route.id, row ? route : null);
  }

  private compileService(row: ServiceRow): CompiledService {
    const { id, host, extraHosts = [], healthPath, timeoutSeconds = 60, maxBodyMb = 100, cors } = row;
    const { upstream, pathPrefix } = upstreamOf(host);
    const upstreams = [upstream, ...extraHosts.map((extra) => upstreamOf(extra).upstream)];
    return {
      id,
      upstreams,
      authority: upstream.authority,
      pathPrefix,
      own: upstreams.some(this.isOwn),
      timeoutMs: timeoutSeconds * 1000,
      maxBodyBytes: maxBodyMb * MEGABYTE,
      cors: cors ? compileCors(cors) : undefined,
      healthPath: healthPath ? pathPrefix + healthPath : undefined,
    };
  }

  /** Services whose instances are asked for their health. */
  get checked(): CompiledService[] {
    return [...this.services.values()].filter(({ healthPath, own }) => healthPath !== undefined && !own);
  }

  private setRoute(id: string, row: RouteRow | null): void {
    keep(this.routeRows, id, row);
    const service = row && this.services.get(row.serviceId);
    if (!service) {
      this.routes.remove(id);
      return;
    }
    try {
      this.routes.set(row, service);
    } catch (error) {
      this.options.onUnusable({ id }, reasonOf(error));
    }
  }
}

function keep<Row>(rows: Map<string, Row>, id: string, row: Row | null): void {
  if (row) rows.set(id, row);
  else rows.delete(id);
}
