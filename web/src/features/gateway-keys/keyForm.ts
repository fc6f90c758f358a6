import type { FieldErrors } from '../../ui/useSubmit';
import { formatAllowedIps, parseAllowedIps } from './allowedIps';
import { keysMessages } from './gateway-keys.messages';
import type { ApiKeyRowFragment } from './generated/gateway-keys';

export interface KeyValues {
  name: string;
  permissions: string[];
  /** As typed: addresses and blocks, separated by commas. */
  allowedIps: string;
}

export const keyValues = (key?: ApiKeyRowFragment): KeyValues => ({
  name: key?.name ?? '',
  permissions: key?.permissions ?? [],
  allowedIps: formatAllowedIps(key?.allowedIps ?? []),
});

/** What must be mended before a call is worth making (product-spec §5). */
export function checkKey({ name, permissions }: KeyValues): FieldErrors {
  const errors: FieldErrors = {};
  if (name.trim() === '') errors.name = keysMessages.form.nameRequired;
  if (permissions.length === 0) errors.permissions = keysMessages.form.permissionRequired;
  return errors;
}

export const keyInput = ({ name, permissions, allowedIps }: KeyValues) => ({
  name: name.trim(),
  permissions,
  allowedIps: parseAllowedIps(allowedIps),
});
