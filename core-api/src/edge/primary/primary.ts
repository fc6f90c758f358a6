import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Config } from '../../config';
import { withDeadline } from '../../database/deadline';
import { claimOf } from '../../decide/front-door';
import { listenOn } from '../../listen-on';
import { createLog } from '../../log';
import { onStop } from '../../on-stop';
import { processMetrics } from '../../process-metrics';
import { failListening, failStart } from '../../start-failure';
import { isTracingEnabled } from '../../tracing/span-export';
import { CLIENT_CONNECTIONS, CONNECTIONS } from '../limits';
import { NAME_VARIABLE, PRIMARY_VARIABLE, type ToPrimary } from '../messages';
import { requireLogFile, writesFile } from '../output/log-file';
import { LAST_OUTPUT_MS, leave, STDOUT } from '../output/output';
import { outputTo } from '../output/output-to';
import { createAdmin, requireToken } from './admin';
import { Balance } from './balance';
import { ClientLimit } from './client-limit';
import { ConfigurationFollower } from './configuration-follower';
import { EdgeMetrics } from './metrics';
import { openPort } from './orphans';
import { KeptRateWindows, type Rates } from './rate-windows';
import { RequestDelivery } from './request-delivery';
import { RevisionReporter } from './revision-reporter';
import { Rows } from './rows';
import { SharedRates } from './shared-rates';
import { SpanDelivery } from './span-delivery';
import { StateFolder } from './state-folder';
import { refusalOf, Store } from './store';
import { UsageDelivery } from './usage-delivery';
import { Workers } from './workers';

const POLL_INTERVAL_MS = 200;
const REPORT_INTERVAL_MS = 25;
const DELIVERY_INTERVAL_MS = 1_000;
const PERSIST_INTERVAL_MS = 1_000;
const BALANCE_INTERVAL_MS = 2_000;
const CLIENTS_INTERVAL_MS = 500;
const LAST_REQUESTS_TIMEOUT_MS = 500;

