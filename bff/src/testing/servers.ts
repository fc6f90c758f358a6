import pino from 'pino';
import { listen, type RunningServer } from '../../../scripts/testing/server';
import { createApp } from '../app';
import { readConfig } from '../config';
import { createLog } from '../log/log';

export { listen, type RunningServer };

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
    ...server,
    stop: async () => {
      await server.stop();
      await app.stop();
    },
  };
}
