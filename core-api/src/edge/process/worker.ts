import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config';
import { compileAddressList } from '../../platform/net/address';
import { compileStaticRules } from '../../platform/net/static-root';
import { isTracingEnabled } from '../../platform/tracing/span-export';
import { SOCKET_PEER } from '../../routing/client-address';
import { RoutingTable } from '../../routing/routing-table';
import { getSnapshotPath } from '../config-sync/snapshot-file';
import { Engine } from '../engine/engine';
import { BasicAuthCache } from '../handler/basic-auth-cache';
import type { EdgeDecision } from '../handler/edge-decision';
import { EdgeHandler } from '../handler/edge-handler';
import type { ParsedHeaders } from '../handler/parsed-headers';
import { ProxiedRequestLimit } from '../handler/proxied-request-limit';
import { HealthChecks } from '../health-checks/health-checks';
import type { ToPrimary, ToWorker } from '../ipc/messages';
import { RateLeases } from '../rate-limiting/rate-leases';
import { ProcessStatsCollector } from '../telemetry/metrics/process-stats';
import { RequestMetrics } from '../telemetry/metrics/worker-metrics';
import { RequestSpans, readSampling } from '../telemetry/spans/request-spans';
import { WorkerLog } from '../telemetry/worker-log';
import { RequestSample } from '../usage/request-sample';
import { UsageCounter } from '../usage/usage-counter';
import { ConfigReceiver } from './config-receiver';
import { MAX_CLIENT_CONNECTIONS, MAX_CONNECTIONS } from './limits';
import { OUTPUT_DESCRIPTOR, PORT_DESCRIPTOR, SOCKET_DESCRIPTOR } from './listening/descriptors';
import { WorkerListener } from './listening/worker-listener';

const REPORT_MS = 500;

/** Sends a message to the primary. Resolves when the message has left this process. */
const send = (message: ToPrimary) =>
  new Promise<void>((resolve) => {
    if (!process.send?.(message, undefined, undefined, () => resolve())) resolve();
  });

/** A worker process. It serves with the configuration of the primary and has no access to the database. */
export class Worker {
  private readonly usage = new UsageCounter();
  private readonly requests = new RequestSample();
  private readonly leases = new RateLeases((message) => void send(message));
  private readonly metrics = new RequestMetrics();
  private readonly processStats = new ProcessStatsCollector(REPORT_MS);
  private readonly spans: RequestSpans | undefined;
  private readonly logs: WorkerLog;
  private readonly routingTable: RoutingTable;
  private readonly proxiedRequestLimit: ProxiedRequestLimit;
  private readonly handler: EdgeHandler;
  private readonly engine: Engine<ParsedHeaders, EdgeDecision>;
  private readonly health: HealthChecks;
  private readonly portListener: WorkerListener;
  private readonly proxyListener: WorkerListener | undefined;
  private readonly receiver: ConfigReceiver;
  private readonly lastTotals = { faults: 0, limited: 0, logDropped: 0 };
  private reportTimer: NodeJS.Timeout | undefined;
  private isServing = false;

  constructor(config: Config, viaName: string) {
    this.spans = isTracingEnabled(config) ? new RequestSpans(readSampling(process.env)) : undefined;
    this.logs = new WorkerLog(config, OUTPUT_DESCRIPTOR);
    const { log, accessLog } = this.logs;
    this.routingTable = new RoutingTable(config, (about, reason) =>
      log.error({ ...about, reason }, 'a row of the configuration cannot be used'),
    );
    const workers = config.EDGE_WORKERS ?? availableParallelism();
    // A proxy spreads a client's requests over all workers. Twice the even share suffices until the primary sets a cap.
    this.proxiedRequestLimit = new ProxiedRequestLimit(
      Math.min(MAX_CLIENT_CONNECTIONS, Math.ceil((2 * MAX_CLIENT_CONNECTIONS) / workers)),
    );
    this.handler = new EdgeHandler({
      proxiedRequestLimit: this.proxiedRequestLimit,
      ownDomains: [config.BASE_DOMAIN, config.SITES_DOMAIN],
      ownPorts: config.OWN_PORTS,
      viaName,
      isTrustedProxy: compileAddressList(config.TRUSTED_PROXIES),
      mayServeFile: compileStaticRules(config.STATIC_RULES),
      basicAuth: new BasicAuthCache(config.CORE_URL),
      contentFolder: join(config.DATA_DIR, 'content/objects'),
      routingTable: this.routingTable,
      usage: this.usage,
      requestSample: this.requests,
      leases: this.leases,
      metrics: this.metrics,
      spans: this.spans,
      accessLog,
      log,
    });
    this.engine = new Engine(this.handler, {
      limits: { connections: MAX_CONNECTIONS, connectionsPerClient: MAX_CLIENT_CONNECTIONS },
    });
    this.health = new HealthChecks({
      listServices: () => this.routingTable.config.servicesWithHealthCheck,
      setHealth: (upstream, isHealthy) => this.engine.setHealth(upstream, isHealthy),
      mayConnect: (address, port, upstream) => this.handler.mayConnect(address, port, upstream),
    });
    this.portListener = new WorkerListener(PORT_DESCRIPTOR, (socket) => this.engine.accept(socket));
    if (config.EDGE_SOCKET !== undefined)
      this.proxyListener = new WorkerListener(SOCKET_DESCRIPTOR, (socket) => this.engine.accept(socket, SOCKET_PEER));
    this.receiver = new ConfigReceiver(this.routingTable, getSnapshotPath(config.DATA_DIR), {
      onApplied: (revision) => this.onConfigApplied(revision),
      onMissing: (error) => {
        log.warn({ err: error }, 'the configuration could not be loaded');
        void send({ type: 'config-missing' });
      },
    });
  }

