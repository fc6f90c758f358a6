import { Column, Entity } from 'typeorm';
import { Audited } from '../../database/audited';
import { Counter, Id, Instant, Version } from '../../database/columns';

/** So many requests in any window of so many seconds. */
export interface RateLimit {
  requests: number;
  seconds: number;
}

@Audited({ entity: 'key', name: 'name', secret: ['digest', 'previousDigest'], omit: ['usageCount', 'lastUsedAt'] })
@Entity('api_keys')
export class ApiKey {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 100 })
  name: string;

  /** The first characters of the key, by which people know it; null for a key older than this column. */
  @Column({ type: 'varchar', length: 12, nullable: true })
  prefix: string | null;

  @Column({ type: 'varchar', length: 500, default: '' })
  note: string;

  /** SHA-256 of the key in hexadecimal; the key itself is never stored. */
  @Column({ type: 'varchar', length: 64 })
  digest: string;

  @Column({ type: 'simple-json' })
  permissions: string[];

  /** Addresses and CIDR blocks; empty permits any address. */
  @Column({ type: 'simple-json' })
  allowedIps: string[];

  @Column({ type: 'boolean', default: false })
  disabled: boolean;

  /** From this instant on the key is refused. */
  @Instant({ nullable: true })
  expiresAt: string | null;

  @Column({ type: 'simple-json', nullable: true })
  rateLimit: RateLimit | null;

  /** Digest of the secret before the last rotation, which holds until `previousExpiresAt`. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  previousDigest: string | null;

  @Instant({ nullable: true })
  previousExpiresAt: string | null;

  @Counter()
  usageCount: number;

  @Instant()
  createdAt: string;

  @Version()
  version: number;

  @Instant({ nullable: true })
  lastUsedAt: string | null;
}
