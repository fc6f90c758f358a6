import { Column, Entity } from 'typeorm';
import { Counter, Id, Instant } from '../../database/columns';

@Entity('api_keys')
export class ApiKey {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 100 })
  name: string;

  /** SHA-256 of the key in hexadecimal; the key itself is never stored. */
  @Column({ type: 'varchar', length: 64 })
  digest: string;

  @Column({ type: 'simple-json' })
  permissions: string[];

  /** Addresses and CIDR blocks; empty permits any address. */
  @Column({ type: 'simple-json' })
  allowedIps: string[];

  @Counter()
  usageCount: number;

  @Instant()
  createdAt: string;

  @Instant({ nullable: true })
  lastUsedAt: string | null;
}
