import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

/** Which core runs a background job that only one of several may run. */
@Entity('leases')
export class Lease {
  @PrimaryColumn({ type: 'varchar', length: 32 })
  name: string;

  @Column({ type: 'varchar', length: 36 })
  holder: string;

  @Instant()
  expiresAt: string;
}
