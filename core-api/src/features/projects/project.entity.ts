import { Column, Entity } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { SearchedRow } from '../../platform/database/columns';
import { searchTextOf } from '../../platform/database/search-text';

export const projectTypes = ['proxy', 'static'] as const;
export type ProjectType = (typeof projectTypes)[number];

@Audited({ entity: 'project', name: 'name', omit: ['searchText'] })
@Entity('projects')
export class Project extends SearchedRow {
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

  /** Type static: navigations to unknown paths are answered with the root's `index.html`. */
  @Column({ type: 'boolean', default: true })
  spaFallback: boolean;

  /** Where the files of a static site come from: `staticPath`, or the version `versionId`. */
  @Column({ type: 'varchar', length: 8, default: 'folder' })
  source: 'folder' | 'versions';

  /** The version that was activated last. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  versionId: string | null;
}

export const projectSearchText = ({ name, dbPrefix }: Pick<Project, 'name' | 'dbPrefix'>): string =>
  searchTextOf([name, dbPrefix]);
