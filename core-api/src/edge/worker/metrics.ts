import type { RefusalReason, TrafficKind } from '../../decide/verdict';
import type { Exchange, Reason } from '../http1/types';
import type { Decided } from './decided';
import type { RequestFacts } from './request-facts';

/** Upper bounds in seconds. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Upper bounds for single sites and routes; fewer, since there may be many series. */
export const PART_BUCKETS = [0.025, 0.1, 0.5, 2.5, 10];
/** Upper bounds for WebSockets and long answers. */
export const LONG_BUCKETS = [10, 60, 300, 1_800, 7_200, 43_200];

const WEBSOCKET = 101;
const LONG_ANSWER_MS = 10_000;

/** Sum of durations in seconds, and counts by bucket: one more than bounds, the last for longer ones. */
export interface Durations {
  seconds: number;
  buckets: number[];
}

export interface RequestSeries extends Durations {
  kind: TrafficKind;
  statusClass: string;
  /** Includes long-lived requests, which are in no bucket here. */
  count: number;
}

/** A WebSocket, or an answer that went on for longer than 10 s after its head. */
export interface LongLivedSeries extends Durations {
  kind: TrafficKind;
  type: 'websocket' | 'answer';
}

/** Requests of one site or of one route. */
export interface PartSeries extends Durations {
  part: 'site' | 'route';
  id: string;
  /** By the status's first digit. */
  statuses: number[];
}

export interface RefusalSeries {
  kind: TrafficKind;
  reason: Reason | RefusalReason;
  count: number;
}

/** Metrics of one worker since its last report. */
export interface MetricsReport {
  requests: RequestSeries[];
  long: LongLivedSeries[];
  parts: PartSeries[];
  refusals: RefusalSeries[];
}

const durations = (bounds: readonly number[]): Durations => ({
  seconds: 0,
  buckets: new Array<number>(bounds.length + 1).fill(0),
});

function observe(into: Durations, bounds: readonly number[], seconds: number): void {
  let bucket = 0;
  while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
  into.seconds += seconds;
  into.buckets[bucket] = (into.buckets[bucket] ?? 0) + 1;
}

type EndedExchange = Pick<Exchange<RequestFacts, Decided>, 'decision' | 'status' | 'durationMs' | 'upstreamMs'>;

/** Time between the answer's head and its end in ms; 0 without a head. */
function afterHeadMs({ decision, durationMs, upstreamMs }: EndedExchange): number {
  const headMs = decision?.action === 'answer' ? 0 : upstreamMs;
  return headMs === undefined ? 0 : durationMs - headMs;
}

const byKind = <Entry>(): Record<TrafficKind, Entry[]> => ({ studio: [], gateway: [], site: [], unknown: [] });

/**
 * Requests of one worker since its last report, by kind and status class, by site and route, by reason of refusal. A plain
 * request costs two look-ups and no allocation.
 */
export class RequestMetrics {
  /** By the status's first digit. */
  private requests = byKind<RequestSeries | undefined>();
  private parts = new Map<string, PartSeries>();
  private readonly long = new Map<string, LongLivedSeries>();
  private readonly refusals = new Map<string, RefusalSeries>();

  record(exchange: EndedExchange, kind: TrafficKind, reason: RefusalSeries['reason'] | undefined): void {
    const { status, durationMs, decision } = exchange;
    const seconds = durationMs / 1000;
    const digit = Math.floor(status / 100);
    const one = this.requests[kind][digit] ?? this.startOf(kind, digit);
    one.count += 1;
    const routeId = decision?.routeId;
    const id = routeId ?? decision?.site?.id;
    const part = id === undefined ? undefined : (this.parts.get(id) ?? this.startOfPart(id, routeId !== undefined));
    if (part) part.statuses[digit] = (part.statuses[digit] ?? 0) + 1;
    if (status === WEBSOCKET || afterHeadMs(exchange) > LONG_ANSWER_MS) this.recordLong(kind, status, seconds);
    else {
      observe(one, LATENCY_BUCKETS, seconds);
      if (part) observe(part, PART_BUCKETS, seconds);
    }
    if (reason !== undefined) this.recordRefusal(kind, reason);
  }

  private startOf(kind: TrafficKind, digit: number): RequestSeries {
    const started = { kind, statusClass: `${digit}xx`, count: 0, ...durations(LATENCY_BUCKETS) };
    this.requests[kind][digit] = started;
    return started;
  }

  private startOfPart(id: string, isRoute: boolean): PartSeries {
    const part = isRoute ? 'route' : 'site';
    const started: PartSeries = { part, id, statuses: [0, 0, 0, 0, 0, 0], ...durations(PART_BUCKETS) };
    this.parts.set(id, started);
    return started;
  }

  private recordLong(kind: TrafficKind, status: number, seconds: number): void {
    const type = status === WEBSOCKET ? 'websocket' : 'answer';
    const known = this.long.get(kind + type) ?? { kind, type, ...durations(LONG_BUCKETS) };
    this.long.set(kind + type, known);
    observe(known, LONG_BUCKETS, seconds);
  }

  private recordRefusal(kind: TrafficKind, reason: RefusalSeries['reason']): void {
    const known = this.refusals.get(kind + reason);
    if (known) known.count += 1;
    else this.refusals.set(kind + reason, { kind, reason, count: 1 });
  }

  take(): MetricsReport {
    const { requests, long, parts, refusals } = this;
    const taken = {
      requests: Object.values(requests).flatMap((ofKind) => ofKind.filter((one) => one !== undefined)),
      long: [...long.values()],
      parts: [...parts.values()],
      refusals: [...refusals.values()],
    };
    this.requests = byKind();
    this.parts = new Map();
    long.clear();
    refusals.clear();
    return taken;
  }
}
