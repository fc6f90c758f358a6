import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ConfiguredEntity } from './configured-entities';

/** A table of one row: the newest revision. */
@Entity('configuration_revision')
export class ConfigurationRevision {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  @Column({ type: 'integer' })
  value: number;
}

/** The row that a revision changed, so that the edge reloads only that row. */
@Entity('configuration_changes')
export class ConfigurationChange {
  @PrimaryColumn({ type: 'integer' })
  revision: number;

  @Column({ type: 'varchar', length: 16 })
  entity: ConfiguredEntity;

  @Column({ type: 'varchar', length: 36 })
  entityId: string;
}
