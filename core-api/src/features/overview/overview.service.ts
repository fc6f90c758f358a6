import type { ProjectLimit } from '../../platform/database/changes/change-context';
import type { Principal } from '../../platform/http/access/authentication';
import { HOUR_MS, toIsoFromNow } from '../../platform/time/relative-time';
import type { AlertsService } from '../alerts';
import type { ContactService } from '../contact';
import type { DomainReports } from '../domains';
import type { RequestLogService } from '../gateway/requests';
import type { ProjectsService } from '../projects';
import type { SettingsService } from '../settings';
import type { SubdomainHealth, SubdomainsService } from '../subdomains';
import type { TenantHealth, TenantsService } from '../tenants';
import type { TokensService } from '../tokens';
import type { Overview, ServerErrorHost } from './overview.schema';

/** Maximum number of named items per kind; further items are only counted. */
const MAX_NAMED = 5;

interface OverviewSources {
  subdomains: Pick<SubdomainsService, 'count' | 'findNames'>;
  subdomainHealth: Pick<SubdomainHealth, 'countSitesDown'>;
  tokens: Pick<TokensService, 'listExpiringSoon'>;
  projects: Pick<ProjectsService, 'count'>;
  tenants: Pick<TenantsService, 'count' | 'findIdsInProjects' | 'findNames'>;
  tenantHealth: Pick<TenantHealth, 'countSitesDown'>;
  domainReports: Pick<DomainReports, 'countTenants'>;
  requests: Pick<RequestLogService, 'countServerErrors'>;
  contact: Pick<ContactService, 'countUnread'>;
  alerts: Pick<AlertsService, 'countOpen'>;
  settings: Pick<SettingsService, 'findTelegramChat'>;
}

/** Collects the numbers, problems and tasks of all features for the overview. */
export class OverviewService {
  constructor(private readonly sources: OverviewSources) {}

  /** An account that is limited to projects sees only these projects and their tenants. */
  async get(principal: Principal): Promise<Overview> {
    const { subdomainHealth, tenantHealth } = this.sources;
    const projectLimit = principal.projects;
    // Queries of hosts and domains take tens of milliseconds at 50,000 rows, so four groups of queries run in parallel.
    const [subdomainsDown, tenantsDown, domains, otherFields] = await Promise.all([
      projectLimit ? { total: 0, first: [] } : subdomainHealth.countSitesDown(MAX_NAMED),
      tenantHealth.countSitesDown(projectLimit, MAX_NAMED),
      this.countTenantsByDomain(projectLimit),
      this.readOtherFields(principal),
    ]);
    return { subdomainsDown, tenantsDown, ...domains, ...otherFields };
  }

  /** The queries of a group run in sequence, because each parallel query takes a connection from other calls. */
  private async countTenantsByDomain(projectLimit: ProjectLimit) {
    return {
      domainsWaiting: await this.sources.domainReports.countTenants('waiting', projectLimit, MAX_NAMED),
      certificatesEnding: await this.sources.domainReports.countTenants('ending', projectLimit, MAX_NAMED),
    };
  }

  /** Reads in sequence the fields whose queries take only a few milliseconds. */
  private async readOtherFields(principal: Principal) {
    const { subdomains, projects, tenants, settings, tokens, contact, alerts } = this.sources;
    const projectLimit = principal.projects;
    const tenantIds = projectLimit ? await tenants.findIdsInProjects(projectLimit) : undefined;
    const errors = await this.countServerErrors(tenantIds);
    const tokensEnding = principal.token ? [] : await tokens.listExpiringSoon(principal);
    const mayReadMessages = !projectLimit && principal.role !== 'viewer';
    return {
      subdomains: projectLimit ? 0 : await subdomains.count(),
      projects: await projects.count(projectLimit),
      tenants: await tenants.count(projectLimit),
      telegram: (await settings.findTelegramChat()) !== undefined,
      tokensEnding: { total: tokensEnding.length, first: tokensEnding.slice(0, MAX_NAMED) },
      faults: errors.reduce((sum, { count }) => sum + count, 0),
      serverErrors: errors.slice(0, MAX_NAMED),
      unread: mayReadMessages ? await contact.countUnread() : 0,
      alerts: projectLimit ? 0 : await alerts.countOpen(),
    };
  }

  /** Counts 5xx responses of the last hour by host, highest first. The count of the gateway includes removed hosts. */
  private async countServerErrors(tenantIds: readonly string[] | undefined): Promise<ServerErrorHost[]> {
    const { requests, subdomains, tenants } = this.sources;
    const rows = await requests.countServerErrors(toIsoFromNow(-HOUR_MS), tenantIds);
    const [labels, names] = await Promise.all([
      subdomains.findNames(rows.flatMap(({ subdomainId }) => subdomainId ?? [])),
      tenants.findNames(rows.flatMap(({ tenantId }) => tenantId ?? [])),
    ]);
    const hosts: ServerErrorHost[] = [];
    let gatewayCount = 0;
    for (const { subdomainId, tenantId, count } of rows) {
      const label = subdomainId && labels.get(subdomainId);
      const name = tenantId && names.get(tenantId);
      if (label) hosts.push({ kind: 'subdomain', id: subdomainId, name: label, count });
      else if (name) hosts.push({ kind: 'tenant', id: tenantId, name, count });
      else gatewayCount += count;
    }
    if (gatewayCount > 0) hosts.push({ kind: 'gateway', id: null, name: null, count: gatewayCount });
    return hosts.toSorted((a, b) => b.count - a.count);
  }
}
