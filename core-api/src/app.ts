import type { Express } from 'express';
import type { Logger } from 'pino';
import { AccountCache } from './accounts/account-cache';
import { accountEndpoints } from './accounts/accounts.routes';
import { AccountsService } from './accounts/accounts.service';
import { administratorEndpoints } from './accounts/administrators.routes';
import { AdministratorsService } from './accounts/administrators.service';
import { FirstPassword } from './accounts/first-password';
import { LoginLimits } from './accounts/login-limits';
import { SecondFactor } from './accounts/second-factor';
import { SessionsService } from './accounts/sessions.service';
import { createTokens } from './accounts/tokens';
import { auditEndpoints } from './audit/audit.routes';
import { AuditService } from './audit/audit.service';
import type { Config } from './config';
import { currentRevision } from './configuration/configuration.service';
import { updateSince } from './configured-rows';
import { configuredChannels } from './contact/channels';
import { contactEndpoints } from './contact/contact.routes';
import { ContactService } from './contact/contact.service';
import { createEmailChannel } from './contact/email-channel';
import { Outbox } from './contact/outbox';
import { createTelegramChannel } from './contact/telegram-channel';
import type { Database } from './database/source';
import { DomainsService } from './domains/domains.service';
import { dryRunEndpoints } from './gateway/dry-run/dry-run.routes';
import { DryRunService } from './gateway/dry-run/dry-run.service';
import { keyEndpoints } from './gateway/keys/keys.routes';
import { countKeys, KeysService } from './gateway/keys/keys.service';
import { manifestEndpoints } from './gateway/manifest/manifest.routes';
import { ManifestService } from './gateway/manifest/manifest.service';
import { RequestLogService } from './gateway/requests/request-log.service';
import { requestEndpoints } from './gateway/requests/requests.routes';
import { renameOrigins } from './gateway/routes/rename-origins';
import { routeEndpoints } from './gateway/routes/routes.routes';
import { RoutesService, routePermissions } from './gateway/routes/routes.service';
import { serviceEndpoints } from './gateway/services/services.routes';
import { ServicesService } from './gateway/services/services.service';
import { metricsEndpoints } from './gateway/usage/metrics.routes';
import { MetricsService } from './gateway/usage/metrics.service';
import { usageEndpoints } from './gateway/usage/usage.routes';
import { UsageService } from './gateway/usage/usage.service';
import { HealthService } from './health/health.service';
import { HealthSchedule } from './health/health-schedule';
import { bearerAuthentication } from './http/authentication';
import type { Endpoint } from './http/endpoint';
import { createServer } from './http/server';
import { integrationEndpoints } from './integrations/integrations.routes';
import { IntegrationsService } from './integrations/integrations.service';
import { LiveService } from './live/live.service';
import { Monitor } from './monitoring/monitor';
import { overviewEndpoints } from './overview/overview.routes';
import { OverviewService } from './overview/overview.service';
import { projectEndpoints } from './projects/projects.routes';
import { ProjectsService } from './projects/projects.service';
import type { Secrets } from './secrets/secrets';
import { settingsEndpoints } from './settings/settings.routes';
import { SettingsService } from './settings/settings.service';
import { subdomainEndpoints } from './subdomains/subdomains.routes';
import { SubdomainsService } from './subdomains/subdomains.service';
import { createModel } from './suggestions/model';
import { suggestionEndpoints } from './suggestions/suggestions.routes';
import { SuggestionsService } from './suggestions/suggestions.service';
import { createTelegram } from './telegram/telegram';
import { tenantEndpoints } from './tenants/tenants.routes';
import { countTenants, TenantsService } from './tenants/tenants.service';
import type { Tracing } from './tracing/tracing';

export interface AppOptions {
  config: Config;
  secrets: Secrets;
  database: Database;
  log: Logger;
  /** Missing where no collector is configured. */
  tracing?: Tracing;
  /** True once a stop has been requested. */
  isStopping?: () => boolean;
}

export interface App {
  handler: Express;
  endpoints: readonly Endpoint[];
  accounts: AccountsService;
  firstPassword: FirstPassword;
  outbox: Outbox;
  /** Periodic checks that run in the background. */
  monitors: readonly Monitor[];
}

