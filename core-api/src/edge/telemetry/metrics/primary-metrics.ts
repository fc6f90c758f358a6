import type { Gauges } from '../../engine/types';
import type { ProcessStats } from './process-stats';
import { type Distribution, type Labels, type Sample, toFamily, toHistogram } from './prometheus-text';
import { addDuration, createHistogram, mergeCounts, mergeHistogram, toSamples } from './request-counts';
import { TopSubjects } from './top-subjects';
import { LATENCY_BOUNDS_S, LONG_BOUNDS_S, type MetricsReport, type RequestSeries } from './worker-metrics';

/** Upper bounds of the buckets for the lag of the event loop. */
const LAG_BOUNDS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const NO_COUNTS = { faults: 0, limited: 0, logDropped: 0, droppedSpans: 0 };
/** Counts of one worker since its last report. */
export type WorkerCounts = typeof NO_COUNTS;

export type WorkerGauges = Omit<Gauges, 'faultsTotal' | 'limitedTotal'>;

export interface EdgeGauges {
  revision: number;
  snapshotAgeSeconds: number;
  workers: number;
  pendingUsage: number;
  /** Chunks of log lines that the output of the primary dropped. `logDropped` counts those of the workers. */
  droppedOutput: number;
}

export type FindLabels = (subject: 'site' | 'route', id: string) => Labels | undefined;

/** Merges `added` into the entry of `key`, or stores `added` as a new entry. */
function mergeInto<Entry>(
  sums: Map<string, Entry>,
  key: string,
  added: Entry,
  merge: (sum: Entry, added: Entry) => void,
) {
  const existing = sums.get(key);
  if (existing) merge(existing, added);
  else sums.set(key, added);
}

const toKey = ({ labels }: Sample | Distribution): string => Object.values(labels).join(' ');

/** Runs in the primary, sums up the workers' reports and formats the sums as Prometheus text. */
export class EdgeMetrics {
  /** Counts of all workers since this process started. */
  private readonly totals = { workersEnded: 0, ...NO_COUNTS };
  private readonly requests = new Map<string, RequestSeries>();
  private readonly longLived = new Map<string, Distribution>();
  private readonly refusals = new Map<string, Sample>();
  private readonly subjects = { site: new TopSubjects('site'), route: new TopSubjects('route') };
  private readonly lag: Distribution = { labels: {}, ...createHistogram(LAG_BOUNDS_S) };
  private readonly gauges = new Map<number, WorkerGauges>();
  private readonly stats = new Map<number, ProcessStats>();

  /** @param findLabels returns undefined for unknown sites and routes, which are counted as `other` */
  constructor(private readonly findLabels: FindLabels) {}

  add(
    worker: number,
    { requests, longLived, subjects, refusals }: MetricsReport,
    gauges: WorkerGauges,
    stats: ProcessStats,
  ): void {
    for (const series of requests) mergeInto(this.requests, `${series.kind} ${series.digit}`, series, mergeCounts);
    for (const distribution of longLived) mergeInto(this.longLived, toKey(distribution), distribution, mergeHistogram);
    for (const refusal of refusals) {
      mergeInto(this.refusals, toKey(refusal), refusal, (sum) => {
        sum.value += refusal.value;
      });
    }
    const nowMs = performance.now();
    for (const { subject, id, ...counts } of subjects)
      this.subjects[subject].add(this.findLabels(subject, id), counts, nowMs);
    addDuration(this.lag, LAG_BOUNDS_S, stats.lagMs / 1000);
    this.gauges.set(worker, gauges);
    this.stats.set(worker, stats);
  }

