import { DAY_MS, olderThan } from '../retention/older-than';

/** Edges that ended without deregistering. */
export const liveRetention = [olderThan({ table: 'edges', key: 'id', column: 'seenAt', keepMs: DAY_MS })];
