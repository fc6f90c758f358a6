import { Entity, PrimaryColumn } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { CreatedRow, Instant, Varchar } from '../../platform/database/schema/columns';

/** `primary` and `alias` serve the site; `redirect` sends visitors to another host. */
export const domainRoles = ['primary', 'alias', 'redirect'] as const;
export type DomainRole = (typeof domainRoles)[number];

/** Use of a domain and its `www`: both are served, or one redirects to the other. */
export const wwwModes = ['serve', 'to-apex', 'to-www'] as const;
export type WwwMode = (typeof wwwModes)[number];

/**
 * A domain of a subdomain or tenant. The removal of the owner removes the claim of the host (`host_claims`), which
 * removes this row.
 */
@Audited({ entity: 'domain', name: 'host', omit: ['ownerKind', 'ownerId'] })
@Entity('site_domains')
export class SiteDomain extends CreatedRow {
  /** Punycode without `www.`; a wildcard begins with `*.` and matches one label. */
  @Varchar(253) host: string;
  @Varchar(12) ownerKind: 'subdomain' | 'tenant';
  @Varchar(36) ownerId: string;
  /** A site has at most one primary domain. */
  @Varchar(8) role: DomainRole;
  /** Target host of a redirect. Null means the site's primary domain or, if the site has none, its label. */
  @Varchar(253, { nullable: true }) to: string | null;
  @Varchar(8) wwwMode: WwwMode;
}

/** A domain that a site released. For 30 days another site must prove ownership to claim it. */
@Entity('released_domains')
export class ReleasedDomain {
  @PrimaryColumn('varchar', { length: 253 }) domain: string;
  /** Previous owner; the subdomain or tenant may have been removed. */
  @Varchar(36) ownerId: string;
  @Instant() releasedAt: string;
  /** Random secret from which `DomainProofs` derives the TXT records. */
  @Varchar(64) secret: string;
}
