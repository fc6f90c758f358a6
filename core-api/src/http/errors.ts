import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { QueryFailedError } from 'typeorm';
import { httpMessages } from './http.messages';

export type RuleErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'notFound'
  | 'conflict'
  | 'tooMany'
  | 'outside'
  | 'unavailable';

interface RuleErrorOptions {
  details?: string;
  fields?: Record<string, string>;
  /** Seconds after which a caller may try again. */
  retryAfter?: number;
  cause?: unknown;
}

/** What a service throws when a rule says no: a sentence for the screen, without HTTP. */
export class RuleError extends Error {
  readonly details?: string;
  readonly fields?: Record<string, string>;
  readonly retryAfter?: number;

  constructor(
    readonly kind: RuleErrorKind,
    sentence: string,
    { details, fields, retryAfter, cause }: RuleErrorOptions = {},
  ) {
    super(sentence, { cause });
    this.details = details;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** contract §2 */
const statusOf: Record<RuleErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  notFound: 404,
  conflict: 409,
  tooMany: 429,
  outside: 502,
  unavailable: 503,
};

/** Failures of express and its body parser, by their `type`. */
const parserFailures: Record<string, [status: number, sentence: string]> = {
  'entity.too.large': [413, httpMessages.tooLarge],
  'entity.parse.failed': [400, httpMessages.notJson],
  'encoding.unsupported': [415, httpMessages.wrongType],
  'charset.unsupported': [415, httpMessages.wrongType],
  'request.size.invalid': [400, httpMessages.notJson],
  'request.aborted': [400, httpMessages.notJson],
};

/** The database's own code for what went wrong. */
function codeOf(error: unknown): string {
  const failure = error instanceof QueryFailedError ? error.driverError : error;
  return failure instanceof Error && 'code' in failure ? String(failure.code) : '';
}

/** PostgreSQL stores no NUL character, which JSON and addresses can carry. */
const UNSTORABLE = '22021';

/**
 * Worth another try. SQLite's codes: locked or full. PostgreSQL's classes 08 (connection), 53 (resources) and 57 (operator),
 * its broken-off transactions, and 23001 and 23503: what a row refers to went, or what refers to it came, in the very moment;
 * the next try will see it.
 */
function isUnavailable(error: unknown): boolean {
  return /^(SQLITE_(BUSY|FULL|LOCKED|IOERR)|(08|53|57)...|23001|23503|40001|40P01|ECONNREFUSED|ECONNRESET)$/.test(
    codeOf(error),
  );
}

function toRuleError(error: unknown): RuleError | undefined {
  if (error instanceof RuleError) return error;
  if (codeOf(error) === UNSTORABLE) return new RuleError('invalid', httpMessages.invalid, { cause: error });
  return isUnavailable(error)
    ? new RuleError('unavailable', httpMessages.unavailable, { retryAfter: 5, cause: error })
    : undefined;
}

export function sendError(
  response: Response,
  status: number,
  sentence: string,
  rest: Pick<RuleErrorOptions, 'details' | 'fields'> = {},
) {
  response.status(status).json({
    error: sentence,
    ...(rest.details && { details: rest.details }),
    ...(rest.fields && { fields: rest.fields }),
  });
}

/** The one place where failures become answers. What nobody foresaw is logged and answered without its reason. */
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
      if (rule.retryAfter !== undefined) response.set('Retry-After', String(rule.retryAfter));
      if (rule.cause) log.warn({ err: rule.cause, requestId: response.locals.requestId }, 'request failed');
      sendError(response, statusOf[rule.kind], rule.message, rule);
      return;
    }
    const parser = parserFailures[String(error?.type)];
    if (parser) sendError(response, ...parser);
    else if (error instanceof URIError) sendError(response, 400, httpMessages.badPath);
    else {
      log.error({ err: error, requestId: response.locals.requestId, path: request.path }, 'request failed');
      sendError(response, 500, httpMessages.unexpected);
    }
  };
