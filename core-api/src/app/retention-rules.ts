import { KNOWN_NETWORK_MS } from '../features/accounts/logins/login-limits';
import { PROOF_PERIOD_MS } from '../features/domains/domain-proofs';
import { usageRetentionRules } from '../features/gateway/usage/usage.retention';
import { excessIncidentsRule } from '../features/target-health/recording/excess-incidents';
import type { Config } from '../platform/config/config';
import { createAgeRule } from '../platform/retention/age-rule';
import type { RetentionRule } from '../platform/retention/retention';
import { DAY_MS } from '../platform/time/relative-time';

/** Retention period of history, ms (contract §6). */
const HISTORY_MS = 400 * DAY_MS;

/** Returns the retention rules. `retention.test.ts` states what limits the rows of each table without a rule. */
export function createRetentionRules({
  CONTACT_RETENTION_DAYS,
}: Pick<Config, 'CONTACT_RETENTION_DAYS'>): RetentionRule[] {
  const contactKeepMs = CONTACT_RETENTION_DAYS * DAY_MS;
  const contactMessages = { table: 'contact_messages', key: '_id', column: 'createdAt' };
  return [
    ...usageRetentionRules,
    createAgeRule({ table: 'login_failures', key: 'key', column: 'endsAt', keepMs: 0 }),
    createAgeRule({ table: 'ended_sessions', key: 'id', column: 'endsAt', keepMs: 0 }),
    createAgeRule({ table: 'sudo_sessions', key: 'sessionId', column: 'endsAt', keepMs: 0 }),
    createAgeRule({ table: 'login_addresses', key: 'accountId', column: 'lastLoginAt', keepMs: KNOWN_NETWORK_MS }),
    // The row of an unused target ages, because the target is no longer checked.
    createAgeRule({ table: 'target_health', key: 'target', column: 'checkedAt', keepMs: DAY_MS }),
    // A `day` has no time and compares as earlier than every instant of that day, so it is kept for one day more.
    createAgeRule({ table: 'target_days', key: 'target', column: 'day', keepMs: HISTORY_MS + DAY_MS }),
    excessIncidentsRule,
    createAgeRule({ table: 'target_incidents', key: '_id', column: 'startedAt', keepMs: HISTORY_MS }),
    createAgeRule({ table: 'alerts', key: '_id', column: 'resolvedAt', keepMs: HISTORY_MS }),
    createAgeRule({ table: 'alert_messages', key: '_id', column: 'createdAt', keepMs: HISTORY_MS }),
    createAgeRule({ table: 'alert_mutes', key: '_id', column: 'until', keepMs: 30 * DAY_MS }),
    createAgeRule({ table: 'machines', key: '_id', column: 'seenAt', keepMs: 7 * DAY_MS }),
    // The row of a backup is kept as long as its stored object. Without `sha256`, no object was stored.
    createAgeRule({
      table: 'backup_runs',
      key: '_id',
      column: 'startedAt',
      keepMs: HISTORY_MS,
      where: '("removedAt" IS NOT NULL OR sha256 IS NULL)',
    }),
    // Only the rows of killed edges age, because a regular stop removes the row.
    createAgeRule({ table: 'edges', key: 'id', column: 'seenAt', keepMs: DAY_MS }),
    createAgeRule({ table: 'released_domains', key: 'domain', column: 'releasedAt', keepMs: PROOF_PERIOD_MS }),
    createAgeRule({ table: 'site_uploads', key: 'digest', column: 'expiresAt', keepMs: 0 }),
    createAgeRule({ table: 'content_machines', key: 'machineId', column: 'seenAt', keepMs: DAY_MS }),
    createAgeRule({ table: 'audit_entries', key: '_id', column: 'at', keepMs: HISTORY_MS }),
    createAgeRule({ ...contactMessages, keepMs: contactKeepMs }),
    createAgeRule({ ...contactMessages, keepMs: Math.min(30 * DAY_MS, contactKeepMs), where: 'spam' }),
  ];
}
