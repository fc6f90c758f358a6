import { expressMiddleware } from '@as-integrations/express5';
import compression from 'compression';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config';
import { createCoreClient } from './core/client';
import { createGraphServer } from './graph/server';
import { createCaller } from './http/caller';
import { createDocumentGuard } from './http/document-guard';
import { createErrorHandler, respondToUnknownPath } from './http/errors';
import { createGraphBodyParser } from './http/graph-body';
import { forbidStoring, limitMediaTypes, setSecurityHeaders } from './http/headers';
import { createHealthRouter } from './http/health';
import { observeRequests } from './http/log';
import { createMetrics, createMetricsRouter } from './http/metrics';
import { createPlaygroundRouter } from './playground';
import { createSiteHandler } from './site/site';
import type { Tracing } from './tracing';

export interface AppOptions {
  config: Config;
  log: Logger;
  /** Returns the number of log lines dropped since the start. */
  countDroppedLines?: () => number;
  /** Undefined if no collector is configured. */
  tracing?: Tracing | undefined;
  /** Folder of the built web app. If it is undefined (development), only the graph and the playground are served. */
  webRoot: string | undefined;
  /** True once a stop has been requested. */
  isStopping(): boolean;
}

export interface App {
  handler: Express;
  /** Refuses new operations and waits for the running ones. */
  stop(): Promise<void>;
}

/** Creates the request handler of this process, and the function that stops it. */
export async function createApp({
  config,
  log,
  countDroppedLines = () => 0,
  tracing,
  webRoot,
  isStopping,
}: AppOptions): Promise<App> {
  const { coreUrl, baseDomain, sitesDomain, brandName, serverIps } = config;
  const metrics = createMetrics(countDroppedLines);
  const graph = createGraphServer(config, log, metrics);
  await graph.start();

  const handler = express();
  handler.disable('x-powered-by');
  // Pages and files set their own ETag; Express would buffer a response of the graph to compute its ETag.
  handler.disable('etag');
  handler.set('query parser', 'simple');
  handler.set('trust proxy', ['loopback', ...config.trustedProxies]);

  handler.use(setSecurityHeaders);
  // Probes arrive every second. Their handler comes before `observeRequests`, so that they do not fill the log.
  handler.use(createHealthRouter(coreUrl, isStopping));
  handler.use(createMetricsRouter(metrics, config.metricsToken));
  handler.use(observeRequests(log, metrics, tracing));
  handler.use(
    '/graphql',
    forbidStoring,
    limitMediaTypes,
    // Compresses responses of 1 KB or more. The BREACH attack does not apply, because a browser never adds the token to
    // a request by itself (decision 106).
    compression(),
    createGraphBodyParser(coreUrl),
    createDocumentGuard(coreUrl),
    expressMiddleware(graph, {
      context: async ({ req, res }) => {
        const caller = createCaller(req, res);
        return {
          requestId: caller.requestId,
          core: createCoreClient(coreUrl, caller),
          installation: { baseDomain, sitesDomain, brandName, serverIp: serverIps[0] ?? null, serverIps },
        };
      },
    }),
  );
  if (config.playground) handler.use('/playground', createPlaygroundRouter());
  if (webRoot) handler.use(createSiteHandler(webRoot, coreUrl, config));
  handler.use(respondToUnknownPath, createErrorHandler(log));

  return { handler, stop: () => graph.stop() };
}
