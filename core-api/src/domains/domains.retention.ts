import { DAY_MS, olderThan } from '../retention/older-than';

/** How long another tenant must prove ownership of a released domain. */
export const PROOF_PERIOD_MS = 30 * DAY_MS;

export const domainRetention = [
  olderThan({ table: 'released_domains', key: 'domain', column: 'releasedAt', keepMs: PROOF_PERIOD_MS }),
];
