import type { Request } from 'express';
import { Counter, Histogram, type Registry } from 'prom-client';
import { processMetrics } from '../process-metrics';
import { isLoopbackAddress } from '../rules/own-address';
import { isSameSecret } from '../rules/secret';

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface RequestMetrics {
  registry: Registry;
  /** @param operation from a bounded set */
  record(operation: string, method: string, status: number, ms: number): void;
}

export function createMetrics(): RequestMetrics {
  const registry = processMetrics();
  const requests = new Counter({
    name: 'core_requests_total',
    help: 'Requests by method and status class.',
    labelNames: ['method', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'core_request_duration_seconds',
    help: 'Time until the answer was handed over, by operation and status class.',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    record(operation, method, status, ms) {
      const statusClass = `${Math.floor(status / 100)}xx`;
      requests.inc({ method, status: statusClass });
      duration.observe({ operation, status: statusClass }, ms / 1000);
    },
  };
}

const BEARER = /^Bearer +(.+)$/i;

/** Direct requests from this machine (those through the edge have `X-Forwarded-For`), and any with the token. */
export function maySeeMetrics({ socket, headers }: Request, token: string | undefined): boolean {
  if (isLoopbackAddress(socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined) return true;
  const given = BEARER.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && given !== undefined && isSameSecret(given, token);
}
