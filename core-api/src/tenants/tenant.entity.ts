import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Audited } from '../database/audited';
import { Id, Instant, Version } from '../database/columns';

export const wwwModes = ['serve', 'to-apex', 'to-www'] as const;
export type WwwMode = (typeof wwwModes)[number];

@Audited({ entity: 'tenant', name: 'name' })
@Entity('tenants')
export class Tenant {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 100 })
  name: string;

  @Column({ type: 'varchar', length: 36 })
  projectId: string;

  @ManyToOne('Project', { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'projectId' })
  project: { _id: string; name: string; type: 'proxy' | 'static'; apiPort: number | null; staticPath: string | null };

  @Column({ type: 'varchar', length: 63 })
  subdomain: string;

  @Column({ type: 'varchar', length: 63 })
  dbName: string;

  /** Punycode, without `www.`. */
  @Column({ type: 'varchar', length: 253, nullable: true })
  customDomain: string | null;

  /** What becomes of the domain and its `www`: both are served, or one leads to the other. */
  @Column({ type: 'varchar', length: 8, default: 'serve' })
  wwwMode: WwwMode;

  /** Answers with a page that says so. */
  @Column({ type: 'boolean', default: false })
  paused: boolean;

  /** Its project's target is looked at regularly. */
  @Column({ type: 'boolean', default: true })
  healthCheck: boolean;

  @Column({ type: 'varchar', length: 100, nullable: true })
  responsibleName: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  responsibleContact: string | null;

  @Instant()
  createdAt: string;

  @Version()
  version: number;
}
