import { ProjectsService } from '../features/projects/projects.service';
import type { RolloutService } from '../features/rollout/rollout.service';
import { isVersionComplete } from '../features/sites/content/content-parts';
import { ContentStore } from '../features/sites/content/content-store';
import { SubdomainHealth } from '../features/subdomains/subdomain-health';
import { SubdomainsService } from '../features/subdomains/subdomains.service';
import { TenantHealth } from '../features/tenants/tenant-health';
import { countTenants, TenantsService } from '../features/tenants/tenants.service';
import { LeasedJob } from '../platform/jobs/leased-job';
import type { AppContext } from './app-context';
import { createDomains } from './domains';
import { createHealth } from './health';

export type SiteOwners = ReturnType<typeof createSiteOwners>;

/** Composes subdomains, projects and tenants, with their domains and the health of their targets. */
export function createSiteOwners(context: AppContext, rollout: RolloutService) {
  const { config, database, log } = context;
  const targetRules = {
    ownPorts: config.OWN_PORTS,
    staticRules: config.STATIC_RULES,
    isVersionComplete: (id: string) => isVersionComplete(database.read, new ContentStore(config.DATA_DIR), id),
  };
  const { health, recorders, createJobs } = createHealth(context, targetRules);
  const projects = new ProjectsService(database, targetRules, countTenants);
  const { domainReports, domainMonitor, siteDomains } = createDomains(context, rollout, {
    subdomain: { find: (...args) => subdomains.siteOwner.find(...args) },
    tenant: { find: (...args) => tenants.siteOwner.find(...args) },
  });
  const subdomains = new SubdomainsService({ database, targetRules, health, rollout, domainMonitor, siteDomains });
  const tenants = new TenantsService({
    database,
    projects,
    health,
    rollout,
    domainMonitor,
    domainReports,
    siteDomains,
  });
  const subdomainHealth = new SubdomainHealth(database);
  const tenantHealth = new TenantHealth(database, projects, health);
  return {
    projects,
    subdomains,
    subdomainHealth,
    tenants,
    tenantHealth,
    domainReports,
    siteDomains,
    health,
    recorders,
    jobs: [
      new LeasedJob({ database, log, name: 'domains', run: () => domainMonitor.checkDue() }),
      ...createJobs([subdomainHealth, tenantHealth]),
    ],
  };
}
