import express, { type Express, Router } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Metric } from 'prom-client';
import type { Database } from '../database/database';
import { RuleError } from '../errors/rule-error';
import type { Tracing } from '../tracing/tracing';
import type { AccessControl } from './access/authentication';
import type { Endpoint } from './endpoint';
import { createErrorHandler } from './error-handler';
import { httpMessages } from './http.messages';
import { markUpload, requirePlainJson } from './input/request-body';
import { canReadMetrics, HttpMetrics } from './metrics';
import { createOpenApiDocument } from './openapi/openapi';
import { createSwaggerUiRouter } from './openapi/swagger-ui';
import { assignRequestId, observeRequests } from './request-logging';
import { allowReadsOnly, createRouter } from './router';

/**
 * Creates the routes for monitoring. `/healthz` means that the process runs, `/readyz` that the database answers and no
 * stop was requested. Callers who may not read `/metrics` get the 404 of an unknown path.
 */
function createOperationalRoutes(
  database: Pick<Database, 'isReady'>,
  isStopping: () => boolean,
  { registry }: HttpMetrics,
  metricsToken: string | undefined,
): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => void response.type('text').send('ok\n'));
  router.get('/readyz', async (_request, response) => {
    const isReady = !isStopping() && (await database.isReady());
    response
      .status(isReady ? 200 : 503)
      .type('text')
      .send(isReady ? 'ready\n' : 'not ready\n');
  });
  router.get('/metrics', async (request, response, next) => {
    if (canReadMetrics(request, metricsToken)) response.type(registry.contentType).send(await registry.metrics());
    else next();
  });
  return router;
}

export interface ServerOptions {
  endpoints: readonly Endpoint[];
  accessControl: AccessControl;
  database: Pick<Database, 'isReady'>;
  isStopping: () => boolean;
  /** Public URL of the site, without a trailing slash. */
  publicUrl: string | undefined;
  /** Addresses and CIDR blocks, besides loopback, whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[];
  /** Token with which other machines may read the metrics. */
  metricsToken: string | undefined;
  /** Handles reports of edges that run as a system user who may only read the database. */
  edgeReports: Router | undefined;
  tracing: Tracing | undefined;
  /** Routers outside `/api`, which the edge calls for visitors of sites. */
  routers?: readonly Router[];
  log: Logger;
  countDroppedLines: () => number;
  /** Metrics of other parts of the core. */
  metrics: readonly Metric[];
}

/** Creates the Express application of the core. */
export function createServer(options: ServerOptions): Express {
  const { endpoints, accessControl, database, isStopping, publicUrl, trustedProxies, metricsToken, tracing, log } =
    options;
  const metrics = new HttpMetrics(options.countDroppedLines, options.metrics);
  const server = express();
  server.disable('x-powered-by');
  server.set('etag', false);
  server.set('trust proxy', ['loopback', ...trustedProxies]);
  server.use(assignRequestId);
  // These routers come before helmet, because visitors get their responses and each site decides its headers.
  for (const router of options.routers ?? []) server.use(router);
  server.use(helmet());
  // These routes come before the request log, because probes would add a line every second.
  server.use(createOperationalRoutes(database, isStopping, metrics, metricsToken));
  if (options.edgeReports) server.use(options.edgeReports);
  server.use(observeRequests(log, metrics, tracing));
  server.use(['/api/docs', '/api/openapi.json'], allowReadsOnly);
  server.use('/api/docs', createSwaggerUiRouter());
  // The document without its first brace and `servers`. It is kept as bytes, because serializing it takes long.
  let document: Buffer | undefined;
  // A generated client needs an absolute URL. Without a public URL, the URL of the request is used.
  server.get('/api/openapi.json', (request, response) => {
    document ??= Buffer.from(JSON.stringify({ ...createOpenApiDocument(endpoints), servers: undefined }).slice(1));
    const origin = publicUrl ?? (request.host ? `${request.protocol}://${request.host}` : '');
    const opening = `{"servers":${JSON.stringify([{ url: `${origin}/api` }])},`;
    response.type('json').send(Buffer.concat([Buffer.from(opening), document]));
  });
  for (const { method, path } of endpoints.filter(({ upload }) => upload)) server[method](`/api${path}`, markUpload);
  server.use('/api', requirePlainJson, createRouter(endpoints, accessControl));
  server.use(() => {
    throw new RuleError('notFound', httpMessages.notFound);
  });
  server.use(createErrorHandler(log));
  return server;
}
