import { type ListQuery, selectsField } from '../../platform/http/lists/list-pages';
import { toDisplayHost } from '../../platform/net/hostname';
import { toTenantProbeTarget } from '../../platform/net/probe-target';
import type { DomainReports, SiteDomainsService } from '../domains';
import type { RolloutStatus } from '../rollout';
import type { Health, TargetHealthService } from '../target-health';
import type { Tenant } from './tenant.entity';
import type { TenantResponse } from './tenants.schema';

/** Value of `health` if the query does not select this field. */
const omittedHealth: Health = { state: 'unknown', status: null, ms: null, checkedAt: null, reason: null };

/** The fields of a tenant that determine its health. */
export const toCheckedSite = (row: Tenant) => ({
  healthCheck: row.healthCheck,
  target: toTenantProbeTarget(row, row.project),
});

/** Whether a domain has its status shown: the primary domain or, without one, every domain. */
const isShown = ({ role }: { role: string }, _index: number, domains: readonly { role: string }[]) =>
  role === 'primary' || domains.every((domain) => domain.role !== 'primary');

/** Adds data of other features to the rows of tenants. */
export class TenantPresenter {
  constructor(
    private readonly reports: Pick<DomainReports, 'findStatusByDomain'>,
    private readonly siteDomains: Pick<SiteDomainsService, 'findByOwner'>,
    private readonly health: Pick<TargetHealthService, 'addHealth' | 'findHealth'>,
  ) {}

  /** Adds the data of domains, and the fields `health` and `domainStatus` if the query selects them. */
  async toResponses(rows: readonly Tenant[], query: Pick<ListQuery, 'fields'>): Promise<TenantResponse[]> {
    const ids = rows.map(({ _id }) => _id);
    const [rowsWithHealth, toDomainFields] = await Promise.all([
      selectsField(query, 'health')
        ? this.health.addHealth(rows, toCheckedSite)
        : rows.map((row) => ({ ...row, health: omittedHealth })),
      this.createDomainLookup(ids, selectsField(query, 'domainStatus')),
    ]);
    return rowsWithHealth.map((row) => ({ ...row, ...toDomainFields(row), live: null }));
  }

  async toResponse(row: Tenant, rolloutStatus: RolloutStatus | null): Promise<TenantResponse> {
    const [health, toDomainFields] = await Promise.all([
      this.health.findHealth(toCheckedSite(row)),
      this.createDomainLookup([row._id]),
    ]);
    return { ...row, health, ...toDomainFields(row), live: rolloutStatus };
  }

  /** Returns a function that finds the fields about the domains of one of these tenants. */
  private async createDomainLookup(tenantIds: readonly string[], includesStatus = true) {
    const domainsByTenant = await this.siteDomains.findByOwner(tenantIds);
    const hosts = [...domainsByTenant.values()].flatMap((rows) => rows.filter(isShown).map(({ host }) => host));
    const statusByHost = await this.reports.findStatusByDomain(includesStatus ? hosts : []);
    return ({ _id }: Tenant) => {
      const domains = domainsByTenant.get(_id) ?? [];
      const primary = domains.find(({ role }) => role === 'primary');
      const { host: customDomain = null, wwwMode = 'serve' as const } = primary ?? {};
      const displayDomain = customDomain === null ? null : toDisplayHost(customDomain);
      const status = domains.filter(isShown).flatMap(({ host }) => statusByHost.get(host) ?? []);
      const domainStatus = domains.length === 0 ? null : status;
      return { domainCount: domains.length, customDomain, displayDomain, wwwMode, domainStatus };
    };
  }
}
