import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { SearchedRow } from '../../platform/database/columns';
import { searchTextOf } from '../../platform/database/search-text';

@Audited({ entity: 'tenant', name: 'name', omit: ['searchText'] })
@Entity('tenants')
export class Tenant extends SearchedRow {
  @Column({ type: 'varchar', length: 100 })
  name: string;

  @Column({ type: 'varchar', length: 36 })
  projectId: string;

  @ManyToOne('Project', { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'projectId' })
  project: {
    _id: string;
    name: string;
    type: 'proxy' | 'static';
    apiPort: number | null;
    staticPath: string | null;
    source: 'folder' | 'versions';
    versionId: string | null;
  };

  @Column({ type: 'varchar', length: 63 })
  subdomain: string;

  @Column({ type: 'varchar', length: 63 })
  dbName: string;

  /** Visitors of a paused tenant see a page that says that it is paused. */
  @Column({ type: 'boolean', default: false })
  paused: boolean;

  /** Enables regular health checks of the project's target. */
  @Column({ type: 'boolean', default: true })
  healthCheck: boolean;

  @Column({ type: 'varchar', length: 100, nullable: true })
  responsibleName: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  responsibleContact: string | null;

  /** Where the files of a static site come from: the project, or the version `versionId`. */
  @Column({ type: 'varchar', length: 8, default: 'project' })
  source: 'project' | 'versions';

  /** The version that was activated last. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  versionId: string | null;
}

/** Text that the search of the list compares, beside the search text of the project and the primary domain. */
export const tenantSearchText = (
  row: Pick<Tenant, 'name' | 'subdomain' | 'dbName' | 'responsibleName' | 'responsibleContact'>,
): string => searchTextOf([row.name, row.subdomain, row.dbName, row.responsibleName, row.responsibleContact]);
