import type { RateLimit, RowChange } from '../../routing/config-snapshot';
import { listClaimedHosts } from '../../routing/hosts/host-router';
import { setOrDelete } from '../../routing/set-or-delete';

interface SiteEntry {
  /** Hosts that the row claims, the label first. */
  hosts: string[];
  projectId: string | undefined;
  /** Limit for each client of the site. False disables it, and null inherits the limit of the project. */
  rate: RateLimit | false | null;
}

/**
 * Index of the claimed hosts, rate limits and metric labels, the only parts of the configuration that the primary
 * keeps in memory. The rows are in the snapshot file and, compiled, in the workers.
 */
export class ConfigIndex {
  /** Id of the row that claims a host (a label of the sites' domain, or a custom domain). */
  private readonly claims = new Map<string, string>();
  private readonly sites = new Map<string, SiteEntry>();
  private readonly projectLimits = new Map<string, RateLimit | false>();
  private readonly keyLimits = new Map<string, RateLimit>();
  private readonly serviceNames = new Map<string, string>();
  private readonly routes = new Map<string, { serviceId: string; origin: string; methods: string }>();

  apply(changes: readonly RowChange[]): void {
    for (const change of changes) this.applyOne(change);
  }

  private applyOne(change: RowChange): void {
    const { id } = change;
    switch (change.entity) {
      case 'subdomain':
        this.setSite(change, undefined, change.row?.policy?.rate);
        break;
      case 'tenant':
        this.setSite(change, change.row?.projectId, change.row?.policy?.rate);
        break;
      case 'project':
        setOrDelete(this.projectLimits, id, change.row?.policy?.rate);
        break;
      case 'key':
        setOrDelete(this.keyLimits, id, change.row?.rateLimit);
        break;
      case 'service':
        setOrDelete(this.serviceNames, id, change.row && (change.row.name ?? id));
        if (change.row) break;
        // The database removes the routes of a service by cascade, and the changes do not list them.
        for (const [routeId, { serviceId }] of this.routes) if (serviceId === id) this.routes.delete(routeId);
        break;
      case 'route': {
        const { row } = change;
        setOrDelete(
          this.routes,
          id,
          row && { serviceId: row.serviceId, origin: row.origin, methods: row.methods.join(',') },
        );
      }
    }
  }

  /** Sets or removes a site. A claim of another row is kept, because an update may list the new owner first. */
  private setSite(change: RowChange, projectId: string | undefined, rate: SiteEntry['rate'] | undefined): void {
    const { id } = change;
    for (const host of this.sites.get(id)?.hosts ?? []) if (this.claims.get(host) === id) this.claims.delete(host);
    this.sites.delete(id);
    if (!change.row) return;
    const hosts = listClaimedHosts(change);
    this.sites.set(id, { hosts, projectId, rate: rate ?? null });
    for (const host of hosts) this.claims.set(host, id);
  }

  findKeyRateLimit(keyId: string): RateLimit | undefined {
    return this.keyLimits.get(keyId);
  }

  /** Returns the limit for each single client of a site. A tenant without a limit inherits the limit of its project. */
  findSiteRateLimit(siteId: string): RateLimit | undefined {
    const site = this.sites.get(siteId);
    if (!site) return undefined;
    const inherited = site.projectId === undefined ? undefined : this.projectLimits.get(site.projectId);
    return (site.rate ?? inherited) || undefined;
  }

  /** Returns the labels for the metrics of an existing site or route. */
  findLabels(kind: 'site' | 'route', id: string): Record<string, string> | undefined {
    if (kind === 'site') {
      const [dnsLabel] = this.sites.get(id)?.hosts ?? [];
      return dnsLabel === undefined ? undefined : { site: dnsLabel };
    }
    const route = this.routes.get(id);
    if (!route) return undefined;
    const { serviceId, methods, origin } = route;
    return { service: this.serviceNames.get(serviceId) ?? serviceId, route: `${methods} ${origin}` };
  }

  findRouteOrigin(routeId: string): string | undefined {
    return this.routes.get(routeId)?.origin;
  }

  /** Returns whether a row claims the host. @param host a label of the sites' domain, or a custom domain */
  isClaimed(host: string): boolean {
    return this.claims.has(host);
  }
}
