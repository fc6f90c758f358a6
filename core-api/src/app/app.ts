import type { Express } from 'express';
import { type AccountsService, principalOf } from '../features/accounts/accounts.service';
import type { FirstPassword } from '../features/accounts/first-password';
import { auditEndpoints } from '../features/audit/audit.routes';
import { AuditService } from '../features/audit/audit.service';
import { channelNames } from '../features/contact/contact.entity';
import { contactEndpoints } from '../features/contact/contact.routes';
import { ContactService } from '../features/contact/contact.service';
import {
  configuredChannels,
  contactDeliveries,
  createEmailChannel,
  createTelegramChannel,
} from '../features/contact/contact-channels';
import { integrationEndpoints } from '../features/integrations/integrations.routes';
import { IntegrationsService } from '../features/integrations/integrations.service';
import { overviewEndpoints } from '../features/overview/overview.routes';
import { OverviewService } from '../features/overview/overview.service';
import { projectEndpoints } from '../features/projects/projects.routes';
import { ProjectsService } from '../features/projects/projects.service';
import { RolloutService } from '../features/rollout/rollout.service';
import { settingsEndpoints } from '../features/settings/settings.routes';
import { SettingsService } from '../features/settings/settings.service';
import { ContentFolder } from '../features/sites/content/content-folder';
import { isVersionComplete } from '../features/sites/content/content-parts';
import type { GarbageCollection } from '../features/sites/content/garbage-collection';
import { staticFolderEndpoints } from '../features/static-folders/static-folders.routes';
import { StaticFoldersService } from '../features/static-folders/static-folders.service';
import { SubdomainHealth } from '../features/subdomains/subdomain-health';
import { subdomainEndpoints } from '../features/subdomains/subdomains.routes';
import { SubdomainsService } from '../features/subdomains/subdomains.service';
import { createModel } from '../features/suggestions/model';
import { suggestionEndpoints } from '../features/suggestions/suggestions.routes';
import { SuggestionsService } from '../features/suggestions/suggestions.service';
import { uptimeEndpoints } from '../features/target-health/uptime.routes';
import { UptimeService } from '../features/target-health/uptime.service';
import { TenantHealth } from '../features/tenants/tenant-health';
import { tenantEndpoints } from '../features/tenants/tenants.routes';
import { countTenants, TenantsService } from '../features/tenants/tenants.service';
import type { Endpoint } from '../platform/http/endpoint';
import { createServer } from '../platform/http/server';
import { LeasedJob } from '../platform/jobs/leased-job';
import { Outbox } from '../platform/outbox/outbox';
import { OutboxWorker } from '../platform/outbox/outbox-worker';
import { createTelegram } from '../platform/telegram/telegram';
import type { Tracing } from '../platform/tracing/tracing';
import { createAccess } from './access';
import { createAlerts } from './alerts';
import type { AppContext } from './app-context';
import { createBackups } from './backups';
import { createDomains } from './domains';
import { edgeReports } from './edge-reports';
import { createGateway } from './gateway';
import { createHealth } from './health';
import { installationMetrics } from './installation-metrics';
import { createSites } from './sites';

export interface AppOptions extends AppContext {
  /** Number of dropped log lines since the start; default 0. */
  droppedLogLines?: () => number;
  /** Absent if no collector is configured. */
  tracing?: Tracing;
  /** True once a stop has been requested. */
  isStopping?: () => boolean;
}

export interface App {
  handler: Express;
  endpoints: readonly Endpoint[];
  accounts: AccountsService;
  firstPassword: FirstPassword;
  content: ContentFolder;
  garbageCollection: GarbageCollection;
  outboxes: readonly Outbox[];
  jobs: readonly LeasedJob[];
}

