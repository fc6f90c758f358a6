import { toPrincipal } from '../features/accounts/accounts.service';
import { auditEndpoints } from '../features/audit/audit.routes';
import { AuditService } from '../features/audit/audit.service';
import { integrationEndpoints } from '../features/integrations/integrations.routes';
import { IntegrationsService } from '../features/integrations/integrations.service';
import { overviewEndpoints } from '../features/overview/overview.routes';
import { OverviewService } from '../features/overview/overview.service';
import { projectEndpoints } from '../features/projects/projects.routes';
import { RolloutService } from '../features/rollout/rollout.service';
import { settingsEndpoints } from '../features/settings/settings.routes';
import { SettingsService } from '../features/settings/settings.service';
import { staticFolderEndpoints } from '../features/static-folders/static-folders.routes';
import { StaticFoldersService } from '../features/static-folders/static-folders.service';
import { subdomainEndpoints } from '../features/subdomains/subdomains.routes';
import { createModel } from '../features/suggestions/model';
import { suggestionEndpoints } from '../features/suggestions/suggestions.routes';
import { SuggestionsService } from '../features/suggestions/suggestions.service';
import { uptimeEndpoints } from '../features/target-health/uptime.routes';
import { UptimeService } from '../features/target-health/uptime.service';
import { tenantEndpoints } from '../features/tenants/tenants.routes';
import { createServer } from '../platform/http/server';
import { createTelegram } from '../platform/telegram/telegram';
import type { Tracing } from '../platform/tracing/tracing';
import { createAccess } from './access';
import { createAlerts } from './alerts';
import type { AppContext } from './app-context';
import { createBackups } from './backups';
import { createContact } from './contact';
import { createEdgeReportsRouter } from './edge-reports';
import { createGateway } from './gateway';
import { createInstallationMetrics } from './installation-metrics';
import { createSiteOwners } from './site-owners';
import { createSites } from './sites';

interface AppOptions extends AppContext {
  /** Number of dropped log lines since the start; default 0. */
  countDroppedLines?: () => number;
  /** Missing if no collector is configured. */
  tracing?: Tracing;
  /** True once a stop has been requested. */
  isStopping?: () => boolean;
}

/** Creates the services of all features, with their endpoints and background jobs. */
function createFeatures(context: AppContext) {
  const { config, secrets, database, log } = context;
  const access = createAccess(context);
  const { accounts, firstPassword, tokens } = access;
  const telegram = createTelegram(config.TELEGRAM_API_URL);
  const settings = new SettingsService(database, secrets.settings, telegram);
  const contactForm = createContact(context, telegram, settings);
  const rollout = new RolloutService(database);
  const siteOwners = createSiteOwners(context, rollout);
  const { projects, subdomains, subdomainHealth, tenants, tenantHealth } = siteOwners;
  const gateway = createGateway(context, (nameOrId) => subdomains.findId(nameOrId));
  const sites = createSites({
    ...context,
    rollout,
    siteOwners,
    findUploader: async (manager, id) => {
      const account = await accounts.findById(id, manager);
      return account ? toPrincipal(account) : undefined;
    },
  });
  const backups = createBackups(context);
  const alerting = createAlerts({
    ...context,
    telegram,
    settings,
    siteOwners,
    gateway,
    tokens,
    findBackupConditions: backups.findConditions,
  });
  const { alerts, silences } = alerting;
  const uptime = new UptimeService({
    database,
    timeZone: config.TIME_ZONE,
    recorders: siteOwners.recorders,
    findSubjects: (type, keys, limit) =>
      (type === 'tenant' ? tenantHealth : subdomainHealth).findUptimeSubjects(keys, limit),
    createMaintenanceLookup: (interval) => silences.createMaintenanceLookup(interval),
  });
  const suggestions = new SuggestionsService(database, createModel(config), log);
  const { contact } = contactForm;
  const { requests } = gateway;
  const overview = new OverviewService({ ...siteOwners, tokens, requests, contact, settings, alerts });
  const endpoints = [
    ...access.endpoints,
    ...subdomainEndpoints(subdomains),
    ...staticFolderEndpoints(new StaticFoldersService(config.STATIC_RULES)),
    ...sites.endpoints,
    ...suggestionEndpoints(suggestions),
    ...projectEndpoints(projects),
    ...tenantEndpoints(tenants),
    ...settingsEndpoints(settings),
    ...integrationEndpoints(new IntegrationsService({ email: contactForm.email, ai: suggestions })),
    ...uptimeEndpoints(uptime),
    ...alerting.endpoints,
    ...backups.endpoints,
    ...overviewEndpoints(overview),
    ...contactForm.endpoints,
    ...gateway.endpoints,
    ...auditEndpoints(new AuditService(database)),
  ];
  const outboxes = [contactForm.outbox, alerting.outbox];
  const jobs = [...siteOwners.jobs, ...alerting.jobs, ...sites.jobs, backups.job];
  const { content, garbageCollection, router } = sites;
  const { accessControl } = access;
  return { accessControl, endpoints, router, accounts, firstPassword, content, garbageCollection, outboxes, jobs };
}

/** Composes the application without I/O. Connections are opened later, with the database. */
export function createApp({ countDroppedLines = () => 0, tracing, isStopping = () => false, ...context }: AppOptions) {
  const { config, database, log } = context;
  const { accessControl, router, ...features } = createFeatures(context);
  const handler = createServer({
    endpoints: features.endpoints,
    accessControl,
    database,
    isStopping,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    metricsToken: config.EDGE_ADMIN_TOKEN,
    edgeReports: config.DATABASE_URL === undefined ? createEdgeReportsRouter(config, database) : undefined,
    routers: [router],
    tracing,
    log,
    countDroppedLines,
    metrics: [...database.metrics, ...createInstallationMetrics(database)],
  });
  return { handler, ...features };
}
