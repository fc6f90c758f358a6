import { array, boolean, check, type InferOutput, minLength, object, pipe, string } from 'valibot';
import { toDateTimeLocal } from '../../../lib/format/localTime';
import { addressBlocks } from '../../../ui/form/schema/addressBlocks';
import { requiredText } from '../../../ui/form/schema/schemas';
import { keysMessages } from '../gateway-keys.messages';
import type { ApiKeyRowFragment } from '../generated/gateway-keys';
import { formatAllowedIps, parseAllowedIps } from './allowedIps';

const MAX_REQUESTS = 1_000_000;
const isValidLimit = (text: string): boolean => {
  const requests = Number(text);
  return text === '' || (Number.isInteger(requests) && requests >= 1 && requests <= MAX_REQUESTS);
};

/** The fields of a key (product §5). */
export const keySchema = object({
  name: requiredText(keysMessages.form.nameRequired),
  permissions: pipe(array(string()), minLength(1, keysMessages.form.permissionRequired)),
  /** Addresses and blocks as typed, separated by commas. */
  allowedIps: addressBlocks(',', keysMessages.form.allowedIpsWrong),
  /** The value of a `datetime-local` input. Empty if the key never expires. */
  expiresAt: string(),
  /** Number of requests as typed. Empty if there is no limit. */
  rateLimit: pipe(string(), check(isValidLimit, keysMessages.form.rateLimitWrong)),
  /** The window of the limit in seconds. */
  rateSeconds: string(),
  note: string(),
  disabled: boolean(),
});

export type KeyValues = InferOutput<typeof keySchema>;

export const toKeyValues = (key?: ApiKeyRowFragment): KeyValues => ({
  name: key?.name ?? '',
  permissions: key?.permissions ?? [],
  allowedIps: formatAllowedIps(key?.allowedIps ?? []),
  expiresAt: key?.expiresAt ? toDateTimeLocal(key.expiresAt, { keepsSeconds: true }) : '',
  rateLimit: key?.rateLimit ? String(key.rateLimit.requests) : '',
  rateSeconds: String(key?.rateLimit?.seconds ?? 60),
  note: key?.note ?? '',
  disabled: key?.disabled ?? false,
});

export const toKeyInput = (values: KeyValues) => ({
  name: values.name.trim(),
  permissions: values.permissions,
  allowedIps: parseAllowedIps(values.allowedIps),
  expiresAt: values.expiresAt === '' ? null : new Date(values.expiresAt).toISOString(),
  rateLimit:
    values.rateLimit === '' ? null : { requests: Number(values.rateLimit), seconds: Number(values.rateSeconds) },
  note: values.note.trim(),
  disabled: values.disabled,
});
