import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/columns';

/** A domain that a site released. For 30 days another site must prove ownership to claim it. */
@Entity('released_domains')
export class ReleasedDomain {
  @PrimaryColumn({ type: 'varchar', length: 253 })
  domain: string;

  /** Previous owner; the subdomain or tenant may have been removed. */
  @Column({ type: 'varchar', length: 36 })
  ownerId: string;

  @Instant()
  releasedAt: string;

  /** Random secret from which `DomainProofs` derives the TXT records. */
  @Column({ type: 'varchar', length: 64 })
  secret: string;
}
