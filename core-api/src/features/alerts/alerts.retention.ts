import { olderThan } from '../../platform/retention/older-than';
import { DAY_MS } from '../../platform/time/units';

const KEPT_DAYS = 400;

/** Resolved alerts, delivered messages, ended mutes, and machines that were removed. */
export const alertRetention = [
  olderThan({ table: 'alerts', key: '_id', column: 'resolvedAt', keepMs: KEPT_DAYS * DAY_MS }),
  olderThan({ table: 'alert_messages', key: '_id', column: 'createdAt', keepMs: KEPT_DAYS * DAY_MS }),
  olderThan({ table: 'alert_mutes', key: '_id', column: 'until', keepMs: 30 * DAY_MS }),
  olderThan({ table: 'machines', key: '_id', column: 'seenAt', keepMs: 7 * DAY_MS }),
];
