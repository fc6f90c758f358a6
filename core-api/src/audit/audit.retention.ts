import { DAY_MS, olderThan } from '../retention/older-than';
import type { RetentionRule } from '../retention/retention';

const KEPT_DAYS = 400;

/** The trail is kept for 400 days (contract §7, "People"). */
export const auditRetention: RetentionRule[] = [
  olderThan({ table: 'audit_entries', key: '_id', column: 'at', keepMs: KEPT_DAYS * DAY_MS }),
];
