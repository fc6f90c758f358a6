interface Extensions {
  error?: string;
  details?: string;
  fields?: Record<string, string>;
  outage?: string;
  codeRequired?: boolean;
  isOutdated?: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What the core said about a failed call: the first GraphQL error's extensions (`bff/src/core/errors.ts`). */
function extensionsOf(error: unknown): Extensions {
  const errors = isObject(error) && Array.isArray(error.errors) ? error.errors : [];
  const first: unknown = errors[0];
  const extensions = isObject(first) && isObject(first.extensions) ? first.extensions : {};
  const fields = isObject(extensions.fields)
    ? Object.entries(extensions.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];
  return {
    error: text(extensions.error),
    details: text(extensions.details),
    fields: Object.fromEntries(fields),
    codeRequired: extensions.codeRequired === true,
    isOutdated: extensions.code === 'PRECONDITION_FAILED',
    // No answer; the BFF says so in the message itself.
    outage: extensions.code === 'UPSTREAM_UNAVAILABLE' && isObject(first) ? text(first.message) : undefined,
  };
}

/** A failed call as a screen shows it. */
export interface Failure {
  /** The sentence of product §8: the server's own, else the screen's. */
  sentence: string;
  /** That there was no answer, or the server's reason. */
  note?: string;
}

/**
 * The texts for a failed call (product §8).
 * @param fallback the screen's sentence, where the server has none
 * @param prefer `details` where product §8 reads them first (subdomain creation, tenant domain)
 */
export function failureOf(error: unknown, fallback: string, prefer: 'error' | 'details' = 'error'): Failure {
  const { error: general, details, outage } = extensionsOf(error);
  const sentence = (prefer === 'details' ? details : undefined) ?? general ?? fallback;
  const note = outage ?? details;
  return note !== undefined && note !== sentence ? { sentence, note } : { sentence };
}

/** One sentence per refused field, by the field's name; empty when the server named none. */
export const failureFields = (error: unknown): Record<string, string> => extensionsOf(error).fields ?? {};

/** Whether a login lacks only the code of the second factor. */
export const isCodeRequired = (error: unknown): boolean => extensionsOf(error).codeRequired === true;

/** Whether somebody else has saved since the version that a change was sent for. */
export const isOutdated = (error: unknown): boolean => extensionsOf(error).isOutdated === true;

/** Whether a call was aborted on purpose (the screen was left), which is no failure. */
export const isAbort = (error: unknown): boolean => isObject(error) && error.name === 'AbortError';
