import { accountRetention } from '../features/accounts/accounts.retention';
import { alertRetention } from '../features/alerts/alerts.retention';
import { auditRetention } from '../features/audit/audit.retention';
import { backupsRetention } from '../features/backups/backups.retention';
import { contactRetention } from '../features/contact/contact.retention';
import { domainRetention } from '../features/domains/domains.retention';
import { usageRetention } from '../features/gateway/usage/usage.retention';
import { rolloutRetention } from '../features/rollout/rollout.retention';
import { sitesRetention } from '../features/sites/sites.retention';
import { targetHealthRetention } from '../features/target-health/target-health.retention';
import type { Config } from '../platform/config';
import type { RetentionRule } from '../platform/retention/retention';

/** Retention rules of every table that grows by itself. Other rows are removed by administrators. */
export const retentionRules = ({ CONTACT_RETENTION_DAYS }: Pick<Config, 'CONTACT_RETENTION_DAYS'>): RetentionRule[] => [
  ...usageRetention,
  ...accountRetention,
  ...targetHealthRetention,
  ...alertRetention,
  ...backupsRetention,
  ...rolloutRetention,
  ...domainRetention,
  ...sitesRetention,
  ...auditRetention,
  ...contactRetention(CONTACT_RETENTION_DAYS),
];
