import { type EntityManager, LessThan } from 'typeorm';
import { insertAll } from '../../../platform/database/insert-all';
import { UsageBatch } from './usage.entity';

/**
 * Claims a numbered batch of an edge, in the transaction that stores it. A batch that is sent twice is stored once.
 * @returns false for a batch that is already stored
 */
export async function claimUsageBatch(manager: EntityManager, edgeId: string, sequence: number): Promise<boolean> {
  const deliveredAt = new Date().toISOString();
  await insertAll(manager, UsageBatch, [{ edgeId, sequence: 0, deliveredAt }], { ignoreExisting: true });
  const { affected } = await manager.update(
    UsageBatch,
    { edgeId, sequence: LessThan(sequence) },
    { sequence, deliveredAt },
  );
  return affected !== 0;
}
