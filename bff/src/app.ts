import { expressMiddleware } from '@as-integrations/express5';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config';
import { createCore } from './core/client';
import { createGraph } from './graph/server';
import { callerOf } from './http/caller';
import { jsonErrors, unknownPath } from './http/errors';
import { securityHeaders } from './http/headers';
import { health } from './http/health';
import { requestLog } from './http/log';
import { playground } from './playground';
import { site } from './site/site';

export interface AppOptions {
  config: Config;
  log: Logger;
  /** Folder of the built web app; without one only the graph and the playground are served (development). */
  webRoot: string | undefined;
  /** True once the process has been told to stop. */
  isStopping(): boolean;
}

export interface App {
  handler: Express;
  /** Refuses new operations and waits for those under way. */
  stop(): Promise<void>;
}

/** Everything this process serves, ready to be listened with. */
export async function createApp({ config, log, webRoot, isStopping }: AppOptions): Promise<App> {
  const { coreUrl, baseDomain, brandName, serverIp } = config;
  const graph = createGraph(config, log);
  await graph.start();

  const handler = express();
  handler.disable('x-powered-by');
  handler.set('query parser', 'simple');
  handler.set('trust proxy', ['loopback', ...config.trustedProxies]);

  handler.use(securityHeaders);
  // Before the log: probes come every second and say nothing.
  handler.use(health(coreUrl, isStopping));
  handler.use(requestLog(log));
  handler.use(
    '/graphql',
    express.json({ limit: '256kb' }),
    expressMiddleware(graph, {
      context: async ({ req, res }) => {
        const caller = callerOf(req, res);
        return {
          requestId: caller.requestId,
          core: createCore(coreUrl, caller),
          installation: { baseDomain, brandName, serverIp },
        };
      },
    }),
  );
  if (config.playground) handler.use('/playground', playground());
  if (webRoot) handler.use(site(webRoot, coreUrl, config));
  handler.use(unknownPath, jsonErrors(log));

  return { handler, stop: () => graph.stop() };
}
