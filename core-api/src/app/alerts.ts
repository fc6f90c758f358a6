import { Machine } from '../features/alerts/alert.entity';
import { AlertRule, channelTypes } from '../features/alerts/alert-settings.entity';
import { alertEndpoints } from '../features/alerts/alerts.routes';
import type { SubjectReference } from '../features/alerts/alerts.schema';
import { AlertsService } from '../features/alerts/alerts.service';
import { alertChannelEndpoints } from '../features/alerts/channels/alert-channels.routes';
import { AlertChannelsService } from '../features/alerts/channels/alert-channels.service';
import { ChannelSender } from '../features/alerts/channels/channel-sender';
import { AlertEngine } from '../features/alerts/conditions/alert-engine';
import { AlertJob } from '../features/alerts/conditions/alert-job';
import type { AlertSources } from '../features/alerts/conditions/detectors';
import { createAlertDeliveries } from '../features/alerts/delivery/alert-deliveries';
import { NotificationPlanner } from '../features/alerts/delivery/notification-planner';
import { createHeartbeat, MachineReporter } from '../features/alerts/machine-reporter';
import { alertRuleEndpoints } from '../features/alerts/rules/alert-rules.routes';
import { AlertRulesService } from '../features/alerts/rules/alert-rules.service';
import { silenceEndpoints } from '../features/alerts/silences/silences.routes';
import { SilencesService } from '../features/alerts/silences/silences.service';
import type { SettingsService } from '../features/settings';
import type { TokensService } from '../features/tokens';
import type { Config } from '../platform/config/config';
import { LeasedJob } from '../platform/jobs/leased-job';
import { Outbox } from '../platform/outbox/outbox';
import { OutboxWorker } from '../platform/outbox/outbox-worker';
import type { Telegram } from '../platform/telegram/telegram';
import type { AppContext } from './app-context';
import type { Gateway } from './gateway';
import type { SiteOwners } from './site-owners';

/** A TLS handshake for this label below the sites' domain shows the wildcard certificate. */
const WILDCARD_LABEL = 'certificado';

/**
 * Returns the interval of this machine's reports. It is short if other machines (PostgreSQL only) or the heartbeat
 * depend on the reports.
 */
const getReportIntervalMs = ({ DATABASE_URL, HEARTBEAT_URL }: Config): number =>
  DATABASE_URL === undefined && HEARTBEAT_URL === undefined ? 15 * 60_000 : 30_000;

interface AlertOptions extends AppContext {
  telegram: Telegram;
  settings: SettingsService;
  siteOwners: SiteOwners;
  gateway: Gateway;
  tokens: TokensService;
  backups: { findConditions: AlertSources['findBackupConditions'] };
}

export function createAlerts(options: AlertOptions) {
  const { config, secrets, database, machineId, log, telegram, settings } = options;
  const sender = new ChannelSender(config, telegram, () => settings.findTelegramChat(), secrets.settings);
  const outbox = new Outbox(
    channelTypes.map(
      (type) => new OutboxWorker(database, createAlertDeliveries(database, sender, type, config.TIME_ZONE), log),
    ),
  );
  const findSubject = createSubjectFinder(options);
  const rules = new AlertRulesService(database, findSubject);
  const silences = new SilencesService(database, findSubject, config.TIME_ZONE);
  const job = new AlertJob({
    database,
    machineId,
    engine: new AlertEngine(database),
    planner: new NotificationPlanner(database, config.TIME_ZONE),
    sources: createAlertSources(options),
    log,
    onMessage: outbox.wake,
  });
  const reporter = new MachineReporter({
    database,
    machineId,
    intervalMs: getReportIntervalMs(config),
    dataDir: config.DATA_DIR,
    certificateNames: [config.BASE_DOMAIN, `${WILDCARD_LABEL}.${config.SITES_DOMAIN}`],
    tlsCheckAddress: config.TLS_CHECK_ADDRESS,
    sendHeartbeat: createHeartbeat(config.HEARTBEAT_URL),
  });
  const checkMachine = async () => {
    const alertRules = await database.read.find(AlertRule);
    job.recordDatabaseAnswer(alertRules); // The database has just answered the read.
    await reporter.report(alertRules);
  };
  const channels = new AlertChannelsService(database, sender, secrets.settings, config.OWN_PORTS);
  const alerts = new AlertsService(database);
  return {
    alerts,
    silences,
    outbox,
    jobs: [
      new LeasedJob({ database, log, name: 'alerts', run: () => job.tick(), onAcquire: () => rules.ensureAll() }),
      new LeasedJob({
        database,
        log,
        name: 'machine',
        withoutLease: true,
        run: checkMachine,
        onStop: () => reporter.deregister(),
      }),
    ],
    endpoints: [
      ...alertEndpoints(alerts),
      ...alertRuleEndpoints(rules),
      ...alertChannelEndpoints(channels),
      ...silenceEndpoints(silences),
    ],
  };
}

/** Gives the detectors access to the state of other features. */
function createAlertSources({ siteOwners, gateway, tokens, backups }: AlertOptions): AlertSources {
  const { subdomains, tenants, subdomainHealth, tenantHealth, domainReports, health } = siteOwners;
  const { keys, routes, requests } = gateway;
  return {
    listHosts: { subdomain: () => subdomainHealth.listCheckedSites(), tenant: () => tenantHealth.listCheckedSites() },
    listDownTargets: () => health.listConfirmedDown(),
    listDomainCandidates: (endsBefore) => domainReports.listAlertCandidates(endsBefore),
    listErrorRates: (column, since) => requests.listErrorRates(column, since),
    findNames: (type, ids) => {
      if (type === 'route') return routes.findNames(ids);
      return type === 'tenant' ? tenants.findNames(ids) : subdomains.findNames(ids);
    },
    findExpiringItems: {
      key: (before, usedSince) => keys.listExpiringInUse(before, usedSince),
      token: (before, usedSince) => tokens.listExpiringInUse(before, usedSince),
    },
    findBackupConditions: backups.findConditions,
  };
}

/** Returns a function that finds the id of an existing subject. A subdomain may also be named by its label. */
function createSubjectFinder({ database, siteOwners, gateway, tokens }: AlertOptions) {
  const { subdomains, tenants } = siteOwners;
  const { keys, routes } = gateway;
  const existsByType: Record<Exclude<SubjectReference['type'], 'subdomain'>, (id: string) => Promise<boolean>> = {
    tenant: async (id) => (await tenants.findNames([id])).has(id),
    route: async (id) => (await routes.findNames([id])).has(id),
    key: async (id) => (await keys.find(id)) !== null,
    token: (id) => tokens.exists(id),
    machine: (_id) => database.read.existsBy(Machine, { _id }),
    installation: async () => true,
  };
  return async ({ type, id }: SubjectReference): Promise<string | undefined> => {
    if (type === 'subdomain') return subdomains.findId(id);
    return (await existsByType[type](id)) ? id : undefined;
  };
}
