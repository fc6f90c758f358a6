import { accountRetention } from './accounts/accounts.retention';
import { auditRetention } from './audit/audit.retention';
import type { Config } from './config';
import { contactRetention } from './contact/contact.retention';
import { domainRetention } from './domains/domains.retention';
import { usageRetention } from './gateway/usage/usage.retention';
import { healthRetention } from './health/health.retention';
import { liveRetention } from './live/live.retention';
import type { RetentionRule } from './retention/retention';

/** Of every table that grows by itself; administrators remove what they have created. */
export const retentionRules = ({ CONTACT_RETENTION_DAYS }: Pick<Config, 'CONTACT_RETENTION_DAYS'>): RetentionRule[] => [
  ...usageRetention,
  ...accountRetention,
  ...healthRetention,
  ...liveRetention,
  ...domainRetention,
  ...auditRetention,
  ...contactRetention(CONTACT_RETENTION_DAYS),
];
