import { olderThan } from '../../platform/retention/older-than';
import { DAY_MS } from '../../platform/time/units';

/** For this time after a release, another site must prove ownership of the domain. */
export const PROOF_PERIOD_MS = 30 * DAY_MS;

export const domainRetention = [
  olderThan({ table: 'released_domains', key: 'domain', column: 'releasedAt', keepMs: PROOF_PERIOD_MS }),
];
