import { Column, Entity, type EntityManager, LessThan, PrimaryColumn } from 'typeorm';

/** What the edge keeps of the configuration. */
export type ConfiguredEntity = 'subdomain' | 'project' | 'tenant' | 'service' | 'route' | 'key';

@Entity('configuration_revision')
export class ConfigurationRevision {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  @Column({ type: 'integer' })
  value: number;
}

@Entity('configuration_changes')
export class ConfigurationChange {
  @PrimaryColumn({ type: 'integer' })
  revision: number;

  @Column({ type: 'varchar', length: 16 })
  entity: ConfiguredEntity;

  @Column({ type: 'varchar', length: 36 })
  entityId: string;
}

const KEPT_CHANGES = 10_000;

/**
 * Tells the edge that a row was created, changed or removed. Called in the transaction of the change itself; the single
 * row is locked until its end, so that revisions become visible in their order.
 */
export async function recordChange(manager: EntityManager, entity: ConfiguredEntity, entityId: string): Promise<void> {
  await manager.increment(ConfigurationRevision, { id: 1 }, 'value', 1);
  const { value: revision } = await manager.findOneByOrFail(ConfigurationRevision, { id: 1 });
  await manager.insert(ConfigurationChange, { revision, entity, entityId });
  await manager.delete(ConfigurationChange, { revision: LessThan(revision - KEPT_CHANGES) });
}

/** Tells the edge that it must read everything anew: for changes too many to name. In their transaction. */
export async function recordEverything(manager: EntityManager): Promise<void> {
  await manager.increment(ConfigurationRevision, { id: 1 }, 'value', 1);
  await manager.createQueryBuilder().delete().from(ConfigurationChange).execute();
}
