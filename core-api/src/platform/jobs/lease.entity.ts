import { Entity, PrimaryColumn } from 'typeorm';
import { Instant, Varchar } from '../database/schema/columns';

/** The right of one core to run a background job until `expiresAt`, for cores that share the database. */
@Entity('leases')
export class Lease {
  @PrimaryColumn('varchar', { length: 32 }) name: string;
  @Varchar(36) holder: string;
  @Instant() expiresAt: string;
}
