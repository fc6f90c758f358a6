import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config';
import { withDeadline } from '../../platform/database/connection/deadline';
import { onStop } from '../../platform/lifecycle/on-stop';
import { failStart } from '../../platform/lifecycle/start-failure';
import { createProcessMetrics } from '../../platform/process-metrics';
import type { ConfigUpdate } from '../../routing/config-snapshot';
import { ConfigWatcher } from '../config-sync/config-watcher';
import { EdgeStore } from '../config-sync/edge-store';
import { RevisionReporter } from '../config-sync/revision-reporter';
import { getSnapshotPath, SnapshotFile } from '../config-sync/snapshot-file';
import { StateFolder } from '../config-sync/state-folder';
import { splitIntoPages } from '../ipc/config-pages';
import { PRIMARY_PID_VARIABLE, type ToPrimary, VIA_NAME_VARIABLE } from '../ipc/messages';
import { RateLimiters } from '../rate-limiting/rate-limiters';
import { EdgeMetrics } from '../telemetry/metrics/primary-metrics';
import { isLogFilePath } from '../telemetry/output/log-file';
import { exitProcess, FINAL_FLUSH_MS, type Output } from '../telemetry/output/output';
import type { SpanDelivery } from '../telemetry/spans/span-delivery';
import { RequestDelivery } from '../usage/request-delivery';
import { UsageDelivery } from '../usage/usage-delivery';
import { startAdminServer } from './admin-server';
import { createCertificatePolicy } from './certificate-policy';
import { ConfigPublisher } from './config-publisher';
import { ConnectionBalancer } from './connections/connection-balancer';
import { ConnectionLimiter } from './connections/connection-limiter';
import { MAX_CLIENT_CONNECTIONS, MAX_CONNECTIONS } from './limits';
import type { ListeningSocket } from './listening/listening-socket';
import { repeatTask } from './repeat-task';
import { WorkerPool } from './worker-pool';

const PUBLISH_INTERVAL_MS = 500;
const REPORT_INTERVAL_MS = 500;
const DELIVERY_INTERVAL_MS = 1_000;
const PERSIST_INTERVAL_MS = 1_000;
const FORGET_INTERVAL_MS = 10_000;
const BALANCE_INTERVAL_MS = 2_000;
const CONNECTION_COUNT_INTERVAL_MS = 500;
const LAST_DELIVERY_TIMEOUT_MS = 500;

interface PrimaryOptions {
  config: Config;
  log: Logger;
  output: Output;
  countDroppedOutput: () => number;
  socket: ListeningSocket;
  /** The Unix socket of `EDGE_SOCKET`. */
  proxySocket: ListeningSocket | undefined;
  /** Undefined if no traces are exported. */
  spans: SpanDelivery | undefined;
}

/** The primary process follows the configuration, keeps the workers alive and up to date, and stores their counts. */
export class Primary {
  private readonly store: EdgeStore;
  private readonly usage: UsageDelivery;
  private readonly requests: RequestDelivery;
  private readonly watcher: ConfigWatcher;
  private readonly rates: RateLimiters;
  private readonly reporter: RevisionReporter;
  private readonly metrics: EdgeMetrics;
  private readonly processMetrics = createProcessMetrics('edge');
  private readonly balancer = new ConnectionBalancer();
  private readonly connectionLimiter: ConnectionLimiter;
  private readonly workers: WorkerPool;
  private readonly publisher: ConfigPublisher;
  /** Resolves when the files of the previous process have been read. */
  private whenRestored: Promise<void> = Promise.resolve();
  /** Reports the served revision immediately, because a save in the console waits for that report. */
  private reportServedNow: () => void = () => undefined;
  private isStopping = false;

