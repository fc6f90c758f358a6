import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Varchar } from '../database/schema/columns';
import type { ConfiguredEntity } from './configured-entities';

/** A table of one row, which has the newest revision. */
@Entity('configuration_revision')
export class ConfigurationRevision {
  @PrimaryColumn('integer') id: number;
  @Column('integer') value: number;
}

/** The row that a revision changed. The edge reloads only this row. */
@Entity('configuration_changes')
export class ConfigurationChange {
  @PrimaryColumn('integer') revision: number;
  @Varchar(16) entity: ConfiguredEntity;
  @Varchar(36) entityId: string;
}
