import { olderThan } from '../../platform/retention/older-than';
import { DAY_MS } from '../../platform/time/units';

/** Removes edges that ended without deregistering. */
export const rolloutRetention = [olderThan({ table: 'edges', key: 'id', column: 'seenAt', keepMs: DAY_MS })];
