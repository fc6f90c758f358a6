import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Config } from '../../platform/config';
import { withDeadline } from '../../platform/database/deadline';
import { listenOn, listenOnSocket } from '../../platform/lifecycle/listen-on';
import { onStop } from '../../platform/lifecycle/on-stop';
import { failListening, failStart } from '../../platform/lifecycle/start-failure';
import { createLog } from '../../platform/log';
import { processMetrics } from '../../platform/process-metrics';
import { isTracingEnabled } from '../../platform/tracing/span-export';
import { createHostClassifier } from '../../routing/host-router';
import { ConfigWatcher } from '../config-sync/config-watcher';
import { EdgeStore } from '../config-sync/edge-store';
import { RevisionReporter } from '../config-sync/revision-reporter';
import { SnapshotFile, snapshotPath } from '../config-sync/snapshot-file';
import { StateFolder } from '../config-sync/state-folder';
import { configurationPages } from '../ipc/configuration-pages';
import { PRIMARY_PID_VARIABLE, type ToPrimary, VIA_NAME_VARIABLE } from '../ipc/messages';
import { PersistentRateLimiter, type RateLimiter } from '../rate-limiting/local-rate-limiter';
import { SharedRateLimiter } from '../rate-limiting/shared-rate-limiter';
import { isSiteClient, SiteRateLimiter } from '../rate-limiting/site-rate-limiter';
import { isFilePath, requireWritableLogFile } from '../telemetry/output/log-file';
import { openOutput } from '../telemetry/output/open-output';
import { exitProcess, FINAL_FLUSH_MS, STDOUT } from '../telemetry/output/output';
import { EdgeMetrics } from '../telemetry/primary-metrics';
import { SpanDelivery } from '../telemetry/span-delivery';
import { RequestDelivery } from '../usage/request-delivery';
import { UsageDelivery } from '../usage/usage-delivery';
import { createAdminServer, requireAdminToken } from './admin-server';
import { ConfigPublisher } from './config-publisher';
import { ConnectionBalancer } from './connection-balancer';
import { ConnectionLimiter } from './connection-limiter';
import { MAX_CLIENT_CONNECTIONS, MAX_CONNECTIONS } from './limits';
import { ListeningSocket } from './listening-socket';
import { openListeningSocket } from './orphaned-workers';
import { repeatTask } from './repeat-task';
import { WorkerPool } from './worker-pool';

const PUBLISH_INTERVAL_MS = 500;
const REPORT_INTERVAL_MS = 500;
const DELIVERY_INTERVAL_MS = 1_000;
const PERSIST_INTERVAL_MS = 1_000;
const FORGET_INTERVAL_MS = 10_000;
const BALANCE_INTERVAL_MS = 2_000;
const CONNECTION_COUNT_INTERVAL_MS = 500;
const LAST_REQUESTS_TIMEOUT_MS = 500;

