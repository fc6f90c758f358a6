import { Column, Entity } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { toSearchText } from '../../platform/database/queries/search-text';
import { SearchedRow, Varchar } from '../../platform/database/schema/columns';

export const projectTypes = ['proxy', 'static'] as const;
export type ProjectType = (typeof projectTypes)[number];

@Audited({ entity: 'project', name: 'name', omit: ['searchText'] })
@Entity('projects')
export class Project extends SearchedRow {
  @Varchar(100) name: string;
  @Varchar(40) dbPrefix: string;
  @Varchar(16) type: ProjectType;
  @Column('integer', { nullable: true }) apiPort: number | null;
  @Varchar(1024, { nullable: true }) staticPath: string | null;
  /** Type static: navigations to unknown paths are answered with the root's `index.html`. */
  @Column('boolean', { default: true }) spaFallback: boolean;
  /** Source of the files of a static site: the folder `staticPath`, or the version `versionId`. */
  @Varchar(8, { default: 'folder' }) source: 'folder' | 'versions';
  /** The version that was activated last. */
  @Varchar(36, { nullable: true }) versionId: string | null;
}

export const createProjectSearchText = ({ name, dbPrefix }: Pick<Project, 'name' | 'dbPrefix'>): string =>
  toSearchText([name, dbPrefix]);
