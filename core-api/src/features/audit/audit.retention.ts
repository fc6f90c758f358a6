import { olderThan } from '../../platform/retention/older-than';
import type { RetentionRule } from '../../platform/retention/retention';
import { DAY_MS } from '../../platform/time/units';

const KEPT_DAYS = 400;

/** Audit entries are kept for 400 days (contract §6). */
export const auditRetention: RetentionRule[] = [
  olderThan({ table: 'audit_entries', key: '_id', column: 'at', keepMs: KEPT_DAYS * DAY_MS }),
];
