import { collectDefaultMetrics, Registry } from 'prom-client';

/** Gauges with the `_total` suffix of counters; prom-client has each by type under a correct name, too. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Processor time, memory, descriptors, collected garbage and the event loop's lag of this process. */
export function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
