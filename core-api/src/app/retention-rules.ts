import { KNOWN_NETWORK_MS } from '../features/accounts/logins/login-limits';
import { PROOF_PERIOD_MS } from '../features/domains/domain-proofs';
import { usageRetention } from '../features/gateway/usage/usage.retention';
import { excessIncidents } from '../features/target-health/excess-incidents';
import type { Config } from '../platform/config';
import { olderThan } from '../platform/retention/older-than';
import type { RetentionRule } from '../platform/retention/retention';
import { DAY_MS } from '../platform/time/units';

/** Retention period of history, ms (contract §6). */
const HISTORY_MS = 400 * DAY_MS;
const MAX_SPAM_DAYS = 30;

/** Returns the rules for tables that the product itself fills. Administrators remove the rows of other tables. */
export function createRetentionRules({
  CONTACT_RETENTION_DAYS,
}: Pick<Config, 'CONTACT_RETENTION_DAYS'>): RetentionRule[] {
  const contactMessages = { table: 'contact_messages', key: '_id', column: 'createdAt' };
  return [
    ...usageRetention,
    olderThan({ table: 'login_failures', key: 'key', column: 'endsAt', keepMs: 0 }),
    olderThan({ table: 'ended_sessions', key: 'id', column: 'endsAt', keepMs: 0 }),
    olderThan({ table: 'sudo_sessions', key: 'sessionId', column: 'endsAt', keepMs: 0 }),
    olderThan({ table: 'login_addresses', key: 'accountId', column: 'lastLoginAt', keepMs: KNOWN_NETWORK_MS }),
    // The row of an unused target ages, because the target is no longer checked.
    olderThan({ table: 'target_health', key: 'target', column: 'checkedAt', keepMs: DAY_MS }),
    // A date compares as earlier than every instant of that day, so days are kept for one day more.
    olderThan({ table: 'target_days', key: 'target', column: 'day', keepMs: HISTORY_MS + DAY_MS }),
    excessIncidents,
    olderThan({ table: 'target_incidents', key: '_id', column: 'startedAt', keepMs: HISTORY_MS }),
    olderThan({ table: 'alerts', key: '_id', column: 'resolvedAt', keepMs: HISTORY_MS }),
    olderThan({ table: 'alert_messages', key: '_id', column: 'createdAt', keepMs: HISTORY_MS }),
    olderThan({ table: 'alert_mutes', key: '_id', column: 'until', keepMs: 30 * DAY_MS }),
    olderThan({ table: 'machines', key: '_id', column: 'seenAt', keepMs: 7 * DAY_MS }),
    // The row of a backup is kept as long as its stored object.
    olderThan({
      table: 'backup_runs',
      key: '_id',
      column: 'startedAt',
      keepMs: HISTORY_MS,
      where: '("removedAt" IS NOT NULL OR sha256 IS NULL)',
    }),
    // A regular stop of an edge removes its row at once.
    olderThan({ table: 'edges', key: 'id', column: 'seenAt', keepMs: DAY_MS }),
    olderThan({ table: 'released_domains', key: 'domain', column: 'releasedAt', keepMs: PROOF_PERIOD_MS }),
    olderThan({ table: 'site_uploads', key: 'digest', column: 'expiresAt', keepMs: 0 }),
    olderThan({ table: 'content_machines', key: 'machineId', column: 'seenAt', keepMs: DAY_MS }),
    olderThan({ table: 'audit_entries', key: '_id', column: 'at', keepMs: HISTORY_MS }),
    olderThan({ ...contactMessages, keepMs: CONTACT_RETENTION_DAYS * DAY_MS }),
    olderThan({ ...contactMessages, keepMs: Math.min(MAX_SPAM_DAYS, CONTACT_RETENTION_DAYS) * DAY_MS, where: 'spam' }),
  ];
}
