import type { SilencesService } from '../features/alerts/silences/silences.service';
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
import { uptimeEndpoints } from '../features/target-health/uptime/uptime.routes';
import { UptimeService } from '../features/target-health/uptime/uptime.service';
import { tenantEndpoints } from '../features/tenants/tenants.routes';
import { createServer } from '../platform/http/server';
import { createRetentionJob } from '../platform/retention/retention';
import { Telegram } from '../platform/telegram/telegram';
import type { Tracing } from '../platform/tracing/tracing';
import { createAccess } from './access';
import { createAlerts } from './alerts';
import type { AppContext } from './app-context';
import { createBackups } from './backups';
import { createContact } from './contact';
import { createEdgeReportsRouter } from './edge-reports.routes';
import { createGateway } from './gateway';
import { createInstallationMetrics } from './installation-metrics';
import { createRetentionRules } from './retention-rules';
import { createSiteOwners, type SiteOwners } from './site-owners';
import { createSites } from './sites';

interface AppOptions extends AppContext {
  /** Returns the number of dropped log lines since the start; default 0. */
  countDroppedLines?: () => number;
  /** Missing if no collector is configured. */
  tracing?: Tracing;
  /** True once a stop has been requested. */
  isStopping?: () => boolean;
}

/** Creates the services of all features, with their background jobs. */
function createFeatures(context: AppContext) {
  const { config, secrets, database, log } = context;
  const access = createAccess(context);
  const { accounts, tokens } = access;
  const telegram = new Telegram(config.TELEGRAM_API_URL);
  const settings = new SettingsService(database, secrets.settings, telegram);
  const contactForm = createContact(context, telegram, settings);
  const rollout = new RolloutService(database);
  const siteOwners = createSiteOwners(context, rollout);
  const gateway = createGateway(context, siteOwners.subdomains);
  const sites = createSites({ ...context, rollout, siteOwners, accounts });
  const backups = createBackups(context);
  const alerting = createAlerts({ ...context, telegram, settings, siteOwners, gateway, tokens, backups });
  const suggestions = new SuggestionsService(database, createModel(config), log);
  const { contact } = contactForm;
  const { requests } = gateway;
  const { alerts } = alerting;
  const overview = new OverviewService({ ...siteOwners, tokens, requests, contact, settings, alerts });
  return { access, settings, contactForm, siteOwners, gateway, sites, backups, alerting, suggestions, overview };
}

function createUptime({ config, database }: AppContext, siteOwners: SiteOwners, silences: SilencesService) {
  const { recorders, subdomainHealth, tenantHealth } = siteOwners;
  return new UptimeService({
    database,
    timeZone: config.TIME_ZONE,
    recorders,
    findSubjects: (type, names, projectLimit) =>
      (type === 'tenant' ? tenantHealth : subdomainHealth).findUptimeSubjects(names, projectLimit),
    createMaintenanceLookup: (interval) => silences.createMaintenanceLookup(interval),
  });
}

/** Lists the endpoints in the order of the OpenAPI document. */
function listEndpoints(context: AppContext, features: ReturnType<typeof createFeatures>) {
  const { config, database } = context;
  const { siteOwners, contactForm, alerting, suggestions } = features;
  return [
    ...features.access.endpoints,
    ...subdomainEndpoints(siteOwners.subdomains),
    ...staticFolderEndpoints(new StaticFoldersService(config.STATIC_RULES)),
    ...features.sites.endpoints,
    ...suggestionEndpoints(suggestions),
    ...projectEndpoints(siteOwners.projects),
    ...tenantEndpoints(siteOwners.tenants),
    ...settingsEndpoints(features.settings),
    ...integrationEndpoints(new IntegrationsService({ email: contactForm.email, ai: suggestions })),
    ...uptimeEndpoints(createUptime(context, siteOwners, alerting.silences)),
    ...alerting.endpoints,
    ...features.backups.endpoints,
    ...overviewEndpoints(features.overview),
    ...contactForm.endpoints,
    ...features.gateway.endpoints,
    ...auditEndpoints(new AuditService(database)),
  ];
}

/** Composes the application. Connections are opened later, with the database. On SQLite, `edge.token` is created. */
export function createApp({ countDroppedLines = () => 0, tracing, isStopping = () => false, ...context }: AppOptions) {
  const { config, database, log } = context;
  const features = createFeatures(context);
  const { access, contactForm, siteOwners, alerting, sites, backups } = features;
  const endpoints = listEndpoints(context, features);
  const handler = createServer({
    endpoints,
    accessControl: access.accessControl,
    database,
    isStopping,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    metricsToken: config.EDGE_ADMIN_TOKEN,
    edgeReports: config.DATABASE_URL === undefined ? createEdgeReportsRouter(config, database) : undefined,
    routers: [sites.router],
    tracing,
    log,
    countDroppedLines,
    metrics: [...database.metrics, ...createInstallationMetrics(database)],
  });
  const { accounts, firstPassword } = access;
  const outboxes = [contactForm.outbox, alerting.outbox];
  const retention = createRetentionJob(database, createRetentionRules(config), log);
  const jobs = [...siteOwners.jobs, ...alerting.jobs, ...sites.jobs, backups.job, retention];
  return { handler, endpoints, accounts, firstPassword, content: sites.content, outboxes, jobs };
}
