import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { messages } from '../messages';

/** What express and its parsers throw has a status; anything else is a fault of ours. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;

/** Errors as JSON, in Portuguese, without internals. */
export const jsonErrors =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, _request, response, next) => {
    const status = statusOf(error);
    if (status >= 500) log.error({ requestId: response.locals.requestId, err: error });
    if (response.headersSent) {
      next(error);
      return;
    }
    const sentence = status === 413 ? messages.tooLarge : status >= 500 ? messages.internal : messages.request;
    response.status(status).json({ error: sentence });
  };

/** For methods and paths that nothing else answers. */
export const unknownPath: RequestHandler = (_request, response) => {
  response.status(404).json({ error: messages.unknownPath });
};
