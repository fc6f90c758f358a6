import { Entity, PrimaryColumn } from 'typeorm';
import { Varchar } from '../../platform/database/schema/columns';

/**
 * A host and its only owner. The host is the label of a subdomain, tenant or preview (without a dot), or a domain or
 * wildcard (`*.`). Foreign keys remove a claim together with its owner.
 */
@Entity('host_claims')
export class HostClaim {
  @PrimaryColumn('varchar', { length: 253 }) host: string;
  @Varchar(36, { nullable: true }) subdomainId: string | null;
  @Varchar(36, { nullable: true }) tenantId: string | null;
  /** The version whose preview has this host. */
  @Varchar(36, { nullable: true }) versionId: string | null;
}
