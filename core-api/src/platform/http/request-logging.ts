import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { loggedPath } from '../log/logged-path';
import type { Tracing } from '../tracing/tracing';
import type { HttpMetrics } from './metrics';

/** Valid request ids; the edge and the BFF use the same pattern. */
const REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
/** Operation name of requests that no endpoint answered. */
const OTHER = 'other';

/** Whether the peer's forwarding headers are trusted: loopback or `TRUSTED_PROXIES`. */
export const isFromTrustedPeer = ({ app, socket }: Request): boolean =>
  app.get('trust proxy fn')(socket.remoteAddress ?? '', 0) === true;

/** Sets the request id in `response.locals.requestId` and in the response: the id of a trusted peer, or a new id. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const peerId = isFromTrustedPeer(request) ? request.get('x-request-id') : undefined;
  response.locals.requestId = peerId !== undefined && REQUEST_ID.test(peerId) ? peerId : randomUUID();
  response.locals.clientAddress = request.ip ?? '';
  response.set('X-Request-Id', response.locals.requestId);
  next();
};

/**
 * Writes a log line, a measurement and a span for each finished request. The endpoint sets `response.locals.operation`.
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
      const path = loggedPath(request.originalUrl.split('?', 1)[0] ?? '');
      const status = response.statusCode;
      const ms = performance.now() - startedAt;
      log.info({ requestId, method, path, operation, status, complete: response.writableFinished, ms: Math.round(ms) });
      metrics.record(operation, method, status, ms);
      endSpan?.({ operation, method, path, status, requestId });
    });
    next();
  };
