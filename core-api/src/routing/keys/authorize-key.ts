import type { CompiledKey } from './key-slots';
import type { KeyTable } from './key-table';

export interface KeyCredentials {
  /** Values of `X-API-Key`, one for each header line. `authorizeKey` refuses several values. */
  readonly secrets: readonly string[];
  /** The client's address, or the text that a trusted proxy reported for it. */
  readonly address: string;
}

interface KeyRefusal {
  reason: 'no_key' | 'unknown_key' | 'disabled' | CompiledKey['expiryReason'] | 'address' | 'permission';
  /** Undefined for an unknown key. */
  keyId?: string;
}

/** Checks key, address and permission (contract §5, steps 3 to 5). @param permission the route's permission */
export function authorizeKey(
  keys: KeyTable,
  permission: string,
  { secrets, address }: KeyCredentials,
  now: number,
): CompiledKey | KeyRefusal {
  const [secret, ...otherSecrets] = secrets;
  if (!secret) return { reason: 'no_key' };
  const key = otherSecrets.length === 0 ? keys.find(secret) : undefined;
  if (!key) return { reason: 'unknown_key' };
  const keyId = key.id;
  if (key.disabled) return { reason: 'disabled', keyId };
  if (now >= key.expiresAt) return { reason: key.expiryReason, keyId };
  if (!key.allows(address)) return { reason: 'address', keyId };
  return key.permits(permission) ? key : { reason: 'permission', keyId };
}
