import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/columns';
import type { OwnerKind } from './site-version.entity';

/** An address that takes one publication of one site (contract §8). */
@Entity('site_uploads')
export class SiteUpload {
  /** SHA-256 of the address's secret. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  digest: string;

  @Column({ type: 'varchar', length: 12 })
  ownerKind: OwnerKind;

  @Column({ type: 'varchar', length: 36 })
  ownerId: string;

  /** The account that asked for it. Its rights are read again at each use. */
  @Column({ type: 'varchar', length: 36 })
  accountId: string;

  @Column({ type: 'boolean' })
  activates: boolean;

  @Column({ type: 'varchar', length: 500, nullable: true })
  message: string | null;

  /** Set by the first use. */
  @Instant({ nullable: true })
  usedAt: string | null;

  /** The version of a list whose files are sent to this address one by one. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  versionId: string | null;

  @Instant()
  expiresAt: string;
}