  constructor(private readonly options: PrimaryOptions) {
    const { config, log, output, socket, proxySocket } = options;
    const edgeId = randomUUID();
    const files = new StateFolder(config.DATA_DIR, log);
    const snapshot = new SnapshotFile(getSnapshotPath(config.DATA_DIR));
    this.store = new EdgeStore(config);
    this.usage = new UsageDelivery(this.store, files, edgeId, log);
    this.requests = new RequestDelivery(this.store);
    this.reporter = new RevisionReporter(this.store, edgeId);
    this.watcher = new ConfigWatcher(
      this.store,
      snapshot,
      {
        onReload: () => this.reloadWorkers(),
        onChanges: (changes, revision) => this.updateWorkers({ revision, isComplete: false, changes }),
      },
      log,
    );
    this.metrics = new EdgeMetrics((kind, id) => this.watcher.index.findLabels(kind, id));
    this.rates = new RateLimiters({
      // A SQLite file belongs to one machine, so no other machine counts against the same limits.
      isShared: config.DATABASE_URL !== undefined,
      getIndex: () => this.watcher.index,
      store: this.store,
      files,
      log,
    });
    this.workers = new WorkerPool({
      socket,
      proxySocket,
      output,
      count: config.EDGE_WORKERS ?? availableParallelism(),
      environment: { [VIA_NAME_VARIABLE]: `edge-${edgeId}`, [PRIMARY_PID_VARIABLE]: String(process.pid) },
      onStart: (worker) => this.publisher.sendConfig(worker),
      onMessage: (worker, message) => this.receive(worker, message),
      onExit: (worker) => this.onWorkerExited(worker),
      onListenFailed: (error) => void this.stop(() => failStart(error, 'PORT')),
      log,
    });
    this.connectionLimiter = new ConnectionLimiter(
      { total: MAX_CONNECTIONS, perClient: MAX_CLIENT_CONNECTIONS },
      (worker, message) => this.workers.sendTo(worker, message),
    );
    this.publisher = new ConfigPublisher(this.watcher, this.store, snapshot, this.workers);
  }

  /** Starts the primary. Workers load the snapshot while the primary reads the files of the previous process. */
  async start(): Promise<void> {
    this.whenRestored = this.restore();
    this.startAdminServer();
    onStop(() => void this.stop(() => process.exit(0)));
    // Without this listener, the SIGHUP of a log rotation would end an edge that has no log file.
    process.on('SIGHUP', () => {
      if (isLogFilePath(this.options.config.ACCESS_LOG)) this.workers.broadcast({ type: 'reopen-log' });
    });
    this.workers.start();
    await this.whenRestored;
    this.scheduleTasks();
  }

  /** Returns a handler for `catch` that logs a failure. The process survives the failure. */
  private logFailure(message: string) {
    return (error: unknown): void => this.options.log.error({ err: error }, message);
  }

  private async restore(): Promise<void> {
    await this.usage.recover().catch(this.logFailure('undelivered counts could not be read'));
    await this.watcher.restore();
    await this.rates.restore().catch(this.logFailure('rate windows could not be read, so limits start empty'));
  }

  private reloadWorkers(): void {
    this.rates.pruneKeys();
    for (const worker of this.workers.allIds) this.publisher.sendConfig(worker);
  }

  private updateWorkers(update: ConfigUpdate): void {
    this.rates.pruneKeys();
    for (const page of splitIntoPages(update)) this.workers.broadcast(page);
  }

  private receive(worker: number, message: ToPrimary): void {
    switch (message.type) {
      case 'config-missing':
        this.publisher.onMissing(worker);
        return;
      case 'applied':
        this.reporter.onApplied(worker, message);
        this.reportServedNow();
        return;
      case 'request-lease':
        void this.grantLease(worker, message.counterId, message.requested);
        return;
      case 'return-lease':
        this.rates.refund(message.counterId, message.unused, message.slice);
        return;
      case 'clients':
        this.connectionLimiter.add(worker, message.round, message.clients);
        return;
      case 'report':
        this.addReport(worker, message);
    }
  }

  private async grantLease(worker: number, counterId: string, requested: number): Promise<void> {
    await this.whenRestored;
    const grant = await this.rates.acquire(counterId, requested, Date.now());
    this.workers.sendTo(worker, { type: 'lease-reply', counterId, ...grant });
  }

  private addReport(worker: number, report: Extract<ToPrimary, { type: 'report' }>): void {
    this.usage.add(report.usage);
    this.requests.add(report.requests);
    this.metrics.add(worker, report.metrics, report.gauges, report.stats);
    this.metrics.addCounts(report.counts);
    this.balancer.add(worker, report.stats.cpuSeconds, performance.now() / 1000);
    this.options.spans?.add(report.spans, (id) => this.watcher.index.findRouteOrigin(id));
  }

