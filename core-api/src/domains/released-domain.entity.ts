import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

/** A domain that a tenant gave back; for 30 days another tenant must prove ownership to claim it. */
@Entity('released_domains')
export class ReleasedDomain {
  @PrimaryColumn({ type: 'varchar', length: 253 })
  domain: string;

  /** Previous owner, who may have been removed since. */
  @Column({ type: 'varchar', length: 36 })
  tenantId: string;

  @Instant()
  releasedAt: string;

  /** Proofs are derived from it (`proofOf`). */
  @Column({ type: 'varchar', length: 64 })
  secret: string;
}
