import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Instant, Varchar } from '../../../platform/database/schema/columns';
import { SiteDomain } from '../site-domain.entity';

export const dnsStates = ['ok', 'wrong', 'missing', 'unknown'] as const;
export type DnsState = (typeof dnsStates)[number];
export const certificateStates = ['none', 'issuing', 'active', 'failed'] as const;
export type CertificateState = (typeof certificateStates)[number];

/** DNS and certificate of a domain, or of its `www`, as of the last check. */
@Entity('domain_status')
export class DomainStatus {
  @PrimaryColumn('varchar', { length: 257 }) host: string;
  /** `SiteDomain.host`. */
  @Varchar(253) domain: string;

  @ManyToOne(() => SiteDomain, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'domain', referencedColumnName: 'host' })
  siteDomain?: SiteDomain;

  @Varchar(8) dns: DnsState;
  /** Addresses, followed by the target of a CNAME. */
  @Column('simple-json') found: string[];
  @Varchar(8) certificateState: CertificateState;
  @Varchar(255, { nullable: true }) issuer: string | null;
  @Instant({ nullable: true }) expiresAt: string | null;
  @Instant({ nullable: true }) issuedAt: string | null;
  @Instant({ nullable: true }) checkedAt: string | null;
  /** Time at which `dns` was last `ok`; null if it never was. */
  @Instant({ nullable: true }) okAt: string | null;
  @Instant({ nullable: true }) nextCheckAt: string | null;
  /** Time at which the domain was added or last became unhealthy. */
  @Instant() watchedSince: string;
  /** Number of checks since `watchedSince`. */
  @Column('integer') checks: number;
  /** The records that count as known. This column and the next two are used only without `SERVER_IP`. */
  @Column('simple-json') knownFound: string[];
  /** Time at which the records changed; null while the domain has the known records. */
  @Instant({ nullable: true }) changedAt: string | null;
  /** Number of checks in a row with the same changed records. */
  @Column('integer') changedChecks: number;
}

/** Creates the status of a host before its first check. @param now ISO instant */
export const createUncheckedStatus = (host: string, domain: string, now: string): DomainStatus => ({
  host,
  domain,
  dns: 'unknown',
  found: [],
  certificateState: 'none',
  issuer: null,
  expiresAt: null,
  issuedAt: null,
  knownFound: [],
  changedAt: null,
  changedChecks: 0,
  checkedAt: null,
  okAt: null,
  nextCheckAt: now,
  watchedSince: now,
  checks: 0,
});