  private onWorkerExited(worker: number): void {
    this.reporter.onWorkerExited(worker);
    // A save may have waited only for this worker.
    this.reportServedNow();
    this.metrics.onWorkerExited(worker);
    this.balancer.remove(worker);
    this.connectionLimiter.remove(worker);
    this.publisher.onExit(worker);
  }

  private startAdminServer(): void {
    const { config, log } = this.options;
    const mayIssueCertificate = createCertificatePolicy(config, () => this.watcher.index, this.store);
    startAdminServer(config, {
      isReady: () => !this.isStopping && this.workers.servingIds.length > 0,
      mayIssueCertificate: async (host) => {
        await this.whenRestored;
        return mayIssueCertificate(host);
      },
      createMetricsText: () => this.createMetricsText(),
      log,
    });
  }

  private async createMetricsText(): Promise<string> {
    const edgeText = this.metrics.createText({
      revision: this.watcher.revision ?? 0,
      snapshotAgeSeconds: this.watcher.ageSeconds,
      workers: this.workers.servingIds.length,
      pendingUsage: this.usage.pending,
      droppedOutput: this.options.countDroppedOutput(),
    });
    return edgeText + (await this.processMetrics.metrics());
  }

  private scheduleTasks(): void {
    const { store, watcher, usage, rates } = this;
    const { log } = this.options;
    const isStopping = () => this.isStopping;
    const repeat = (pauseMs: number | (() => number), name: string, task: () => Promise<unknown>) =>
      repeatTask(task, { pauseMs, name, log, isStopping });
    const getPollPauseMs = () => store.changes.pauseMs;
    store.changes.watch(repeat(getPollPauseMs, 'reading the configuration', () => watcher.poll()));
    const shortenPause = repeat(REPORT_INTERVAL_MS, 'reporting the served revision', () => this.reporter.report());
    this.reportServedNow = () => shortenPause(0);
    repeat(PERSIST_INTERVAL_MS, 'writing the snapshot', () => watcher.persist());
    repeat(PUBLISH_INTERVAL_MS, 'sending the configuration to a worker', () => this.publisher.publishToWaiting());
    repeat(FORGET_INTERVAL_MS, 'removing the rate windows of idle clients', async () =>
      rates.forgetIdleClients(Date.now()),
    );
    repeat(PERSIST_INTERVAL_MS, 'writing the rate windows', () => rates.persist());
    repeat(BALANCE_INTERVAL_MS, 'balancing the workers', async () => this.balanceWorkers());
    repeat(CONNECTION_COUNT_INTERVAL_MS, 'counting connections', async () =>
      this.connectionLimiter.startRound(this.workers.servingIds, this.metrics.clientConnections),
    );
    repeat(DELIVERY_INTERVAL_MS, 'storing usage', () => usage.deliver());
    repeat(DELIVERY_INTERVAL_MS, 'storing the request log', () => this.requests.deliver());
    repeat(DELIVERY_INTERVAL_MS, 'writing undelivered usage', () => usage.persist());
  }

  private balanceWorkers(): void {
    const overload = this.balancer.endRound();
    if (overload) this.workers.sendTo(overload.worker, { type: 'shed', share: overload.share });
  }

  private async stop(exit: () => never): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    const { output } = this.options;
    await this.workers.stop();
    await this.deliverLast();
    await this.store.close().catch(() => undefined);
    // The log is flushed last and with a time limit, because a stalled reader must not delay counts or the exit.
    await output.waitUntilFlushed(FINAL_FLUSH_MS);
    exitProcess([output], exit);
  }

  /** Deliveries run in parallel, because each may wait for an unreachable database while the port is closed. */
  private async deliverLast(): Promise<void> {
    const { log, spans } = this.options;
    const limitMs = LAST_DELIVERY_TIMEOUT_MS;
    await Promise.all([
      this.rates
        .persist()
        .catch(this.logFailure('rate windows could not be written, so limits start empty at the next start')),
      this.usage.close(),
      withDeadline(() => this.requests.deliver(), { name: 'the last requests', limitMs }).catch((error: unknown) =>
        log.warn({ err: error }, 'the last requests are missing from the request log'),
      ),
      withDeadline(async () => spans?.close(), { name: 'the last spans', limitMs }).catch(() => undefined),
      this.reporter.deregister().catch(() => undefined),
    ]);
  }
}
