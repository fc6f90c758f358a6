import { expressMiddleware } from '@as-integrations/express5';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config';
import { createCore } from './core/client';
import { createGraph } from './graph/server';
import { callerOf } from './http/caller';
import { jsonErrors, unknownPath } from './http/errors';
import { graphBody } from './http/graph-body';
import { notKept, securityHeaders } from './http/headers';
import { health } from './http/health';
import { observeRequests } from './http/log';
import { createMetrics, metricsRoute } from './http/metrics';
import { playground } from './playground';
import { site } from './site/site';
import type { Tracing } from './tracing';

export interface AppOptions {
  config: Config;
  log: Logger;
  /** Missing where no collector is configured. */
  tracing?: Tracing | undefined;
  /** Folder of the built web app; without one only the graph and the playground are served (development). */
  webRoot: string | undefined;
  /** True once a stop has been requested. */
  isStopping(): boolean;
}

export interface App {
  handler: Express;
  /** Refuses new operations and waits for those under way. */
  stop(): Promise<void>;
}

/** Everything this process serves, ready to be listened with. */
export async function createApp({ config, log, tracing, webRoot, isStopping }: AppOptions): Promise<App> {
  const { coreUrl, baseDomain, brandName, serverIps } = config;
  const metrics = createMetrics();
  const graph = createGraph(config, log, metrics);
  await graph.start();

  const handler = express();
  handler.disable('x-powered-by');
  // Pages and files bring their own; for an answer of the graph it would be read whole.
  handler.disable('etag');
  handler.set('query parser', 'simple');
  handler.set('trust proxy', ['loopback', ...config.trustedProxies]);

  handler.use(securityHeaders);
  // Before the log: probes come every second and say nothing.
  handler.use(health(coreUrl, isStopping));
  handler.use(metricsRoute(metrics, config.metricsToken));
  handler.use(observeRequests(log, metrics, tracing));
  handler.use(
    '/graphql',
    notKept,
    graphBody,
    expressMiddleware(graph, {
      context: async ({ req, res }) => {
        const caller = callerOf(req, res);
        return {
          requestId: caller.requestId,
          core: createCore(coreUrl, caller),
          installation: { baseDomain, brandName, serverIp: serverIps[0] ?? null, serverIps },
        };
      },
    }),
  );
  if (config.playground) handler.use('/playground', playground());
  if (webRoot) handler.use(site(webRoot, coreUrl, config));
  handler.use(unknownPath, jsonErrors(log));

  return { handler, stop: () => graph.stop() };
}
