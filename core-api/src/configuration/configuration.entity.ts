import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the edge keeps of the configuration. */
export type ConfiguredEntity = 'subdomain' | 'project' | 'tenant' | 'service' | 'route' | 'key';

/** One row: the number of the newest change. */
@Entity('configuration_revision')
export class ConfigurationRevision {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  @Column({ type: 'integer' })
  value: number;
}

/** Which row the change of a revision was about; the edge reads that row alone. */
@Entity('configuration_changes')
export class ConfigurationChange {
  @PrimaryColumn({ type: 'integer' })
  revision: number;

  @Column({ type: 'varchar', length: 16 })
  entity: ConfiguredEntity;

  @Column({ type: 'varchar', length: 36 })
  entityId: string;
}
