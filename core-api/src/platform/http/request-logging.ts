import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { redactPath } from '../log/redact-path';
import type { Tracing } from '../tracing/tracing';
import type { HttpMetrics } from './metrics';

declare global {
  namespace Express {
    interface Locals {
      requestId: string;
      clientAddress: string;
      operation?: string;
      isUpload?: boolean;
    }
  }
}

/** Pattern of valid request ids. The edge and the BFF use the same pattern. */
const REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
/** Operation name for requests that no endpoint answered. */
const OTHER = 'other';

/** Returns whether the peer is on loopback or in `TRUSTED_PROXIES`, so that its forwarding headers are trusted. */
export const isFromTrustedPeer = ({ app, socket }: Request): boolean =>
  app.get('trust proxy fn')(socket.remoteAddress ?? '', 0) === true;

/** Gives the request the id that a trusted peer sent, or a new id, and repeats the id in the response. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const peerId = isFromTrustedPeer(request) ? request.get('x-request-id') : undefined;
  response.locals.requestId = peerId !== undefined && REQUEST_ID.test(peerId) ? peerId : randomUUID();
  response.locals.clientAddress = request.ip ?? '';
  response.set('X-Request-Id', response.locals.requestId);
  next();
};

/**
 * Records a log line, a metric and a span of each finished request. The router sets `response.locals.operation`.
 * Headers, bodies and query strings are left out, because they may hold secrets.
 */
export const observeRequests =
  (log: Logger, metrics: HttpMetrics, tracing: Tracing | undefined): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    const endSpan = tracing?.beginSpan(isFromTrustedPeer(request) ? request.get('traceparent') : undefined);
    response.once('close', () => {
      const { requestId, operation = OTHER } = response.locals;
      const { method } = request;
      const path = redactPath(request.originalUrl.split('?', 1)[0] ?? '');
      const status = response.statusCode;
      const ms = performance.now() - startedAt;
      log.info({ requestId, method, path, operation, status, complete: response.writableFinished, ms: Math.round(ms) });
      metrics.record(operation, method, status, ms);
      endSpan?.({ operation, method, path, status, requestId });
    });
    next();
  };
