import type { ApiKeyStatus } from '../../../generated/graph';
import type { ChipColor } from '../../../ui/cells/Chip';
import { formatRelativeTime } from '../../../ui/cells/RelativeTime';
import { keysMessages } from '../gateway-keys.messages';

const { status: messages } = keysMessages;
const DAY_MS = 86_400_000;
/** A key that expires within this time is shown as expiring. */
const EXPIRING_MS = 30 * DAY_MS;

interface KeyState {
  disabled: boolean;
  expiresAt?: string | null;
  previousExpiresAt?: string | null;
}

/** The most important status of a key. `disabled` and `expired`, with which the edge refuses a key, come first. */
export function getKeyStatus({ disabled, expiresAt, previousExpiresAt }: KeyState, now = Date.now()): ApiKeyStatus {
  const expiresInMs = expiresAt ? Date.parse(expiresAt) - now : Number.POSITIVE_INFINITY;
  if (disabled) return 'disabled';
  if (expiresInMs <= 0) return 'expired';
  if (previousExpiresAt && Date.parse(previousExpiresAt) > now) return 'rotating';
  return expiresInMs <= EXPIRING_MS ? 'expiring' : 'active';
}

export const statusColors: Record<ApiKeyStatus, ChipColor> = {
  active: 'green',
  expiring: 'orange',
  expired: 'red',
  disabled: 'neutral',
  rotating: 'blue',
};

/** The text of a key's status, such as "Ativa" or "Expira em 3 dias". */
export function describeStatus(key: KeyState, now = Date.now()): string {
  const status = getKeyStatus(key, now);
  return status === 'expiring' && key.expiresAt
    ? messages.expires(formatRelativeTime(key.expiresAt, now))
    : messages.words[status];
}
