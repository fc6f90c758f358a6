import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Identifies the installation that the database belongs to; a table of one row, which the migrations write. */
@Entity('installation')
export class Installation {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  /** A UUID. It stays the same over backup, restore and the move to another database. */
  @Column({ type: 'varchar', length: 36 })
  installationId: string;
}