/** Composes without I/O: nothing connects before the database is opened. */
export function createApp({ config, secrets, database, log, tracing, isStopping = () => false }: AppOptions): App {
  const targetRules = { ownPorts: config.OWN_PORTS, staticRules: config.STATIC_RULES };
  const firstPassword = new FirstPassword(config.DATA_DIR);
  const accountCache = new AccountCache(database);
  const accounts = new AccountsService(database, firstPassword, accountCache.clear);
  const tokens = createTokens(secrets.jwt, config.JWT_TTL);
  const limits = new LoginLimits(database);
  const secondFactor = new SecondFactor(database, secrets.settings, config.BRAND_NAME);
  const sessions = new SessionsService({
    database,
    accounts,
    accountCache,
    limits,
    secondFactor,
    firstPassword,
    tokens,
  });
  const administrators = new AdministratorsService({ database, accounts, limits, onChange: accountCache.clear });
  const telegram = createTelegram(config.TELEGRAM_API_URL);
  const settings = new SettingsService(database, secrets.settings, telegram);
  const email = createEmailChannel(config);
  const contactChannels = {
    telegram: createTelegramChannel(telegram, () => settings.telegramChat()),
    email,
  };
  const outbox = new Outbox(database, contactChannels, log);
  const contact = new ContactService(database, () => configuredChannels(contactChannels), outbox.wake);
  const keys = new KeysService(database);
  const services = new ServicesService(database, config.OWN_PORTS, { renameOrigins, routePermissions, countKeys });
  const routes = new RoutesService(database);
  const dryRun = new DryRunService({
    database,
    installation: config,
    updateSince,
    findRoute: (id) => routes.find(id),
    findKey: (id) => keys.find(id),
  });
  const metrics = new MetricsService({
    database,
    names: { service: () => services.names(), route: (ids) => routes.names(ids), key: () => keys.names() },
  });
  const projects = new ProjectsService(database, targetRules, countTenants);
  const health = new HealthService(database, targetRules);
  const live = new LiveService(database);
  const domains = new DomainsService(database, {
    serverIps: config.SERVER_IP,
    dnsServers: config.DNS_SERVERS,
    tlsCheckAddress: config.TLS_CHECK_ADDRESS,
  });
  const subdomains = new SubdomainsService(database, targetRules, health, live);
  const tenants = new TenantsService(database, projects, config.BASE_DOMAIN, domains, health, live);
  const healthSchedule = new HealthSchedule(
    health,
    config.HEALTH_INTERVAL_S * 1000,
    () => currentRevision(database.read),
    async () => [...(await subdomains.probeTargets()), ...(await tenants.probeTargets())],
  );
  const monitors = [
    new Monitor(database, 'domains', domains.checkDue, log),
    ...(config.HEALTH_INTERVAL_S > 0 ? [new Monitor(database, 'health', healthSchedule.checkDue, log)] : []),
  ];
  const requests = new RequestLogService(database);
  const suggestions = new SuggestionsService(database, createModel(config), log);
  const overview = new OverviewService({ subdomains, projects, tenants, domains, requests, contact, settings });
  const endpoints = [
    ...accountEndpoints(sessions, secondFactor),
    ...administratorEndpoints(administrators),
    ...subdomainEndpoints(subdomains),
    ...suggestionEndpoints(suggestions),
    ...projectEndpoints(projects),
    ...tenantEndpoints(tenants),
    ...settingsEndpoints(settings),
    ...integrationEndpoints(new IntegrationsService({ email, ai: suggestions })),
    ...overviewEndpoints(overview),
    ...contactEndpoints(contact),
    ...serviceEndpoints(services),
    ...manifestEndpoints(new ManifestService(services, config.OWN_PORTS)),
    ...routeEndpoints(routes),
    ...dryRunEndpoints(dryRun),
    ...keyEndpoints(keys),
    ...requestEndpoints(requests),
    ...auditEndpoints(new AuditService(database)),
    ...metricsEndpoints(metrics),
    ...usageEndpoints(new UsageService(database, keys)),
  ];

  const handler = createServer({
    endpoints,
    authenticate: bearerAuthentication((token) => sessions.ofToken(token)),
    database,
    isStopping,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    metricsToken: config.EDGE_ADMIN_TOKEN,
    tracing,
    log,
  });
  return { handler, endpoints, accounts, firstPassword, outbox, monitors };
}
