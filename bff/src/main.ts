import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createApp } from './app';
import { type Config, ConfigError, readConfig } from './config';
import { prepareDrain } from './drain';
import { BACKLOG, chooseListenAddress } from './listen-address';
import { createProcessLog } from './log/log';
import { onStop } from './on-stop';
import { rejectPipelining } from './reject-pipelining';
import { startTracing } from './tracing';

const WEB_ROOT = join(__dirname, '../../web/build/client');

/** Time limit of a stop. The supervisor kills the process after 10 s. */
const END_MS = 9_500;

/** sysexits.h EX_CONFIG: the supervisor does not restart the process. */
const EX_CONFIG = 78;

function fail(lines: string, code: number): never {
  process.stderr.write(`${lines}\n`);
  process.exit(code);
}

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message, EX_CONFIG);
    throw error;
  }
}

async function main(): Promise<void> {
  const config = readConfigOrExit();
  const { log, output: logOutput } = createProcessLog(config.logLevel);
  let isStopping = false;

  const webRoot = existsSync(WEB_ROOT) ? WEB_ROOT : undefined;
  if (!webRoot) log.warn('no web build: only /graphql and the playground are served');
  const tracing = config.traceProtocol && (await startTracing(config.traceProtocol, log));
  const app = await createApp({
    config,
    log,
    countDroppedLines: () => logOutput.droppedLineCount,
    tracing,
    webRoot,
    isStopping: () => isStopping,
  });

  // An idle connection may stay open, but a request must arrive in time (slowloris).
  const server = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000 },
    rejectPipelining(app.handler),
  );

  const address = chooseListenAddress(config.port, config.host);
  const drain = prepareDrain(server, address);
  onStop(() => {
    isStopping = true;
    setTimeout(() => process.exit(1), END_MS);
    void drain().then(async () => {
      await app.stop();
      await tracing?.stop().catch(() => undefined); // An unreachable collector must not prevent the exit.
      await logOutput.waitUntilWritten();
      process.exit(0);
    });
  });

  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') fail(`BFF_PORT: a porta ${config.port} já está em uso`, EX_CONFIG);
    if (error.code === 'EACCES') fail(`BFF_PORT: sem permissão (${error.message})`, EX_CONFIG);
    fail(`BFF_HOST: ${error.message}`, EX_CONFIG);
  });
  server.listen(address, BACKLOG, () => {
    // A later error concerns one connection that could not be accepted.
    server.removeAllListeners('error');
    server.on('error', (error) => log.error({ err: error }, 'a connection was not accepted'));
    log.info({ port: config.port, host: config.host }, 'listening');
  });
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error), 1));
