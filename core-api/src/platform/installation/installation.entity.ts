import { Entity, PrimaryColumn } from 'typeorm';
import { Varchar } from '../database/schema/columns';

/** Identifies the installation of the database. The migrations write the only row of this table. */
@Entity('installation')
export class Installation {
  @PrimaryColumn('integer') id: number;
  /** A UUID, which stays the same through backup, restore and a move to another database. */
  @Varchar(36) installationId: string;
}
