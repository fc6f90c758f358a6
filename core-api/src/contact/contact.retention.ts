import { DAY_MS, olderThan } from '../retention/older-than';
import type { RetentionRule } from '../retention/retention';

const SPAM_DAYS = 30;

/** Messages with their deliveries. @param days how long those that are no spam are kept */
export const contactRetention = (days: number): RetentionRule[] => {
  const message = { table: 'contact_messages', key: '_id', column: 'createdAt' };
  return [
    olderThan({ ...message, keepMs: days * DAY_MS }),
    olderThan({ ...message, keepMs: Math.min(SPAM_DAYS, days) * DAY_MS, where: 'spam' }),
  ];
};
