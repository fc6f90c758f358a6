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

/** The DNS record that proves the ownership of a domain. The console shows the record. */
export interface DnsRecord {
  type: 'TXT';
  name: string;
  value: string;
}

/** The subdomain or tenant that already has the requested host name. */
export interface NamedHostOwner {
  kind: 'subdomain' | 'tenant';
  /** A subdomain's label, or a tenant's id. */
  id: string;
  name: string;
}

export interface RuleErrorOptions {
  details?: string;
  /** Message for each invalid field, by the field's name in the request body. */
  fields?: Record<string, string>;
  /** Seconds after which a caller may retry (`Retry-After`). */
  retryAfterS?: number;
  /** Set if the password of a login was correct, but a second-factor code is missing or wrong. */
  codeRequired?: true;
  /** The DNS record that the next attempt checks. */
  record?: DnsRecord;
  /** The owner of a host name that is already in use. */
  heldBy?: NamedHostOwner;
  /** The access that a forbidden call needs (`platform/http/access/access.ts`). */
  required?: { role: string; scope: string | null };
  /** Set if the call needs the password again (`POST /me/sudo`). */
  sudoRequired?: true;
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
