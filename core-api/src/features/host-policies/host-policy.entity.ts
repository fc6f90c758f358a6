import { Column, Entity } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { Id, Varchar, Version } from '../../platform/database/schema/columns';
import type { SiteType } from '../../platform/http/access/access';
import type { PolicyRow, RateLimit } from '../../routing/config-snapshot';

/** Rules of the hosts of a subdomain or tenant, or of all tenants of a project; null inherits, `false` switches off. */
@Audited({ entity: 'policy', name: 'name', secret: ['passwordHash', 'logoPng'], omit: ['passwordKey', 'ownerKind'] })
@Entity('host_policies')
export class HostPolicyRow {
  /** Id of the owner. */
  @Id() _id: string;
  @Varchar(12) ownerKind: SiteType;
  /** The owner's name, for the audit trail. */
  @Varchar(100) name: string;
  @Column('simple-json', { nullable: true }) access: { ips: string[]; require: 'all' | 'any' } | false | null;
  @Varchar(255, { nullable: true }) passwordHash: string | null;
  /** Key that signs the cookies of the password form, in hexadecimal. It changes with the password. */
  @Varchar(64, { nullable: true }) passwordKey: string | null;
  @Column('simple-json', { nullable: true }) redirects: PolicyRow['redirects'];
  @Column('simple-json', { nullable: true }) headers: PolicyRow['headers'];
  @Column('simple-json', { nullable: true }) noindex: boolean | null;
  @Column('simple-json', { nullable: true }) rate: RateLimit | false | null;
  @Column('simple-json', { nullable: true }) maxBodyMb: number | false | null;
  @Column('simple-json', { nullable: true }) timeoutSeconds: number | false | null;
  @Column('simple-json', { nullable: true }) maintenance: PolicyRow['maintenance'];
  @Column('simple-json', { nullable: true }) branding: { name: string | null; accent: string | null } | false | null;
  /** Base64. */
  @Column('text', { nullable: true }) logoPng: string | null;
  @Version() version: number;
}
