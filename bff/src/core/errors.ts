import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { messages } from '../messages';

/** An optional property. A value of another type counts as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const text = z.string().min(1);

/** The core's error body (contract §2). */
const restError = z
  .object({
    error: optional(text),
    details: optional(text),
    fields: optional(z.record(z.string(), z.string())),
    codeRequired: optional(z.literal(true)),
    required: optional(z.object({ role: z.string(), scope: z.string().nullable().catch(null) })),
    sudoRequired: optional(z.literal(true)),
    /** The DNS record that proves the ownership of a domain. */
    record: optional(z.object({ type: z.literal('TXT'), name: text, value: text })),
    /** The site that already has the host name. */
    heldBy: optional(z.object({ kind: z.enum(['subdomain', 'tenant']), id: text, name: text })),
  })
  .catch({});

const errorCodes: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  429: 'TOO_MANY_REQUESTS',
  502: 'UPSTREAM_FAILED',
};

/**
 * The error (HTTP 503) for a missing or invalid response of the core. `extensions.error` stays unset, so the screen
 * shows its own message (product §8).
 */
export const createUnavailableError = (cause?: unknown): GraphQLError =>
  new GraphQLError(messages.unavailable, {
    extensions: { code: 'UPSTREAM_UNAVAILABLE', http: { status: 503 } },
    originalError: cause instanceof Error ? cause : undefined,
  });

/** The error for an id that no entity can have. The id must not become part of a REST path. */
export const createNotFoundError = (): GraphQLError =>
  new GraphQLError(messages.notFound, { extensions: { code: 'NOT_FOUND', error: messages.notFound } });

/** The error for query parameters that would make the URL longer than servers accept. */
export const createTooLongError = (): GraphQLError =>
  new GraphQLError(messages.tooLong, { extensions: { code: 'BAD_USER_INPUT', error: messages.tooLong } });

/** The error for a request without a valid token. Its status 401 makes the console sign out. */
export const createUnauthenticatedError = (error: string): GraphQLError =>
  new GraphQLError(error, { extensions: { code: 'UNAUTHENTICATED', error, http: { status: 401 } } });

/**
 * Translates a REST error. The core's messages are passed on for 4xx and 502 only, because other server errors may
 * contain internal details.
 */
export function toGraphError(response: Response, body: unknown): GraphQLError {
  const { status } = response;
  if (status >= 500 && status !== 502) return createUnavailableError(new Error(`core responded with ${status}`));
  const restBody = restError.parse(body);
  const code = errorCodes[status] ?? 'BAD_USER_INPUT';
  // Without a message of the core, `extensions.error` stays unset, so the screen shows its own message (product §8).
  return new GraphQLError(restBody.error ?? messages.internal, {
    extensions: { code, ...restBody, ...(status === 401 && { http: { status } }) },
  });
}
