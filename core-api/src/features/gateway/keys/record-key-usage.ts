import type { EntityManager } from 'typeorm';
import { ApiKey } from './key.entity';

/** Allowed requests of one key since the last delivery. */
export interface KeyUsage {
  keyId: string;
  requests: number;
  /** ISO 8601 UTC. */
  lastUsedAt: string;
}

/**
 * Adds requests to the usage counts of keys, in the transaction of `manager`. `lastUsedAt` never goes back. Rows are
 * updated in a fixed order, so that two edges cannot deadlock.
 */
export async function recordKeyUsage(manager: EntityManager, usage: readonly KeyUsage[]): Promise<void> {
  for (const { keyId, requests, lastUsedAt } of usage.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1))) {
    await manager
      .createQueryBuilder()
      .update(ApiKey)
      .set({
        usageCount: () => `"usageCount" + ${requests}`,
        lastUsedAt: () => `CASE WHEN "lastUsedAt" > :lastUsedAt THEN "lastUsedAt" ELSE :lastUsedAt END`,
      })
      .where('_id = :keyId')
      .setParameters({ keyId, lastUsedAt })
      .execute();
  }
}
