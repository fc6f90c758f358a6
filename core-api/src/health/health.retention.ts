import { DAY_MS, olderThan } from '../retention/older-than';

/** A target that no host has any more is no longer checked, so its row ages. */
export const healthRetention = [
  olderThan({ table: 'target_health', key: 'target', column: 'checkedAt', keepMs: DAY_MS }),
];
