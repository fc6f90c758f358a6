import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './caller';

const operationOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'operationName' in body && typeof body.operationName === 'string'
    ? body.operationName.slice(0, 100)
    : undefined;

/**
 * Gives every request its id (in `response.locals.requestId` and echoed) and one log line when it is answered.
 * Neither headers, bodies, variables nor query strings are logged: they may hold secrets.
 */
export const requestLog =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const started = performance.now();
    const requestId = requestIdOf(request);
    response.locals.requestId = requestId;
    response.set('X-Request-Id', requestId);
    response.on('close', () => {
      log.info({
        requestId,
        method: request.method,
        path: request.originalUrl.split('?', 1)[0],
        operation: operationOf(request.body),
        status: response.statusCode,
        complete: response.writableFinished,
        ms: Math.round(performance.now() - started),
      });
    });
    next();
  };
