import type { AccountsService } from '../features/accounts/accounts.service';
import { LoginLimits } from '../features/accounts/logins/login-limits';
import { siteDomainEndpoints } from '../features/domains/site-domains.routes';
import { hostPolicyEndpoints } from '../features/host-policies/host-policies.routes';
import { HostPoliciesService } from '../features/host-policies/host-policies.service';
import { HostTestService } from '../features/host-policies/host-test.service';
import { createSiteAccessRouter } from '../features/host-policies/site-access.routes';
import { SiteAccessService } from '../features/host-policies/site-access.service';
import { createTrialPolicy } from '../features/host-policies/trial-policy';
import type { RolloutService } from '../features/rollout/rollout.service';
import { ContentExchange } from '../features/sites/content/content-exchange';
import { ContentStore } from '../features/sites/content/content-store';
import { GarbageCollection } from '../features/sites/content/garbage-collection';
import { PublicationsService } from '../features/sites/publications.service';
import { siteEndpoints } from '../features/sites/sites.routes';
import { SitesService } from '../features/sites/sites.service';
import { UploadsService } from '../features/sites/uploads.service';
import { LeasedJob } from '../platform/jobs/leased-job';
import type { AppContext } from './app-context';
import { createRoutingTableReader } from './config-loader';
import type { SiteOwners } from './site-owners';

interface SitesOptions extends AppContext {
  rollout: RolloutService;
  siteOwners: SiteOwners;
  accounts: AccountsService;
}

/** Composes versions of sites with their content, their domains, and the rules of their hosts. */
export function createSites({ config, database, machineId, rollout, siteOwners, accounts, log }: SitesOptions) {
  const { subdomains, projects, tenants, siteDomains } = siteOwners;
  const owners = { subdomain: subdomains.siteOwner, project: projects.siteOwner, tenant: tenants.siteOwner };
  const store = new ContentStore(config.DATA_DIR);
  const exchange = new ContentExchange(database, store, machineId, log);
  const previewOrigin = { sitesDomain: config.SITES_DOMAIN, publicUrl: config.PUBLIC_URL, port: config.PORT };
  const options = { database, rollout, owners, store, exchange, previewOrigin };
  const sites = new SitesService(options);
  const publications = new PublicationsService({ ...options, dataDir: config.DATA_DIR });
  const uploads = new UploadsService(database, sites, publications, accounts);
  const siteAccess = new SiteAccessService(database, new LoginLimits(database), config);
  const hostTests = new HostTestService({
    // Decisions about requests to sites depend on these entities.
    loadRoutingTable: createRoutingTableReader(database, config, ['project', 'tenant', 'subdomain', 'version']),
    findManifest: (id) => sites.findManifest(id),
    isCorrectPassword: (attempt) => siteAccess.isCorrectPassword(attempt),
    createTrialPolicy: (site, rules) => createTrialPolicy(database.read, site, rules),
    findTenantIds: (ids) => tenants.findIdsInProjects(ids),
  });
  const garbageCollection = new GarbageCollection(database, store, owners);
  const jobOptions = { database, log, withoutLease: true };
  return {
    content: store,
    jobs: [
      new LeasedJob({
        ...jobOptions,
        name: 'presence',
        run: () => exchange.reportPresence(),
        onStop: () => exchange.deregister(),
      }),
      new LeasedJob({
        ...jobOptions,
        name: 'content',
        run: () => exchange.pullDue(),
        onAcquire: () => exchange.verifyHeldVersions(),
      }),
      new LeasedJob({ ...jobOptions, name: 'garbage-collection', run: (signal) => garbageCollection.runDue(signal) }),
    ],
    router: createSiteAccessRouter(siteAccess),
    endpoints: [
      ...siteEndpoints({ sites, publications, uploads }),
      ...siteDomainEndpoints(sites, siteDomains),
      ...hostPolicyEndpoints(sites, new HostPoliciesService(database, config.SITES_DOMAIN), hostTests),
    ],
  };
}
