import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

const DAY_MS = 86_400_000;
/** Folder of the release, or of the clone. */
const ROOT = join(__dirname, '../../..');

/** Reads the version of this build, from the release's `VERSION` file or else from `package.json`. */
function readBuildVersion(): string {
  const versionFile = join(ROOT, 'VERSION');
  if (existsSync(versionFile)) return readFileSync(versionFile, 'utf8').trim();
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return version;
}

/** Gauges whose names wrongly end in `_total`. prom-client also exports them by type, under correct names. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Interval between two measurements of the event-loop lag, ms. Each measurement wakes the process. */
const LAG_INTERVAL_MS = 500;
/** Lag metrics of prom-client that include the measuring interval. `addEventLoopLag` replaces two of these metrics. */
const INFLATED_LAG_METRICS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (name) => `nodejs_eventloop_lag_${name}_seconds`,
);

function addEventLoopLag(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: LAG_INTERVAL_MS });
  delay.enable();
  const addGauge = (name: string, description: string, readNs: () => number) =>
    new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `${description} of the measurements since the last scrape, two per second.`,
      registers: [registry],
      collect() {
        this.set(Math.max(0, readNs() / 1e9 - LAG_INTERVAL_MS / 1000));
      },
    });
  addGauge('max', 'Longest event-loop lag', () => delay.max);
  addGauge('p99', '99th percentile of the event-loop lag', () => {
    const p99Ns = delay.percentile(99);
    delay.reset(); // `max` was collected before: a registry collects in the order of registration.
    return p99Ns;
  });
}

/**
 * Creates a registry with the default metrics of this process (CPU, memory, descriptors, garbage collection and
 * event-loop lag). The version of the build is a label of `PROGRAM_build_info`.
 */
export function createProcessMetrics(program: 'core' | 'edge' | 'bff'): Registry {
  const registry = new Registry();
  // prom-client's measurement of the lag cannot be disabled, so it is made rare.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: DAY_MS });
  for (const name of [...MISNAMED, ...INFLATED_LAG_METRICS]) registry.removeSingleMetric(name);
  addEventLoopLag(registry);
  new Gauge({
    name: `${program}_build_info`,
    help: 'Version of the build.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: readBuildVersion() }, 1);
  return registry;
}
