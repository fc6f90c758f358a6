import { olderThan } from '../../platform/retention/older-than';
import type { RetentionRule } from '../../platform/retention/retention';
import { DAY_MS } from '../../platform/time/units';

const SPAM_DAYS = 30;

/**
 * Removes messages with their deliveries.
 * @param days how long messages are kept; spam is kept for at most 30 days
 */
export const contactRetention = (days: number): RetentionRule[] => {
  const message = { table: 'contact_messages', key: '_id', column: 'createdAt' };
  return [
    olderThan({ ...message, keepMs: days * DAY_MS }),
    olderThan({ ...message, keepMs: Math.min(SPAM_DAYS, days) * DAY_MS, where: 'spam' }),
  ];
};
