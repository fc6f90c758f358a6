import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import pino from 'pino';
import { createApp } from './app';
import { type Config, ConfigError, readConfig } from './config';

const WEB_ROOT = join(__dirname, '../../web/build/client');

/** After this many milliseconds of a stop, connections still open are cut. */
const DRAIN = 10_000;

/** sysexits.h EX_CONFIG: the supervisor does not try again. */
const EX_CONFIG = 78;

function fail(lines: string, code: number): never {
  process.stderr.write(`${lines}\n`);
  process.exit(code);
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message, EX_CONFIG);
    throw error;
  }
}

async function main(): Promise<void> {
  const config = configOrExit();
  const log = pino({ name: 'bff', level: config.logLevel });
  let stopping = false;

  const webRoot = existsSync(WEB_ROOT) ? WEB_ROOT : undefined;
  if (!webRoot) log.warn('no web build: only /graphql and the playground are served');
  const app = await createApp({ config, log, webRoot, isStopping: () => stopping });

  // A client may keep a connection; one that dawdles over its headers may not (slowloris).
  const server = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000 },
    app.handler,
  );

  const stop = () => {
    if (stopping) return;
    stopping = true;
    server.close(async () => {
      await app.stop();
      process.exit(0);
    });
    setInterval(() => server.closeIdleConnections(), 100);
    setTimeout(() => server.closeAllConnections(), DRAIN);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') fail(`BFF_PORT: a porta ${config.port} já está em uso`, EX_CONFIG);
    fail(`BFF_HOST: ${error.message}`, EX_CONFIG);
  });
  server.listen(config.port, config.host, () => log.info({ port: config.port, host: config.host }, 'listening'));
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error), 1));
