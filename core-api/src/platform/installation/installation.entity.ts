import { Entity, PrimaryColumn } from 'typeorm';
import { Varchar } from '../database/columns';

/** Identifies the installation that the database belongs to; a table of one row, which the migrations write. */
@Entity('installation')
export class Installation {
  @PrimaryColumn('integer') id: number;
  /** A UUID. It stays the same over backup, restore and the move to another database. */
  @Varchar(36) installationId: string;
}
