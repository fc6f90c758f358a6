import type { RefusalReason } from '../../../routing/refusal-reason';
import type { TrafficKind } from '../../../routing/routing-decision';
import type { FailureReason } from '../../engine/types';
import type { EdgeExchange } from '../../handler/edge-decision';
import type { Distribution, Sample } from './prometheus-text';
import { addDuration, addRefused, createCounts, createHistogram, type RequestCounts } from './request-counts';

/** Upper bounds of the buckets for the durations of ordinary requests. */
export const LATENCY_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Bounds for single sites and routes. There are only a few bounds, because there may be many series. */
export const SUBJECT_BOUNDS_S = [0.025, 0.1, 0.5, 2.5, 10];
/** Bounds for WebSockets and long responses. */
export const LONG_BOUNDS_S = [10, 60, 300, 1_800, 7_200, 43_200];

const WEBSOCKET = 101;
const LONG_RESPONSE_MS = 10_000;

/** Requests of one kind and status class. Long-lived requests are in no bucket. */
export interface RequestSeries extends RequestCounts {
  kind: TrafficKind;
  digit: number;
}

/** Requests of one site or of one route. */
export interface SubjectSeries extends RequestCounts {
  subject: 'site' | 'route';
  id: string;
}

export type MetricsReport = ReturnType<RequestMetrics['take']>;

type EndedExchange = Pick<EdgeExchange, 'decision' | 'status' | 'durationMs' | 'upstreamMs' | 'reason'>;

/** Returns the time from the head to the end of the response, ms; 0 without a head. */
function measureMsAfterHead({ decision, durationMs, upstreamMs }: EndedExchange): number {
  const headMs = decision?.action === 'reply' ? 0 : upstreamMs;
  return headMs === undefined ? 0 : durationMs - headMs;
}

function countRequest({ statuses, refused }: RequestCounts, digit: number, refusal: RefusalReason | undefined): void {
  if (refusal === undefined) statuses[digit] = (statuses[digit] ?? 0) + 1;
  else addRefused(refused, { reason: refusal, digit, count: 1 });
}

const createByKind = <Entry>(): Record<TrafficKind, Entry[]> => ({ studio: [], gateway: [], site: [], unknown: [] });

/**
 * Metrics of one worker since its last report, by kind and status class, site and route, and reason of refusal. A
 * plain request costs two look-ups and no allocation.
 */
export class RequestMetrics {
  /** Series by kind and by the first digit of the status. */
  private requests = createByKind<RequestSeries | undefined>();
  private subjects = new Map<string, SubjectSeries>();
  /** WebSockets, and responses that continued for more than 10 s after their head, by `kind` and `type`. */
  private readonly longLived = new Map<string, Distribution>();
  /** Refused or unfinished requests by `kind` and `reason`. */
  private readonly refusals = new Map<string, Sample>();

  record(exchange: EndedExchange, kind: TrafficKind): void {
    const { status, durationMs, decision } = exchange;
    const seconds = durationMs / 1000;
    const digit = Math.floor(status / 100);
    const series = this.requests[kind][digit] ?? this.startSeries(kind, digit);
    const subject = this.getSubject(decision);
    const refusal = exchange.reason === undefined ? decision?.reason : undefined;
    countRequest(series, digit, refusal);
    if (subject) countRequest(subject, digit, refusal);
    if (status === WEBSOCKET || measureMsAfterHead(exchange) > LONG_RESPONSE_MS) this.recordLong(kind, status, seconds);
    else {
      addDuration(series, LATENCY_BOUNDS_S, seconds);
      if (subject) addDuration(subject, SUBJECT_BOUNDS_S, seconds);
    }
    const reason = exchange.reason ?? refusal;
    if (reason !== undefined) this.recordRefusal(kind, reason);
  }

  /** Returns the series of the route or, for a request without a route, of the site. */
  private getSubject(decision: EndedExchange['decision']): SubjectSeries | undefined {
    const routeId = decision?.routeId;
    const id = routeId ?? decision?.site?.id;
    return id === undefined ? undefined : (this.subjects.get(id) ?? this.startSubject(id, routeId !== undefined));
  }

  private startSeries(kind: TrafficKind, digit: number): RequestSeries {
    const newSeries = { kind, digit, ...createCounts(LATENCY_BOUNDS_S) };
    this.requests[kind][digit] = newSeries;
    return newSeries;
  }

  private startSubject(id: string, isRoute: boolean): SubjectSeries {
    const newSeries: SubjectSeries = { subject: isRoute ? 'route' : 'site', id, ...createCounts(SUBJECT_BOUNDS_S) };
    this.subjects.set(id, newSeries);
    return newSeries;
  }

  private recordLong(kind: TrafficKind, status: number, seconds: number): void {
    const type = status === WEBSOCKET ? 'websocket' : 'answer';
    const histogram = this.longLived.get(kind + type) ?? { labels: { kind, type }, ...createHistogram(LONG_BOUNDS_S) };
    this.longLived.set(kind + type, histogram);
    addDuration(histogram, LONG_BOUNDS_S, seconds);
  }

  private recordRefusal(kind: TrafficKind, reason: FailureReason | RefusalReason): void {
    const sample = this.refusals.get(kind + reason);
    if (sample) sample.value += 1;
    else this.refusals.set(kind + reason, { labels: { kind, reason }, value: 1 });
  }

  take() {
    const { requests, longLived, subjects, refusals } = this;
    const report = {
      requests: Object.values(requests).flatMap((kindSeries) => kindSeries.filter((series) => series !== undefined)),
      longLived: [...longLived.values()],
      subjects: [...subjects.values()],
      refusals: [...refusals.values()],
    };
    this.requests = createByKind();
    this.subjects = new Map();
    longLived.clear();
    refusals.clear();
    return report;
  }
}
