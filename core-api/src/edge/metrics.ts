/** The status of a request whose client went away before its answer; the number is nginx's. */
export const CLIENT_GONE = 499;

/** Kinds of traffic, as the metrics and the access log name them. */
export type TrafficKind = 'studio' | 'gateway' | 'site' | 'unknown';

/** Upper bounds in seconds. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface Measured {
  kind: TrafficKind;
  statusClass: string;
  count: number;
  seconds: number;
  /** One more than `LATENCY_BUCKETS`: the last holds what was slower. */
  buckets: number[];
}

const noSeries = (): Record<TrafficKind, Map<number, Measured>> => ({
  studio: new Map(),
  gateway: new Map(),
  site: new Map(),
  unknown: new Map(),
});

/** Requests by kind and status class with their latency, of one worker since the last hand-over. */
export class RequestMetrics {
  /** By kind and the status's first digit. */
  private series = noSeries();

  record(kind: TrafficKind, status: number, milliseconds: number): void {
    const series = this.series[kind];
    const statusClass = Math.floor(status / 100);
    let one = series.get(statusClass);
    if (!one) {
      const buckets = new Array<number>(LATENCY_BUCKETS.length + 1).fill(0);
      one = { kind, statusClass: `${statusClass}xx`, count: 0, seconds: 0, buckets };
      series.set(statusClass, one);
    }
    const seconds = milliseconds / 1000;
    const found = LATENCY_BUCKETS.findIndex((bound) => seconds <= bound);
    const bucket = found < 0 ? LATENCY_BUCKETS.length : found;
    one.count += 1;
    one.seconds += seconds;
    one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1;
  }

  take(): Measured[] {
    const taken = Object.values(this.series).flatMap((series) => [...series.values()]);
    this.series = noSeries();
    return taken;
  }
}

/** Adds what a worker measured to the sums of the process. */
export function addMeasured(sums: Map<string, Measured>, more: readonly Measured[]): void {
  for (const { kind, statusClass, count, seconds, buckets } of more) {
    const name = `${kind} ${statusClass}`;
    const known = sums.get(name);
    if (!known) sums.set(name, { kind, statusClass, count, seconds, buckets: [...buckets] });
    else {
      known.count += count;
      known.seconds += seconds;
      known.buckets = known.buckets.map((value, index) => value + (buckets[index] ?? 0));
    }
  }
}

export interface Gauges {
  revision: number;
  snapshotAgeSeconds: number;
  workers: number;
  busySockets: number;
  freeSockets: number;
  pendingUsage: number;
}

const gauge = (name: string, help: string, value: number) =>
  `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;

/** Prometheus text format 0.0.4. */
export function prometheusText(sums: Iterable<Measured>, gauges: Gauges): string {
  const name = 'edge_request_duration_seconds';
  const lines = [`# HELP ${name} Time until the answer's end.`, `# TYPE ${name} histogram`];
  const totals = [
    '# HELP edge_requests_total Requests by kind and status class.',
    '# TYPE edge_requests_total counter',
  ];
  for (const { kind, statusClass, count, seconds, buckets } of sums) {
    const labels = `kind="${kind}",status="${statusClass}"`;
    let sum = 0;
    buckets.forEach((value, index) => {
      sum += value;
      lines.push(`${name}_bucket{${labels},le="${LATENCY_BUCKETS[index] ?? '+Inf'}"} ${sum}`);
    });
    lines.push(`${name}_sum{${labels}} ${seconds}`, `${name}_count{${labels}} ${count}`);
    totals.push(`edge_requests_total{${labels}} ${count}`);
  }
  return [
    `${totals.join('\n')}\n`,
    `${lines.join('\n')}\n`,
    gauge('edge_snapshot_revision', 'Revision of the configuration in force.', gauges.revision),
    gauge(
      'edge_snapshot_age_seconds',
      'Seconds since the configuration was last compared with the database.',
      gauges.snapshotAgeSeconds,
    ),
    gauge('edge_workers', 'Worker processes that serve.', gauges.workers),
    gauge('edge_upstream_sockets_busy', 'Upstream connections in use.', gauges.busySockets),
    gauge('edge_upstream_sockets_free', 'Upstream connections kept for later.', gauges.freeSockets),
    gauge('edge_usage_pending', 'Counted requests that are not in the database yet.', gauges.pendingUsage),
  ].join('');
}
