import type { Request } from 'express';
import { Counter, Histogram, type Metric } from 'prom-client';
import { isLoopbackAddress } from '../net/own-address';
import { createProcessMetrics } from '../process-metrics';
import { isSameSecret } from '../secrets/secret-text';

/** Upper bounds of the buckets for request durations, s. */
const BUCKET_BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class HttpMetrics {
  readonly registry = createProcessMetrics('core');
  private readonly requests = new Counter({
    name: 'core_requests_total',
    help: 'Requests by method and status class.',
    labelNames: ['method', 'status'],
    registers: [this.registry],
  });
  private readonly duration = new Histogram({
    name: 'core_request_duration_seconds',
    help: 'Time until the response was sent or its connection closed, by operation and status class.',
    labelNames: ['operation', 'status'],
    buckets: BUCKET_BOUNDS_S,
    registers: [this.registry],
  });

  /**
   * @param countDroppedLines returns the number of dropped log lines since the start
   * @param otherMetrics metrics of other parts of the core
   */
  constructor(countDroppedLines: () => number, otherMetrics: readonly Metric[]) {
    for (const metric of otherMetrics) this.registry.registerMetric(metric);
    new Counter({
      name: 'core_log_dropped_total',
      help: 'Log lines that could not be written to standard output.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(countDroppedLines());
      },
    });
  }

  /** @param operation declared operation, so that the number of series is bounded */
  record(operation: string, method: string, status: number, ms: number): void {
    const statusClass = `${Math.floor(status / 100)}xx`;
    this.requests.inc({ method, status: statusClass });
    this.duration.observe({ operation, status: statusClass }, ms / 1000);
  }
}

const BEARER = /^Bearer +(.+)$/i;

/**
 * Returns whether a request may read the metrics, because it has the token or comes directly from this machine. A
 * request through the edge has `X-Forwarded-For`.
 */
export function canReadMetrics({ socket, headers }: Request, token: string | undefined): boolean {
  if (isLoopbackAddress(socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined) return true;
  const givenToken = BEARER.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && givenToken !== undefined && isSameSecret(givenToken, token);
}