  /** Starts the worker, which listens as soon as it has a configuration. */
  start(): void {
    this.reportTimer = setInterval(() => this.report(), REPORT_MS);
    process.on('message', (message: ToWorker) => this.receive(message));
    // The primary was killed, so the worker flushes the logs and exits.
    process.once('disconnect', () => void this.logs.flush().finally(() => this.logs.exitProcess()));
    // Every connection has a fault boundary, so all connections are intact, and the worker serves until it is replaced.
    process.on('uncaughtException', (error) => {
      this.logs.log.fatal({ err: error }, 'a fault outside of every connection');
      void send({ type: 'faulted' });
    });
  }

  private receive(message: ToWorker): void {
    switch (message.type) {
      case 'config':
        this.receiver.receivePage(message);
        break;
      case 'load-snapshot':
        this.receiver.loadSnapshot();
        break;
      case 'shed':
        void this.engine.shed(message.share);
        break;
      case 'count-clients': {
        const { round, minConnections, watched } = message;
        const connections = this.engine.countConnections(minConnections, watched);
        const clients = this.proxiedRequestLimit.addTo(connections, minConnections);
        void send({ type: 'clients', round, clients });
        break;
      }
      case 'cap-clients': {
        const caps = new Map(message.caps);
        this.engine.capClients(caps);
        this.proxiedRequestLimit.setCaps(caps);
        break;
      }
      case 'lease-reply':
        this.leases.onLeaseReply(message, Date.now());
        break;
      case 'reopen-log':
        this.logs.reopen();
        break;
      case 'drain':
        void this.drain();
    }
  }

  private onConfigApplied(revision: number): void {
    void send({ type: 'applied', revision, refused: [...this.routingTable.config.refusedSites] });
    for (const tunnel of this.engine.tunnels) this.handler.authorization.reauthorize(tunnel);
    if (this.isServing) return;
    this.isServing = true;
    this.health.start();
    this.listen();
  }

  private listen(): void {
    const { portListener, proxyListener } = this;
    const onFailed = ({ code = '', message }: NodeJS.ErrnoException) =>
      void send({ type: 'listen-failed', code, message }).then(() => process.exit(1));
    const listenOnPort = () => portListener.listen(() => void send({ type: 'serving' }), onFailed);
    if (proxyListener) proxyListener.listen(listenOnPort, onFailed);
    else listenOnPort();
  }

  private report(): Promise<void> {
    const { faultsTotal, limitedTotal, ...gauges } = this.engine.getGauges();
    const logDropped = this.logs.dropped;
    const spanReport = this.spans?.take();
    const counts = {
      faults: faultsTotal - this.lastTotals.faults,
      limited: limitedTotal - this.lastTotals.limited,
      logDropped: logDropped - this.lastTotals.logDropped,
      droppedSpans: spanReport?.dropped ?? 0,
    };
    Object.assign(this.lastTotals, { faults: faultsTotal, limited: limitedTotal, logDropped });
    this.leases.returnUnused();
    return send({
      type: 'report',
      usage: this.usage.take(),
      requests: this.requests.take(),
      metrics: this.metrics.take(),
      gauges,
      stats: this.processStats.take(),
      spans: spanReport?.spans ?? [],
      counts,
    });
  }

  private async drain(): Promise<void> {
    await Promise.all([this.portListener.close(), this.proxyListener?.close()]);
    clearInterval(this.reportTimer);
    this.health.stop();
    await this.engine.drain();
    // Counts are reported before the flush, which a stalled reader may delay, and after it with the dropped lines.
    await this.report();
    await this.logs.flush();
    await this.report();
    this.logs.exitProcess();
  }
}
