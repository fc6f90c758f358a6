interface Extensions {
  error?: string;
  details?: string;
  fields?: Record<string, string>;
  outage?: string;
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
    // Nobody answered; the BFF says so in the message itself.
    outage: extensions.code === 'UPSTREAM_UNAVAILABLE' && isObject(first) ? text(first.message) : undefined,
  };
}

/**
 * The sentence for a failed call (product-spec §8): the server's own, else the screen's fallback, followed by the
 * outage where there is one.
 * @param prefer `details` where the spec reads them first (subdomain creation, tenant domain)
 */
export function failureText(error: unknown, fallback: string, prefer: 'error' | 'details' = 'error'): string {
  const { error: sentence, details, outage } = extensionsOf(error);
  const general = outage ? `${fallback.replace(/\.$/, '')}. ${outage}` : fallback;
  return (prefer === 'details' ? details : undefined) ?? sentence ?? general;
}

/** One sentence per refused field, by the field's name; empty when the server named none. */
export const failureFields = (error: unknown): Record<string, string> => extensionsOf(error).fields ?? {};

/** Whether a call was given up on purpose (the screen was left), which is no failure. */
export const isAbort = (error: unknown): boolean => isObject(error) && error.name === 'AbortError';
