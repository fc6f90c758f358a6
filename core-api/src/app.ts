import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { accountEndpoints } from './accounts/accounts.routes';
import { AccountsService } from './accounts/accounts.service';
import { createLoginThrottle } from './accounts/login-throttle';
import { createTokens } from './accounts/tokens';
import type { Config } from './config';
import { type Channel, channels } from './contact/contact.entity';
import { contactMessages } from './contact/contact.messages';
import { contactEndpoints } from './contact/contact.routes';
import { ContactService } from './contact/contact.service';
import type { Deliver } from './contact/delivery-worker';
import { createEmail } from './contact/email';
import { Outbox } from './contact/outbox';
import { createTelegram } from './contact/telegram';
import type { Database } from './database/source';
import { keyEndpoints } from './gateway/keys/keys.routes';
import { KeysService } from './gateway/keys/keys.service';
import { manifestEndpoints } from './gateway/manifest/manifest.routes';
import { ManifestService } from './gateway/manifest/manifest.service';
import { routeEndpoints } from './gateway/routes/routes.routes';
import { RoutesService } from './gateway/routes/routes.service';
import { serviceEndpoints } from './gateway/services/services.routes';
import { ServicesService } from './gateway/services/services.service';
import { usageEndpoints } from './gateway/usage/usage.routes';
import { UsageService } from './gateway/usage/usage.service';
import { bearerAuthentication } from './http/authentication';
import { docs } from './http/docs';
import type { Endpoint } from './http/endpoint';
import { errorHandler, RuleError } from './http/errors';
import { operations } from './http/health';
import { httpMessages } from './http/http.messages';
import { openApiDocument } from './http/openapi';
import { createRouter, readOnly } from './http/router';
import { projectEndpoints } from './projects/projects.routes';
import { ProjectsService } from './projects/projects.service';
import type { Secrets } from './secrets';
import { settingsEndpoints } from './settings/settings.routes';
import { SettingsService } from './settings/settings.service';
import { subdomainEndpoints } from './subdomains/subdomains.routes';
import { SubdomainsService } from './subdomains/subdomains.service';
import { createModel } from './suggestions/model';
import { suggestionEndpoints } from './suggestions/suggestions.routes';
import { SuggestionsService } from './suggestions/suggestions.service';
import { tenantEndpoints } from './tenants/tenants.routes';
import { TenantsService } from './tenants/tenants.service';

export interface AppOptions {
  config: Config;
  secrets: Secrets;
  database: Database;
  log: Logger;
  /** True once the process has been told to stop. */
  isStopping?: () => boolean;
}

export interface App {
  handler: Express;
  endpoints: readonly Endpoint[];
  accounts: AccountsService;
  outbox: Outbox;
}

const BODY_LIMIT = '100kb';

/** `application/json` in UTF-8 is the only body there is (contract §2). */
const jsonOnly: RequestHandler = (request, _response, next) => {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  const charset = /charset="?([^";\s]+)/i.exec(request.get('content-type') ?? '')?.[1] ?? 'utf-8';
  if (hasBody && !(request.is('application/json') && /^utf-?8$/i.test(charset))) {
    throw Object.assign(new Error('content type'), { type: 'charset.unsupported' });
  }
  next();
};

/** Composes without I/O: nothing connects before the database is opened. */
export function createApp({ config, secrets, database, log, isStopping = () => false }: AppOptions): App {
  const targetRules = { ownPorts: config.OWN_PORTS, staticRoots: config.STATIC_ROOTS };
  const accounts = new AccountsService(database, createTokens(secrets.jwt, config.JWT_TTL), createLoginThrottle());
  const telegram = createTelegram(config.TELEGRAM_API_URL);
  const settings = new SettingsService(database, secrets.settings, telegram);
  const sendEmail = createEmail(config);
  const deliverTo: Record<Channel, () => Promise<Deliver | undefined>> = {
    async telegram() {
      const { telegramBotToken: botToken, telegramChatId: chatId } = await settings.get();
      if (!botToken || !chatId) return undefined;
      return (message, progress) => telegram.send({ botToken, chatId, text: contactMessages.text(message) }, progress);
    },
    email: async () => sendEmail,
  };
  const outbox = new Outbox(database, (channel) => deliverTo[channel](), log);
  const configured = async () => {
    const delivers = await Promise.all(
      // A channel that cannot even be looked up is for the outbox to report: the message is stored all the same.
      channels.map(async (channel) => ((await deliverTo[channel]().catch(() => true)) ? [channel] : [])),
    );
    return delivers.flat();
  };
  const contact = new ContactService(database, configured, outbox.wake);
  const services = new ServicesService(database, config.OWN_PORTS);
  const endpoints = [
    ...accountEndpoints(accounts),
    ...subdomainEndpoints(new SubdomainsService(database, targetRules)),
    ...suggestionEndpoints(new SuggestionsService(database, createModel(config), log)),
    ...projectEndpoints(new ProjectsService(database, targetRules)),
    ...tenantEndpoints(new TenantsService(database, { baseDomain: config.BASE_DOMAIN, serverIp: config.SERVER_IP })),
    ...settingsEndpoints(settings),
    ...contactEndpoints(contact),
    ...serviceEndpoints(services),
    ...manifestEndpoints(new ManifestService(services)),
    ...routeEndpoints(new RoutesService(database)),
    ...keyEndpoints(new KeysService(database)),
    ...usageEndpoints(new UsageService(database)),
  ];

  const handler = express();
  handler.disable('x-powered-by');
  handler.set('etag', false);
  handler.set('trust proxy', ['loopback', ...config.TRUSTED_PROXIES]);
  handler.use(helmet());
  handler.use((request, response, next) => {
    response.locals.requestId = request.get('x-request-id') ?? randomUUID();
    response.locals.clientAddress = request.ip ?? '';
    response.set('X-Request-Id', response.locals.requestId);
    next();
  });
  handler.use(operations(database, isStopping));
  handler.use(['/api/docs', '/api/openapi.json'], readOnly);
  handler.use('/api/docs', docs());
  const document = openApiDocument(endpoints);
  handler.get('/api/openapi.json', (_request, response) => void response.json(document));
  handler.use(
    '/api',
    jsonOnly,
    express.json({ limit: BODY_LIMIT, strict: false }),
    createRouter(endpoints, bearerAuthentication(accounts)),
  );
  handler.use(() => {
    throw new RuleError('notFound', httpMessages.notFound);
  });
  handler.use(errorHandler(log));
  return { handler, endpoints, accounts, outbox };
}