/** Composes the application without I/O: nothing connects before the database is opened. */
export function createApp({
  droppedLogLines = () => 0,
  tracing,
  isStopping = () => false,
  ...context
}: AppOptions): App {
  const { config, secrets, database, log } = context;
  const targetRules = {
    ownPorts: config.OWN_PORTS,
    staticRules: config.STATIC_RULES,
    isVersionComplete: (id: string) => isVersionComplete(database.read, new ContentFolder(config.DATA_DIR), id),
  };
  const access = createAccess(context);
  const telegram = createTelegram(config.TELEGRAM_API_URL);
  const settings = new SettingsService(database, secrets.settings, telegram);
  const email = createEmailChannel(config);
  const contactChannels = { telegram: createTelegramChannel(telegram, () => settings.telegramChat()), email };
  const outbox = new Outbox(
    channelNames.map((name) => new OutboxWorker(database, contactDeliveries(database, contactChannels, name), log)),
  );
  const contact = new ContactService(database, () => configuredChannels(contactChannels), outbox.wake);
  const gateway = createGateway(context, (nameOrId) => subdomains.findId(nameOrId));
  const projects = new ProjectsService(database, targetRules, countTenants);
  const { health, recorders, createJobs } = createHealth(context, targetRules);
  const rollout = new RolloutService(database);
  const { domains, siteDomains } = createDomains(context, rollout, {
    subdomain: { find: (manager, key) => subdomains.siteOwner.find(manager, key) },
    tenant: { find: (manager, key) => tenants.siteOwner.find(manager, key) },
  });
  const subdomains = new SubdomainsService({ database, targetRules, health, rollout, domains, siteDomains });
  const tenants = new TenantsService({ database, projects, health, rollout, domains, siteDomains });
  const subdomainHealth = new SubdomainHealth(database);
  const tenantHealth = new TenantHealth(database, projects, health);
  const sites = createSites({
    ...context,
    rollout,
    tenants,
    owners: { subdomain: subdomains.siteOwner, project: projects.siteOwner, tenant: tenants.siteOwner },
    findUploader: async (manager, id) => {
      const account = await access.accounts.findById(id, manager);
      return account ? principalOf(account) : undefined;
    },
    siteDomains,
  });
  const backups = createBackups(context);
  const alerting = createAlerts({
    ...context,
    telegram,
    settings,
    subdomains,
    tenants,
    subdomainHealth,
    tenantHealth,
    domains,
    health,
    keys: gateway.keys,
    routes: gateway.routes,
    tokens: access.tokens,
    requests: gateway.requests,
    backups: backups.conditions,
  });
  const { alertSettings } = alerting;
  const uptime = new UptimeService({
    database,
    timeZone: config.TIME_ZONE,
    recorders,
    findSubjects: (type, keys, limit) =>
      (type === 'tenant' ? tenantHealth : subdomainHealth).uptimeSubjects(keys, limit),
    readMaintenance: (interval) => alertSettings.readMaintenance(interval),
  });
  const jobs = [
    new LeasedJob(database, 'domains', domains.checkDue, log),
    ...createJobs([subdomainHealth, tenantHealth]),
    ...alerting.jobs,
    ...sites.jobs,
    backups.job,
  ];
  const suggestions = new SuggestionsService(database, createModel(config), log);
  const overview = new OverviewService({
    tokens: access.tokens,
    subdomains,
    projects,
    tenants,
    subdomainHealth,
    tenantHealth,
    domains,
    requests: gateway.requests,
    contact,
    settings,
    alerts: alerting.alerts,
  });
  const endpoints = [
    ...access.endpoints,
    ...subdomainEndpoints(subdomains),
    ...staticFolderEndpoints(new StaticFoldersService(config.STATIC_RULES)),
    ...sites.endpoints,
    ...suggestionEndpoints(suggestions),
    ...projectEndpoints(projects),
    ...tenantEndpoints(tenants),
    ...settingsEndpoints(settings),
    ...integrationEndpoints(new IntegrationsService({ email, ai: suggestions })),
    ...uptimeEndpoints(uptime),
    ...alerting.endpoints,
    ...backups.endpoints,
    ...overviewEndpoints(overview),
    ...contactEndpoints(contact),
    ...gateway.endpoints,
    ...auditEndpoints(new AuditService(database)),
  ];

  const handler = createServer({
    endpoints,
    accessControl: access.accessControl,
    database,
    isStopping,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    metricsToken: config.EDGE_ADMIN_TOKEN,
    edgeReports: config.DATABASE_URL === undefined ? edgeReports(config, database) : undefined,
    routers: [sites.router],
    tracing,
    log,
    droppedLogLines,
    metrics: [...database.metrics, ...installationMetrics(database)],
  });
  const { accounts, firstPassword } = access;
  return {
    handler,
    endpoints,
    accounts,
    firstPassword,
    content: sites.content,
    garbageCollection: sites.garbageCollection,
    outboxes: [outbox, alerting.outbox],
    jobs,
  };
}
