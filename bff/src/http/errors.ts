import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { messages } from '../messages';

/** Errors of express and its parsers have a status; any other error is a defect of this process. */
const readStatus = (error: unknown): number =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;

const messagesByStatus: Record<number, string> = { 413: messages.tooLarge, 415: messages.encoding };

/** Returns the handler that answers errors as JSON, in Portuguese, without internals. */
export const createErrorHandler =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, _request, response, next) => {
    const status = readStatus(error);
    if (status >= 500) log.error({ requestId: response.locals.requestId, err: error });
    if (response.headersSent) {
      next(error);
      return;
    }
    const message = status >= 500 ? messages.internal : (messagesByStatus[status] ?? messages.request);
    response.status(status).json({ error: message });
  };

/** Answers 404 for paths that no other handler took. */
export const respondToUnknownPath: RequestHandler = (_request, response) => {
  response.status(404).json({ error: messages.unknownPath });
};
