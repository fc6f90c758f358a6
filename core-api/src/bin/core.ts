import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from '../app/app';
import { entities } from '../app/entities';
import { accountMessages } from '../features/accounts/accounts.messages';
import { newUsername } from '../features/accounts/accounts.schema';
import type { AccountsService } from '../features/accounts/accounts.service';
import type { FirstPassword } from '../features/accounts/passwords/first-password';
import { equalsUsername, findPasswordViolation } from '../features/accounts/passwords/password-policy';
import { generatePassword } from '../features/accounts/passwords/passwords';
import { type Config, ConfigError, readConfig } from '../platform/config/config';
import { createCommandContext, createDatabase } from '../platform/database/database';
import { prepareDrain } from '../platform/lifecycle/drain';
import { BACKLOG, chooseListenAddress } from '../platform/lifecycle/listen-address';
import { onStop } from '../platform/lifecycle/on-stop';
import { rejectPipelining } from '../platform/lifecycle/reject-pipelining';
import { failListening, failStart } from '../platform/lifecycle/start-failure';
import { createProcessLog } from '../platform/log/log';
import { loadSecrets } from '../platform/secrets/load-secrets';
import { readOrCreateText } from '../platform/secrets/secret-file';
import { isTracingEnabled } from '../platform/tracing/span-export';
import { startTracing } from '../platform/tracing/tracing';

let flushLog: () => Promise<void> = async () => undefined;

async function fail(error: unknown): Promise<never> {
  await flushLog();
  return failStart(error, 'CORE_PORT');
}

/** Time limit of a stop, ms. The supervisor kills the process after 10 s. */
const STOP_TIMEOUT_MS = 9_500;

/** Idle time-out, ms. It is longer than the BFF's, so that the core never closes a connection that the BFF may use. */
const KEEP_ALIVE_MS = 75_000;

/** Returns the reason why this name or password of the first administrator is refused; undefined if both are valid. */
function findAdministratorViolation(username: string, password: string): string | undefined {
  const name = newUsername.safeParse(username);
  if (!name.success) return `ADMIN_USERNAME: ${name.error.issues[0]?.message}`;
  const message =
    findPasswordViolation(password) ?? (equalsUsername(password, username) && accountMessages.newPasswordUsername);
  return message ? `ADMIN_PASSWORD: ${message}` : undefined;
}

/** Creates the first administrator. A generated password is shown once. */
async function createFirstAdministrator(
  config: Config,
  accounts: AccountsService,
  firstPassword: FirstPassword,
  log: Logger,
): Promise<void> {
  const username = config.ADMIN_USERNAME ?? 'admin';
  const password = config.ADMIN_PASSWORD ?? generatePassword();
  const violation = findAdministratorViolation(username, password);
  if (violation) {
    if ((await accounts.listUsernames()).length === 0) throw new ConfigError([violation]);
    // An existing installation starts in spite of the violation, because only the first start uses the variables.
    log.warn(violation);
    return;
  }
  if (!(await accounts.createFirst(createCommandContext('core'), username, password)) || config.ADMIN_PASSWORD) return;
  firstPassword.show(username, password);
}

async function main(): Promise<void> {
  // New files get mode 0600.
  process.umask(0o077);
  const config = readConfig(process.env);
  const { log, output } = createProcessLog(config.LOG_LEVEL, 'core-api');
  flushLog = () => output.waitUntilWritten();
  const database = createDatabase(config, entities, { onChange: (context) => log.info(context, 'changed') });
  await database.open({ migrate: true });
  const tracing = isTracingEnabled(config)
    ? await startTracing('studio-core', config.OTEL_EXPORTER_OTLP_PROTOCOL, log)
    : undefined;
  let isStopping = false;
  const { handler, accounts, firstPassword, content, outboxes, jobs } = createApp({
    config,
    secrets: await loadSecrets(config, database),
    // Identifies this machine across restarts.
    machineId: readOrCreateText(join(config.DATA_DIR, 'machine.id'), randomUUID),
    database,
    log,
    countDroppedLines: () => output.droppedLineCount,
    tracing,
    isStopping: () => isStopping,
  });
  await createFirstAdministrator(config, accounts, firstPassword, log);
  content.create();
  const backgroundTasks = [...outboxes, ...jobs];
  for (const task of backgroundTasks) task.start();

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, rejectPipelining(handler));
  const address = chooseListenAddress(config.CORE_PORT, config.CORE_HOST);
  const drain = prepareDrain(server, address);
  await new Promise<void>((resolve) => {
    server.once('error', (error) => failListening(error, 'CORE_PORT'));
    server.listen(address, BACKLOG, resolve);
  });
  // An error of a listening server affects a single connection and must not end the process.
  server.removeAllListeners('error');
  server.on('error', (error) => log.error({ err: error }, 'a connection was not accepted'));
  log.info({ port: config.CORE_PORT }, 'ready');

  onStop(() => {
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    drain()
      .then(() => Promise.all(backgroundTasks.map((task) => task.stop())))
      .then(() => Promise.all([database.close(), tracing?.stop().catch(() => undefined)]))
      .then(flushLog)
      .then(() => process.exit(0), fail);
  });
}

main().catch(fail);