/** Runs the primary: it follows the configuration, keeps the workers alive and up to date, and stores their counts. */
export async function runPrimary(config: Config): Promise<void> {
  requireAdminToken(config.EDGE_ADMIN_HOST, config.EDGE_ADMIN_TOKEN);
  if (isFilePath(config.ACCESS_LOG)) requireWritableLogFile(config.ACCESS_LOG);
  let droppedOutput = 0;
  const output = openOutput(STDOUT, () => {
    droppedOutput += 1;
  });
  const log = createLog(config.LOG_LEVEL, 'edge', output);
  const logged = (text: string) => (error: unknown) => log.error({ err: error }, text);
  const edgeId = randomUUID();
  const store = new EdgeStore(config);
  const files = new StateFolder(config.DATA_DIR, log);
  const delivery = new UsageDelivery(store, files, edgeId, log);
  const requests = new RequestDelivery(store);
  const snapshot = new SnapshotFile(snapshotPath(config.DATA_DIR));
  const watcher = new ConfigWatcher(
    store,
    snapshot,
    {
      onReload: () => {
        rates.prune();
        for (const worker of workers.allIds) publisher.load(worker);
      },
      onChanges: (changes, revision) => {
        rates.prune();
        for (const page of configurationPages({ revision, isComplete: false, changes })) workers.broadcast(page);
      },
    },
    log,
  );
  const limitOf = (keyId: string) => watcher.index.rateLimitOf(keyId);
  // A SQLite file belongs to one machine, so its limits need no sharing.
  const persistentRates = config.DATABASE_URL === undefined ? new PersistentRateLimiter(limitOf, files) : undefined;
  const siteRates = new SiteRateLimiter((siteId) => watcher.index.rateLimitOfSite(siteId));
  const rates: RateLimiter = persistentRates ?? new SharedRateLimiter(store, limitOf, log);
  const reporter = new RevisionReporter(store, edgeId);
  const metrics = new EdgeMetrics((part, id) => watcher.index.labelsOf(part, id));
  const balancer = new ConnectionBalancer();
  const connectionLimiter = new ConnectionLimiter(
    { total: MAX_CONNECTIONS, perClient: MAX_CLIENT_CONNECTIONS },
    (worker, message) => workers.sendTo(worker, message),
  );
  const ownMetrics = processMetrics('edge');
  const spans = isTracingEnabled(config)
    ? await SpanDelivery.open(config.OTEL_EXPORTER_OTLP_PROTOCOL, log, (id) => watcher.index.routeOriginOf(id))
    : undefined;
  let stopping = false;
  /** Reports at once, because a save in the console waits for it. */
  let reportServed: ((pauseMs: number) => void) | undefined;

  /** Reads the files of the last process. */
  async function restore(): Promise<void> {
    await delivery.recover().catch(logged('undelivered counts could not be read'));
    await watcher.restore();
    await persistentRates?.restore().catch(logged('rate windows could not be read, so limits start empty'));
  }

  const socket = await openListeningSocket(listenOn(config.PORT, config.HOST), log);
  const proxySocket =
    config.EDGE_SOCKET === undefined
      ? undefined
      : await ListeningSocket.openPath(listenOnSocket(config.EDGE_SOCKET)).catch((error: unknown) =>
          failStart(error, 'EDGE_SOCKET'),
        );
  // Workers start and load the snapshot meanwhile.
  const restored = restore();
  const workers = new WorkerPool({
    socket,
    proxySocket,
    output,
    count: config.EDGE_WORKERS ?? availableParallelism(),
    environment: { [VIA_NAME_VARIABLE]: `edge-${edgeId}`, [PRIMARY_PID_VARIABLE]: String(process.pid) },
    onStart: (worker) => publisher.load(worker),
    onMessage: (worker: number, message: ToPrimary) => {
      if (message.type === 'configuration-missing') publisher.onMissing(worker);
      if (message.type === 'applied') {
        reporter.onApplied(worker, message);
        reportServed?.(0);
      }
      if (message.type === 'request-lease') {
        const { keyId, wanted } = message;
        const limiter = isSiteClient(keyId) ? siteRates : rates;
        void restored
          .then(() => limiter.acquire(keyId, wanted, Date.now()))
          .then((granted) => workers.sendTo(worker, { type: 'lease-granted', keyId, ...granted }));
      }
      if (message.type === 'return-lease')
        (isSiteClient(message.keyId) ? siteRates : rates).refund(message.keyId, message.unused, message.slice);
      if (message.type === 'clients') connectionLimiter.add(worker, message.round, message.clients);
      if (message.type !== 'report') return;
      delivery.add(message.usage);
      requests.add(message.requests);
      metrics.add(worker, message.metrics, message.gauges, message.stats);
      balancer.add(worker, message.stats.cpuSeconds, performance.now() / 1000);
      metrics.count(message.counts);
      spans?.add(message.spans);
    },
    onExit: (worker) => {
      reporter.workerExited(worker);
      // A save may have waited for this worker alone.
      reportServed?.(0);
      metrics.workerExited(worker);
      balancer.remove(worker);
      connectionLimiter.remove(worker);
      publisher.onExit(worker);
    },
    onListenFailed: (error) => void stop(() => failStart(error, 'PORT')),
    log,
  });
  const publisher = new ConfigPublisher(watcher, store, snapshot, workers);

  const classifyHost = createHostClassifier(config.BASE_DOMAIN, config.SITES_DOMAIN);
  const admin = createAdminServer({
    isReady: () => !stopping && workers.servingCount > 0,
    mayIssueCertificate: async (host) => {
      await restored;
      const hostClass = classifyHost(host);
      if (hostClass.kind === 'studio' || hostClass.kind === 'gateway') return true;
      if (hostClass.kind !== 'claimable' || !watcher.index.isClaimed(hostClass.name)) return false;
      const isCustomDomain = hostClass.name === host;
      if (!isCustomDomain || config.SERVER_IP.length === 0) return true;
      // Caddy also asks before it loads an existing certificate, so an outage of the database must not end TLS.
      return store.isDomainOk(host).catch(() => true);
    },
    metricsText: async () =>
      metrics.text({
        revision: watcher.revision ?? 0,
        snapshotAgeSeconds: watcher.ageSeconds,
        workers: workers.servingCount,
        pendingUsage: delivery.pending,
        droppedOutput,
      }) + (await ownMetrics.metrics()),
    token: config.EDGE_ADMIN_TOKEN,
    log,
  });
  admin.once('error', (error) => failListening(error, 'EDGE_ADMIN_PORT'));
  admin.listen(config.EDGE_ADMIN_PORT, config.EDGE_ADMIN_HOST, () => {
    admin.removeAllListeners('error');
    admin.on('error', logged('the administration port failed'));
  });

  const isStopping = () => stopping;
  const repeat = (intervalMs: number, name: string, task: () => Promise<unknown>) =>
    repeatTask(task, { pauseMs: () => intervalMs, name, log, isStopping });

  async function stop(exit: () => never): Promise<void> {
    if (stopping) return;
    stopping = true;
    await workers.stop();
    // These run together: each one waits for a database that does not answer, and the port is closed meanwhile.
    await Promise.all([
      persistentRates
        ?.persist()
        .catch(logged('rate windows could not be written, so limits start empty at the next start')),
      delivery.close(),
      withDeadline(() => requests.deliver(), {
        name: 'the last requests',
        limitMs: LAST_REQUESTS_TIMEOUT_MS,
      }).catch((error: unknown) => log.warn({ err: error }, 'the last requests are missing from the request log')),
      withDeadline(async () => spans?.close(), {
        name: 'the last spans',
        limitMs: LAST_REQUESTS_TIMEOUT_MS,
      }).catch(() => undefined),
      reporter.deregister().catch(() => undefined),
    ]);
    await store.close().catch(() => undefined);
    // The log is flushed last and with a limit, because a stalled reader must not delay counts or the exit.
    await output.flushed(FINAL_FLUSH_MS);
    exitProcess([output], exit);
  }
  onStop(() => void stop(() => process.exit(0)));
  // A log rotation may signal an edge that has no log file.
  process.on('SIGHUP', () => {
    if (isFilePath(config.ACCESS_LOG)) workers.broadcast({ type: 'reopen-log' });
  });

  workers.start();
  await restored;
  const pauseMs = () => store.changes.pauseMs;
  const poll = repeatTask(() => watcher.poll(), { pauseMs, name: 'reading the configuration', log, isStopping });
  store.changes.watch(poll);
  reportServed = repeat(REPORT_INTERVAL_MS, 'reporting the served revision', () => reporter.report());
  repeat(PERSIST_INTERVAL_MS, 'writing the snapshot', () => watcher.persist());
  repeat(PUBLISH_INTERVAL_MS, 'sending the configuration to a worker', () => publisher.publishToWaiting());
  repeat(FORGET_INTERVAL_MS, 'removing the rate windows of idle clients', async () => siteRates.forgetIdle(Date.now()));
  if (persistentRates) repeat(PERSIST_INTERVAL_MS, 'writing the rate windows', () => persistentRates.persist());
  repeat(BALANCE_INTERVAL_MS, 'balancing the workers', async () => {
    const overload = balancer.findOverload();
    if (overload) workers.sendTo(overload.worker, { type: 'shed', share: overload.share });
  });
  repeat(CONNECTION_COUNT_INTERVAL_MS, 'counting connections', async () =>
    connectionLimiter.startRound(workers.servingIds, metrics.clientConnections),
  );
  repeat(DELIVERY_INTERVAL_MS, 'storing usage', () => delivery.deliver());
  repeat(DELIVERY_INTERVAL_MS, 'storing the request log', () => requests.deliver());
  repeat(DELIVERY_INTERVAL_MS, 'writing undelivered usage', () => delivery.spill());
}
