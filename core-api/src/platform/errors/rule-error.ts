export type RuleErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'wrongType'
  | 'noSpace'
  | 'stale'
  | 'tooMany'
  | 'upstream'
  | 'unavailable';

export interface RuleErrorOptions {
  details?: string;
  /** Message for each invalid field, by the field's name in the request body. */
  fields?: Record<string, string>;
  /** Seconds after which a caller may retry (`Retry-After`). */
  retryAfterS?: number;
  /** Further members of the response, such as the owner of a host name in use (RFC 9457 §3.2). */
  extensions?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/**
 * Thrown by services when a rule is violated. The message is shown to the user. Services do not know HTTP:
 * `platform/http/error-handler.ts` maps each kind to a status.
 */
export class RuleError extends Error {
  constructor(
    readonly kind: RuleErrorKind,
    message: string,
    readonly options: RuleErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
  }
}

/** Returns the RuleError that `check` throws, or undefined if it passes. Other errors are thrown. */
export async function catchRuleError(check: () => Promise<void>): Promise<RuleError | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
}

/** Creates the error of one field, `invalid` (400) or in `conflict` with another row (409). */
export const createFieldError = (kind: 'invalid' | 'conflict', field: string, message: string): RuleError =>
  new RuleError(kind, message, { fields: { [field]: message } });
