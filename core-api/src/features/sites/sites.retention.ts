import { olderThan } from '../../platform/retention/older-than';
import type { RetentionRule } from '../../platform/retention/retention';
import { DAY_MS } from '../../platform/time/units';

/** Upload addresses are removed when they expire, machines a day after they were last seen. */
export const sitesRetention: RetentionRule[] = [
  olderThan({ table: 'site_uploads', key: 'digest', column: 'expiresAt', keepMs: 0 }),
  olderThan({ table: 'content_machines', key: 'machineId', column: 'seenAt', keepMs: DAY_MS }),
];
