import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

/** The core that runs a background job, where only one of several cores may run it. */
@Entity('leases')
export class Lease {
  @PrimaryColumn({ type: 'varchar', length: 32 })
  name: string;

  @Column({ type: 'varchar', length: 36 })
  holder: string;

  @Instant()
  expiresAt: string;
}
