import { Column, Entity } from 'typeorm';
import { Audited } from '../database/audited';
import { Id, Instant, Version } from '../database/columns';

export const projectTypes = ['proxy', 'static'] as const;
export type ProjectType = (typeof projectTypes)[number];

@Audited({ entity: 'project', name: 'name' })
@Entity('projects')
export class Project {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 100 })
  name: string;

  @Column({ type: 'varchar', length: 40 })
  dbPrefix: string;

  @Column({ type: 'varchar', length: 16 })
  type: ProjectType;

  @Column({ type: 'integer', nullable: true })
  apiPort: number | null;

  @Column({ type: 'varchar', length: 1024, nullable: true })
  staticPath: string | null;

  @Instant()
  createdAt: string;

  @Version()
  version: number;
}
