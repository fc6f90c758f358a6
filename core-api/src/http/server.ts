import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Database } from '../database/source';
import { RuleError } from '../errors';
import type { Tracing } from '../tracing/tracing';
import type { Authenticate } from './authentication';
import { docs } from './docs';
import type { Endpoint } from './endpoint';
import { errorHandler } from './error-handler';
import { operationalRoutes } from './health';
import { httpMessages } from './http.messages';
import { createMetrics } from './metrics';
import { openApiDocument } from './openapi';
import { identifyRequest, observeRequests } from './requests';
import { createRouter, readOnly } from './router';

const BODY_LIMIT = '100kb';
const LARGE_BODY_LIMIT = '4mb';

const jsonBody = (limit: string): RequestHandler => express.json({ limit, strict: false });

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

export interface ServerOptions {
  endpoints: readonly Endpoint[];
  authenticate: Authenticate;
  database: Pick<Database, 'isReady'>;
  isStopping: () => boolean;
  /** Where people open the site, without a trailing slash. */
  publicUrl: string | undefined;
  /** Addresses and CIDR blocks, besides loopback, whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Shows the metrics to others than this machine. */
  metricsToken: string | undefined;
  tracing: Tracing | undefined;
  log: Logger;
}

/** The HTTP side of the core: health, documentation and the endpoints below `/api`. */
export function createServer(options: ServerOptions): Express {
  const { endpoints, authenticate, database, isStopping, publicUrl, trustedProxies, metricsToken, tracing, log } =
    options;
  const metrics = createMetrics();
  const server = express();
  server.disable('x-powered-by');
  server.set('etag', false);
  server.set('trust proxy', ['loopback', ...trustedProxies]);
  server.use(helmet());
  server.use(identifyRequest);
  // Before the log: probes come every second and say nothing.
  server.use(operationalRoutes(database, isStopping, metrics, metricsToken));
  server.use(observeRequests(log, metrics, tracing));
  server.use(['/api/docs', '/api/openapi.json'], readOnly);
  server.use('/api/docs', docs());
  let document: ReturnType<typeof openApiDocument> | undefined;
  // A generated client needs a whole address: the public one, or the one that this request was made to.
  server.get('/api/openapi.json', (request, response) => {
    document ??= openApiDocument(endpoints);
    const origin = publicUrl ?? (request.host ? `${request.protocol}://${request.host}` : '');
    response.json({ ...document, servers: [{ url: `${origin}/api` }] });
  });
  server.use('/api', jsonOnly);
  for (const { path } of endpoints.filter(({ largeBody }) => largeBody)) {
    server.post(`/api${path}`, jsonBody(LARGE_BODY_LIMIT));
  }
  server.use('/api', jsonBody(BODY_LIMIT), createRouter(endpoints, authenticate));
  server.use(() => {
    throw new RuleError('notFound', httpMessages.notFound);
  });
  server.use(errorHandler(log));
  return server;
}
