import { createServer } from 'node:http';
import type { AccountsService } from './accounts/accounts.service';
import { randomPassword } from './accounts/passwords';
import { createApp } from './app';
import { type Config, readConfig } from './config';
import { createDatabase } from './database/source';
import { createLog } from './log';
import { readSecrets } from './secrets';
import { failStart } from './start-failure';

const fail = (error: unknown) => failStart(error, 'CORE_PORT');

const DRAIN = 9_000;

/** Told once: to the supervisor, or on the terminal when there is none. */
async function firstAdministrator(config: Config, accounts: AccountsService): Promise<void> {
  const username = config.ADMIN_USERNAME ?? 'admin';
  const password = config.ADMIN_PASSWORD ?? randomPassword();
  if (!(await accounts.createFirst(username, password)) || config.ADMIN_PASSWORD) return;
  if (process.send) process.send({ type: 'admin-created', username, password });
  else process.stdout.write(`Administrador criado: ${username}  senha: ${password}\n`);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL, 'core-api');
  const database = createDatabase(config);
  let stopping = false;
  const { handler, accounts, outbox } = createApp({
    config,
    secrets: readSecrets(config),
    database,
    log,
    isStopping: () => stopping,
  });
  await database.open({ migrate: true });
  await firstAdministrator(config, accounts);
  outbox.start();

  const server = createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.CORE_PORT, config.CORE_HOST, resolve);
  });
  log.info({ port: config.CORE_PORT }, 'ready');

  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => server.closeAllConnections(), DRAIN).unref();
    server.close(() => {
      outbox
        .stop()
        .then(() => database.close())
        .then(() => process.exit(0), fail);
    });
    server.closeIdleConnections();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch(fail);
