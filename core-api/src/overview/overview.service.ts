import type { ContactService } from '../contact/contact.service';
import type { DomainsService } from '../domains/domains.service';
import type { RequestLogService } from '../gateway/requests/request-log.service';
import type { ProjectsService } from '../projects/projects.service';
import type { SettingsService } from '../settings/settings.service';
import type { SubdomainsService } from '../subdomains/subdomains.service';
import type { TenantsService } from '../tenants/tenants.service';
import type { Overview } from './overview.schema';

const HOUR_MS = 3600 * 1000;
/** Items named of each kind; of the rest only the count. */
const MAX_NAMED = 5;

interface Sources {
  subdomains: Pick<SubdomainsService, 'count' | 'down'>;
  projects: Pick<ProjectsService, 'list'>;
  tenants: Pick<TenantsService, 'count' | 'down'>;
  domains: Pick<DomainsService, 'needingAttention'>;
  requests: Pick<RequestLogService, 'countFaults'>;
  contact: Pick<ContactService, 'countUnread'>;
  settings: Pick<SettingsService, 'telegramChat'>;
}

const preview = (all: readonly { id: string; name: string }[]) => ({
  total: all.length,
  first: all.slice(0, MAX_NAMED),
});

/** What needs an administrator's attention, over all features. */
export class OverviewService {
  constructor(private readonly sources: Sources) {}

  async get(): Promise<Overview> {
    const { subdomains, projects, tenants, domains, requests, contact, settings } = this.sources;
    const { pending, expiring } = await domains.needingAttention();
    const ofTenant = (hosts: typeof pending) =>
      preview(hosts.map(({ tenantId, host }) => ({ id: tenantId, name: host })));
    return {
      subdomains: await subdomains.count(),
      projects: (await projects.list()).length,
      tenants: await tenants.count(),
      telegram: (await settings.telegramChat()) !== undefined,
      subdomainsDown: preview((await subdomains.down()).map((name) => ({ id: name, name }))),
      tenantsDown: preview((await tenants.down()).map(({ _id, name }) => ({ id: _id, name }))),
      domainsWaiting: ofTenant(pending),
      certificatesEnding: ofTenant(expiring),
      faults: await requests.countFaults(new Date(Date.now() - HOUR_MS).toISOString()),
      unread: await contact.countUnread(),
    };
  }
}
