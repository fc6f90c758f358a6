export type RuleErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'notFound'
  | 'conflict'
  | 'stale'
  | 'tooMany'
  | 'upstream'
  | 'unavailable';

export interface RuleErrorOptions {
  details?: string;
  /** One sentence per bad field, by the names of the request's body. */
  fields?: Record<string, string>;
  /** After which a caller may try again. */
  retryAfterS?: number;
  /** A login's password was right, and a code is missing. */
  codeRequired?: true;
  cause?: unknown;
}

/** What a service throws when a rule says no: a sentence for the screen, without HTTP. `http/error-handler.ts` has the statuses. */
export class RuleError extends Error {
  readonly details?: string;
  readonly fields?: Record<string, string>;
  readonly retryAfterS?: number;
  readonly codeRequired?: true;

  constructor(
    readonly kind: RuleErrorKind,
    sentence: string,
    { details, fields, retryAfterS, codeRequired, cause }: RuleErrorOptions = {},
  ) {
    super(sentence, { cause });
    this.details = details;
    this.fields = fields;
    this.retryAfterS = retryAfterS;
    this.codeRequired = codeRequired;
  }
}

/** A rule that one field of the request breaks (`invalid`: 400) or that another row forbids (`conflict`: 409). */
export const fieldError = (kind: 'invalid' | 'conflict', field: string, sentence: string): RuleError =>
  new RuleError(kind, sentence, { fields: { [field]: sentence } });
