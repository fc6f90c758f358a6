import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { messages } from '../messages';

/** An optional property; one of another type counts as absent. */
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
    /** The DNS record that proves a domain. */
    record: optional(z.object({ type: z.literal('TXT'), name: text, value: text })),
    /** The site that has the address already. */
    heldBy: optional(z.object({ kind: z.enum(['subdomain', 'tenant']), id: text, name: text })),
  })
  .catch({});

const codes: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  429: 'TOO_MANY_REQUESTS',
  502: 'UPSTREAM_FAILED',
};

/**
 * The core did not answer, or another program answered: HTTP 503. `extensions.error` contains only sentences of the core,
 * so the screen shows its own sentence (product §8).
 */
export const unavailable = (cause?: unknown): GraphQLError =>
  new GraphQLError(messages.unavailable, {
    extensions: { code: 'UPSTREAM_UNAVAILABLE', http: { status: 503 } },
    originalError: cause instanceof Error ? cause : undefined,
  });

/** The error for an id that no entity can have. This id must not become part of a REST path. */
export const notFound = (): GraphQLError =>
  new GraphQLError(messages.notFound, { extensions: { code: 'NOT_FOUND', error: messages.notFound } });

/** For query parameters that would make the URL longer than servers accept. */
export const tooLong = (): GraphQLError =>
  new GraphQLError(messages.tooLong, { extensions: { code: 'BAD_USER_INPUT', error: messages.tooLong } });

/** The request has no token, or an invalid one. HTTP 401 makes the console sign out. */
export const unauthenticated = (error: string): GraphQLError =>
  new GraphQLError(error, { extensions: { code: 'UNAUTHENTICATED', error, http: { status: 401 } } });

/**
 * Translates a REST error. Sentences of the core are passed on for 4xx and 502 only, because other server errors are
 * details for its log.
 */
export function fromRest(response: Response, body: unknown): GraphQLError {
  const { status } = response;
  if (status >= 500 && status !== 502) return unavailable(new Error(`core answered ${status}`));
  const known = restError.parse(body);
  const code = codes[status] ?? 'BAD_USER_INPUT';
  // Without a sentence from the core `extensions.error` stays empty, and the screen shows its own (product §8).
  return new GraphQLError(known.error ?? messages.internal, {
    extensions: { code, ...known, ...(status === 401 && { http: { status } }) },
  });
}
