import { type EntityManager, LessThan } from 'typeorm';
import { ConfigurationChange, ConfigurationRevision, type ConfiguredEntity } from './configuration.entity';

/** An edge that is further behind reads everything. */
const KEPT_CHANGES = 10_000;

/**
 * Tells the edge that a row was created, changed or removed. Called in the transaction of the change itself; the single
 * row of the revision is locked until its end, so that revisions become visible in their order.
 */
export async function recordChange(manager: EntityManager, entity: ConfiguredEntity, entityId: string): Promise<void> {
  await manager.increment(ConfigurationRevision, { id: 1 }, 'value', 1);
  const { value: revision } = await manager.findOneByOrFail(ConfigurationRevision, { id: 1 });
  await manager.insert(ConfigurationChange, { revision, entity, entityId });
  await manager.delete(ConfigurationChange, { revision: LessThan(revision - KEPT_CHANGES) });
}

/** Tells the edge to read everything, for changes too many to name. Called in their transaction. */
export async function recordEverything(manager: EntityManager): Promise<void> {
  await manager.increment(ConfigurationRevision, { id: 1 }, 'value', 1);
  await manager.createQueryBuilder().delete().from(ConfigurationChange).execute();
}

/** The number of the newest stored change. */
export async function currentRevision(manager: EntityManager): Promise<number> {
  return (await manager.findOneByOrFail(ConfigurationRevision, { id: 1 })).value;
}
