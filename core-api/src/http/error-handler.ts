import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { codeOf, isOutage } from '../database/outage';
import { RuleError, type RuleErrorKind, type RuleErrorOptions } from '../errors';
import { httpMessages } from './http.messages';

/** contract §2 */
const statusOf: Record<RuleErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  notFound: 404,
  conflict: 409,
  stale: 412,
  tooMany: 429,
  upstream: 502,
  unavailable: 503,
};

/** Errors of the body parser, by their `type`. */
const parserErrors: Record<string, [status: number, sentence: string]> = {
  'entity.too.large': [413, httpMessages.tooLarge],
  'entity.parse.failed': [400, httpMessages.notJson],
  'encoding.unsupported': [415, httpMessages.wrongType],
  'charset.unsupported': [415, httpMessages.wrongType],
  'request.size.invalid': [400, httpMessages.notJson],
  'request.aborted': [400, httpMessages.notJson],
};

/** PostgreSQL's `character_not_in_repertoire`: JSON and paths can carry a NUL, its text columns cannot. */
const NUL_CHARACTER = '22021';

function toRuleError(error: unknown): RuleError | undefined {
  if (error instanceof RuleError) return error;
  if (codeOf(error) === NUL_CHARACTER) return new RuleError('invalid', httpMessages.invalid, { cause: error });
  return isOutage(error)
    ? new RuleError('unavailable', httpMessages.unavailable, { retryAfterS: 5, cause: error })
    : undefined;
}

export function sendError(
  response: Response,
  status: number,
  sentence: string,
  rest: Pick<RuleErrorOptions, 'details' | 'fields' | 'codeRequired'> = {},
) {
  response.status(status).json({
    error: sentence,
    ...(rest.details && { details: rest.details }),
    ...(rest.fields && { fields: rest.fields }),
    ...(rest.codeRequired && { codeRequired: true }),
  });
}

/** Turns every error into a response. An unexpected one is logged and answered 500 without its reason. */
export const errorHandler =
  (log: Logger): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const rule = toRuleError(error);
    if (rule) {
      if (rule.kind === 'unauthenticated') response.set('WWW-Authenticate', 'Bearer');
      if (rule.retryAfterS !== undefined) response.set('Retry-After', String(rule.retryAfterS));
      if (rule.cause) log.warn({ err: rule.cause, requestId: response.locals.requestId }, 'request failed');
      sendError(response, statusOf[rule.kind], rule.message, rule);
      return;
    }
    const parser = parserErrors[String(error?.type)];
    if (parser) sendError(response, ...parser);
    else if (error instanceof URIError) sendError(response, 400, httpMessages.badPath);
    // A compressed body that is broken has a status, but no type.
    else if (error?.status === 400) sendError(response, 400, httpMessages.notJson);
    else {
      log.error({ err: error, requestId: response.locals.requestId, path: request.path }, 'request failed');
      sendError(response, 500, httpMessages.unexpected);
    }
  };
