import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * One host space: the label of a subdomain or tenant (no dot) or a custom domain (with dots) has one owner. The foreign
 * keys remove a claim together with its owner.
 */
@Entity('host_claims')
export class HostClaim {
  @PrimaryColumn({ type: 'varchar', length: 253 })
  host: string;

  @Column({ type: 'varchar', length: 36, nullable: true })
  subdomainId: string | null;

  @Column({ type: 'varchar', length: 36, nullable: true })
  tenantId: string | null;
}
