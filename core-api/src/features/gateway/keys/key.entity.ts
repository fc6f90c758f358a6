import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Audited } from '../../../platform/audit/audited';
import { toSearchText } from '../../../platform/database/queries/search-text';
import { Counter, Instant, SearchedRow, Varchar } from '../../../platform/database/schema/columns';
import type { RateLimit } from '../../../routing/config-snapshot';

@Audited({
  entity: 'key',
  name: 'name',
  secret: ['digest', 'previousDigest'],
  omit: ['usageCount', 'lastUsedAt', 'searchText'],
})
@Entity('api_keys')
export class ApiKey extends SearchedRow {
  @Varchar(100) name: string;
  /** The first characters of the key, shown to the user; null for a key that is older than this column. */
  @Varchar(12, { nullable: true }) prefix: string | null;
  @Varchar(500, { default: '' }) note: string;
  /** SHA-256 of the key in hexadecimal. The key itself is never stored. */
  @Varchar(64) digest: string;
  @Column('simple-json') permissions: string[];
  /** IP addresses and CIDR blocks; an empty list permits any address. */
  @Column('simple-json') allowedIps: string[];
  @Column('boolean', { default: false }) disabled: boolean;
  /** The key is refused from this instant on. */
  @Instant({ nullable: true }) expiresAt: string | null;
  @Column('simple-json', { nullable: true }) rateLimit: RateLimit | null;
  /** Digest of the secret before the last rotation, valid until `previousExpiresAt`. */
  @Varchar(64, { nullable: true }) previousDigest: string | null;
  @Instant({ nullable: true }) previousExpiresAt: string | null;
  @Counter() usageCount: number;
  @Instant({ nullable: true }) lastUsedAt: string | null;
}

export const createKeySearchText = (key: Pick<ApiKey, 'name' | 'prefix' | 'note' | 'permissions'>): string =>
  toSearchText([key.name, key.prefix, key.note, ...key.permissions]);

/** Rate window of a key with a limit, shared by all machines of one database. The row is removed with its key. */
@Entity('rate_windows')
export class RateWindowRow {
  @PrimaryColumn('varchar', { length: 36 }) keyId: string;
  /** Length of the window. */
  @Column('integer') seconds: number;
  /** Number of the current slice, as counted by `routing/keys/rate-window.ts`. */
  @Counter() slice: number;
  /** Requests of each slice, the current slice first. */
  @Column('simple-json') counts: number[];
}
