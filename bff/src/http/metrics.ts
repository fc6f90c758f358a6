import { timingSafeEqual } from 'node:crypto';
import { type Request, Router } from 'express';
import { Counter, Histogram, type Registry } from 'prom-client';
import { createProcessMetrics } from './process-metrics';

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface Metrics {
  registry: Registry;
  /** @param kind kind of the path, from a bounded set; the label `operation` */
  recordRequest(kind: string, status: number, ms: number): void;
  /** @param field such as `Query.tenants` */
  recordField(field: string, hasFailed: boolean, ms: number): void;
}

/**
 * Creates the metrics of requests, of fields of the graph, and of this process.
 * @param countDroppedLines returns the number of log lines dropped since the start
 */
export function createMetrics(countDroppedLines: () => number): Metrics {
  const registry = createProcessMetrics('bff');
  const requests = new Histogram({
    name: 'bff_request_duration_seconds',
    help: 'Time until the response was sent or its connection closed, by operation and status class.',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const fields = new Histogram({
    name: 'bff_graph_field_duration_seconds',
    help: 'Time until a field of the graph was resolved, including its calls to the core.',
    labelNames: ['field'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'bff_graph_field_errors_total',
    help: 'Fields of the graph that ended in an error.',
    labelNames: ['field'],
    registers: [registry],
  });
  new Counter({
    name: 'bff_log_dropped_total',
    help: 'Log lines that could not be written to standard output.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(countDroppedLines());
    },
  });
  return {
    registry,
    recordRequest: (kind, status, ms) =>
      requests.observe({ operation: kind, status: `${Math.floor(status / 100)}xx` }, ms / 1000),
    recordField(field, hasFailed, ms) {
      fields.observe({ field }, ms / 1000);
      if (hasFailed) failures.inc({ field });
    },
  };
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
const BEARER = /^Bearer +(.+)$/i;

/**
 * Whether a request may read the metrics: it has the token, or it comes directly from this machine (without
 * `X-Forwarded-For`).
 */
function canReadMetrics({ socket, headers }: Request, token: string | undefined): boolean {
  if (LOOPBACK.test(socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined) return true;
  const presentedToken = Buffer.from(BEARER.exec(headers.authorization ?? '')?.[1] ?? '');
  const secret = Buffer.from(token ?? '');
  return secret.length > 0 && presentedToken.length === secret.length && timingSafeEqual(presentedToken, secret);
}

/** `/metrics`: Prometheus text, for this machine and for requests with the token. Other requests get 404. */
export function createMetricsRouter({ registry }: Metrics, token: string | undefined): Router {
  const router = Router();
  router.get('/metrics', async (request, response, next) => {
    if (canReadMetrics(request, token)) response.type(registry.contentType).send(await registry.metrics());
    else next();
  });
  return router;
}
