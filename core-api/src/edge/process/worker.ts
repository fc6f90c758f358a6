import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../platform/config';
import { createLog } from '../../platform/log';
import { compileAddressList } from '../../platform/net/address';
import { compileStaticRules } from '../../platform/net/static-root';
import { isTracingEnabled } from '../../platform/tracing/span-export';
import { SOCKET_PEER } from '../../routing/client-address';
import { RoutingTable } from '../../routing/routing-table';
import { snapshotPath } from '../config-sync/snapshot-file';
import { Engine } from '../engine/engine';
import { BasicAuthCache } from '../handler/basic-auth-cache';
import { EdgeHandler } from '../handler/edge-handler';
import { ProxiedRequestLimit } from '../handler/proxied-request-limit';
import { HealthChecks } from '../health-checks/health-checks';
import type { ToPrimary, ToWorker } from '../ipc/messages';
import { RateLeases } from '../rate-limiting/rate-leases';
import { formatAccessLine } from '../telemetry/access-log';
import { LineWriter } from '../telemetry/line-writer';
import { isFilePath, LogFile } from '../telemetry/output/log-file';
import { openOutput } from '../telemetry/output/open-output';
import { exitProcess, FINAL_FLUSH_MS } from '../telemetry/output/output';
import { ProcessStatsCollector } from '../telemetry/process-stats';
import { RequestSpans, readSampling } from '../telemetry/request-spans';
import { RequestMetrics } from '../telemetry/worker-metrics';
import { RequestSample } from '../usage/request-sample';
import { UsageCounter } from '../usage/usage-counter';
import { ConfigReceiver } from './config-receiver';
import { OUTPUT_DESCRIPTOR, PORT_DESCRIPTOR, SOCKET_DESCRIPTOR } from './descriptors';
import { MAX_CLIENT_CONNECTIONS, MAX_CONNECTIONS } from './limits';
import { WorkerListener } from './worker-listener';

const REPORT_MS = 500;

/** Sends a message to the primary. Resolves when it has left this process. */
const send = (message: ToPrimary) =>
  new Promise<void>((resolve) => {
    if (!process.send?.(message, undefined, undefined, () => resolve())) resolve();
  });

