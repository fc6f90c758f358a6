import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { getDatabaseErrorCode, isDatabaseUnavailable } from '../database/connection/unavailable';
import { RuleError, type RuleErrorKind, type RuleErrorOptions } from '../errors/rule-error';
import { redactPath } from '../log/redact-path';
import { httpMessages } from './http.messages';

/** Status of each kind of error (contract §2). */
const statusByKind: Record<RuleErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  wrongType: 415,
  noSpace: 507,
  stale: 412,
  tooMany: 429,
  upstream: 502,
  unavailable: 503,
};

/** Errors of the body parser, by their `type`. */
const parserErrors: Record<string, [status: number, message: string]> = {
  'entity.too.large': [413, httpMessages.tooLarge],
  'entity.parse.failed': [400, httpMessages.notJson],
  'encoding.unsupported': [415, httpMessages.wrongType],
  'charset.unsupported': [415, httpMessages.wrongType],
  'request.size.invalid': [400, httpMessages.notJson],
  'request.aborted': [400, httpMessages.notJson],
};

/** PostgreSQL's `character_not_in_repertoire`: its texts cannot contain NUL, although JSON and paths can. */
const NUL_CHARACTER = '22021';

function toRuleError(error: unknown): RuleError | undefined {
  if (error instanceof RuleError) return error;
  if (getDatabaseErrorCode(error) === NUL_CHARACTER)
    return new RuleError('invalid', httpMessages.invalid, { cause: error });
  return isDatabaseUnavailable(error)
    ? new RuleError('unavailable', httpMessages.unavailable, { retryAfterS: 5, cause: error })
    : undefined;
}

/** Returns status and message for an error of the router or the body parser, or undefined for an unexpected error. */
function findRequestError(error: { type?: unknown; status?: unknown } | undefined): [number, string] | undefined {
  if (error instanceof URIError) return [400, httpMessages.badPath];
  // Middleware may mark a malformed request by the status 400 alone, without a type.
  return parserErrors[String(error?.type)] ?? (error?.status === 400 ? [400, httpMessages.notJson] : undefined);
}

/** Sends an error as JSON, without undefined fields and empty details. */
export function sendError(response: Response, status: number, error: string, options: RuleErrorOptions = {}): void {
  const { details, fields, extensions } = options;
  response.status(status).json({ error, details: details || undefined, fields, ...extensions });
}

function sendRuleError(response: Response, { kind, message, options }: RuleError): void {
  if (kind === 'unauthenticated') response.set('WWW-Authenticate', 'Bearer');
  if (options.retryAfterS !== undefined) response.set('Retry-After', String(options.retryAfterS));
  sendError(response, statusByKind[kind], message, options);
}

/** Turns every error into a response. An unexpected error is logged and answered with 500 without its reason. */
export const createErrorHandler =
  (log: Logger): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const { requestId } = response.locals;
    const ruleError = toRuleError(error);
    if (ruleError) {
      if (ruleError.cause) log.warn({ err: ruleError.cause, requestId }, 'request failed');
      sendRuleError(response, ruleError);
      return;
    }
    const requestError = findRequestError(error);
    if (!requestError) log.error({ err: error, requestId, path: redactPath(request.path) }, 'request failed');
    sendError(response, ...(requestError ?? [500, httpMessages.unexpected]));
  };
