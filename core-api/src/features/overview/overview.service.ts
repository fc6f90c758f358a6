import type { Principal } from '../../platform/http/authentication';
import { HOUR_MS } from '../../platform/time/units';
import type { AlertsService } from '../alerts';
import type { ContactService } from '../contact';
import type { DomainsService } from '../domains';
import type { RequestLogService } from '../gateway/requests';
import type { ProjectsService } from '../projects';
import type { SettingsService } from '../settings';
import type { SubdomainHealth, SubdomainsService } from '../subdomains';
import type { TenantHealth, TenantsService } from '../tenants';
import type { TokensService } from '../tokens';
import type { Overview, ServerErrorHost } from './overview.schema';

/** Maximum number of named items per kind; the rest is only counted. */
const MAX_NAMED = 5;

interface OverviewSources {
  subdomains: Pick<SubdomainsService, 'count' | 'namesOf'>;
  subdomainHealth: Pick<SubdomainHealth, 'countDown'>;
  tokens: Pick<TokensService, 'ending'>;
  projects: Pick<ProjectsService, 'count'>;
  tenants: Pick<TenantsService, 'count' | 'idsIn' | 'namesOf'>;
  tenantHealth: Pick<TenantHealth, 'countDown'>;
  domains: Pick<DomainsService, 'countUnhealthy'>;
  requests: Pick<RequestLogService, 'serverErrors'>;
  contact: Pick<ContactService, 'countUnread'>;
  alerts: Pick<AlertsService, 'countOpen'>;
  settings: Pick<SettingsService, 'telegramChat'>;
}

/** Collects what needs an administrator's attention, over all features. */
export class OverviewService {
  constructor(private readonly sources: OverviewSources) {}

  /** An account that is limited to projects sees those and their tenants. */
  async get(principal: Principal): Promise<Overview> {
    const { subdomains, subdomainHealth, projects, tenants, tenantHealth, domains, contact, settings, tokens, alerts } =
      this.sources;
    const limit = principal.projects;
    const tenantIds = limit ? await tenants.idsIn(limit) : undefined;
    const errors = await this.serverErrors(tenantIds);
    // A request with a token gets no list of tokens.
    const tokensEnding = principal.token ? [] : await tokens.ending(principal);
    const readsMessages = !limit && principal.role !== 'viewer';
    // At 50,000 hosts and domains each takes tens of milliseconds. Health and domains are read on different connections.
    const [subdomainsDown, tenantsDown, domainsWaiting, certificatesEnding] = await Promise.all([
      limit ? { total: 0, first: [] } : subdomainHealth.countDown(MAX_NAMED),
      tenantHealth.countDown(limit, MAX_NAMED),
      domains.countUnhealthy('pending', limit, MAX_NAMED),
      domains.countUnhealthy('expiring', limit, MAX_NAMED),
    ]);
    return {
      subdomains: limit ? 0 : await subdomains.count(),
      projects: await projects.count(limit),
      tenants: await tenants.count(limit),
      telegram: (await settings.telegramChat()) !== undefined,
      subdomainsDown,
      tenantsDown,
      domainsWaiting,
      certificatesEnding,
      tokensEnding: { total: tokensEnding.length, first: tokensEnding.slice(0, MAX_NAMED) },
      faults: errors.reduce((sum, { count }) => sum + count, 0),
      serverErrors: errors.slice(0, MAX_NAMED),
      unread: readsMessages ? await contact.countUnread() : 0,
      alerts: limit ? 0 : await alerts.countOpen(),
    };
  }

  /** 5xx responses of the last hour by host. A host that is gone counts as the gateway, whose log shows its requests. */
  private async serverErrors(tenantIds: readonly string[] | undefined): Promise<ServerErrorHost[]> {
    const { requests, subdomains, tenants } = this.sources;
    const rows = await requests.serverErrors(new Date(Date.now() - HOUR_MS).toISOString(), tenantIds);
    const [labels, names] = await Promise.all([
      subdomains.namesOf(rows.flatMap(({ subdomainId }) => subdomainId ?? [])),
      tenants.namesOf(rows.flatMap(({ tenantId }) => tenantId ?? [])),
    ]);
    const hosts: ServerErrorHost[] = [];
    let others = 0;
    for (const { subdomainId, tenantId, count } of rows) {
      const label = subdomainId && labels.get(subdomainId);
      const name = tenantId && names.get(tenantId);
      if (label) hosts.push({ kind: 'subdomain', id: subdomainId, name: label, count });
      else if (name) hosts.push({ kind: 'tenant', id: tenantId, name, count });
      else others += count;
    }
    return others > 0 ? [...hosts, { kind: 'gateway', id: null, name: null, count: others }] : hosts;
  }
}
