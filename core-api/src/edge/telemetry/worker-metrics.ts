import type { RefusalReason } from '../../routing/refusal-reason';
import type { TrafficKind } from '../../routing/routing-decision';
import type { Exchange, FailureReason } from '../engine/types';
import type { EdgeDecision } from '../handler/edge-decision';
import type { ParsedHeaders } from '../handler/parsed-headers';

/** Upper bounds in seconds. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Upper bounds for single sites and routes; fewer, since there may be many series. */
export const SUBJECT_BUCKETS = [0.025, 0.1, 0.5, 2.5, 10];
/** Upper bounds for WebSockets and long answers. */
export const LONG_BUCKETS = [10, 60, 300, 1_800, 7_200, 43_200];

const WEBSOCKET = 101;
const LONG_ANSWER_MS = 10_000;

/** Sum of durations in seconds, and counts by bucket. The last bucket is for durations above all bounds. */
export interface DurationHistogram {
  seconds: number;
  buckets: number[];
}

export interface RequestSeries extends DurationHistogram {
  kind: TrafficKind;
  statusClass: string;
  /** Number of requests without `refused`, including long-lived ones, which are in no bucket. */
  count: number;
  refused: RefusedCount[];
}

/** WebSockets, and responses that continued for more than 10 s after their head. */
export interface LongLivedSeries extends DurationHistogram {
  kind: TrafficKind;
  type: 'websocket' | 'answer';
}

/** Requests that the edge refused by its own rules, such as those to a paused site. */
export interface RefusedCount {
  reason: RefusalReason;
  statusClass: string;
  count: number;
}

/** Requests of one site or of one route. */
export interface SubjectSeries extends DurationHistogram {
  subject: 'site' | 'route';
  id: string;
  /** Counts by the first digit of the status, without `refused`. */
  statuses: number[];
  refused: RefusedCount[];
}

/** Refused or unfinished requests. */
export interface RefusalSeries {
  kind: TrafficKind;
  reason: FailureReason | RefusalReason;
  count: number;
}

/** Metrics of one worker since its last report. */
export interface MetricsReport {
  requests: RequestSeries[];
  long: LongLivedSeries[];
  subjects: SubjectSeries[];
  refusals: RefusalSeries[];
}

const emptyHistogram = (bounds: readonly number[]): DurationHistogram => ({
  seconds: 0,
  buckets: new Array<number>(bounds.length + 1).fill(0),
});

function observe(into: DurationHistogram, bounds: readonly number[], seconds: number): void {
  let bucket = 0;
  while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
  into.seconds += seconds;
  into.buckets[bucket] = (into.buckets[bucket] ?? 0) + 1;
}

type EndedExchange = Pick<
  Exchange<ParsedHeaders, EdgeDecision>,
  'decision' | 'status' | 'durationMs' | 'upstreamMs' | 'reason'
>;

/** Adds one refused request to the entry with the same reason and status class. */
function countRefused(refused: RefusedCount[], reason: RefusalReason, statusClass: string): void {
  const known = refused.find((one) => one.reason === reason && one.statusClass === statusClass);
  if (known) known.count += 1;
  else refused.push({ reason, statusClass, count: 1 });
}

/** Time between the head and the end of the response, ms; 0 without a head. */
function afterHeadMs({ decision, durationMs, upstreamMs }: EndedExchange): number {
  const headMs = decision?.action === 'reply' ? 0 : upstreamMs;
  return headMs === undefined ? 0 : durationMs - headMs;
}

const byKind = <Entry>(): Record<TrafficKind, Entry[]> => ({ studio: [], gateway: [], site: [], unknown: [] });

/**
 * Metrics of one worker since its last report: by kind and status class, by site and route, and by reason of refusal. A
 * plain request costs two look-ups and no allocation.
 */
export class RequestMetrics {
  /** Series by the first digit of the status. */
  private requests = byKind<RequestSeries | undefined>();
  private subjects = new Map<string, SubjectSeries>();
  private readonly long = new Map<string, LongLivedSeries>();
  private readonly refusals = new Map<string, RefusalSeries>();

  record(exchange: EndedExchange, kind: TrafficKind): void {
    const { status, durationMs, decision } = exchange;
    const seconds = durationMs / 1000;
    const digit = Math.floor(status / 100);
    const series = this.requests[kind][digit] ?? this.startSeries(kind, digit);
    const routeId = decision?.routeId;
    const id = routeId ?? decision?.site?.id;
    const subject =
      id === undefined ? undefined : (this.subjects.get(id) ?? this.startSubject(id, routeId !== undefined));
    const refusal = exchange.reason === undefined ? decision?.reason : undefined;
    if (refusal === undefined) {
      series.count += 1;
      if (subject) subject.statuses[digit] = (subject.statuses[digit] ?? 0) + 1;
    } else {
      countRefused(series.refused, refusal, series.statusClass);
      if (subject) countRefused(subject.refused, refusal, series.statusClass);
    }
    if (status === WEBSOCKET || afterHeadMs(exchange) > LONG_ANSWER_MS) this.recordLong(kind, status, seconds);
    else {
      observe(series, LATENCY_BUCKETS, seconds);
      if (subject) observe(subject, SUBJECT_BUCKETS, seconds);
    }
    const reason = exchange.reason ?? refusal;
    if (reason !== undefined) this.recordRefusal(kind, reason);
  }

  private startSeries(kind: TrafficKind, digit: number): RequestSeries {
    const started = { kind, statusClass: `${digit}xx`, count: 0, refused: [], ...emptyHistogram(LATENCY_BUCKETS) };
    this.requests[kind][digit] = started;
    return started;
  }

  private startSubject(id: string, isRoute: boolean): SubjectSeries {
    const subject = isRoute ? 'route' : 'site';
    const started: SubjectSeries = {
      subject,
      id,
      statuses: [0, 0, 0, 0, 0, 0],
      refused: [],
      ...emptyHistogram(SUBJECT_BUCKETS),
    };
    this.subjects.set(id, started);
    return started;
  }

  private recordLong(kind: TrafficKind, status: number, seconds: number): void {
    const type = status === WEBSOCKET ? 'websocket' : 'answer';
    const known = this.long.get(kind + type) ?? { kind, type, ...emptyHistogram(LONG_BUCKETS) };
    this.long.set(kind + type, known);
    observe(known, LONG_BUCKETS, seconds);
  }

  private recordRefusal(kind: TrafficKind, reason: RefusalSeries['reason']): void {
    const known = this.refusals.get(kind + reason);
    if (known) known.count += 1;
    else this.refusals.set(kind + reason, { kind, reason, count: 1 });
  }

  take(): MetricsReport {
    const { requests, long, subjects, refusals } = this;
    const taken = {
      requests: Object.values(requests).flatMap((ofKind) => ofKind.filter((one) => one !== undefined)),
      long: [...long.values()],
      subjects: [...subjects.values()],
      refusals: [...refusals.values()],
    };
    this.requests = byKind();
    this.subjects = new Map();
    long.clear();
    refusals.clear();
    return taken;
  }
}
