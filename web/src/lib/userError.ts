import { isObject } from './isObject';

/** A DNS record that the owner of a domain creates. */
export interface DnsRecord {
  type: string;
  name: string;
  value: string;
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function parseRecord(value: unknown): DnsRecord | undefined {
  if (!isObject(value)) return undefined;
  const type = asText(value.type);
  const name = asText(value.name);
  const content = asText(value.value);
  return type && name && content ? { type, name, value: content } : undefined;
}

/**
 * Returns the core's explanation of a failed call: the extensions of the first GraphQL error
 * (`bff/src/core/errors.ts`).
 */
function readExtensions(error: unknown) {
  const errors = isObject(error) && Array.isArray(error.errors) ? error.errors : [];
  const firstError: unknown = errors[0];
  const extensions = isObject(firstError) && isObject(firstError.extensions) ? firstError.extensions : {};
  const fields = isObject(extensions.fields)
    ? Object.entries(extensions.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];
  return {
    error: asText(extensions.error),
    details: asText(extensions.details),
    fields: Object.fromEntries(fields),
    codeRequired: extensions.codeRequired === true,
    sudoRequired: extensions.sudoRequired === true,
    isOutdated: extensions.code === 'PRECONDITION_FAILED',
    record: parseRecord(extensions.record),
    // If the core did not respond, the message comes from the BFF.
    outage: extensions.code === 'UPSTREAM_UNAVAILABLE' && isObject(firstError) ? asText(firstError.message) : undefined,
  };
}

/** A field of the server's error that has a text for the user. */
export type ServerText = 'error' | 'details';

/** A failed call as a screen shows it: one message, and a note beside it. */
export interface UserError {
  /** The message (product §8) of the server, or of the screen if the server sent none. */
  message: string;
  /** The server's explanation, or a text which says that the core did not respond. */
  note?: string;
  /** The DNS record that must exist before the call can succeed. */
  record?: DnsRecord;
}

/**
 * Returns the texts of a failed call (product §8).
 * @param failureMessage the message of the screen, used if the server sent none
 * @param messageFrom `details` where product §8 shows them as the message (subdomain creation, tenant domain)
 */
export function toUserError(error: unknown, failureMessage: string, messageFrom: ServerText = 'error'): UserError {
  const { error: mainError, details, outage, record } = readExtensions(error);
  const message = (messageFrom === 'details' ? details : undefined) ?? mainError ?? failureMessage;
  const note = outage ?? details;
  return { message, note: note === message ? undefined : note, record };
}

/** Returns one message per refused field, by the field's name. */
export const getErrorFields = (error: unknown): Record<string, string> => readExtensions(error).fields;

/** Returns whether the password was correct, but the code of the second factor is missing. */
export const isCodeRequired = (error: unknown): boolean => readExtensions(error).codeRequired;

/** Returns whether a call requires the password again. */
export const isSudoRequired = (error: unknown): boolean => readExtensions(error).sudoRequired;

/** Returns whether another person has saved the entity since it was read (412). */
export const isOutdated = (error: unknown): boolean => readExtensions(error).isOutdated;

/** Returns whether a call was aborted on purpose, for example because the screen was left. */
export const isAbort = (error: unknown): boolean => isObject(error) && error.name === 'AbortError';