  addCounts(counts: WorkerCounts): void {
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) this.totals[name] += counts[name];
  }

  onWorkerExited(worker: number): void {
    this.totals.workersEnded += 1;
    this.gauges.delete(worker);
    this.stats.delete(worker);
  }

  private sumGauge(name: keyof WorkerGauges): number {
    return [...this.gauges.values()].reduce((sum, workerGauges) => sum + workerGauges[name], 0);
  }

  /** Sum of the client connections and the tunnels of all workers, by their last reports. */
  get clientConnections(): number {
    return this.sumGauge('clients') + this.sumGauge('tunnels');
  }

  /** Returns all metrics as Prometheus text. */
  createText({ revision, snapshotAgeSeconds, workers, pendingUsage, droppedOutput }: EdgeGauges): string {
    const toGauge = (name: string, help: string, value: number) =>
      toFamily('gauge', name, help, [{ labels: {}, value }]);
    const toCounter = (name: string, help: string, value: number) =>
      toFamily('counter', name, help, [{ labels: {}, value }]);
    const { totals } = this;
    return [
      this.createRequestText(),
      this.subjects.site.createText('sites, by the name of a subdomain or tenant'),
      this.subjects.route.createText('the gateway, by service and route'),
      this.createWorkerText(),
      toGauge('edge_snapshot_revision', 'Revision of the configuration in force.', revision),
      toGauge(
        'edge_snapshot_age_seconds',
        'Seconds since the configuration was last compared with the database.',
        snapshotAgeSeconds,
      ),
      toGauge('edge_workers', 'Worker processes that serve.', workers),
      toCounter('edge_workers_ended_total', 'Worker processes that ended, for whatever reason.', totals.workersEnded),
      toCounter('edge_faults_total', 'Faults that ended a connection.', totals.faults),
      toCounter('edge_limited_total', 'Connections closed or refused for a limit.', totals.limited),
      toCounter(
        'edge_log_dropped_total',
        'Pieces of the log that nobody read in time, or that could not be written.',
        totals.logDropped + droppedOutput,
      ),
      toCounter('edge_spans_dropped_total', 'Sampled spans beyond what is kept.', totals.droppedSpans),
      toGauge('edge_client_connections', 'Connections of clients.', this.sumGauge('clients')),
      toGauge('edge_tunnels', 'Open WebSockets.', this.sumGauge('tunnels')),
      toGauge('edge_requests_queued', 'Requests that wait for an upstream connection.', this.sumGauge('queued')),
      toGauge('edge_upstream_sockets_busy', 'Upstream connections in use.', this.sumGauge('upstreamBusy')),
      toGauge('edge_upstream_sockets_free', 'Upstream connections kept for later.', this.sumGauge('upstreamFree')),
      toGauge('edge_usage_pending', 'Counted requests that are not in the database yet.', pendingUsage),
    ].join('');
  }

  private createRequestText(): string {
    const requests = [...this.requests.values()];
    return [
      toFamily(
        'counter',
        'edge_requests_total',
        'Requests by kind and status class; with a reason those that the edge refused by its own rules.',
        requests.flatMap((series) => toSamples({ kind: series.kind }, series)),
      ),
      toHistogram(
        'edge_request_duration_seconds',
        'Time until the end of the response, long-lived ones left out.',
        LATENCY_BOUNDS_S,
        requests.map(({ kind, digit, ...series }) => ({ labels: { kind, status: `${digit}xx` }, ...series })),
      ),
      toHistogram(
        'edge_long_lived_duration_seconds',
        'Time until the end of WebSockets, and of responses that went on for more than 10 s after their head.',
        LONG_BOUNDS_S,
        [...this.longLived.values()],
      ),
      toFamily('counter', 'edge_refusals_total', 'Requests that were refused or stayed unfinished, by reason.', [
        ...this.refusals.values(),
      ]),
    ].join('');
  }

  private createWorkerText(): string {
    const listSamples = (name: keyof ProcessStats): Sample[] =>
      [...this.stats].map(([worker, stats]) => ({ labels: { worker: String(worker) }, value: stats[name] }));
    return [
      toFamily('counter', 'edge_worker_cpu_seconds_total', 'Processor time of a worker.', listSamples('cpuSeconds')),
      toFamily('gauge', 'edge_worker_resident_memory_bytes', 'Memory of a worker.', listSamples('residentBytes')),
      toHistogram(
        'edge_event_loop_lag_seconds',
        'How late the event loop of a worker was at worst, in each half second.',
        LAG_BOUNDS_S,
        [this.lag],
      ),
    ].join('');
  }
}
