import { GraphQLError } from 'graphql';
import { messages } from '../messages';

/** The core's error body (contract §2). */
interface RestError {
  error?: string;
  details?: string;
  fields?: Record<string, string>;
  codeRequired?: true;
}

const codes: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  429: 'TOO_MANY_REQUESTS',
  502: 'UPSTREAM_FAILED',
};

const sentence = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

const sentences = (value: unknown): Record<string, string> | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
};

const readError = (body: unknown): RestError => {
  if (typeof body !== 'object' || body === null) return {};
  return {
    error: 'error' in body ? sentence(body.error) : undefined,
    details: 'details' in body ? sentence(body.details) : undefined,
    fields: 'fields' in body ? sentences(body.fields) : undefined,
    codeRequired: 'codeRequired' in body && body.codeRequired === true ? true : undefined,
  };
};

/**
 * The core did not answer, or not as itself. HTTP 503. The sentence is the message alone: `extensions.error` is the core's,
 * and without it a screen shows its own.
 */
export const unavailable = (cause?: unknown): GraphQLError =>
  new GraphQLError(messages.unavailable, {
    extensions: { code: 'UPSTREAM_UNAVAILABLE', http: { status: 503 } },
    originalError: cause instanceof Error ? cause : undefined,
  });

/** For an id that no entity can have and that must not get into a REST path. */
export const notFound = (): GraphQLError =>
  new GraphQLError(messages.notFound, { extensions: { code: 'NOT_FOUND', error: messages.notFound } });

/** No token, or one that is no administrator's. HTTP 401 makes the console sign out. */
export const unauthenticated = (error: string): GraphQLError =>
  new GraphQLError(error, { extensions: { code: 'UNAUTHENTICATED', error, http: { status: 401 } } });

/**
 * Translates a REST error answer. The core's sentences are passed on for 4xx and 502 only: what it says of a fault of
 * its own is for its log, not for a screen.
 */
export function fromRest(response: Response, body: unknown): GraphQLError {
  const { status } = response;
  if (status >= 500 && status !== 502) return unavailable(new Error(`core answered ${status}`));
  const { error, details, fields, codeRequired } = readError(body);
  const code = codes[status] ?? 'BAD_USER_INPUT';
  const http = status === 401 ? { status } : undefined;
  // Without a sentence from the core `extensions.error` stays empty, and the screen shows its own (product §8).
  return new GraphQLError(error ?? messages.internal, {
    extensions: {
      code,
      ...(error && { error }),
      ...(details && { details }),
      ...(fields && { fields }),
      ...(codeRequired && { codeRequired }),
      ...(http && { http }),
    },
  });
}