/** The primary: follows the configuration, keeps the workers alive and up to date, and stores what they count. */
export async function runPrimary(config: Config): Promise<void> {
  requireToken(config.EDGE_ADMIN_HOST, config.EDGE_ADMIN_TOKEN);
  if (writesFile(config.ACCESS_LOG)) requireLogFile(config.ACCESS_LOG);
  let droppedOutput = 0;
  const output = outputTo(STDOUT, () => {
    droppedOutput += 1;
  });
  const log = createLog(config.LOG_LEVEL, 'edge', output);
  const edgeId = randomUUID();
  const store = new Store(config);
  const files = new StateFolder(config.DATA_DIR);
  const delivery = new UsageDelivery(store, files, edgeId, log);
  const requests = new RequestDelivery(store);
  const rows = new Rows();
  const limitOf = (keyId: string) => rows.limitOf(keyId);
  // A SQLite file is one machine's.
  const keptRates = config.DATABASE_URL === undefined ? new KeptRateWindows(limitOf, files) : undefined;
  const rates: Rates = keptRates ?? new SharedRates(store, limitOf, log);
  const reporter = new RevisionReporter(store, edgeId);
  const metrics = new EdgeMetrics(rows.nameOf);
  const balance = new Balance();
  const clientLimit = new ClientLimit({ all: CONNECTIONS, each: CLIENT_CONNECTIONS }, (worker, message) =>
    workers.sendTo(worker, message),
  );
  const ownMetrics = processMetrics();
  const spans = isTracingEnabled(config)
    ? await SpanDelivery.open(config.OTEL_EXPORTER_OTLP_PROTOCOL, log, rows.originOf)
    : undefined;
  let stopping = false;

  const socket = await openPort(listenOn(config.PORT, config.HOST), log);
  const workers = new Workers({
    socket,
    output,
    count: config.EDGE_WORKERS ?? availableParallelism(),
    environment: { [NAME_VARIABLE]: `edge-${edgeId}`, [PRIMARY_VARIABLE]: String(process.pid) },
    firstMessage: () => rows.all && { type: 'configuration', update: rows.all },
    onMessage: (worker: number, message: ToPrimary) => {
      if (message.type === 'applied') reporter.applied(worker, message);
      if (message.type === 'lease') {
        const { keyId, wanted } = message;
        void Promise.resolve(rates.take(keyId, wanted, Date.now())).then((granted) =>
          workers.sendTo(worker, { type: 'leased', keyId, ...granted }),
        );
      }
      if (message.type === 'give-back') rates.giveBack(message.keyId, message.unused, message.slice);
      if (message.type === 'clients') clientLimit.add(worker, message.round, message.clients);
      if (message.type !== 'report') return;
      delivery.add(message.usage);
      requests.add(message.requests);
      metrics.add(worker, message.measured, message.gauges, message.vitals);
      balance.add(worker, message.vitals.cpuSeconds, performance.now() / 1000);
      metrics.count(message.counts);
      spans?.add(message.spans);
    },
    onExit: (worker) => {
      reporter.workerExited(worker);
      metrics.workerExited(worker);
      balance.remove(worker);
      clientLimit.remove(worker);
    },
    onNotListening: (error) => void stop(() => failStart(error, 'PORT')),
    log,
  });
  const follower = new ConfigurationFollower(
    store,
    files,
    rows,
    (update) => {
      rates.prune();
      workers.broadcast({ type: 'configuration', update });
    },
    log,
  );

  const fixed = new Set(['', 'www.', 'api.'].map((prefix) => prefix + config.BASE_DOMAIN));
  const suffix = `.${config.BASE_DOMAIN}`;
  const admin = createAdmin({
    isReady: () => !stopping && workers.count > 0,
    serves: (host) => {
      const name = claimOf(host, suffix);
      return fixed.has(host) || (name !== undefined && rows.isClaimed(name));
    },
    metricsText: async () =>
      metrics.text({
        revision: rows.revision ?? 0,
        snapshotAgeSeconds: follower.ageSeconds,
        workers: workers.count,
        pendingUsage: delivery.pending,
        droppedOutput,
      }) + (await ownMetrics.metrics()),
    token: config.EDGE_ADMIN_TOKEN,
    log,
  });
  admin.once('error', (error) => failListening(error, 'EDGE_ADMIN_PORT'));
  admin.listen(config.EDGE_ADMIN_PORT, config.EDGE_ADMIN_HOST, () => {
    admin.removeAllListeners('error');
    admin.on('error', (error) => log.error({ err: error }, 'the administration port'));
  });

  /** Runs `task` periodically, `intervalMs` after the end of the last run; of repeated failures the first is logged. */
  function repeat(intervalMs: number, what: string, task: () => Promise<void>): void {
    let failing = false;
    const run = async () => {
      try {
        await task();
        failing = false;
      } catch (error) {
        const reason = refusalOf(error);
        if (!failing) log.warn(reason ? { reason } : { err: error }, `${what} failed`);
        failing = true;
      }
      if (!stopping) setTimeout(run, intervalMs);
    };
    void run();
  }

  async function stop(exit: () => never): Promise<void> {
    if (stopping) return;
    stopping = true;
    await workers.stop();
    await keptRates?.persist().catch((error: unknown) => log.error({ err: error }, 'limits of keys begin anew'));
    await delivery.close();
    await withDeadline(() => requests.deliver(), { what: 'the last requests', limit: LAST_REQUESTS_TIMEOUT_MS }).catch(
      (error: unknown) => log.warn({ err: error }, 'the last requests are missing from the request log'),
    );
    await withDeadline(async () => spans?.close(), { what: 'the last spans', limit: LAST_REQUESTS_TIMEOUT_MS }).catch(
      () => undefined,
    );
    await reporter.deregister().catch(() => undefined);
    await store.close().catch(() => undefined);
    // Last, and not for long: a reader that stands still must keep neither the counts from being stored nor this process.
    await output.settled(LAST_OUTPUT_MS);
    leave([output], exit);
  }
  onStop(() => void stop(() => process.exit(0)));
  if (writesFile(config.ACCESS_LOG)) process.on('SIGHUP', () => workers.broadcast({ type: 'reopen-log' }));

  await delivery.recover().catch((error: unknown) => log.error({ err: error }, 'undelivered counts could not be read'));
  await follower.restore();
  // After the snapshot, which may not know the latest keys: what it does not know is forgotten.
  await keptRates?.restore().catch((error: unknown) => log.error({ err: error }, 'limits of keys could not be read'));
  workers.start();
  repeat(POLL_INTERVAL_MS, 'reading the configuration', () => follower.poll());
  repeat(REPORT_INTERVAL_MS, 'reporting the served revision', () => reporter.report());
  repeat(PERSIST_INTERVAL_MS, 'writing the snapshot', () => follower.persist());
  if (keptRates) repeat(PERSIST_INTERVAL_MS, 'writing the limits of keys', () => keptRates.persist());
  repeat(BALANCE_INTERVAL_MS, 'balancing the workers', async () => {
    const overload = balance.look();
    if (overload) workers.sendTo(overload.worker, { type: 'shed', part: overload.part });
  });
  repeat(CLIENTS_INTERVAL_MS, 'counting connections', async () => clientLimit.ask(workers.ids));
  repeat(DELIVERY_INTERVAL_MS, 'storing usage', () => delivery.deliver());
  repeat(DELIVERY_INTERVAL_MS, 'storing the request log', () => requests.deliver());
  repeat(DELIVERY_INTERVAL_MS, 'writing undelivered usage', () => delivery.spill());
}
