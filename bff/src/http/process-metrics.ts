import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { buildVersion } from './build-version';

/** Gauges with the `_total` suffix of counters; prom-client has each by type under a correct name, too. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];
/** Interval between two measurements of the event-loop lag. Each one wakes the process, also an idle one. */
const LAG_INTERVAL_MS = 500;
/** prom-client counts the interval as lag and measures every 10 ms, so its percentiles are replaced. */
const REPLACED = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (name) => `nodejs_eventloop_lag_${name}_seconds`,
);
const DAY_MS = 86_400_000;

/** Registry with the metrics of this process and the version of the build. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DAY_MS });
  for (const name of [...MISNAMED, ...REPLACED]) registry.removeSingleMetric(name);
  addEventLoopLag(registry);
  new Gauge({
    name: 'bff_build_info',
    help: 'Version of the build.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: buildVersion() }, 1);
  return registry;
}

function addEventLoopLag(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: LAG_INTERVAL_MS });
  delay.enable();
  const toSeconds = (ns: number) => Math.max(0, ns / 1e9 - LAG_INTERVAL_MS / 1000);
  new Gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'Longest event-loop lag since the last scrape.',
    registers: [registry],
    collect() {
      this.set(toSeconds(delay.max));
    },
  });
  new Gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: '99th percentile of the event-loop lag since the last scrape.',
    registers: [registry],
    collect() {
      this.set(toSeconds(delay.percentile(99)));
      delay.reset();
    },
  });
}
