import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

export const dnsStates = ['ok', 'wrong', 'missing', 'unknown'] as const;
export type DnsState = (typeof dnsStates)[number];
export const certificateStates = ['none', 'issuing', 'active', 'failed'] as const;
export type CertificateState = (typeof certificateStates)[number];

/** DNS and certificate of a custom domain, or of its `www`, as of the last check. */
@Entity('domain_status')
export class DomainStatus {
  @PrimaryColumn({ type: 'varchar', length: 257 })
  host: string;

  @Column({ type: 'varchar', length: 36 })
  tenantId: string;

  @ManyToOne('Tenant', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenantId' })
  tenant?: object;

  @Column({ type: 'varchar', length: 8 })
  dns: DnsState;

  /** Addresses, then the target of a CNAME. */
  @Column({ type: 'simple-json' })
  found: string[];

  @Column({ type: 'varchar', length: 8 })
  certificateState: CertificateState;

  @Column({ type: 'varchar', length: 255, nullable: true })
  issuer: string | null;

  @Instant({ nullable: true })
  expiresAt: string | null;

  @Instant({ nullable: true })
  checkedAt: string | null;

  /** Null once monitoring has given up. */
  @Instant({ nullable: true })
  nextCheckAt: string | null;

  /** When the domain was last set, or ceased to be in order. */
  @Instant()
  watchedSince: string;

  /** Done since `watchedSince`. */
  @Column({ type: 'integer' })
  checks: number;
}