/** Runs a worker: it serves with the configuration that the primary sends, and has no access to the database. */
export function runWorker(config: Config, viaName: string): void {
  const usage = new UsageCounter();
  const requests = new RequestSample();
  const leases = new RateLeases((message) => void send(message));
  const metrics = new RequestMetrics();
  const processStats = new ProcessStatsCollector(REPORT_MS);
  const spans = isTracingEnabled(config) ? new RequestSpans(readSampling(process.env)) : undefined;
  let logDropped = 0;
  const countDropped = () => {
    logDropped += 1;
  };
  // The process log uses the same output, because two writers could tear each other's lines.
  const output = openOutput(OUTPUT_DESCRIPTOR, countDropped);
  const log = createLog(config.LOG_LEVEL, 'edge', output);
  const file = isFilePath(config.ACCESS_LOG) ? new LogFile(config.ACCESS_LOG, countDropped) : undefined;
  const accessLog = config.ACCESS_LOG === 'off' ? undefined : new LineWriter(file ?? output, formatAccessLine);
  const outputs = file ? [output, file] : [output];
  const routingTable = new RoutingTable(config, (about, reason) =>
    log.error({ ...about, reason }, 'this row cannot be used'),
  );
  const workerCount = config.EDGE_WORKERS ?? availableParallelism();
  // A proxy spreads the requests of a client over all workers. Twice the even share leaves room until the first round.
  const proxiedRequestLimit = new ProxiedRequestLimit(
    Math.min(MAX_CLIENT_CONNECTIONS, Math.ceil((2 * MAX_CLIENT_CONNECTIONS) / workerCount)),
  );
  const handler = new EdgeHandler({
    proxiedRequestLimit,
    ownDomains: [config.BASE_DOMAIN, config.SITES_DOMAIN],
    ownPorts: config.OWN_PORTS,
    viaName,
    isTrusted: compileAddressList(config.TRUSTED_PROXIES),
    mayServeFile: compileStaticRules(config.STATIC_RULES),
    basicAuth: new BasicAuthCache(config.CORE_URL),
    contentFolder: join(config.DATA_DIR, 'content/objects'),
    routingTable,
    usage,
    requestSample: requests,
    leases,
    metrics,
    spans,
    accessLog,
    log,
  });
  const engine = new Engine(handler, {
    limits: { connections: MAX_CONNECTIONS, connectionsPerAddress: MAX_CLIENT_CONNECTIONS },
  });
  const health = new HealthChecks({
    services: () => routingTable.config.servicesWithHealthCheck,
    setHealth: (upstream, healthy) => engine.setHealth(upstream, healthy),
    mayConnect: (address, port, upstream) => handler.mayConnect(address, port, upstream),
  });

  const reported = { faults: 0, limited: 0, logDropped: 0 };
  const report = () => {
    const { faults, limited, ...gauges } = engine.gauges();
    const taken = spans?.take();
    const counts = {
      faults: faults - reported.faults,
      limited: limited - reported.limited,
      logDropped: logDropped - reported.logDropped,
      droppedSpans: taken?.dropped ?? 0,
    };
    Object.assign(reported, { faults, limited, logDropped });
    leases.returnUnused();
    return send({
      type: 'report',
      usage: usage.take(),
      requests: requests.take(),
      metrics: metrics.take(),
      gauges,
      stats: processStats.take(),
      spans: taken?.spans ?? [],
      counts,
    });
  };
  const reporting = setInterval(report, REPORT_MS);

  const port = new WorkerListener(PORT_DESCRIPTOR, (socket) => engine.accept(socket));
  const proxyPort =
    config.EDGE_SOCKET === undefined
      ? undefined
      : new WorkerListener(SOCKET_DESCRIPTOR, (socket) => engine.accept(socket, SOCKET_PEER));

  /** Flushes the logs, with a limit for stalled readers. */
  async function flushLogs(): Promise<void> {
    accessLog?.flush();
    for (const left of await Promise.all(outputs.map((each) => each.flushed(FINAL_FLUSH_MS)))) logDropped += left;
  }

  const end = () => exitProcess(outputs, () => process.exit(0));

  async function drain(): Promise<void> {
    await Promise.all([port.close(), proxyPort?.close()]);
    clearInterval(reporting);
    health.stop();
    await engine.drain();
    // Counts are reported before the logs are flushed, because a stalled reader may delay this process.
    await report();
    await flushLogs();
    await report();
    end();
  }

  function reopenLog(): void {
    accessLog?.flush();
    try {
      file?.reopen();
    } catch (error) {
      // The worker continues with the old file, because no other worker could open the path either.
      log.error({ err: error }, 'the access log cannot be opened anew: lines go on into the file that is open');
    }
  }

  let serving = false;
  const receiver = new ConfigReceiver(routingTable, snapshotPath(config.DATA_DIR), {
    onApplied,
    onMissing: (error) => {
      log.warn({ err: error }, 'this worker has no configuration yet');
      void send({ type: 'configuration-missing' });
    },
  });

  function onApplied(revision: number): void {
    void send({ type: 'applied', revision, refused: [...routingTable.config.refusedSites] });
    for (const tunnel of engine.tunnels) handler.authorization.reauthorize(tunnel);
    if (serving) return;
    serving = true;
    health.start();
    const onFailed = ({ code = '', message }: NodeJS.ErrnoException) =>
      void send({ type: 'listen-failed', code, message }).then(() => process.exit(1));
    const listenOnPort = () => port.listen(() => void send({ type: 'serving' }), onFailed);
    if (proxyPort) proxyPort.listen(listenOnPort, onFailed);
    else listenOnPort();
  }

  process.on('message', (message: ToWorker) => {
    if (message.type === 'configuration') receiver.receivePage(message);
    else if (message.type === 'load-snapshot') receiver.load();
    else if (message.type === 'shed') void engine.shed(message.share);
    else if (message.type === 'count-clients') {
      const connections = engine.countConnections(message.minConnections, message.watched);
      const clients = proxiedRequestLimit.addTo(connections, message.minConnections);
      void send({ type: 'clients', round: message.round, clients });
    } else if (message.type === 'cap-clients') {
      const caps = new Map(message.caps);
      engine.capClients(caps);
      proxiedRequestLimit.setCaps(caps);
    } else if (message.type === 'lease-granted') leases.onGrant(message, Date.now());
    else if (message.type === 'reopen-log') reopenLog();
    else void drain();
  });
  // The primary was killed: flush the logs and exit.
  process.once('disconnect', () => void flushLogs().finally(end));
  // Connections have their own fault boundaries, so they are intact. The worker serves until its successor does.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a fault outside of every connection');
    void send({ type: 'faulted' });
  });
}
