import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Folder of the release, or of the clone. */
const ROOT = join(__dirname, '../../..');

/** Version of this build: the one of a release with its commit, otherwise the one of `package.json`. */
function buildVersion(): string {
  const release = join(ROOT, 'VERSION');
  if (existsSync(release)) return readFileSync(release, 'utf8').trim();
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return version;
}

/**
 * Gauges that wrongly carry the `_total` suffix of counters. prom-client also exports each of them by type, under a
 * correct name.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Every measurement of the event-loop lag wakes the process, also an idle one. The default is 10 ms. */
const LAG_PRECISION_MS = 50;

/**
 * Registry with the default metrics of this process (CPU, memory, descriptors, garbage collection and event-loop lag). The
 * version of the build is a label of `PROGRAM_build_info`.
 */
export function processMetrics(program: 'core' | 'edge'): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: `${program}_build_info`,
    help: 'Version of the build.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: buildVersion() }, 1);
  return registry;
}
