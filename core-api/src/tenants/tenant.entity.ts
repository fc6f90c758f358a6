import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Id, Instant } from '../database/columns';
import { Project } from '../projects/project.entity';

@Entity('tenants')
export class Tenant {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 100 })
  name: string;

  @Column({ type: 'varchar', length: 36 })
  projectId: string;

  @ManyToOne(() => Project, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'projectId' })
  project: Project;

  @Column({ type: 'varchar', length: 63 })
  subdomain: string;

  @Column({ type: 'varchar', length: 63 })
  dbName: string;

  /** Punycode, without `www.`. */
  @Column({ type: 'varchar', length: 253, nullable: true })
  customDomain: string | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  responsibleName: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  responsibleContact: string | null;

  @Instant()
  createdAt: string;
}
