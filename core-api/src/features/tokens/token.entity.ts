import { Column, Entity } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { EditedRow, Instant, Varchar } from '../../platform/database/schema/columns';
import type { Scope, SiteType } from '../../platform/http/access/access';

/** The site of a token with the scope `deploy`. `label` was the site's label when the token was given this site. */
export interface StoredSite {
  type: SiteType;
  id: string;
  label?: string;
}

/** An API token of an account (contract §6). */
@Audited({ entity: 'token', name: 'name', secret: ['digest', 'previousDigest'], omit: ['lastUsedAt', 'lastUsedFrom'] })
@Entity('api_tokens')
export class ApiToken extends EditedRow {
  @Varchar(36) accountId: string;
  /** Unique among the tokens of the account. */
  @Varchar(100) name: string;
  /** The first characters of the token, with which people recognize it. */
  @Varchar(12) prefix: string;
  /** SHA-256 of the token in hexadecimal; the token itself is never stored. */
  @Varchar(64) digest: string;
  @Column('simple-json') scopes: Scope[];
  /** Null permits all projects of the account. */
  @Column('simple-json', { nullable: true }) projectIds: string[] | null;
  /** Set for a token with the scope `deploy`; null for other tokens. */
  @Column('simple-json', { nullable: true }) site: StoredSite | null;
  /** Addresses and CIDR blocks; empty permits any address. */
  @Column('simple-json') allowedIps: string[];
  /** From this instant on the token is refused. */
  @Instant({ nullable: true }) expiresAt: string | null;
  @Column('boolean', { default: false }) disabled: boolean;
  /** Digest of the secret before the last rotation. It is valid until `previousExpiresAt`. */
  @Varchar(64, { nullable: true }) previousDigest: string | null;
  @Instant({ nullable: true }) previousExpiresAt: string | null;
  @Instant({ nullable: true }) lastUsedAt: string | null;
  @Varchar(45, { nullable: true }) lastUsedFrom: string | null;
}
