import { olderThan } from '../../platform/retention/older-than';
import type { RetentionRule } from '../../platform/retention/retention';
import { KNOWN_NETWORK_MS } from './login-limits';

/** Login counters and ended sessions are removed when they expire, known login addresses after 30 days. */
export const accountRetention: RetentionRule[] = [
  olderThan({ table: 'login_failures', key: 'key', column: 'endsAt', keepMs: 0 }),
  olderThan({ table: 'ended_sessions', key: 'id', column: 'endsAt', keepMs: 0 }),
  olderThan({ table: 'sudo_sessions', key: 'sessionId', column: 'endsAt', keepMs: 0 }),
  {
    table: 'login_addresses',
    // One statement: there are few addresses.
    async removeBatch(manager, now) {
      await manager.query('DELETE FROM login_addresses WHERE "lastLoginAt" < $1', [
        new Date(now - KNOWN_NETWORK_MS).toISOString(),
      ]);
      return false;
    },
  },
];
