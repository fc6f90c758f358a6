import { createServer, type RequestListener, type Server } from 'node:http';
import pino from 'pino';
import { createApp } from '../app';
import { readConfig } from '../config';
import { createLog } from '../log/log';

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** Listens on a free loopback port. */
export async function listen(handler: RequestListener): Promise<RunningServer> {
  const server: Server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface BffOptions {
  environment?: NodeJS.ProcessEnv;
  webRoot?: string;
  isStopping?: () => boolean;
  /** Receives the log lines; default: no log. */
  logTo?: (line: string) => void;
}

/** Starts the BFF on a free port, in front of the core at `coreUrl`. */
export async function startBff(coreUrl: string, options: BffOptions = {}): Promise<RunningServer> {
  const { environment, webRoot, isStopping = () => false, logTo } = options;
  const app = await createApp({
    config: readConfig({ CORE_URL: coreUrl, ...environment }),
    log: logTo ? createLog('trace', { write: logTo }) : pino({ level: 'silent' }),
    webRoot,
    isStopping,
  });
  const server = await listen(app.handler);
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await app.stop();
    },
  };
}
