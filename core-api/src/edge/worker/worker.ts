import type { Config } from '../../config';
import { State } from '../../decide/state';
import { createLog } from '../../log';
import { compileAddressList } from '../../rules/address';
import { compileStaticRules } from '../../rules/static-root';
import { isTracingEnabled } from '../../tracing/span-export';
import { OUTPUT_DESCRIPTOR } from '../descriptors';
import { Engine } from '../http1/engine';
import { CLIENT_CONNECTIONS, CONNECTIONS } from '../limits';
import type { ToPrimary, ToWorker } from '../messages';
import { LogFile, writesFile } from '../output/log-file';
import { LAST_OUTPUT_MS, leave } from '../output/output';
import { outputTo } from '../output/output-to';
import { accessLine } from './access-log';
import { EdgeHandler } from './handler';
import { HealthChecks } from './health-checks';
import { LineWriter } from './line-writer';
import { RequestMetrics } from './metrics';
import { Port } from './port';
import { RateLeases } from './rate-leases';
import { RequestSample } from './request-sample';
import { RequestSpans, readSampling } from './request-spans';
import { UsageCounter } from './usage-counter';
import { VitalSigns } from './vitals';

const REPORT_MS = 500;

/** Resolves when the message has left this process. */
const tell = (message: ToPrimary) =>
  new Promise<void>((resolve) => {
    if (!process.send?.(message, undefined, undefined, () => resolve())) resolve();
  });

/** Serves with what the primary sends; never sees the database. */
export function runWorker(config: Config, mark: string): void {
  const usage = new UsageCounter();
  const requests = new RequestSample();
  const leases = new RateLeases((message) => void tell(message));
  const metrics = new RequestMetrics();
  const vitals = new VitalSigns();
  const spans = isTracingEnabled(config) ? new RequestSpans(readSampling(process.env)) : undefined;
  let logDropped = 0;
  const countDropped = () => {
    logDropped += 1;
  };
  // For its own lines too, which must neither tear others nor wait for a reader.
  const output = outputTo(OUTPUT_DESCRIPTOR, countDropped);
  const log = createLog(config.LOG_LEVEL, 'edge', output);
  const file = writesFile(config.ACCESS_LOG) ? new LogFile(config.ACCESS_LOG, countDropped) : undefined;
  const accessLog = config.ACCESS_LOG === 'off' ? undefined : new LineWriter(file ?? output, accessLine);
  const outputs = file ? [output, file] : [output];
  const state = State.of(config, (about, reason) => log.error({ ...about, reason }, 'this row cannot be used'));
  const handler = new EdgeHandler({
    baseDomain: config.BASE_DOMAIN,
    ownPorts: config.OWN_PORTS,
    mark,
    isTrusted: compileAddressList(config.TRUSTED_PROXIES),
    mayServe: compileStaticRules(config.STATIC_RULES),
    state,
    usage,
    requests,
    leases,
    metrics,
    spans,
    accessLog,
    log,
  });
  const engine = new Engine(handler, {
    limits: { connections: CONNECTIONS, connectionsPerAddress: CLIENT_CONNECTIONS },
  });
  const health = new HealthChecks({
    services: () => state.checked,
    setHealth: (upstream, healthy) => engine.setHealth(upstream, healthy),
    mayConnect: (address, port, upstream) => handler.mayConnect(address, port, upstream),
  });

  const told = { faults: 0, limited: 0, logDropped: 0 };
  const report = () => {
    const { faults, limited, ...gauges } = engine.gauges();
    const taken = spans?.take();
    const counts = {
      faults: faults - told.faults,
      limited: limited - told.limited,
      logDropped: logDropped - told.logDropped,
      droppedSpans: taken?.dropped ?? 0,
    };
    Object.assign(told, { faults, limited, logDropped });
    leases.giveBack();
    return tell({
      type: 'report',
      usage: usage.take(),
      requests: requests.take(),
      measured: metrics.take(),
      gauges,
      vitals: vitals.take(),
      spans: taken?.spans ?? [],
      counts,
    });
  };
  const reporting = setInterval(report, REPORT_MS);

  const port = new Port((socket) => engine.accept(socket));

  /** What was logged goes out; a reader that stands still is not waited for longer. */
  async function settle(): Promise<void> {
    accessLog?.flush();
    for (const left of await Promise.all(outputs.map((each) => each.settled(LAST_OUTPUT_MS)))) logDropped += left;
  }

  const end = () => leave(outputs, () => process.exit(0));

  async function drain(): Promise<void> {
    await port.close();
    clearInterval(reporting);
    health.stop();
    await engine.drain();
    // Counts first: a reader that stands still is waited for, and the primary does not wait for that.
    await report();
    await settle();
    await report();
    end();
  }

  function reopenLog(): void {
    accessLog?.flush();
    try {
      file?.reopen();
    } catch (error) {
      // Its place is no reason to serve no more: another worker could not open it either.
      log.error({ err: error }, 'the access log cannot be opened anew: lines go on into the file that is open');
    }
  }

  let serving = false;
  function apply(update: Extract<ToWorker, { type: 'configuration' }>['update']): void {
    state.apply(update);
    void tell({ type: 'applied', revision: update.revision, refused: [...state.refused] });
    for (const tunnel of engine.tunnels) handler.judgeAnew(tunnel);
    if (serving) return;
    serving = true;
    health.start();
    port.listen(
      () => void tell({ type: 'serving' }),
      ({ code = '', message }) => void tell({ type: 'not-listening', code, message }).then(() => process.exit(1)),
    );
  }

  process.on('message', (message: ToWorker) => {
    if (message.type === 'configuration') apply(message.update);
    else if (message.type === 'shed') void engine.shed(message.part);
    else if (message.type === 'count-clients') {
      const clients = engine.clientsWith(message.least, message.also);
      void tell({ type: 'clients', round: message.round, clients });
    } else if (message.type === 'cap-clients') engine.capClients(new Map(message.caps));
    else if (message.type === 'leased') leases.granted(message, Date.now());
    else if (message.type === 'reopen-log') reopenLog();
    else void drain();
  });
  // Its primary may have been killed, and what was logged is not to go with it.
  process.once('disconnect', () => void settle().finally(end));
  // Connections and their exchanges are whole: it serves on until another worker has taken its place.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a fault outside of every connection');
    void tell({ type: 'faulted' });
  });
  // The terminal signals the whole group; the primary decides when to drain.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}
