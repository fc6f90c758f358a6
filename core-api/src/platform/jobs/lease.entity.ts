import { Entity, PrimaryColumn } from 'typeorm';
import { Instant, Varchar } from '../database/columns';

/** The core that runs a background job, where only one of several cores may run it. */
@Entity('leases')
export class Lease {
  @PrimaryColumn('varchar', { length: 32 }) name: string;
  @Varchar(36) holder: string;
  @Instant() expiresAt: string;
}
