import { createServer } from 'node:http';
import type { AccountsService } from './accounts/accounts.service';
import type { FirstPassword } from './accounts/first-password';
import { randomPassword } from './accounts/passwords';
import { createApp } from './app';
import { type Config, readConfig } from './config';
import { commandContext, createDatabase } from './database/source';
import { prepareDrain } from './drain';
import { BACKLOG, listenOn } from './listen-on';
import { createLog } from './log';
import { onStop } from './on-stop';
import { startRetention } from './retention/retention';
import { retentionRules } from './retention-rules';
import { entities } from './schema';
import { loadSecrets } from './secrets/load-secrets';
import { failListening, failStart } from './start-failure';
import { isTracingEnabled } from './tracing/span-export';
import { startTracing } from './tracing/tracing';

const fail = (error: unknown) => failStart(error, 'CORE_PORT');

/** After a stop the process ends, whatever it waits for (supervisor: 10 s). */
const END_MS = 9_500;

/** A generated password is shown once. */
async function firstAdministrator(
  config: Config,
  accounts: AccountsService,
  firstPassword: FirstPassword,
): Promise<void> {
  const username = config.ADMIN_USERNAME ?? 'admin';
  const password = config.ADMIN_PASSWORD ?? randomPassword();
  if (!(await accounts.createFirst(commandContext('core'), username, password)) || config.ADMIN_PASSWORD) return;
  firstPassword.show(username, password);
}

async function main(): Promise<void> {
  // Files that it writes have mode 0600.
  process.umask(0o077);
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL, 'core-api');
  const database = createDatabase(config, entities, { onChange: (context) => log.info(context, 'changed') });
  await database.open({ migrate: true });
  const tracing = isTracingEnabled(config)
    ? await startTracing('studio-core', config.OTEL_EXPORTER_OTLP_PROTOCOL, log)
    : undefined;
  let stopping = false;
  const { handler, accounts, firstPassword, outbox, monitors } = createApp({
    config,
    secrets: await loadSecrets(config, database),
    database,
    log,
    tracing,
    isStopping: () => stopping,
  });
  await firstAdministrator(config, accounts, firstPassword);
  for (const background of [outbox, ...monitors]) background.start();
  const stopRetention = startRetention(database, retentionRules(config), log);

  const server = createServer(handler);
  const address = listenOn(config.CORE_PORT, config.CORE_HOST);
  const drain = prepareDrain(server, address);
  await new Promise<void>((resolve) => {
    server.once('error', (error) => failListening(error, 'CORE_PORT'));
    server.listen(address, BACKLOG, resolve);
  });
  // From here on it is one connection that could not be accepted, and no reason to end.
  server.removeAllListeners('error');
  server.on('error', (error) => log.error({ err: error }, 'a connection was not accepted'));
  log.info({ port: config.CORE_PORT }, 'ready');

  onStop(() => {
    stopping = true;
    setTimeout(() => process.exit(1), END_MS).unref();
    drain()
      .then(() => Promise.all([stopRetention(), ...[outbox, ...monitors].map((background) => background.stop())]))
      .then(() => Promise.all([database.close(), tracing?.stop().catch(() => undefined)]))
      .then(() => process.exit(0), fail);
  });
}

main().catch(fail);
