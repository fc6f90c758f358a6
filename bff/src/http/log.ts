import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { createSpanlessTrace, isTraceParent, type Tracing } from '../tracing';
import { chooseRequestId, isFromTrustedPeer } from './caller';
import type { Metrics } from './metrics';

const readOperationName = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'operationName' in body && typeof body.operationName === 'string'
    ? body.operationName.slice(0, 100)
    : undefined;

function classifyPath(path: string): 'graph' | 'playground' | 'file' | 'page' {
  if (path === '/graphql') return 'graph';
  if (path.startsWith('/playground')) return 'playground';
  return /\.\w+$/.test(path) ? 'file' : 'page';
}

const createTraceparent = (): string => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;

/** The `traceparent` of a request. Only the trace of a trusted peer is continued. */
const readTrustedTraceparent = (request: Request): string | undefined =>
  isFromTrustedPeer(request) ? request.get('traceparent') : undefined;

/**
 * Gives every request an id (in `response.locals.requestId` and in the response) and a trace (in
 * `response.locals.trace`). At the end of the request it writes the log line, the metrics and the span. Headers,
 * bodies, variables and query strings are left out, because they may hold secrets.
 */
export const observeRequests =
  (log: Logger, metrics: Metrics, tracing: Tracing | undefined): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    const requestId = chooseRequestId(request);
    const traceparent = readTrustedTraceparent(request);
    const span = tracing?.begin(traceparent);
    response.locals.requestId = requestId;
    response.locals.trace = span ?? createSpanlessTrace(isTraceParent(traceparent) ? traceparent : createTraceparent());
    response.set('X-Request-Id', requestId);
    response.on('close', () => {
      const { method } = request;
      const path = request.originalUrl.split('?', 1)[0] ?? '';
      const operation = readOperationName(request.body);
      const status = response.statusCode;
      const ms = performance.now() - startedAt;
      log.info({ requestId, method, path, operation, status, complete: response.writableFinished, ms: Math.round(ms) });
      const kind = classifyPath(path);
      metrics.recordRequest(kind, status, ms);
      span?.end({ name: operation ? `${kind} ${operation}` : kind, method, path, status, requestId });
    });
    next();
  };
