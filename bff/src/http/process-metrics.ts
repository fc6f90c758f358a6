import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readBuildVersion } from './build-version';

/** Gauges whose names wrongly end in `_total`. prom-client also exports them by type, under correct names. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];
/** Interval between two measurements of the event-loop lag, ms. Each measurement wakes the process. */
const LAG_INTERVAL_MS = 500;
/** Lag metrics of prom-client that include the measuring interval. `addEventLoopLag` replaces two of these metrics. */
const INFLATED_LAG_METRICS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (name) => `nodejs_eventloop_lag_${name}_seconds`,
);
const DAY_MS = 86_400_000;

/** Creates a registry with the metrics of this process and the version of the build. */
export function createProcessMetrics(): Registry {
  const registry = new Registry();
  // prom-client's measurement of the lag cannot be disabled, so it is made rare.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DAY_MS });
  for (const name of [...MISNAMED, ...INFLATED_LAG_METRICS]) registry.removeSingleMetric(name);
  addEventLoopLag(registry);
  new Gauge({
    name: 'bff_build_info',
    help: 'Version of the build.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: readBuildVersion() }, 1);
  return registry;
}

function addEventLoopLag(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: LAG_INTERVAL_MS });
  delay.enable();
  const toSeconds = (ns: number) => Math.max(0, ns / 1e9 - LAG_INTERVAL_MS / 1000);
  new Gauge({
    name: 'nodejs_eventloop_lag_max_seconds',
    help: 'Longest event-loop lag of the measurements since the last scrape, two per second.',
    registers: [registry],
    collect() {
      this.set(toSeconds(delay.max));
    },
  });
  new Gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: '99th percentile of the event-loop lag of the measurements since the last scrape, two per second.',
    registers: [registry],
    collect() {
      this.set(toSeconds(delay.percentile(99)));
      delay.reset();
    },
  });
}
