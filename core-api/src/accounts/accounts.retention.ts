import { olderThan } from '../retention/older-than';
import type { RetentionRule } from '../retention/retention';
import { KNOWN_MS } from './login-limits';

/** Counts and sessions go once they ended; an address is a stranger again after 30 days. */
export const accountRetention: RetentionRule[] = [
  olderThan({ table: 'login_failures', key: 'key', column: 'endsAt', keepMs: 0 }),
  olderThan({ table: 'ended_sessions', key: 'id', column: 'endsAt', keepMs: 0 }),
  {
    table: 'login_addresses',
    // As many as people logged in from within 30 days: few.
    async removeBatch(manager, now) {
      await manager.query('DELETE FROM login_addresses WHERE "lastLoginAt" < $1', [
        new Date(now - KNOWN_MS).toISOString(),
      ]);
      return false;
    },
  },
];
