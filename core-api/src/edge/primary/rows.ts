import type { ConfigurationUpdate, RateLimit, RowChange } from '../../decide/rows';

/** The current rows, for workers that start later, and the hosts that they claim. */
export class Rows {
  private readonly rows = new Map<string, RowChange>();
  /** Host (a label of the base domain, or a custom domain) to the row that claims it. */
  private readonly claims = new Map<string, string>();
  private current: number | undefined;

  apply({ revision, whole, changes }: ConfigurationUpdate): void {
    if (whole) {
      this.rows.clear();
      this.claims.clear();
    }
    for (const change of changes) {
      this.remove(change.id);
      if (change.row) this.set(change);
      else if (change.entity === 'service') this.removeRoutesOf(change.id);
    }
    this.current = revision;
  }

  private set(change: RowChange): void {
    this.rows.set(change.id, change);
    for (const host of hostsOf(change)) this.claims.set(host, change.id);
  }

  /** Keeps a claim that another row has taken over: an update may list the new owner first. */
  private remove(id: string): void {
    const known = this.rows.get(id);
    if (!known) return;
    this.rows.delete(id);
    for (const host of hostsOf(known)) if (this.claims.get(host) === id) this.claims.delete(host);
  }

  /** The database removes a service's routes by cascade, without a change for each. */
  private removeRoutesOf(serviceId: string): void {
    for (const { entity, id, row } of this.rows.values()) {
      if (entity === 'route' && row?.serviceId === serviceId) this.rows.delete(id);
    }
  }

  /** Undefined before the first update. */
  get all(): ConfigurationUpdate | undefined {
    if (this.current === undefined) return undefined;
    return { revision: this.current, whole: true, changes: [...this.rows.values()] };
  }

  get revision(): number | undefined {
    return this.current;
  }

  get size(): number {
    return this.rows.size;
  }

  /** Undefined for an unknown key and one without a limit. */
  limitOf(keyId: string): RateLimit | undefined {
    const change = this.rows.get(keyId);
    return change?.entity === 'key' ? (change.row?.rateLimit ?? undefined) : undefined;
  }

  /** Labels of a site or a route that exists, as metrics name it. */
  readonly nameOf = (part: 'site' | 'route', id: string): Record<string, string> | undefined => {
    const change = this.rows.get(id);
    if (part === 'site')
      return (change?.entity === 'subdomain' || change?.entity === 'tenant') && change.row
        ? { site: change.row.subdomain }
        : undefined;
    if (change?.entity !== 'route' || !change.row) return undefined;
    const { serviceId, methods, origin } = change.row;
    const service = this.rows.get(serviceId);
    const name = service?.entity === 'service' ? service.row?.name : undefined;
    return { service: name ?? serviceId, route: `${methods.join(',')} ${origin}` };
  };

  /** Of a route that exists. */
  readonly originOf = (routeId: string): string | undefined => {
    const change = this.rows.get(routeId);
    return change?.entity === 'route' ? change.row?.origin : undefined;
  };

  /** @param host a label of the base domain, or a custom domain */
  isClaimed(host: string): boolean {
    return this.claims.has(host);
  }
}

function hostsOf({ entity, row }: RowChange): string[] {
  if (entity === 'subdomain' && row) return [row.subdomain];
  if (entity !== 'tenant' || !row) return [];
  const { subdomain, customDomain } = row;
  return customDomain ? [subdomain, customDomain, `www.${customDomain}`] : [subdomain];
}
